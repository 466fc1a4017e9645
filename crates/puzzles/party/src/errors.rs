//! Mistakes in a file of items or in a puzzle, with their places.

/// A mistake in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ReadError {
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub reason: String,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line and a column, both from 1.
    Text(usize, usize),
    /// A path such as `heroes[12]`.
    Path(String),
}

impl Place {
    /// The same place, prefixed with what contains it, such as `puzzle.` or `puzzle.json, `.
    pub(super) fn within(&self, outer: &str) -> Self {
        Self::Path(format!("{outer}{self}"))
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(line, column) => write!(f, "line {line}, column {column}"),
            Self::Path(path) => f.write_str(path),
        }
    }
}

impl From<&str> for Place {
    fn from(path: &str) -> Self {
        Self::Path(path.to_owned())
    }
}

impl From<String> for Place {
    fn from(path: String) -> Self {
        Self::Path(path)
    }
}

/// The mistakes found so far.
#[derive(Default)]
pub(super) struct Errors(pub(super) Vec<ReadError>);

impl Errors {
    pub(super) fn tell(&mut self, place: impl Into<Place>, reason: impl Into<String>) {
        self.0.push(ReadError { place: place.into(), reason: reason.into() });
    }
}
