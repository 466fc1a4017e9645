//! The folder of a run: the recipe with which the run began, files that are written completely or
//! not at all, and a lock for one process at a time. A run can be killed at any moment and
//! continues from its folder.
//!
//! Rank 0 touches the folder and sends the content of files to the other ranks. All ranks open
//! folders, read and remove together.

use std::{
    fmt::Display,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};
use unriddle_catalog::{
    ranks::{Message, Ranks, broadcast},
    work::{self, WorkError},
};

/// The name of the file that the process of a run holds locked; the system lets go of it however
/// the process ends.
const LOCK: &str = ".lock";

/// A run's folder.
pub(crate) struct Folder<'a> {
    path: PathBuf,
    ranks: &'a dyn Ranks,
    /// Held by rank 0.
    lock: Option<File>,
}

impl<'a> Folder<'a> {
    /// Makes the folder, or takes it up if it holds a run of the same recipe.
    pub(crate) fn open(path: &Path, recipe: &str, ranks: &'a dyn Ranks) -> Result<Self, WorkError> {
        let mut folder = Self { path: path.to_owned(), ranks, lock: None };
        if folder.is_mine() {
            fs::create_dir_all(path).map_err(|e| WorkError::file(path, &e))?;
            folder.lock = Some(lock(path)?);
        }
        match folder.read("recipe.toml")? {
            None => folder.write("recipe.toml", recipe)?,
            Some(known) if known == recipe => {}
            Some(_) => {
                return Err(WorkError::Usage(format!(
                    "{} holds a run of another recipe; give another folder",
                    path.display()
                )));
            }
        }
        Ok(folder)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// An error of a file.
    pub(crate) fn failed(&self, name: &str, why: &dyn Display) -> WorkError {
        WorkError::file(&self.path(name), why)
    }

    /// Whether this rank touches the folder.
    pub(crate) fn is_mine(&self) -> bool {
        self.ranks.rank() == 0
    }

    /// A file's text; `None` if there is no such file.
    pub(crate) fn read(&self, name: &str) -> Result<Option<String>, WorkError> {
        let text = self.all_know(|| self.found(name, fs::read(self.path(name))))?;
        text.map(String::from_utf8).transpose().map_err(|why| self.failed(name, &why))
    }

    /// The content that rank 0 reads, on all ranks. After its error the others wait for the end of
    /// the run.
    fn all_know(
        &self,
        read: impl FnOnce() -> Result<Option<Vec<u8>>, WorkError>,
    ) -> Result<Option<Vec<u8>>, WorkError> {
        if self.ranks.size() == 1 {
            return read();
        }
        let mut bytes = Vec::new();
        if self.is_mine() {
            read()?.map(Bytes).write(&mut bytes);
        }
        let found: Option<Bytes> = Option::read(&broadcast(self.ranks, bytes)).flatten();
        Ok(found.map(|Bytes(bytes)| bytes))
    }

    /// `None` if there is no such file.
    fn found<T>(&self, name: &str, read: io::Result<T>) -> Result<Option<T>, WorkError> {
        match read {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed(name, &error)),
        }
    }

    /// Removes a file, if it is there.
    #[cfg(any(test, feature = "train"))]
    pub(crate) fn remove(&self, name: &str) -> Result<(), WorkError> {
        match self.is_mine() {
            true => self.found(name, fs::remove_file(self.path(name))).map(|_| ()),
            false => Ok(()),
        }
    }

    /// A file's bytes; `None` if there is no such file.
    #[cfg(feature = "train")]
    pub(crate) fn read_bytes(&self, name: &str) -> Result<Option<Vec<u8>>, WorkError> {
        self.all_know(|| self.found(name, fs::read(self.path(name))))
    }

    /// Writes a file whole or not at all.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), WorkError> {
        self.write_bytes(name, text.as_bytes())
    }

    /// The same for a file that is no text.
    pub(crate) fn write_bytes(&self, name: &str, bytes: &[u8]) -> Result<(), WorkError> {
        if !self.is_mine() {
            return Ok(());
        }
        let new = self.path(&format!(".{name}.new"));
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(bytes)?;
            // Else a power cut could leave the new name with nothing in it.
            file.sync_all()?;
            fs::rename(&new, self.path(name))
        };
        write().map_err(|e| {
            // Frees the space of the incomplete file on a full disk.
            let _ = fs::remove_file(&new);
            self.failed(name, &e)
        })
    }
}

/// The content of a file.
struct Bytes(Vec<u8>);

impl Message for Bytes {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.0);
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        Some(Self(bytes.to_vec()))
    }
}

/// Locks a folder for this process.
fn lock(folder: &Path) -> Result<File, WorkError> {
    let path = folder.join(LOCK);
    let file = File::options().create(true).append(true).open(&path);
    let file = file.map_err(|e| WorkError::file(&path, &e))?;
    work::lock(&file, folder, "folder")?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_catalog::ranks::Alone;

    #[test]
    fn a_folder_has_one_recipe_and_one_process() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/run");
        let folder = Folder::open(&path, "one", &Alone).unwrap();
        assert_eq!(folder.read("log").unwrap(), None);
        folder.write("log", "text").unwrap();
        let refused = |recipe| Folder::open(&path, recipe, &Alone).err().unwrap().to_string();
        assert!(refused("one").starts_with("another process is at work in"));
        folder.remove("log").unwrap();
        folder.remove("log").unwrap();
        assert_eq!(folder.read("log").unwrap(), None);
        folder.write("log", "text").unwrap();
        drop(folder);
        assert!(refused("two").ends_with("holds a run of another recipe; give another folder"));
        let folder = Folder::open(&path, "one", &Alone).unwrap();
        assert_eq!(folder.read("log").unwrap().as_deref(), Some("text"));
    }
}
