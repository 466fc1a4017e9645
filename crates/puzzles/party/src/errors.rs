//! Mistakes in a file of items or in a puzzle, with their positions.

use serde_json::{Map, Value};

/// A mistake in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ReadError {
    /// Position of the mistake.
    pub place: Location,
    /// Reason in words.
    pub reason: String,
}

/// A position in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A line and a column, both from 1.
    Text(usize, usize),
    /// A path such as `heroes[12]`.
    Path(String),
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(line, column) => write!(f, "line {line}, column {column}"),
            Self::Path(path) => f.write_str(path),
        }
    }
}

impl<T: Into<String>> From<T> for Location {
    fn from(path: T) -> Self {
        Self::Path(path.into())
    }
}

/// Most mistakes that are reported one by one.
pub(super) const MOST_TOLD: usize = 100;

/// The mistakes found so far. Only the first ones are stored, so that a file full of mistakes takes
/// little memory.
#[derive(Default)]
pub(super) struct Errors {
    told: Vec<ReadError>,
    /// Number of mistakes that are not stored.
    more: usize,
}

impl Errors {
    pub(super) fn tell(&mut self, place: impl Into<Location>, reason: impl Into<String>) {
        if self.told.len() < MOST_TOLD {
            self.told.push(ReadError { place: place.into(), reason: reason.into() });
        } else {
            self.more += 1;
        }
    }

    /// Number of all mistakes.
    pub(super) fn count(&self) -> usize {
        self.told.len() + self.more
    }

    /// The stored mistakes from the number `from` on.
    pub(super) fn since(&mut self, from: usize) -> impl Iterator<Item = &mut ReadError> {
        self.told.iter_mut().skip(from)
    }

    /// The mistakes, the last of which gives the number of further mistakes. `file` is the
    /// noun of the text.
    pub(super) fn into_list(mut self, file: &str) -> Vec<ReadError> {
        if self.more > 0 {
            let reason = format!("{} more mistakes", self.more);
            self.told.push(ReadError { place: file.into(), reason });
        }
        self.told
    }

    /// Adds a mistake that leaves nothing to return.
    pub(super) fn refuse<T>(
        &mut self,
        place: impl Into<Location>,
        reason: impl Into<String>,
    ) -> Option<T> {
        self.tell(place, reason);
        None
    }

    /// Adds each of the `problems`, at the same position.
    pub(super) fn tell_all(&mut self, place: &str, problems: Vec<String>) {
        problems.into_iter().for_each(|problem| self.tell(place, problem));
    }

    /// Reports keys that are not among the `known` ones, which are separated by commas, so that a
    /// misspelt key is not overlooked.
    pub(super) fn check_keys(&mut self, object: &Map<String, Value>, known: &str, place: &str) {
        for key in object.keys().filter(|key| known.split(", ").all(|known| known != *key)) {
            self.tell(place, format!("`{key}` is unknown, expected {known}"));
        }
    }
}
