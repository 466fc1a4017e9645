//! What the texts that people write have in common (experiments, recipes): errors with a place, names that
//! are looked up, amounts with units.

use crate::error::LabError;
use serde::Deserialize;
use std::{ops::Range, path::Path};
use toml::Spanned;
use unriddle_catalog::{SpecError, bind::nearest};

/// A text that keeps its place, so that whatever is wrong with it can be shown where it is.
pub(crate) type Name = Spanned<String>;

/// A number, or a text with a unit.
#[derive(Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a number, or a text with a unit such as \"30s\" or \"4G\""
)]
pub(crate) enum Amount {
    Whole(u64),
    Real(f64),
    Text(String),
}

impl Amount {
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Whole(n) => n.to_string(),
            Self::Real(x) => x.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// The text that is read.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) path: &'a Path,
    pub(crate) text: &'a str,
}

impl Reader<'_> {
    /// Reads the text as TOML.
    pub(crate) fn toml<T: serde::de::DeserializeOwned>(&self) -> Result<T, LabError> {
        toml::from_str(self.text)
            .map_err(|error| self.error(&error.span().unwrap_or(0..0), error.message()))
    }

    /// The `version` that the text says it is of, before anything else is read.
    pub(crate) fn version(&self) -> Result<Spanned<u32>, LabError> {
        #[derive(Deserialize)]
        struct Head {
            version: Spanned<u32>,
        }
        self.toml::<Head>().map(|head| head.version)
    }

    pub(crate) fn error(&self, place: &Range<usize>, message: impl Into<String>) -> LabError {
        LabError::at(self.path, self.text, place, message)
    }

    /// An error within a spec that stands in a string of the file. The column is exact where the string
    /// has no escapes, and that of the string otherwise.
    pub(crate) fn spec_error(&self, name: &Name, spec: &str, error: &SpecError) -> LabError {
        let span = name.span();
        let raw = self.text.get(span.clone()).unwrap_or_default();
        let plain = raw.len() == name.get_ref().len() + 2 && spec == name.get_ref();
        let offset = match plain && error.line() == 1 {
            true => {
                1 + spec
                    .chars()
                    .take(error.column() - 1)
                    .map(char::len_utf8)
                    .sum::<usize>()
            }
            false => 0,
        };
        let place = span.start + offset..span.end;
        let shown = match plain {
            true => error.message().to_owned(),
            false => format!("`{spec}`, {error}"),
        };
        self.error(&place, shown)
    }

    /// The index of a name among others.
    pub(crate) fn index<'n>(
        &self,
        what: &str,
        name: &Name,
        known: impl Iterator<Item = &'n str>,
    ) -> Result<usize, LabError> {
        let known: Vec<&str> = known.collect();
        if let Some(index) = known.iter().position(|k| k == name.get_ref()) {
            return Ok(index);
        }
        Err(self.unknown(what, name, &known))
    }

    pub(crate) fn unknown(&self, what: &str, name: &Name, known: &[&str]) -> LabError {
        self.error(&name.span(), unknown(what, name.get_ref(), known))
    }

    pub(crate) fn unique<'n>(
        &self,
        what: &str,
        name: &Name,
        mut before: impl Iterator<Item = &'n str>,
    ) -> Result<(), LabError> {
        if name.get_ref().trim().is_empty() {
            return Err(self.error(&name.span(), format!("the name of a {what} is empty")));
        }
        if before.any(|b| b == name.get_ref()) {
            let message = format!("there is a {what} `{}` already", name.get_ref());
            return Err(self.error(&name.span(), message));
        }
        Ok(())
    }

    /// Reads an amount, if there is one.
    pub(crate) fn amount<T>(
        &self,
        amount: Option<&Spanned<Amount>>,
        parse: fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, LabError> {
        let Some(amount) = amount else {
            return Ok(None);
        };
        parse(&amount.get_ref().text())
            .map(Some)
            .map_err(|why| self.error(&amount.span(), why))
    }
}

/// What is said of a name that is not known: the nearest match and the list.
pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let near = nearest(name, known)
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default();
    let list = match known {
        [] => "there is none".to_owned(),
        known => format!("known: {}", known.join(", ")),
    };
    format!("unknown {what} `{name}`{near} ({list})")
}
