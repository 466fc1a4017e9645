//! Mistakes in a file of items or in a puzzle, with their positions.

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

impl Location {
    /// The same position, prefixed with the name of its container, such as `puzzle.` or
    /// `puzzle.json, `.
    pub(super) fn within(&self, outer: &str) -> Self {
        Self::Path(format!("{outer}{self}"))
    }
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(line, column) => write!(f, "line {line}, column {column}"),
            Self::Path(path) => f.write_str(path),
        }
    }
}

impl From<&str> for Location {
    fn from(path: &str) -> Self {
        Self::Path(path.to_owned())
    }
}

impl From<String> for Location {
    fn from(path: String) -> Self {
        Self::Path(path)
    }
}

/// The mistakes found so far.
#[derive(Default)]
pub(super) struct Errors(pub(super) Vec<ReadError>);

impl Errors {
    pub(super) fn tell(&mut self, place: impl Into<Location>, reason: impl Into<String>) {
        self.0.push(ReadError { place: place.into(), reason: reason.into() });
    }
}
