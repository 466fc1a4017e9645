//! The cache folder of tables: finds, builds once, stores atomically, lists and cleans tables.
//!
//! At most one process at a time builds a table (a lock file beside it); others wait and then map
//! the finished file. Within a process every table is opened once and shared. If a finished table
//! cannot be stored (no permission, full disk) it is used from memory, and the observer is
//! notified.
//!
//! A stored table is used only if its rules have the version of its builder, and if some of its
//! entries, drawn at random, agree with the rules ([`Build::check`]). Otherwise it is built again,
//! and the observer is notified.

pub use crate::build::Build;

use crate::{
    build,
    error::TableError,
    file, room,
    store::{self, Store},
    table::Table,
    work::{self, BuildProgress, UNFINISHED, Work},
};
use std::{
    collections::{HashMap, HashSet},
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use unriddle_core::clock::{Instant, ProcessTime};

/// Treatment of an existing file of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Policy {
    /// Use the file; reject a broken one, and build a stale one again.
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
    /// The stored table does not follow the present rules, and is built again.
    Stale {
        /// The file; the key of a table that a [`Store`] keeps.
        path: &'a Path,
        /// Difference, as a clause.
        why: &'a str,
    },
    /// The build was given up, because it would take longer than the time that it has. The table is
    /// not needed.
    TooSlow,
}

