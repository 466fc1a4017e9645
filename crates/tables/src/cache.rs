//! The cache folder of tables: finds, builds once, stores atomically, lists and cleans tables.
//!
//! At most one process at a time builds a table (a lock file beside it); others wait and then map
//! the finished file. Within a process every table is opened once and shared. If a finished table
//! cannot be stored (no permission, full disk) it is used from memory, and the observer is
//! notified.

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
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// Treatment of an existing file of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Policy {
    /// Use the file; reject a broken one.
    #[default]
    Reuse,
    /// Build the table again, once per process.
    Rebuild,
}

/// Event in the life of a table.
#[derive(Debug)]
pub enum Event<'a> {
    /// Another process is building the table.
    Waiting,
    /// The build begins.
    Building {
        /// Number of entries.
        entries: u64,
    },
    /// The build has made progress.
    Progress(BuildProgress),
    /// The table is built and stored, or could not be stored.
    Built {
        /// The file, or the error of storing it.
        stored: Result<&'a Path, &'a TableError>,
    },
    /// The table was opened from the cache.
    Opened,
}

/// Callback that receives every event with the table's key; it returns `false` to cancel a build.
pub type TableObserver = dyn Fn(&str, &Event<'_>) -> bool + Send + Sync;

/// Cache folder with the tables opened so far.
pub struct Cache {
    folder: Option<PathBuf>,
    threads: usize,
    policy: Policy,
    observer: Box<TableObserver>,
    /// Time between two saved states of a build.
    every: Duration,
    open: Mutex<HashMap<String, Arc<Table>>>,
    /// CPU time of the process during builds, in nanoseconds.
    build_cpu: AtomicU64,
}

/// File of the cache folder.
#[derive(Debug)]
pub struct Entry {
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// Header of the file.
    pub header: Result<file::Header, TableError>,
}

const TABLE: &str = "table";
const LOCK: &str = "lock";

impl Cache {
    /// Creates a cache in a folder, which is made when the first table is stored. `None` keeps
    /// tables in memory only.
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

    /// The same cache with an observer.
    #[must_use]
    pub fn with_observer(mut self, observer: Box<TableObserver>) -> Self {
        self.observer = observer;
        self
    }

    /// The same cache with the time `every` between two saved states of a build (by default a
    /// hundred seconds).
    #[must_use]
    pub fn keeping(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// Checks whether a table exists, or can be built and stored.
    ///
    /// # Errors
    /// [`TableError::NoRoom`].
    pub fn has_room(&self, what: &dyn Build) -> Result<(), TableError> {
        match self.policy {
            Policy::Reuse if self.path(what).is_some_and(|path| path.exists()) => Ok(()),
            _ => room::check(what, self.folder()),
        }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// CPU time of this process (all threads) during builds.
    #[must_use]
    pub fn build_cpu(&self) -> Duration {
        Duration::from_nanos(self.build_cpu.load(Ordering::Relaxed))
    }

    /// Path of a table's file.
    #[must_use]
    pub fn path(&self, what: &dyn Build) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(what.file_stem()).with_extension(TABLE))
    }

    /// Returns a table: opened before, mapped from the folder, or built and stored.
    ///
    /// # Errors
    /// A broken or foreign file under [`Policy::Reuse`], or a build that failed or was cancelled.
    pub fn get(&self, what: &dyn Build) -> Result<Arc<Table>, TableError> {
        let key = what.key();
        // The lock is held during a build: tables are built one after the other, each on all
        // threads.
        let mut open = self.open();
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

    /// Returns the same table in memory of this process, with huge pages where the system has them.
    /// Random lookups of single entries are faster, but the memory is not shared with other
    /// processes. The table is copied once per process.
    ///
    /// # Errors
    /// As [`get`](Self::get), or no memory is left.
    pub fn get_resident(&self, what: &dyn Build) -> Result<Arc<Table>, TableError> {
        let key = what.key() + ", in memory";
        if let Some(table) = self.open().get(&key) {
            return Ok(Arc::clone(table));
        }
        let mapped = self.get(what)?;
        let mut open = self.open();
        // Another thread may have copied the table meanwhile.
        if let Some(table) = open.get(&key) {
            return Ok(Arc::clone(table));
        }
        let table = Arc::new(mapped.resident()?);
        open.insert(key, Arc::clone(&table));
        // The mapping is not needed any more.
        open.remove(&what.key());
        Ok(table)
    }

    /// The tables opened so far.
    fn open(&self) -> MutexGuard<'_, HashMap<String, Arc<Table>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Maps an existing file.
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
        let _lock = match self.lock(key, path) {
            Ok(lock) => lock,
            // No permission or no such folder: the table is built, but stays in memory.
            Err(error) => return self.build(what, key, Some(Err(error))),
        };
        // Another process may have built the table meanwhile.
        match self.reuse(key, path, what.width())? {
            Some(table) => Ok(table),
            None => self.build(what, key, Some(Ok(path))),
        }
    }

    /// Locks a table's file. The lock is released when the file is closed, also by a kill.
    fn lock(&self, key: &str, path: &Path) -> Result<File, TableError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(TableError::io(folder))?;
        }
        let lock_path = path.with_extension(LOCK);
        let lock = File::create(&lock_path).map_err(TableError::io(&lock_path))?;
        let locked = match lock.try_lock() {
            Err(TryLockError::WouldBlock) => {
                (self.observer)(key, &Event::Waiting);
                lock.lock()
            }
            Err(TryLockError::Error(source)) => Err(source),
            Ok(()) => Ok(()),
        };
        locked.map_err(TableError::io(&lock_path))?;
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
        if let Some(place) = place {
            let write = |path| file::write(path, key, entries, &payload).map(|()| path);
            let stored = place.and_then(write);
            (self.observer)(key, &Event::Built { stored: stored.as_ref().copied() });
            if let Ok(path) = stored {
                // The saved state of the build, if any, is not needed any more.
                let _ = std::fs::remove_file(path.with_extension(UNFINISHED));
                drop(payload);
                return file::open(path, key, what.width());
            }
        }
        Table::from_packed(&payload, entries, what.width())
    }

    /// The tables in the folder, sorted by name.
    ///
    /// # Errors
    /// The folder cannot be read (a folder that does not exist is empty).
    pub fn entries(&self) -> Result<Vec<Entry>, TableError> {
        let mut paths = self.files(&[TABLE])?;
        paths.sort_unstable();
        let entry = |path: PathBuf| Entry {
            bytes: path.metadata().map_or(0, |m| m.len()),
            header: file::read_header(&path),
            path,
        };
        Ok(paths.into_iter().map(entry).collect())
    }

    /// Removes all tables, and locks and unfinished files that no process holds. Returns the number
    /// of bytes freed and of files removed.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn clean(&self) -> Result<(u64, usize), TableError> {
        let (mut bytes, mut count) = (0, 0);
        for lock in self.files(&[LOCK])? {
            let held = File::open(&lock).is_ok_and(|f| f.try_lock().is_err());
            if !held {
                std::fs::remove_file(&lock).map_err(TableError::io(&lock))?;
            }
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
        let Some(folder) = self.folder().filter(|folder| folder.exists()) else {
            return Ok(Vec::new());
        };
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
