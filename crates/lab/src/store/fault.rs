//! What goes wrong inside the store, before it is known which file to name.

use crate::LabError;
use rusqlite::{Error, ErrorCode};

/// An error without the name of the database.
#[derive(Debug)]
pub(super) enum Fault {
    /// From SQLite.
    Sql(Error),
    /// In our own words.
    Said(String),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Sql(error)
    }
}

impl Fault {
    /// Names the database.
    pub(super) fn of(self, name: &str) -> LabError {
        LabError::Store(match self {
            Self::Sql(error) => format!("{name}: {}", explain(&error)),
            Self::Said(text) => format!("{name}: {text}"),
        })
    }
}

/// What a file that holds something else is called.
pub(super) const FOREIGN: &str = "not a results database of unriddle";

/// What people can do something about is said in words; SQLite's own follow.
fn explain(error: &Error) -> String {
    let words = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => return FOREIGN.to_owned(),
        Some(ErrorCode::DiskFull) => {
            "the disk or the database is full; what was recorded before is kept"
        }
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

/// Whether someone else's lock is all that stands in the way.
pub(super) fn is_busy(error: &Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
