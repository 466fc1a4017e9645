//! The cache folder of tables: find, build once, store atomically, list, clean.
//!
//! A table is built by at most one process at a time (a lock file beside it); others wait and then map
//! the finished file. Within a process every table is opened once and shared. If a finished table cannot
//! be stored (no permission, full disk) it is used from memory and the observer is told.

pub use crate::build::Build;

use crate::{
    error::TableError,
    file, room,
    table::{Table, Width},
    work::{self, BuildProgress, UNFINISHED, Work},
};
use cpu_time::ProcessTime;
use std::{
    collections::HashMap,
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// What to do about a table's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Policy {
    /// Use it if it is there; refuse a broken one.
    #[default]
    Reuse,
    /// Build it anew, once per process, whatever is there.
    Rebuild,
}

/// What happens to a table.
#[derive(Debug)]
pub enum Event<'a> {
    /// Another process is building it.
    Waiting,
    /// Building begins.
    Building {
        /// Number of entries.
        entries: u64,
    },
    /// Building goes on.
    Progress(BuildProgress),
    /// Built; `stored` is where, or why it could not be stored.
    Built {
        /// The file, or the error.
        stored: Result<&'a Path, &'a TableError>,
    },
    /// Opened from the cache.
    Opened,
}

/// Told of every event with the table's key; `false` cancels a build.
pub type TableObserver = dyn Fn(&str, &Event<'_>) -> bool + Send + Sync;

/// The cache folder and the tables opened so far.
pub struct Cache {
    folder: Option<PathBuf>,
    threads: usize,
    policy: Policy,
    observer: Box<TableObserver>,
    /// How often the state of a build is kept.
    every: Duration,
    open: Mutex<HashMap<String, Arc<Table>>>,
    /// CPU nanoseconds of the process while it was building.
    build_cpu: AtomicU64,
}

/// A file of the cache folder.
#[derive(Debug)]
pub struct Entry {
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// What its header says.
    pub header: Result<file::Header, TableError>,
}

const TABLE: &str = "table";
const LOCK: &str = "lock";

impl Cache {
    /// A cache in a folder (made when the first table is stored); `None` keeps tables in memory only.
    #[must_use]
    pub fn new(folder: Option<PathBuf>, threads: usize, policy: Policy) -> Self {
        Self {
            folder,
            threads,
            policy,
            observer: Box::new(|_, _| true),
            every: work::EVERY,
            open: Mutex::default(),
            build_cpu: AtomicU64::new(0),
        }
    }

    /// The same with an observer.
    #[must_use]
    pub fn with_observer(mut self, observer: Box<TableObserver>) -> Self {
        self.observer = observer;
        self
    }

    /// The same, with the state of builds kept whenever this time has passed instead of each hundred seconds.
    #[must_use]
    pub fn keeping(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// Whether a table is there, or could be built and kept.
    ///
    /// # Errors
    /// [`TableError::NoRoom`].
    pub fn has_room(&self, what: &dyn Build) -> Result<(), TableError> {
        let path = self.path(what);
        match path.is_some_and(|path| path.exists()) && self.policy == Policy::Reuse {
            true => Ok(()),
            false => room::check(what, self.folder()),
        }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// CPU time of this process, all threads, while tables were being built.
    #[must_use]
    pub fn build_cpu(&self) -> Duration {
        Duration::from_nanos(self.build_cpu.load(Ordering::Relaxed))
    }

    /// The file of a table.
    #[must_use]
    pub fn path(&self, what: &dyn Build) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(what.file_stem()).with_extension(TABLE))
    }

    /// The table: opened before, mapped from the folder, or built and stored.
    ///
    /// # Errors
    /// A broken or foreign file under [`Policy::Reuse`], or the build failed or was cancelled.
    pub fn get(&self, what: &dyn Build) -> Result<Arc<Table>, TableError> {
        let key = what.key();
        // Held while building: tables are built one after the other, each on all threads.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = open.get(&key) {
            return Ok(Arc::clone(table));
        }
        let table = Arc::new(match self.path(what) {
            None => self.build(what, &key, None)?,
            Some(path) => self.open_or_build(what, &key, &path)?,
        });
        open.insert(key, Arc::clone(&table));
        Ok(table)
    }

    /// The same table in memory of this process, with huge pages where the system has them: faster where single entries are
    /// looked up at random, but not shared with other processes. It is copied once per process.
    ///
    /// # Errors
    /// As [`get`](Self::get), or there is no memory.
    pub fn get_resident(&self, what: &dyn Build) -> Result<Arc<Table>, TableError> {
        let key = what.key() + ", in memory";
        let known = |this: &Self| {
            let open = this.open.lock().unwrap_or_else(PoisonError::into_inner);
            open.get(&key).cloned()
        };
        if let Some(table) = known(self) {
            return Ok(table);
        }
        let mapped = self.get(what)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have copied it meanwhile.
        if let Some(table) = open.get(&key) {
            return Ok(Arc::clone(table));
        }
        let table = Arc::new(mapped.resident()?);
        open.insert(key, Arc::clone(&table));
        // Nothing needs the mapping any more.
        open.remove(&what.key());
        Ok(table)
    }

    /// Maps a file that is there.
    fn reuse(&self, key: &str, path: &Path, width: Width) -> Result<Option<Table>, TableError> {
        if self.policy == Policy::Rebuild || !path.exists() {
            return Ok(None);
        }
        let table = file::open(path, key, width).map_err(|reason| match reason {
            io @ TableError::Io { .. } => io,
            reason => TableError::Unusable { path: path.to_owned(), reason: Box::new(reason) },
        })?;
        (self.observer)(key, &Event::Opened);
        Ok(Some(table))
    }

    fn open_or_build(&self, what: &dyn Build, key: &str, path: &Path) -> Result<Table, TableError> {
        if let Some(table) = self.reuse(key, path, what.width())? {
            return Ok(table);
        }
        let lock = match self.lock(key, path) {
            Ok(lock) => lock,
            // No permission or no such folder: the table is built all the same, but kept in memory.
            Err(error) => return self.build(what, key, Some(Err(error))),
        };
        // Another process may have built it meanwhile.
        let table = match self.reuse(key, path, what.width())? {
            Some(table) => table,
            None => self.build(what, key, Some(Ok(path)))?,
        };
        drop(lock);
        Ok(table)
    }

    /// The lock of a table's file; released when the file is closed, also by a kill.
    fn lock(&self, key: &str, path: &Path) -> Result<File, TableError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(TableError::io(folder))?;
        }
        let lock_path = path.with_extension(LOCK);
        let lock = File::create(&lock_path).map_err(TableError::io(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                (self.observer)(key, &Event::Waiting);
                lock.lock().map_err(TableError::io(&lock_path))?;
            }
            Err(TryLockError::Error(source)) => {
                return Err(TableError::Io { path: lock_path, source });
            }
        }
        Ok(lock)
    }

    fn build(
        &self,
        what: &dyn Build,
        key: &str,
        place: Option<Result<&Path, TableError>>,
    ) -> Result<Table, TableError> {
        room::check(what, self.folder())?;
        let entries = what.entries();
        if !(self.observer)(key, &Event::Building { entries }) {
            return Err(TableError::Cancelled);
        }
        let progress = |p| (self.observer)(key, &Event::Progress(p));
        let clock = ProcessTime::now();
        let mut work = Work::new(self.threads, &progress);
        if let Some(Ok(path)) = place {
            work = work.kept(path, key, self.every);
        }
        let payload = what.build(&work);
        self.build_cpu.fetch_add(clock.elapsed().as_nanos() as u64, Ordering::Relaxed);
        let payload = payload?;
        match place {
            None => {}
            Some(Err(error)) => {
                (self.observer)(key, &Event::Built { stored: Err(&error) });
            }
            Some(Ok(path)) => match file::write(path, key, entries, &payload) {
                Ok(()) => {
                    (self.observer)(key, &Event::Built { stored: Ok(path) });
                    // What the build would have gone on from is not needed any more; it may not be there.
                    let _ = std::fs::remove_file(path.with_extension(UNFINISHED));
                    drop(payload);
                    return file::open(path, key, what.width());
                }
                Err(error) => {
                    (self.observer)(key, &Event::Built { stored: Err(&error) });
                }
            },
        }
        Table::from_packed(&payload, entries, what.width())
    }

    /// The tables in the folder, by name.
    ///
    /// # Errors
    /// The folder cannot be read (one that does not exist is empty).
    pub fn entries(&self) -> Result<Vec<Entry>, TableError> {
        let mut entries: Vec<Entry> = self
            .files(&[TABLE])?
            .into_iter()
            .map(|path| Entry {
                bytes: path.metadata().map_or(0, |m| m.len()),
                header: file::read_header(&path),
                path,
            })
            .collect();
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(entries)
    }

    /// Removes all tables, and locks and unfinished files that no process holds. The number of bytes
    /// freed and of files removed.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn clean(&self) -> Result<(u64, usize), TableError> {
        let (mut bytes, mut count) = (0, 0);
        for lock in self.files(&[LOCK])? {
            let held = File::open(&lock).is_ok_and(|f| f.try_lock().is_err());
            if held {
                continue;
            }
            std::fs::remove_file(&lock).map_err(TableError::io(&lock))?;
        }
        for path in self.files(&[TABLE, file::PARTIAL, UNFINISHED])? {
            if path.with_extension(LOCK).exists() {
                continue;
            }
            bytes += path.metadata().map_or(0, |m| m.len());
            count += 1;
            std::fs::remove_file(&path).map_err(TableError::io(&path))?;
        }
        Ok((bytes, count))
    }

    fn files(&self, extensions: &[&str]) -> Result<Vec<PathBuf>, TableError> {
        let Some(folder) = &self.folder else {
            return Ok(Vec::new());
        };
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let listing = std::fs::read_dir(folder).map_err(TableError::io(folder))?;
        let mut files = Vec::new();
        for entry in listing {
            let path = entry.map_err(TableError::io(folder))?.path();
            let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
            if extensions.contains(&extension) {
                files.push(path);
            }
        }
        Ok(files)
    }
}
