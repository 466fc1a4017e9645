//! Instances of a batch whose reports for designers use the same keys.

use super::{AnyPuzzle, Instance};
use crate::{
    bind::{Bound, shorten},
    interface::{
        files::{Configure, Files},
        findings::ValidateConfig,
        values::{Aim, Request, SolveError},
    },
    spec::{Spec, SpecError},
};
use serde::Serialize;
use std::collections::HashMap;
use unriddle_core::{Info, Role};

/// An instance in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Its name.
    pub id: String,
    /// Its text.
    pub text: String,
    /// 1-based line on which the text begins.
    pub line: usize,
    /// 0-based column (in characters) at which the text begins in that line.
    pub column: usize,
    /// A solution that the file contains beside it.
    pub solution: Option<String>,
}

/// An instance with its name.
pub struct Named {
    /// Its name.
    pub id: String,
    /// The instance.
    pub instance: Box<dyn Instance>,
    /// A solution that its file contains.
    pub solution: Option<String>,
}

impl Named {
    /// An instance without a solution.
    #[must_use]
    pub fn new(id: String, instance: Box<dyn Instance>) -> Self {
        Self { id, instance, solution: None }
    }
}

/// Keys with their values.
pub struct Keys {
    /// The keys of every puzzle.
    pub common: ValidateConfig,
    /// The keys that the puzzle declares.
    pub own: Option<Bound<'static>>,
    /// Kind of the puzzle's values.
    pub(crate) aim: Aim,
    /// Searches, heuristics and play-outs that a solver spec may name.
    pub(crate) expressions: Vec<&'static Info>,
    /// The puzzle's spec, with the parameters among the keys.
    pub(crate) puzzle: Bound<'static>,
    pub(crate) configure: Configure,
}

impl Keys {
    /// The puzzle with the parameters among the keys.
    ///
    /// # Errors
    /// A file that a parameter names cannot be read, or its content is wrong.
    pub fn puzzle(&self, files: Files) -> Result<Box<dyn AnyPuzzle>, SpecError> {
        (self.configure)(&self.puzzle, files)
    }

    /// A solver's spec without arguments that are at their defaults; a text that is not a spec is
    /// returned unchanged.
    pub(crate) fn short(&self, solver: &str) -> String {
        let spec = Spec::parse(solver);
        let short = spec.and_then(|spec| shorten(&self.expressions, Role::Search, &spec));
        short.map_or_else(|_| solver.to_owned(), |short| short.spec.to_string())
    }
}

/// An earlier instance of the batch that is the same up to symmetry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Duplicate {
    /// Name of the earlier instance.
    pub id: String,
    /// Whether the texts are the same, and not only the instances up to symmetry.
    pub exact: bool,
}

/// An earlier instance of the batch that is nearly the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Like {
    /// Name of the earlier instance.
    pub id: String,
    /// Their difference, up to symmetry.
    pub but: &'static str,
}

/// Instances whose reports are made with the same keys.
pub struct Batch<'a> {
    /// Their puzzle.
    pub puzzle: &'a dyn AnyPuzzle,
    /// The keys.
    pub keys: &'a Keys,
    /// The instances.
    pub named: &'a [Named],
    /// For each instance, the first instance that is the same, if it is an earlier one.
    pub(crate) duplicates: Vec<Option<Duplicate>>,
    /// For each instance, the first instance that is nearly the same, if it is an earlier one.
    pub(crate) likes: Vec<Option<Like>>,
}

impl<'a> Batch<'a> {
    /// A batch; finds instances that are the same, or nearly the same.
    #[must_use]
    pub fn new(puzzle: &'a dyn AnyPuzzle, keys: &'a Keys, named: &'a [Named]) -> Self {
        let mut first = HashMap::new();
        let duplicate = |(i, Named { instance, .. }): (usize, &Named)| {
            let at = *first.entry(instance.canonical()).or_insert(i);
            (at != i).then(|| Duplicate {
                id: named[at].id.clone(),
                exact: named[at].instance.text() == instance.text(),
            })
        };
        let mut first_like = HashMap::new();
        let like = |(i, Named { instance, .. }): (usize, &Named)| {
            let likenesses = instance.likenesses().into_iter();
            let known = likenesses.map(|like| (*first_like.entry(like).or_insert(i), like.but));
            let (at, but) = known.collect::<Vec<_>>().into_iter().min_by_key(|&(at, _)| at)?;
            (at != i).then(|| Like { id: named[at].id.clone(), but })
        };
        Self {
            duplicates: named.iter().enumerate().map(duplicate).collect(),
            likes: named.iter().enumerate().map(like).collect(),
            puzzle,
            keys,
            named,
        }
    }

    /// Refuses keys that do not fit the instances, before anything is searched.
    ///
    /// # Errors
    /// The first key that does not fit.
    pub fn check(&self, request: &Request<'_>) -> Result<(), SolveError> {
        for Named { instance, .. } in self.named {
            if let Some(validates) = instance.extensions().validates {
                validates.check(self, request)?;
            }
        }
        Ok(())
    }
}
