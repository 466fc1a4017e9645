//! Functions that the recipes of evolution, tuning and training share: the version, the solver with
//! placeholders, and the check of a solver.

use crate::template::Template;
use std::{cmp::Ordering, path::Path};
use unriddle_catalog::{
    Family, Registry, Role, Spec, SpecError, bind,
    work::{
        Reading, Table, WorkError,
        reader::{Name, Reader, unknown},
    },
};

/// Upper limit of iterations, boards and other counts.
pub(crate) const MOST: u64 = 1_000_000;

/// A file, the registry of its puzzle, and the version of the recipe format.
pub(crate) struct RecipeFile<'a> {
    pub(crate) path: &'a Path,
    pub(crate) text: &'a str,
    pub(crate) registry: &'a Registry,
    /// Version of the format.
    pub(crate) version: u32,
    /// Instructions for converting a recipe of an older version.
    pub(crate) old: &'a str,
}

impl RecipeFile<'_> {
    /// Reads a recipe by the function `read`, which collects all errors.
    ///
    /// # Errors
    /// Another version, or all errors of the text with their positions.
    pub(crate) fn read<R>(
        &self,
        read: impl FnOnce(&mut Table<'_>) -> Option<R>,
    ) -> Result<R, WorkError> {
        let reading = Reading::new(Reader { path: self.path, text: self.text }, self.registry);
        let mut table = Table::parse(&reading)?;
        let result = match table.get::<u32>("version") {
            Some(version) if version == self.version => read(&mut table),
            Some(version) => table.wrong_at("version", self.other_version(version)),
            None => None,
        };
        drop(table);
        reading.end(result)
    }

    fn other_version(&self, found: u32) -> String {
        let Self { version, old, .. } = self;
        if found.cmp(version) == Ordering::Less {
            format!("version {found} of recipes {old}")
        } else {
            format!("version {found} of recipes is newer than this program's, {version}")
        }
    }
}

/// A solver's template. Its placeholders must be among the `known` names.
pub(crate) fn template(reading: &Reading<'_>, solver: &Name, known: &[&str]) -> Option<Template> {
    let text = solver.get_ref();
    let template = match Template::parse(text) {
        Ok(template) => template,
        Err(byte) => {
            let column = text[..byte].chars().count() + 1;
            let message = format!("column {column} of the solver: `{{` without `}}`");
            return reading.wrong(&solver.span(), message);
        }
    };
    for slot in template.slots().filter(|slot| !known.contains(slot)) {
        reading.wrong::<()>(&solver.span(), unknown("placeholder", slot, known));
    }
    Some(template)
}

/// A solver's spec with all defaults filled in.
///
/// # Errors
/// An unknown name, a value that does not fit.
pub(crate) fn whole(family: &Family, text: &str) -> Result<Spec, SpecError> {
    bind::expand(&family.expressions(), Role::Search, &Spec::parse(text)?)
}
