//! The reading of a text that people write. It continues after an error, so that one run of the
//! program reports every error of the file.

use super::{
    WorkError,
    reader::{Name, Reader},
};
use crate::{AnyPuzzle, Family, Registry, SpecError};
use std::{cell::RefCell, ops::Range};

/// A text, the registry of its puzzles, and the errors found so far.
pub struct Reading<'a> {
    /// The file and its text.
    pub reader: Reader<'a>,
    registry: &'a Registry,
    problems: RefCell<Vec<WorkError>>,
}

impl<'a> Reading<'a> {
    /// A reading without errors.
    #[must_use]
    pub fn new(reader: Reader<'a>, registry: &'a Registry) -> Self {
        Self { reader, registry, problems: RefCell::default() }
    }

    /// `result`, if the reading found no error.
    ///
    /// # Errors
    /// All errors, in the order of their positions.
    pub fn end<T>(self, result: Option<T>) -> Result<T, WorkError> {
        match (WorkError::all(self.problems.into_inner()), result) {
            (None, Some(result)) => Ok(result),
            (Some(error), _) => Err(error),
            (None, None) => Err(self.reader.error(&(0..0), "the file is incomplete")),
        }
    }

    /// The value of `result`; an error is collected.
    pub fn check<T>(&self, result: Result<T, WorkError>) -> Option<T> {
        result.map_err(|error| self.problems.borrow_mut().push(error)).ok()
    }

    /// Collects an error at a range of bytes. Returns `None`, for the value that is missing.
    pub fn wrong<T>(&self, place: &Range<usize>, message: impl Into<String>) -> Option<T> {
        self.check(Err(self.reader.error(place, message)))
    }

    /// The number of errors so far.
    #[must_use]
    pub fn wrongs(&self) -> usize {
        self.problems.borrow().len()
    }

    /// The value of `result`; an error within the spec `name` is collected.
    pub fn spec<T>(&self, name: &Name, result: Result<T, SpecError>) -> Option<T> {
        self.check(result.map_err(|error| self.reader.spec_error(name, name.get_ref(), &error)))
    }

    /// The puzzle of a spec.
    pub fn puzzle(&self, name: &Name) -> Option<(&'static Family, Box<dyn AnyPuzzle>)> {
        self.spec(name, self.registry.puzzle(name.get_ref()))
    }

    /// Checks the spec of a generator.
    pub fn generator(&self, family: &Family, name: &Name) -> Option<()> {
        self.spec(name, family.generator(Some(name.get_ref())).map(drop))
    }
}