/// Callback that receives every event with the table's key; it returns `false` to cancel a build.
pub type TableObserver = dyn Fn(&str, &Event<'_>) -> bool + Send + Sync;

/// Cache folder with the tables opened so far.
pub struct Cache {
    folder: Option<PathBuf>,
    threads: usize,
    policy: Policy,
    observer: Arc<TableObserver>,
    /// Time between two saved states of a build.
    every: Duration,
    shared: Arc<Shared>,
    allowance: Option<Allowance>,
    /// Store of tables, if the cache has no folder.
    store: Option<Arc<dyn Store>>,
}

/// State that a cache shares with the caches that were [derived](Cache::within) from it.
#[derive(Default)]
struct Shared {
    open: Mutex<HashMap<String, Arc<Table>>>,
    /// Keys of tables whose build was given up.
    too_slow: Mutex<HashSet<String>>,
    /// CPU time of the process during builds, in nanoseconds.
    build_cpu: AtomicU64,
}

/// Memory limit of the tables of a solve.
struct Allowance {
    limit: u64,
    /// Bytes of the tables that were granted, by key.
    granted: Mutex<HashMap<String, u64>>,
}

impl Allowance {
    /// Checks whether a table may be used beside the granted ones.
    fn check(&self, granted: &HashMap<String, u64>, what: &dyn Build) -> Result<(), TableError> {
        let (key, bytes, limit) = (what.key(), what.bytes(), self.limit);
        let others = granted.iter().filter(|(other, _)| **other != key).map(|(_, bytes)| bytes);
        let others: u64 = others.sum();
        if others.saturating_add(bytes) < limit {
            return Ok(());
        }
        Err(TableError::OverLimit { key, bytes, others, limit })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Whether a build that has taken `elapsed` will take longer than `limit`, judged by its progress.
fn is_too_slow(progress: BuildProgress, elapsed: Duration, limit: Duration) -> bool {
    let done = progress.done as f64 / progress.total.max(1) as f64;
    elapsed >= limit / 10 && elapsed.as_secs_f64() > done * limit.as_secs_f64()
}

/// Search for a stored table.
enum Found {
    Nothing,
    Table(Table),
    /// A table that does not follow the present rules, and the difference.
    Stale(String),
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
            observer: Arc::new(|_, _| true),
            every: work::EVERY,
            shared: Arc::default(),
            allowance: None,
            store: None,
        }
    }

    /// The same cache for a solve whose tables must take less than `memory` bytes together; `None`
    /// without a limit. It shares the open tables.
    #[must_use]
    pub fn within(&self, memory: Option<u64>) -> Self {
        Self {
            folder: self.folder.clone(),
            threads: self.threads,
            policy: self.policy,
            observer: Arc::clone(&self.observer),
            every: self.every,
            shared: Arc::clone(&self.shared),
            allowance: memory.map(|limit| Allowance { limit, granted: Mutex::default() }),
            store: self.store.clone(),
        }
    }

    /// The same cache with a store, which a cache without a folder reads tables from and writes
    /// built tables to.
    #[must_use]
    pub fn with_store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(store);
        self
    }

    /// The same cache with an observer.
    #[must_use]
    pub fn with_observer(mut self, observer: Box<TableObserver>) -> Self {
        self.observer = observer.into();
        self
    }

    /// The same cache with the time `every` between two saved states of a build (by default a
    /// hundred seconds).
    #[must_use]
    pub fn keeping(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// Checks whether a table exists, or can be built and stored, within the memory limit of the
    /// solve.
    ///
    /// # Errors
    /// [`TableError::NoRoom`], [`TableError::OverLimit`].
    pub fn has_room(&self, what: &dyn Build) -> Result<(), TableError> {
        if let Some(allowance) = &self.allowance {
            allowance.check(&lock(&allowance.granted), what)?;
        }
        match self.policy {
            Policy::Reuse if self.path(what).is_some_and(|path| path.exists()) => Ok(()),
            _ => {
                room::to_build(what)?;
                self.folder().map_or(Ok(()), |folder| room::to_store(what, folder))
            }
        }
    }

    /// Checks whether all tables of a solve fit into its memory limit together, before any of them
    /// is built.
    ///
    /// # Errors
    /// [`TableError::OverLimit`] for the largest table.
    pub fn admit<'b>(
        &self,
        tables: impl IntoIterator<Item = &'b dyn Build>,
    ) -> Result<(), TableError> {
        let Some(allowance) = &self.allowance else { return Ok(()) };
        let mut granted = lock(&allowance.granted).clone();
        let mut largest = None;
        for table in tables {
            let key = table.key();
            if let Some(store) = self.store.as_ref().filter(|_| !self.open().contains_key(&key)) {
                store.announce(&key);
            }
            granted.insert(key, table.bytes());
            if largest.is_none_or(|other: &dyn Build| other.bytes() < table.bytes()) {
                largest = Some(table);
            }
        }
        largest.map_or(Ok(()), |largest| allowance.check(&granted, largest))
    }

    /// Grants the memory of a table, if the solve has a limit.
    fn grant(&self, what: &dyn Build) -> Result<(), TableError> {
        let Some(allowance) = &self.allowance else { return Ok(()) };
        let mut granted = lock(&allowance.granted);
        allowance.check(&granted, what)?;
        granted.insert(what.key(), what.bytes());
        Ok(())
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// CPU time of this process (all threads) during builds.
    #[must_use]
    pub fn build_cpu(&self) -> Duration {
        Duration::from_nanos(self.shared.build_cpu.load(Ordering::Relaxed))
    }

    /// Path of a table's file.
    #[must_use]
    pub fn path(&self, what: &dyn Build) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(what.file_stem()).with_extension(TABLE))
    }

    /// Returns a table: opened before, mapped from the folder, or built and stored.
    ///
    /// # Errors
    /// A table beyond the memory limit of the solve, a broken or foreign file under
    /// [`Policy::Reuse`], or a build that failed or was cancelled.
    pub fn get(&self, what: &dyn Build) -> Result<Arc<Table>, TableError> {
        self.get_within(what, None)
    }

    /// Returns a table that a solve can do without, or `None` if its build would take longer than
    /// `limit`, judged by the progress after a tenth of that time.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn get_soon(
        &self,
        what: &dyn Build,
        limit: Duration,
    ) -> Result<Option<Arc<Table>>, TableError> {
        let is_too_slow = || lock(&self.shared.too_slow).contains(&what.key());
        let found = match is_too_slow() {
            true => Err(TableError::Cancelled),
            false => self.get_within(what, Some(limit)),
        };
        match found {
            Err(TableError::Cancelled) if is_too_slow() => {
                if let Some(allowance) = &self.allowance {
                    lock(&allowance.granted).remove(&what.key());
                }
                Ok(None)
            }
            found => found.map(Some),
        }
    }

    /// The table, whose build is given up if it takes longer than `limit`.
    fn get_within(
        &self,
        what: &dyn Build,
        limit: Option<Duration>,
    ) -> Result<Arc<Table>, TableError> {
        self.grant(what)?;
        let key = what.key();
        // The lock is held during a build: tables are built one after the other, each on all
        // threads.
        let mut open = self.open();
        if let Some(table) = open.get(&key) {
            return Ok(Arc::clone(table));
        }
        let table = match (self.path(what), &self.store) {
            (Some(path), _) => Arc::new(self.open_or_build(what, &key, limit, &path)?),
            (None, Some(store)) => match self.stored(what, &key, &**store) {
                Some(table) => Arc::new(table),
                None => {
                    let table = Arc::new(self.build(what, &key, limit, None)?);
                    let (version, entries) = (what.version(), table.entries());
                    let header = file::header(&key, version, entries, table.packed());
                    store.write(&key, header, &table);
                    table
                }
            },
            (None, None) => Arc::new(self.build(what, &key, limit, None)?),
        };
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
        self.grant(what)?;
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
        lock(&self.shared.open)
    }

    /// Maps an existing file. A stale one has a reason.
    fn reuse(&self, what: &dyn Build, key: &str, path: &Path) -> Result<Found, TableError> {
        if self.policy == Policy::Rebuild || !path.exists() {
            return Ok(Found::Nothing);
        }
        let opened = file::open_whole(path, key, what.width());
        let (table, header) = opened.map_err(|reason| match reason {
            reason @ (TableError::Io { .. } | TableError::NotAFile(_)) => reason,
            reason => TableError::Unusable { path: path.to_owned(), reason: Box::new(reason) },
        })?;
        if let Err(why) = build::follows(what, &table, &header) {
            return Ok(Found::Stale(why));
        }
        (self.observer)(key, &Event::Opened);
        Ok(Found::Table(table))
    }

    /// Reads a table from a store. `None` if the store does not have it, or if it is damaged or
    /// does not follow the present rules.
    fn stored(&self, what: &dyn Build, key: &str, store: &dyn Store) -> Option<Table> {
        if self.policy == Policy::Rebuild {
            return None;
        }
        match store::open(store, what, key)? {
            Ok(table) => {
                (self.observer)(key, &Event::Opened);
                Some(table)
            }
            Err(why) => {
                (self.observer)(key, &Event::Stale { path: Path::new(key), why: &why });
                None
            }
        }
    }

    fn open_or_build(
        &self,
        what: &dyn Build,
        key: &str,
        limit: Option<Duration>,
        path: &Path,
    ) -> Result<Table, TableError> {
        if let Found::Table(table) = self.reuse(what, key, path)? {
            return Ok(table);
        }
        let locked = self.lock(key, path);
        // Another process may have built the table meanwhile.
        match self.reuse(what, key, path)? {
            Found::Table(table) => return Ok(table),
            Found::Stale(why) => {
                (self.observer)(key, &Event::Stale { path, why: &why });
            }
            Found::Nothing => {}
        }
        // No permission or no such folder: the table is built, but stays in memory.
        let (_lock, place) = match locked {
            Ok(lock) => (Some(lock), Ok(path)),
            Err(error) => (None, Err(error)),
        };
        self.build(what, key, limit, Some(place))
    }

    /// Locks a table's file. The lock is released when the file is closed, also by a kill.
    fn lock(&self, key: &str, path: &Path) -> Result<File, TableError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(TableError::io(folder))?;
        }
        let lock_path = path.with_extension(LOCK);
        // Opening a fifo would wait for its reader.
        if std::fs::metadata(&lock_path).is_ok_and(|found| !found.is_file()) {
            return Err(TableError::NotAFile(lock_path));
        }
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

    /// Builds a table, and stores it in its file if it has one.
    fn build(
        &self,
        what: &dyn Build,
        key: &str,
        limit: Option<Duration>,
        place: Option<Result<&Path, TableError>>,
    ) -> Result<Table, TableError> {
        room::to_build(what)?;
        // A table that cannot be stored is used from memory.
        let place = place.map(|place| {
            let path = place?;
            path.parent().map_or(Ok(()), |folder| room::to_store(what, folder))?;
            Ok(path)
        });
        let entries = what.entries();
        if !(self.observer)(key, &Event::Building { entries }) {
            return Err(TableError::Cancelled);
        }
        let begun = Instant::now();
        let progress = |p: BuildProgress| {
            if limit.is_some_and(|limit| is_too_slow(p, begun.elapsed(), limit)) {
                lock(&self.shared.too_slow).insert(key.to_owned());
                return false;
            }
            (self.observer)(key, &Event::Progress(p))
        };
        let clock = ProcessTime::now();
        let stored = place.as_ref().and_then(|place| place.as_ref().ok().copied());
        let payload = self.built(what, key, &progress, stored);
        let cpu = clock.elapsed().as_nanos() as u64;
        self.shared.build_cpu.fetch_add(cpu, Ordering::Relaxed);
        if matches!(payload, Err(TableError::Cancelled))
            && lock(&self.shared.too_slow).contains(key)
        {
            (self.observer)(key, &Event::TooSlow);
        }
        let payload = payload?;
        if let Some(place) = place {
            let version = what.version();
            let write =
                |path| file::write_version(path, key, version, entries, &payload).map(|()| path);
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

    /// Builds the entries. They are compared with the rules, because the saved state of an earlier
    /// build may follow other rules, and because a pattern may not fit its puzzle.
    fn built(
        &self,
        what: &dyn Build,
        key: &str,
        progress: &(dyn Fn(BuildProgress) -> bool + Sync),
        path: Option<&Path>,
    ) -> Result<Vec<u8>, TableError> {
        for is_again in [false, true] {
            let mut work = Work::new(self.threads, progress);
            if let Some(path) = path.filter(|_| !is_again) {
                let key = format!("{key}, version {}", what.version());
                work = work.kept(path, &key, self.every);
            }
            let payload = what.build(&work)?;
            let table = Table::from_packed(&payload, what.entries(), what.width())?;
            match what.check(&table) {
                Ok(()) => return Ok(payload),
                Err(_) if work.has_resumed() => {}
                Err(why) => return Err(TableError::BadPattern(format!("{key}: {why}"))),
            }
        }
        Err(TableError::Cancelled)
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
