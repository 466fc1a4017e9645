//! Texts that people write (experiments, recipes): errors with positions, lookup of names, amounts
//! with units.

use super::WorkError;
use crate::{SpecError, bind::nearest};
use serde::Deserialize;
use std::{ops::Range, path::Path};
use toml::Spanned;

/// A text with its position, for errors.
pub type Name = Spanned<String>;

/// A number, or a text with a unit.
#[derive(Clone, Deserialize)]
#[serde(untagged, expecting = "expected a number, or a text with a unit such as \"30s\" or \"4G\"")]
pub enum Amount {
    /// A whole number.
    Whole(u64),
    /// Another number.
    Real(f64),
    /// A text, such as `"800k"`.
    Text(String),
}

impl Amount {
    /// Its text, as in a spec.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Whole(n) => n.to_string(),
            Self::Real(x) => x.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// The text that is read.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    /// The file of the text.
    pub path: &'a Path,
    /// The whole text.
    pub text: &'a str,
}

impl Reader<'_> {
    /// Reads the text as TOML.
    ///
    /// # Errors
    /// Where the text is no TOML, or not of the form of `T`.
    pub fn toml<T: serde::de::DeserializeOwned>(&self) -> Result<T, WorkError> {
        toml::from_str(self.text).map_err(|error| {
            let place = error.span().unwrap_or(0..0);
            self.error(&place, nearer(error.message()))
        })
    }

    /// The `version` of the text, independent of its other fields.
    ///
    /// # Errors
    /// As [`toml`](Self::toml).
    pub fn version(&self) -> Result<Spanned<u32>, WorkError> {
        #[derive(Deserialize)]
        struct Head {
            version: Spanned<u32>,
        }
        self.toml::<Head>().map(|head| head.version)
    }

    /// An error at a range of bytes of the text.
    #[must_use]
    pub fn error(&self, place: &Range<usize>, message: impl Into<String>) -> WorkError {
        WorkError::at(self.path, self.text, place, message)
    }

    /// Refuses a value of the text.
    ///
    /// # Errors
    /// Always: the message at the position of the value.
    pub fn refuse<T, V>(
        &self,
        at: &Spanned<V>,
        message: impl Into<String>,
    ) -> Result<T, WorkError> {
        Err(self.error(&at.span(), message))
    }

    /// An error within a spec in a string of the file. The column is exact if the string has no
    /// escapes; otherwise it is the column of the string.
    #[must_use]
    pub fn spec_error(&self, name: &Name, spec: &str, error: &SpecError) -> WorkError {
        let span = name.span();
        let raw = self.text.get(span.clone()).unwrap_or_default();
        let plain = raw.len() == name.get_ref().len() + 2 && spec == name.get_ref();
        let offset = match plain && error.line() == 1 {
            true => 1 + spec.chars().take(error.column() - 1).map(char::len_utf8).sum::<usize>(),
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
    ///
    /// # Errors
    /// An unknown name, with the nearest one.
    pub fn index<'n>(
        &self,
        what: &str,
        name: &Name,
        known: impl Iterator<Item = &'n str>,
    ) -> Result<usize, WorkError> {
        let known: Vec<&str> = known.collect();
        if let Some(index) = known.iter().position(|k| k == name.get_ref()) {
            return Ok(index);
        }
        Err(self.unknown(what, name, &known))
    }

    /// An error at a name that is not known.
    #[must_use]
    pub fn unknown(&self, what: &str, name: &Name, known: &[&str]) -> WorkError {
        self.error(&name.span(), unknown(what, name.get_ref(), known))
    }

    /// Refuses an empty name, and a name that was used before.
    ///
    /// # Errors
    /// The name with its position.
    pub fn unique<'n>(
        &self,
        what: &str,
        name: &Name,
        mut before: impl Iterator<Item = &'n str>,
    ) -> Result<(), WorkError> {
        if name.get_ref().trim().is_empty() {
            return Err(self.error(&name.span(), format!("the name of a {what} is empty")));
        }
        if before.any(|b| b == name.get_ref()) {
            let message = format!("there is a {what} `{}` already", name.get_ref());
            return Err(self.error(&name.span(), message));
        }
        Ok(())
    }

    /// Parses an optional amount.
    ///
    /// # Errors
    /// The error of `parse` with the position of the amount.
    pub fn amount<T>(
        &self,
        amount: Option<&Spanned<Amount>>,
        parse: fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, WorkError> {
        let Some(amount) = amount else {
            return Ok(None);
        };
        parse(&amount.get_ref().text()).map(Some).map_err(|why| self.error(&amount.span(), why))
    }
}

/// Adds the nearest match to serde's message about an unknown field or word. The message has the
/// form of `serde::de::Error::unknown_field`; other messages are returned unchanged.
pub(super) fn nearer(message: &str) -> String {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let what = ["field", "variant"].into_iter().find(|what| {
        let begun = message.strip_prefix("unknown ");
        begun.is_some_and(|rest| rest.starts_with(&format!("{what} `")))
    });
    match (what, &quoted[..]) {
        (Some(what), [name, known @ ..]) if !known.is_empty() => unknown(what, name, known),
        _ => message.to_owned(),
    }
}

/// Message about an unknown name, with the nearest match and the list.
#[must_use]
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let near =
        nearest(name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let list = match known {
        [] => "no names are known".to_owned(),
        known => format!("known: {}", known.join(", ")),
    };
    format!("unknown {what} `{name}`{near} ({list})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_fields_have_a_nearest_match_and_a_position() {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        #[allow(dead_code)]
        enum Word {
            CrossEntropy,
            Random,
        }
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(dead_code)]
        struct File {
            seed: u64,
            method: Word,
        }
        let said = |text| {
            let path = Path::new("a.toml");
            let error = Reader { path, text }.toml::<File>().unwrap_err();
            error.to_string()
        };
        assert_eq!(
            said("seed = 1\nmethods = \"random\""),
            "a.toml, line 2, column 1: unknown field `methods`; did you mean `method`? (known: seed, method)"
        );
        assert_eq!(
            said("method = \"randon\""),
            "a.toml, line 1, column 10: unknown variant `randon`; did you mean `random`? (known: cross-entropy, random)"
        );
        let other = said("seed = \"x\"");
        assert!(other.contains("invalid type"), "{other}");
    }
}
