//! Owners of claims, and the check whether they are alive.
//!
//! Every claiming process holds a lock on its own file in `<database>.owners/`. The operating
//! system releases the lock however the process ends, so that an owner is dead if and only if its
//! file is missing or can be locked. Neither times nor process ids, which are reused, are needed.
//!
//! A lock file is only removed by its owner or by a process that holds its lock. An owner that
//! finds its file missing right after locking it takes another name. Two owners therefore never
//! share a file.

use crate::LabError;
use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::ErrorKind,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

const EXTENSION: &str = "lock";

/// Process, or part of a process, that claims runs. When it is dropped, its remaining claims become
/// free for other owners.
#[derive(Debug)]
pub struct Owner {
    /// Name in the table of claims.
    pub(super) id: String,
    /// Lock that lasts as long as the file is open.
    _locked: File,
    path: PathBuf,
}

impl Drop for Owner {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        // Succeeds only for the last owner; a new one makes the folder again.
        if let Some(folder) = self.path.parent() {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Folder of the lock files of a database's owners.
#[derive(Debug)]
pub(super) struct Owners(PathBuf);

impl Owners {
    /// Returns the owners of the database in a file.
    pub(super) fn beside(database: &Path) -> Self {
        let mut folder = database.as_os_str().to_owned();
        folder.push(".owners");
        Self(folder.into())
    }

    /// Makes a new owner.
    pub(super) fn enter(&self) -> Result<Owner, LabError> {
        // A try fails if another process removes the folder or the file at the same moment.
        for _ in 0..1000 {
            if let Some(owner) = enter_once(&self.0).map_err(|e| LabError::file(&self.0, &e))? {
                sweep(&self.0);
                return Ok(owner);
            }
        }
        Err(LabError::file(&self.0, &"a lock file cannot be created there"))
    }

    /// Whether an owner is alive. In doubt it counts as alive and keeps its runs.
    pub(super) fn is_alive(&self, id: &str) -> bool {
        // The name is read from the database: a path in it must not be followed.
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        id.bytes().all(plain) && !is_abandoned(&self.0.join(format!("{id}.{EXTENSION}")))
    }
}

fn new_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = since.map_or(0, |d| d.as_nanos());
    format!("{}-{nanos}-{count}", process::id())
}

fn enter_once(folder: &Path) -> std::io::Result<Option<Owner>> {
    fs::create_dir_all(folder)?;
    let id = new_id();
    let path = folder.join(format!("{id}.{EXTENSION}"));
    let mut options = OpenOptions::new();
    let file = match options.read(true).write(true).create_new(true).open(&path) {
        Ok(file) => file,
        // The folder was removed by its last owner, or the name is taken.
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) => {
            return Ok(None);
        }
        Err(e) => return Err(e),
    };
    let locked = file.try_lock();
    if locked.is_err() {
        let _ = fs::remove_file(&path);
    }
    match locked {
        Ok(()) if path.exists() => Ok(Some(Owner { id, _locked: file, path })),
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(e)) => Err(e),
    }
}

/// Whether no process holds a lock file any more; the file is then removed. The check takes a
/// shared lock, so that two concurrent checks do not mistake each other for the owner.
fn is_abandoned(path: &Path) -> bool {
    match File::open(path) {
        Ok(file) => {
            let is_free = file.try_lock_shared().is_ok();
            if is_free {
                let _ = fs::remove_file(path);
            }
            is_free
        }
        Err(e) => e.kind() == ErrorKind::NotFound,
    }
}

/// Removes the lock files of killed processes.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == EXTENSION) {
            is_abandoned(&path);
        }
    }
}
