//! Errors of tables.

use std::{
    io,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Version of the written format.
///
/// | version | difference |
/// |---|---|
/// | 1 | no version of the table's rules, which counts as 0 |
/// | 2 | the version of the table's rules |
///
/// All versions are read.
pub const VERSION: u32 = 2;

/// A number of bytes with a unit, for messages.
fn show(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} KB", bytes.div_ceil(1_000)),
        10_000_000..10_000_000_000 => format!("{} MB", bytes.div_ceil(1_000_000)),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// The bytes of other tables, as part of a sentence.
fn beside(others: u64) -> String {
    match others {
        0 => String::new(),
        _ => format!(" beside {} of other tables", show(others)),
    }
}

/// Error of opening, building or storing a table.
#[derive(Debug, Error)]
pub enum TableError {
    /// An operation of the operating system failed.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The system has no memory for the table.
    #[error("no memory for the table: {0}")]
    Memory(io::Error),
    /// A table that is to be built does not fit.
    #[error("the table ({key}) does not fit: it takes {} of {place}, and {} are free{hint}", show(*.needed), show(*.free))]
    NoRoom {
        /// Key of the table.
        key: String,
        /// The scarce resource: memory or disk space.
        place: &'static str,
        /// Bytes that the build or the finished table needs.
        needed: u64,
        /// Bytes that are free.
        free: u64,
        /// A table that would fit, as the end of a sentence; empty if unknown.
        hint: String,
    },
    /// A table is larger than the memory limit of a solve allows.
    #[error("the table ({key}) takes {}{}, and the memory limit is {}: give more memory, or choose a smaller table or a solver without tables", show(*.bytes), beside(*.others), show(*.limit))]
    OverLimit {
        /// Key of the table.
        key: String,
        /// Bytes of the table.
        bytes: u64,
        /// Bytes of the other tables of the solve.
        others: u64,
        /// Bytes that are allowed.
        limit: u64,
    },
    /// A fifo, a device or a folder where a file is expected.
    #[error(
        "{0} is not a regular file, which a table must be: remove it, or choose another cache folder"
    )]
    NotAFile(PathBuf),
    /// The file is too short or too long.
    #[error("the table is truncated or has the wrong length")]
    Truncated,
    /// The file is not a table of unriddle.
    #[error("the file is not a table of unriddle")]
    Foreign,
    /// A version that this program does not read.
    #[error("the table has format version {0}; this program reads versions 1 to {VERSION}")]
    Version(u32),
    /// A checksum is wrong.
    #[error("the table is corrupted: the checksum of its {0} is wrong")]
    Corrupted(&'static str),
    /// The file is a valid table with another key.
    #[error("the file holds another table: \"{found}\" instead of \"{wanted}\"")]
    WrongKey {
        /// Key in the file.
        found: String,
        /// Expected key.
        wanted: String,
    },
    /// An existing file that cannot be used.
    #[error("{path}: {reason}")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Reason.
        reason: Box<TableError>,
    },
    /// The builder does not support the pattern.
    #[error("{0}")]
    BadPattern(String),
    /// Building was cancelled.
    #[error("building the table was cancelled")]
    Cancelled,
}

impl TableError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Io { path: path.to_owned(), source }
    }
}
