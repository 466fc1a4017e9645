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
//! The part of a key before the first `/` names its source. Figures of a work that has a page are
//! declared in `data/papers/KEY.toml` beside it ([`papers`]), under the key
//! `KEY/EXHIBIT/ROW/COLUMN`.

use crate::{error::LabError, papers, reader::unknown};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use toml::Spanned;

/// A published work.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Who.
    pub authors: String,
    /// When.
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

/// A published figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its key.
    pub key: String,
    /// The figure.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// Table, figure or section.
    pub place: String,
    /// What it says, in words.
    pub what: String,
    /// Who published it.
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

/// All published figures.
#[derive(Clone, Debug, Default)]
pub struct References {
    /// The file.
    pub path: PathBuf,
    sources: BTreeMap<String, Source>,
    figures: BTreeMap<String, Figure>,
}

impl References {
    /// Reads the file, and the papers' files in the folder `papers` beside it.
    ///
    /// # Errors
    /// One of them cannot be read, is no TOML, lacks something, a figure's source is not there, or two figures
    /// have one key: line and column.
    pub fn read(path: &Path) -> Result<Self, LabError> {
        let text = std::fs::read_to_string(path).map_err(|error| LabError::file(path, &error))?;
        let mut references = Self::parse(path, &text)?;
        let folder = path.with_file_name("papers");
        if folder.is_dir() {
            for key in papers::keys(&folder)? {
                let path = folder.join(format!("{key}.toml"));
                let text = std::fs::read_to_string(&path);
                let text = text.map_err(|error| LabError::file(&path, &error))?;
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
        for declared in papers::figures(path, text, key)? {
            if self.figures.contains_key(&declared.key) {
                let message = format!("there is a figure `{}` already", declared.key);
                return Err(LabError::at(path, text, &declared.at, message));
            }
            let figure = Figure {
                key: declared.key.clone(),
                value: declared.value,
                unit: declared.unit,
                place: declared.place,
                what: declared.what,
                source: source.clone(),
            };
            self.figures.insert(declared.key, figure);
        }
        Ok(())
    }

    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, LabError> {
        let file: File = toml::from_str(text).map_err(|error| {
            LabError::at(path, text, &error.span().unwrap_or(0..0), error.message())
        })?;
        let mut figures = BTreeMap::new();
        for (key, figure) in file.figure {
            let place = figure.span();
            let name = key.split('/').next().unwrap_or_default();
            let Some(source) = file.source.get(name) else {
                let message =
                    format!("the figure `{key}` is of `{name}`, which is no [source] here");
                return Err(LabError::at(path, text, &place, message));
            };
            let figure = figure.into_inner();
            let figure = Figure {
                key: key.clone(),
                value: figure.value,
                unit: figure.unit,
                place: figure.place,
                what: figure.what,
                source: source.clone(),
            };
            figures.insert(key, figure);
        }
        Ok(Self { path: path.to_owned(), sources: file.source, figures })
    }

    /// The figure of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Figure> {
        self.figures.get(key)
    }

    /// The source of a key.
    #[must_use]
    pub fn source(&self, key: &str) -> Option<&Source> {
        self.sources.get(key)
    }

    /// The keys of all sources, in alphabetical order.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.sources.keys().map(String::as_str)
    }

    /// The keys of all figures, in alphabetical order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.figures.keys().map(String::as_str)
    }
}
