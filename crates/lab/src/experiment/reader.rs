//! The reader of an experiment: its text, its values, and the parts that were read so far.
//!
//! `{NAME}` in a spec, a limit, the title, a claim or a note is replaced by a value of `[values]`.
//! In a spec the grid's parameters are replaced first, so that a parameter may be part of a name:
//! with `time = "long"`, `{nodes-{time}}` becomes `{nodes-long}`. A file that names a `base` is
//! that experiment with other values: the same tables at another size, without a copy.

use super::{Classes, Solver, Suite};
use crate::{
    attribute::Attribute,
    error::LabError,
    reader::{self, Amount, Name},
    references::References,
};
use std::{cell::OnceCell, collections::BTreeMap, ops::Deref, path::Path};
use toml::Spanned;
use unriddle_catalog::{Family, Registry};

/// The text of an experiment, and the parts to which later parts refer.
pub(super) struct Reader<'a> {
    pub(super) reader: reader::Reader<'a>,
    pub(super) registry: &'a Registry,
    /// The values of the experiment by their names.
    pub(super) values: BTreeMap<String, String>,
    /// The published figures, once something names one.
    pub(super) references: OnceCell<References>,
    pub(super) suites: Vec<Suite>,
    /// The puzzles of the suites.
    pub(super) known: Vec<Known>,
    pub(super) solvers: Vec<Solver>,
    /// The attributes that the experiment declares.
    pub(super) attributes: Vec<Attribute>,
    pub(super) classes: Option<Classes>,
}

impl<'a> Deref for Reader<'a> {
    type Target = reader::Reader<'a>;

    fn deref(&self) -> &reader::Reader<'a> {
        &self.reader
    }
}

/// The puzzle of a suite, as far as validation needs it.
pub(super) struct Known {
    pub(super) family: &'static Family,
    pub(super) unit: &'static str,
}

/// A value for each of some names.
pub(super) type Choice = Vec<(String, String)>;

impl<'a> Reader<'a> {
    pub(super) fn new(path: &'a Path, text: &'a str, registry: &'a Registry) -> Self {
        Self {
            reader: reader::Reader { path, text },
            registry,
            values: BTreeMap::new(),
            references: OnceCell::new(),
            suites: Vec::new(),
            known: Vec::new(),
            solvers: Vec::new(),
            attributes: Vec::new(),
            classes: None,
        }
    }

    /// The text with values instead of their names.
    pub(super) fn fill(&self, text: &str) -> String {
        filled(text, &self.values)
    }

    /// The choices of `before`, each with each of the values of one more name.
    pub(super) fn choices(
        &self,
        before: &[Choice],
        name: &str,
        values: &Spanned<Vec<Amount>>,
    ) -> Result<Vec<Choice>, LabError> {
        if values.get_ref().is_empty() {
            return self.refuse(values, "expected at least one value");
        }
        let with = |choice: &Choice, value: &Amount| {
            choice.iter().cloned().chain([(name.to_owned(), value.text())]).collect()
        };
        let all = before.iter().flat_map(|c| values.get_ref().iter().map(move |v| with(c, v)));
        Ok(all.collect())
    }

    /// The index of a suite.
    pub(super) fn suite(&self, name: &Name) -> Result<usize, LabError> {
        self.index("suite", name, self.suites.iter().map(|s| s.name.as_str()))
    }

    /// Indices of suites; all of them without names.
    pub(super) fn several_suites(&self, names: Option<&[Name]>) -> Result<Vec<usize>, LabError> {
        match names {
            None => Ok((0..self.suites.len()).collect()),
            Some(names) => names.iter().map(|name| self.suite(name)).collect(),
        }
    }

    /// The index of a solver.
    pub(super) fn solver(&self, name: &Name) -> Result<usize, LabError> {
        self.index("solver", name, self.solvers.iter().map(|s| s.name.as_str()))
    }

    /// The index of a solver that runs on a suite.
    pub(super) fn solver_on(&self, name: &Name, suite: usize) -> Result<usize, LabError> {
        let solver = self.solver(name)?;
        if self.solvers[solver].suites.contains(&suite) {
            return Ok(solver);
        }
        let (name_of, suite) = (name.get_ref(), &self.suites[suite].name);
        self.refuse(name, format!("the solver `{name_of}` does not run on the suite `{suite}`"))
    }

    /// Indices of solvers by their names, or by the names of their grids; all of them without
    /// names.
    pub(super) fn several_solvers(&self, names: Option<&[Name]>) -> Result<Vec<usize>, LabError> {
        let Some(names) = names else {
            return Ok((0..self.solvers.len()).collect());
        };
        let mut found = Vec::new();
        for name in names {
            let of_grid = |s: &Solver| s.grid.as_ref().is_some_and(|(g, _)| g == name.get_ref());
            let before = found.len();
            found.extend((0..self.solvers.len()).filter(|&i| of_grid(&self.solvers[i])));
            if found.len() == before {
                found.push(self.solver(name)?);
            }
        }
        Ok(found)
    }

    /// The index of a class.
    pub(super) fn class(&self, name: &Name) -> Result<usize, LabError> {
        match &self.classes {
            Some(classes) => self.index("class", name, classes.names.iter().map(String::as_str)),
            None => self.refuse(name, "there are no [classes]"),
        }
    }

    /// A column of the reference file of a suite.
    pub(super) fn column(&self, name: &Name, suite: usize) -> Result<String, LabError> {
        match self.suites[suite].reference {
            Some(_) => Ok(name.get_ref().clone()),
            None => self.refuse(name, "the suite has no `reference` file with columns"),
        }
    }
}

/// The text with values instead of their names.
pub(super) fn filled<'v>(
    text: &str,
    values: impl IntoIterator<Item = (&'v String, &'v String)>,
) -> String {
    values
        .into_iter()
        .fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

/// The share that a text such as `5 %` means.
pub(super) fn share(text: &str) -> Option<f64> {
    let share: f64 = text.trim().strip_suffix('%')?.trim().parse().ok()?;
    Some(share / 100.0)
}
