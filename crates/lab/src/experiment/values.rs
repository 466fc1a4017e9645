//! Named values, and experiments that are variants of others.
//!
//! `{NAME}` in a spec, a limit, the title, a claim or a note is replaced by a value of `[values]`.
//! In a spec the grid's parameters are replaced first, so that a parameter may be part of a name:
//! with `time = "long"`, `{nodes-{time}}` becomes `{nodes-long}`. A file that names a `base` is
//! that experiment with other values: the same tables at another size, without a copy.

use super::file;
use std::collections::BTreeMap;

/// The values of an experiment by their names.
#[derive(Default)]
pub(super) struct Values(BTreeMap<String, String>);

impl Values {
    /// The values of a file.
    pub(super) fn of(values: &file::Values) -> Self {
        let text = |(name, value): (&String, &file::Value)| (name.clone(), value.get_ref().text());
        Self(values.iter().map(text).collect())
    }

    /// The text with values instead of their names.
    pub(super) fn fill(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, value)| {
            text.replace(&format!("{{{name}}}"), value)
        })
    }
}
