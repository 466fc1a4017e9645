//! Errors inside the store, where the name of the file is not known.

use crate::LabError;
use rusqlite::{Error, ErrorCode};

/// Error without the name of the database.
#[derive(Debug)]
pub(super) enum Fault {
    /// Error of SQLite.
    Sql(Error),
    /// Message of this crate.
    Message(String),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Sql(error)
    }
}

impl Fault {
    /// Adds the name of the database.
    pub(super) fn of(self, name: &str) -> LabError {
        LabError::Store(match self {
            Self::Sql(error) => format!("{name}: {}", explain(&error)),
            Self::Message(text) => format!("{name}: {text}"),
        })
    }
}

/// Message for a file that is not a database of results.
pub(super) const FOREIGN: &str = "not a results database of unriddle";

/// Describes an error. Errors that a user can remove are described in plain words, followed by the
/// words of SQLite.
fn explain(error: &Error) -> String {
    let words = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => return FOREIGN.to_owned(),
        Some(ErrorCode::DiskFull) => "the disk or the database is full; earlier runs are kept",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another program has held the database for too long"
        }
        Some(ErrorCode::ReadOnly) => "the database cannot be written",
        Some(ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            "the database cannot be opened"
        }
        Some(ErrorCode::DatabaseCorrupt) => "the database is damaged",
        Some(ErrorCode::SystemIoFailure) => "the disk failed, or is full",
        _ => return error.to_string(),
    };
    format!("{words} ({error})")
}

/// Whether the only obstacle is a lock of another process.
pub(super) fn is_busy(error: &Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
