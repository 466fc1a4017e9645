//! Published figures: `data/references.toml`.
//!
//! ```toml
//! [source.cahlik2019]
//! authors = "Cahlík and Surynek"
//! year = 2019
//! title = "…"
//! where = "NCTA 2019, pages 473–478"
//!
//! [figure."cahlik2019/table-1/easy/pdb"]
//! value = 4791
//! unit = "states"
//! place = "Table 1"
//! what = "expanded nodes of A* with the 7-8 pattern database, easy instances"
//! ```
//!
//! The part of a key before the first `/` names its source. A work that has a page declares its
//! figures in `data/papers/KEY.toml`, under the key `KEY/EXHIBIT/ROW/COLUMN`: `paper` is the TOML
//! form of such a file, `cells` reads its figures.

pub(crate) mod cells;
pub(crate) mod paper;

use crate::{
    error::LabError,
    reader::{Reader, unknown},
};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use toml::Spanned;

/// Published work.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Authors.
    pub authors: String,
    /// Year.
    pub year: u16,
    /// Title.
    pub title: String,
    /// Journal, proceedings or site.
    #[serde(rename = "where")]
    pub place: String,
}

impl Source {
    /// `Cahlík and Surynek 2019`.
    #[must_use]
    pub fn citation(&self) -> String {
        format!("{} {}", self.authors, self.year)
    }
}

/// Published figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Key.
    pub key: String,
    /// Number, in `unit`.
    pub value: f64,
    /// Unit.
    pub unit: String,
    /// Table, figure or section.
    pub place: String,
    /// Description of the measured quantity.
    pub what: String,
    /// Publication.
    pub source: Source,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FigureText {
    value: f64,
    unit: String,
    place: String,
    what: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    source: BTreeMap<String, Source>,
    #[serde(default)]
    figure: BTreeMap<String, Spanned<FigureText>>,
}

/// All published figures with their sources.
#[derive(Clone, Debug, Default)]
pub struct References {
    /// Path of `references.toml`.
    pub path: PathBuf,
    sources: BTreeMap<String, Source>,
    figures: BTreeMap<String, Figure>,
}

impl References {
    /// Reads the file, and the papers' files in the folder `papers` beside it.
    ///
    /// # Errors
    /// A file cannot be read or is not valid TOML, a required field or the source of a figure is
    /// missing, or two figures have the same key: line and column.
    pub fn read(path: &Path) -> Result<Self, LabError> {
        let text = std::fs::read_to_string(path).map_err(|error| LabError::file(path, &error))?;
        let mut references = Self::parse(path, &text)?;
        let folder = path.with_file_name("papers");
        if folder.is_dir() {
            for key in cells::keys(&folder)? {
                let path = folder.join(format!("{key}.toml"));
                let text = std::fs::read_to_string(&path).map_err(|e| LabError::file(&path, &e))?;
                references.add(&path, &text, &key)?;
            }
        }
        Ok(references)
    }

    /// Adds the figures of a paper.
    fn add(&mut self, path: &Path, text: &str, key: &str) -> Result<(), LabError> {
        let Some(source) = self.sources.get(key).cloned() else {
            let known: Vec<&str> = self.sources().collect();
            let message = unknown("source of data/references.toml", key, &known);
            return Err(LabError::at(path, text, &(0..0), message));
        };
        for (figure, at) in cells::figures(Reader { path, text }, key, &source)? {
            if self.figures.contains_key(&figure.key) {
                let message = format!("there is a figure `{}` already", figure.key);
                return Err(LabError::at(path, text, &at, message));
            }
            self.figures.insert(figure.key.clone(), figure);
        }
        Ok(())
    }

    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, LabError> {
        let file: File = toml::from_str(text).map_err(|error| {
            LabError::at(path, text, &error.span().unwrap_or(0..0), error.message())
        })?;
        let mut figures = BTreeMap::new();
        for (key, figure) in file.figure {
            let name = key.split('/').next().unwrap_or_default();
            let Some(source) = file.source.get(name).cloned() else {
                let message = format!(
                    "the figure `{key}` names the source `{name}`, which has no [source.{name}] here"
                );
                return Err(LabError::at(path, text, &figure.span(), message));
            };
            let FigureText { value, unit, place, what } = figure.into_inner();
            figures.insert(key.clone(), Figure { key, value, unit, place, what, source });
        }
        Ok(Self { path: path.to_owned(), sources: file.source, figures })
    }

    /// Returns the figure with a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Figure> {
        self.figures.get(key)
    }

    /// Returns the source with a key.
    #[must_use]
    pub fn source(&self, key: &str) -> Option<&Source> {
        self.sources.get(key)
    }

    /// Iterates over the keys of all sources, in alphabetical order.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.sources.keys().map(String::as_str)
    }

    /// Iterates over the keys of all figures, in alphabetical order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.figures.keys().map(String::as_str)
    }
}
