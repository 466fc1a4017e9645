//! Tables of a recipe whose keys depend on what the table says of itself: each key is asked for by name, and what
//! nobody asked for is refused.

use crate::recipe::Reading;
use serde::Deserialize;
use std::{collections::BTreeMap, ops::RangeInclusive};
use toml::{Spanned, Value};
use unriddle_catalog::{
    units,
    work::reader::{Name, unknown},
};

/// A table as it stands in the file.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Table(Spanned<BTreeMap<Name, Spanned<Value>>>);

/// A table that is being read.
pub(crate) struct Fields<'r, 'a> {
    pub(crate) reading: &'r mut Reading<'a>,
    left: BTreeMap<Name, Spanned<Value>>,
    asked: Vec<&'static str>,
    place: Spanned<()>,
}

impl<'r, 'a> Fields<'r, 'a> {
    pub(crate) fn new(reading: &'r mut Reading<'a>, Table(table): Table) -> Self {
        let place = Spanned::new(table.span(), ());
        Self { reading, left: table.into_inner(), asked: Vec::new(), place }
    }

    /// Notes that something is wrong with the table as a whole.
    pub(crate) fn wrong(&mut self, message: impl Into<String>) {
        let place = self.place.clone();
        self.reading.wrong(&place, message);
    }

    /// The value of a key, if it is there.
    fn take(&mut self, key: &'static str) -> Option<Spanned<Value>> {
        self.asked.push(key);
        let found = self.left.keys().find(|name| name.get_ref() == key)?;
        let found = found.clone();
        self.left.remove(&found)
    }

    /// Says that a key is missing.
    fn missing<T>(&mut self, key: &str) -> Option<T> {
        self.wrong(format!("`{key}` is missing"));
        None
    }

    fn misread<T>(&mut self, key: &str, value: &Spanned<Value>, expected: &str) -> Option<T> {
        let found = value.get_ref();
        self.reading.wrong(value, format!("`{key}` is {found}, expected {expected}"));
        None
    }

    /// Whether a key is there.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.left.keys().any(|name| name.get_ref() == key)
    }

    /// A whole number of a range, which may be written with a unit such as `"5M"`.
    pub(crate) fn count(
        &mut self,
        key: &'static str,
        range: RangeInclusive<u64>,
        default: Option<u64>,
    ) -> Option<u64> {
        let Some(value) = self.take(key) else {
            return default.or_else(|| self.missing(key));
        };
        let count = match value.get_ref() {
            Value::Integer(n) => u64::try_from(*n).ok(),
            Value::String(text) => units::count(text).ok(),
            _ => None,
        };
        match count {
            Some(n) if range.contains(&n) => Some(n),
            _ => {
                let (least, most) = (range.start(), range.end());
                let expected = match *most {
                    u64::MAX => format!("a whole number of at least {least}"),
                    most => format!("a whole number of {least} to {most}"),
                };
                self.misread(key, &value, &expected)
            }
        }
    }

    /// A number between two others, both included.
    pub(crate) fn real(
        &mut self,
        key: &'static str,
        (least, most): (f64, f64),
        default: Option<f64>,
    ) -> Option<f64> {
        let Some(value) = self.take(key) else {
            return default.or_else(|| self.missing(key));
        };
        let real = match value.get_ref() {
            Value::Integer(n) => Some(*n as f64),
            Value::Float(x) => Some(*x),
            _ => None,
        };
        match real {
            Some(x) if (least..=most).contains(&x) => Some(x),
            _ => self.misread(key, &value, &format!("a number of {least} to {most}")),
        }
    }

    /// `true` or `false`; `false` without the key.
    pub(crate) fn flag(&mut self, key: &'static str) -> Option<bool> {
        match self.take(key) {
            None => Some(false),
            Some(value) => match value.get_ref() {
                Value::Boolean(is) => Some(*is),
                _ => self.misread(key, &value, "true or false"),
            },
        }
    }

    /// One of a few words.
    pub(crate) fn word<T: Copy>(
        &mut self,
        key: &'static str,
        words: &[(&str, T)],
        default: Option<T>,
    ) -> Option<T> {
        let Some(name) = self.text(key)? else {
            return default.or_else(|| self.missing(key));
        };
        let found = words.iter().find(|(word, _)| word == name.get_ref());
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.reading.wrong(&name, unknown(&format!("`{key}`"), name.get_ref(), &known));
        }
        found.map(|(_, value)| *value)
    }

    /// A text, if the key is there; the outer `None` if it is not a text.
    #[allow(clippy::option_option)]
    pub(crate) fn text(&mut self, key: &'static str) -> Option<Option<Name>> {
        let Some(value) = self.take(key) else {
            return Some(None);
        };
        let span = value.span();
        match value.get_ref() {
            Value::String(text) => Some(Some(Spanned::new(span, text.clone()))),
            _ => self.misread(key, &value, "a text"),
        }
    }

    /// A duration such as `"30s"`.
    pub(crate) fn duration(
        &mut self,
        key: &'static str,
        default: std::time::Duration,
    ) -> Option<std::time::Duration> {
        let Some(text) = self.text(key)? else {
            return Some(default);
        };
        match units::duration(text.get_ref()) {
            Ok(duration) => Some(duration),
            Err(why) => {
                self.reading.wrong(&text, why);
                None
            }
        }
    }

    /// Refuses the keys that nobody asked for.
    pub(crate) fn end(self) {
        for name in self.left.keys() {
            let message = unknown("field", name.get_ref(), &self.asked);
            self.reading.wrong(name, message);
        }
    }
}
