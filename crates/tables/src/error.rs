//! Errors of tables.

use std::{
    io,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Version of the format that is written. Older versions are listed here as long as they are read.
pub const VERSION: u32 = 1;

/// Bytes as people read them.
fn show(bytes: u64) -> String {
    match bytes {
        0..10_000_000 => format!("{} KB", bytes.div_ceil(1_000)),
        10_000_000..10_000_000_000 => format!("{} MB", bytes.div_ceil(1_000_000)),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// Why a table could not be had.
#[derive(Debug, Error)]
pub enum TableError {
    /// The operating system said no.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// No memory for the table.
    #[error("no memory for the table: {0}")]
    Memory(io::Error),
    /// A table that is not there does not fit.
    #[error("there is no room for the table ({key}): it takes {} of {place}, and {} are free{hint}", show(*.needed), show(*.free))]
    NoRoom {
        /// What the table is.
        key: String,
        /// What there is too little of.
        place: &'static str,
        /// Bytes that it takes, to be built or to be kept.
        needed: u64,
        /// Bytes that are free.
        free: u64,
        /// What would fit, as the end of a sentence; empty where nobody says.
        hint: String,
    },
    /// The file ends too early, or is too long.
    #[error("the table is truncated or has the wrong length")]
    Truncated,
    /// The file is no table of ours.
    #[error("the file is not a table of unriddle")]
    Foreign,
    /// A version that this program does not read.
    #[error("the table has format version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// A checksum is wrong.
    #[error("the table is corrupted: the checksum of its {0} is wrong")]
    Corrupted(&'static str),
    /// A valid table of something else.
    #[error("the file holds another table: \"{found}\" instead of \"{wanted}\"")]
    WrongKey {
        /// What the file says it is.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// An existing file that cannot be used.
    #[error("{path}: {reason}")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: Box<TableError>,
    },
    /// A pattern that the builder cannot do.
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
