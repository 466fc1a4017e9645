//! Values with names, and experiments that are others with other values.
//!
//! `{NAME}` in a spec, a limit, the title, a claim or a note stands for a value of `[values]`. In a
//! spec the grid's parameters are put in first, so that a parameter may be part of a name: with
//! `time = "long"`, `{nodes-{time}}` stands for `nodes-long`. A file that names a `base` is that
//! experiment with values of its own: the same tables at another size, without a second copy of
//! them.

use super::{
    Experiment,
    file::{self, File, Variant},
    read::Reader,
};
use crate::error::LabError;
use serde::de::DeserializeOwned;
use std::{collections::BTreeMap, path::Path};
use unriddle_catalog::Registry;

/// The values of an experiment by their names.
#[derive(Default)]
pub(super) struct Values(BTreeMap<String, String>);

impl Values {
    /// Those of a file.
    pub(super) fn of(values: &file::Values) -> Self {
        let text = |(name, value): (&String, &file::Value)| (name.clone(), value.get_ref().text());
        Self(values.iter().map(text).collect())
    }

    /// A text with the values in the places of their names.
    pub(super) fn fill(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, value)| {
            text.replace(&format!("{{{name}}}"), value)
        })
    }
}

/// Reads a TOML text into its form.
pub(super) fn form<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, LabError> {
    toml::from_str(text)
        .map_err(|error| LabError::at(path, text, &error.span().unwrap_or(0..0), error.message()))
}

/// The experiment that a variant stands for.
pub(super) fn variant(
    path: &Path,
    text: &str,
    registry: &Registry,
) -> Result<Experiment, LabError> {
    let own = Reader::new(path, text, registry);
    let variant: Variant = form(path, text)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let base_path = folder.join(variant.base.get_ref());
    let base_text = std::fs::read_to_string(&base_path).map_err(|error| {
        let message = format!("{}: {error}", base_path.display());
        own.error(&variant.base.span(), message)
    })?;
    let kind: file::Kind = form(&base_path, &base_text)?;
    Reader::new(&base_path, &base_text, registry).refuse_old(&kind)?;
    let mut base: File = form(&base_path, &base_text)?;
    let names: Vec<String> = base.values.keys().cloned().collect();
    for (name, value) in variant.values {
        match base.values.get_mut(&name) {
            Some(old) => *old = value,
            None => {
                let message = format!(
                    "{} has no value `{name}` (known: {})",
                    base_path.display(),
                    names.join(", ")
                );
                return Err(own.error(&value.span(), message));
            }
        }
    }
    base.title = variant.title.unwrap_or(base.title);
    base.scale = variant.scale.or(base.scale);
    base.notes.splice(0..0, variant.notes);
    let mut experiment = Reader::new(&base_path, &base_text, registry).experiment(&base)?;
    experiment.name = own.name()?;
    experiment.path = path.to_owned();
    Ok(experiment)
}
