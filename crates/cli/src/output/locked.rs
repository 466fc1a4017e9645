//! A file of results that only one process writes.

use crate::exit::Failure;
use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};
use unriddle_catalog::{Record, work};

/// A file of results, open for writing. A regular file is locked for this process until it ends.
/// The lock is on the file itself, so that nothing remains of it.
pub(crate) struct LockedFile {
    path: PathBuf,
    file: File,
    /// Whether it is a regular file, and not a device or a pipe.
    is_regular: bool,
}

impl LockedFile {
    /// Opens a file, or creates it. Its content is kept.
    ///
    /// # Errors
    /// The file cannot be opened, or another process writes it.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let failed = |error| Failure::file(path, &error);
        loop {
            let file = File::options().append(true).create(true).open(path).map_err(failed)?;
            let is_regular = file.metadata().map_err(failed)?.is_file();
            if is_regular {
                lock(&file, path)?;
            }
            if !is_regular || is_at(&file, path).map_err(failed)? {
                return Ok(Self { path: path.to_owned(), file, is_regular });
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file keeps its content, so that a later process can read it.
    pub(crate) fn is_regular(&self) -> bool {
        self.is_regular
    }

    /// Removes the content of a regular file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn empty(&self) -> Result<(), Failure> {
        let done = if self.is_regular { self.file.set_len(0) } else { Ok(()) };
        done.map_err(|error| Failure::file(&self.path, &error))
    }

    /// Replaces the content by JSON lines. The complete new file replaces the old one, so that a
    /// killed process loses nothing.
    ///
    /// # Errors
    /// The new file cannot be written; the old one is unchanged.
    pub(crate) fn replace(&mut self, records: &[Record]) -> Result<(), Failure> {
        let mut partial = self.path.as_os_str().to_owned();
        partial.push(".partial");
        let failed = |error| Failure::file(&self.path, &error);
        let file = File::create(&partial).map_err(failed)?;
        // Without the lock before the new name, another process could enter between the two.
        lock(&file, &self.path)?;
        let store = || {
            let mut writer = io::BufWriter::new(&file);
            for record in records {
                writeln!(writer, "{}", record.json()?)?;
            }
            writer.flush()?;
            file.sync_all()?;
            fs::rename(&partial, &self.path)
        };
        store().map_err(|error: io::Error| {
            // Frees the space of the incomplete file on a full disk.
            let _ = fs::remove_file(&partial);
            failed(error)
        })?;
        self.file = file;
        Ok(())
    }
}

impl Write for LockedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Locks a file on Unix. Elsewhere a lock would keep readers out as well.
fn lock(file: &File, path: &Path) -> Result<(), Failure> {
    if cfg!(unix) {
        work::lock(file, path, "file")?;
    }
    Ok(())
}

/// Whether an open file still has its path. Another process may have replaced the file between its
/// opening and its lock.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let of = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        match fs::metadata(path) {
            Ok(now) => Ok(of(now) == of(file.metadata()?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        Ok(true)
    }
}
