//! Locks of files and folders, for one process at a time.

use super::WorkError;
use std::{
    fs::{File, TryLockError},
    io::ErrorKind,
    path::Path,
};

/// Locks an open file for this process. The operating system releases the lock however the process
/// ends. A file system without locks keeps no process out.
///
/// `place` is the file or folder that the lock protects, and `kind` is its noun in the message.
///
/// # Errors
/// Another process holds the lock, or the system refuses it.
pub fn lock(file: &File, place: &Path, kind: &str) -> Result<(), WorkError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(WorkError::Usage(format!(
            "another process is at work in {}; give another {kind}",
            place.display()
        ))),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(WorkError::file(place, &error)),
    }
}
