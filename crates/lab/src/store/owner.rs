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
    collections::HashSet,
    fs::{self, File, OpenOptions, TryLockError},
    io::ErrorKind,
    path::{Path, PathBuf},
    process,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

const EXTENSION: &str = "lock";

type Names = Arc<Mutex<HashSet<String>>>;

/// Process, or part of a process, that claims runs. When it is dropped, its remaining claims become
/// free for other owners.
#[derive(Debug)]
pub struct Owner {
    id: String,
    hold: Hold,
}

#[derive(Debug)]
enum Hold {
    /// Lock that lasts as long as the file is open.
    File { _locked: File, path: PathBuf },
    /// Names of the owners of a database in memory, which other processes cannot see.
    Memory(Names),
}

impl Owner {
    /// Name in the table of claims.
    pub(super) fn id(&self) -> &str {
        &self.id
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        match &self.hold {
            Hold::File { path, .. } => {
                let _ = fs::remove_file(path);
                // Succeeds only for the last owner; a new one makes the folder again.
                if let Some(folder) = path.parent() {
                    let _ = fs::remove_dir(folder);
                }
            }
            Hold::Memory(names) => {
                let mut names = names.lock().unwrap_or_else(PoisonError::into_inner);
                names.remove(&self.id);
            }
        }
    }
}

/// Registry of the owners of a database.
#[derive(Debug)]
pub(super) enum Owners {
    /// Folder of their lock files.
    Folder(PathBuf),
    /// Names in memory.
    Memory(Names),
}

impl Owners {
    /// Returns the owners of the database in a file.
    pub(super) fn beside(database: &Path) -> Self {
        let mut folder = database.as_os_str().to_owned();
        folder.push(".owners");
        Self::Folder(folder.into())
    }

    /// Makes a new owner.
    pub(super) fn enter(&self) -> Result<Owner, LabError> {
        let folder = match self {
            Self::Folder(folder) => folder,
            Self::Memory(names) => {
                let id = new_id();
                let mut known = names.lock().unwrap_or_else(PoisonError::into_inner);
                known.insert(id.clone());
                let hold = Hold::Memory(Arc::clone(names));
                return Ok(Owner { id, hold });
            }
        };
        // A try fails if another process removes the folder or the file at the same moment.
        for _ in 0..1000 {
            if let Some(owner) = enter_once(folder).map_err(|e| LabError::file(folder, &e))? {
                sweep(folder);
                return Ok(owner);
            }
        }
        let message = "a lock file cannot be created there";
        Err(LabError::file(folder, &message))
    }

    /// Whether an owner is alive. In doubt it counts as alive and keeps its runs.
    pub(super) fn is_alive(&self, id: &str) -> bool {
        match self {
            Self::Memory(names) => {
                names.lock().unwrap_or_else(PoisonError::into_inner).contains(id)
            }
            Self::Folder(folder) => {
                // The name is read from the database: a path in it must not be followed.
                let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
                id.bytes().all(plain) && !is_abandoned(&folder.join(format!("{id}.{EXTENSION}")))
            }
        }
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
    match file.try_lock() {
        Ok(()) if path.exists() => Ok(Some(Owner { id, hold: Hold::File { _locked: file, path } })),
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => {
            let _ = fs::remove_file(&path);
            Ok(None)
        }
        Err(TryLockError::Error(e)) => {
            let _ = fs::remove_file(&path);
            Err(e)
        }
    }
}

/// Whether no process holds a lock file any more; the file is then removed. The check takes a
/// shared lock, so that two concurrent checks do not mistake each other for the owner.
fn is_abandoned(path: &Path) -> bool {
    match File::open(path) {
        Ok(file) => match file.try_lock_shared() {
            Ok(()) => {
                let _ = fs::remove_file(path);
                true
            }
            Err(_) => false,
        },
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
