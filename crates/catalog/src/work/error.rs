//! Errors of long work, with their positions.

use std::{ops::Range, path::PathBuf};
use thiserror::Error;

/// Why work was refused or broke off.
#[derive(Debug, Error)]
pub enum WorkError {
    /// A text that people write contains an error.
    #[error("{}, line {line}, column {column}: {message}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// 1-based line.
        line: usize,
        /// 1-based column, in characters.
        column: usize,
        /// Found and expected values.
        message: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {message}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// A data set is missing.
    #[error("{0}")]
    Data(String),
    /// The database refused: of a newer version, of another program, full, locked.
    #[error("{0}")]
    Store(String),
    /// Something that was asked for does not exist or does not fit.
    #[error("{0}")]
    Usage(String),
    /// The parts are right, but do not go together: a search refused.
    #[error("{0}")]
    Unsupported(String),
    /// A device is not there, or failed.
    #[error("{0}")]
    Device(String),
    /// The work was done, and solved nothing.
    #[error("{0}")]
    Unsolved(String),
    /// Something is wrong with the program: a panic, or a promise between its parts that was not
    /// kept.
    #[error("{0}")]
    Internal(String),
    /// A worker process cannot be started or does not answer as one.
    #[error("worker process: {0}")]
    Worker(String),
}

impl WorkError {
    /// An error at a range of bytes of a file's text.
    #[must_use]
    pub fn at(
        path: &std::path::Path,
        text: &str,
        place: &Range<usize>,
        message: impl Into<String>,
    ) -> Self {
        let start = (0..=place.start.min(text.len()))
            .rev()
            .find(|&b| text.is_char_boundary(b))
            .unwrap_or(0);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self::Text {
            path: path.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        }
    }

    /// Combines all errors of a text into one, in the order of their positions.
    #[must_use]
    pub fn all(mut errors: Vec<Self>) -> Option<Self> {
        errors.sort_by_key(|error| match error {
            Self::Text { line, column, .. } => (*line, *column),
            _ => (0, 0),
        });
        let mut errors = errors.into_iter();
        let mut first = errors.next()?;
        for error in errors {
            let more = match &error {
                Self::Text { line, column, message, .. } => {
                    format!("line {line}, column {column}: {message}")
                }
                other => other.to_string(),
            };
            match &mut first {
                Self::Text { message, .. }
                | Self::File { message, .. }
                | Self::Data(message)
                | Self::Store(message)
                | Self::Usage(message)
                | Self::Unsupported(message)
                | Self::Device(message)
                | Self::Unsolved(message)
                | Self::Internal(message)
                | Self::Worker(message) => *message += &format!("; {more}"),
            }
        }
        Some(first)
    }

    /// A file that cannot be read or written.
    #[must_use]
    pub fn file(path: &std::path::Path, error: &dyn std::fmt::Display) -> Self {
        Self::File { path: path.to_owned(), message: error.to_string() }
    }
}
