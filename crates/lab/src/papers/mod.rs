//! Pages of papers: every table and figure of a published work beside our figures.
//!
//! | module | contents |
//! |---|---|
//! | `read` | reads a paper's file and validates all that does not depend on experiments |
//! | `shipped` | figures in committed files: TOML and CSV |
//! | `ours` | our figures: looks up suites, solvers and attributes, and measures recorded runs |
//! | `verdict` | compares a published figure with ours: same, better, worse, and by how much |
//! | `page`, `overview`, `beside`, `claims`, `provenance`, `tally` | the Markdown |
//!
//! The TOML form of a paper (`data/papers/KEY.toml`) and its published cells are read in
//! [`references`](crate::references), which makes each figure known as `KEY/EXHIBIT/ROW/COLUMN`.
//! The file contains no figures of ours, only names of experiments, solvers, attributes and
//! committed files. A cell without a figure of ours and without a reason for its absence is an
//! error. Claims that an experiment tests are declared in the experiment; the paper's file has the
//! others.

mod beside;
mod claims;
mod ours;
mod overview;
mod page;
mod provenance;
mod read;
mod shipped;
mod tally;
mod verdict;

pub use crate::references::cells::keys;

use crate::{
    error::LabError,
    reader::{Name, Reader, unknown},
    references::{
        References, Source,
        cells::{Cell, Grid, Published},
        paper::{self, Measure},
    },
    report::Report,
    row::Row,
};
use std::{
    ops::Range,
    path::{Path, PathBuf},
};
use unriddle_catalog::Registry;

/// Paper as read from its file.
#[derive(Debug)]
pub struct Paper {
    /// Name of its file and of its source.
    pub key: String,
    /// Path of the file.
    pub path: PathBuf,
    /// Publication.
    pub source: Source,
    text: String,
    /// Folder to which the paths in the file are relative.
    root: PathBuf,
    about: String,
    definitions: Vec<paper::Definition>,
    exhibits: Vec<Exhibit>,
    claims: Vec<paper::Claim>,
}

/// Table, figure, or numbers in the running text.
#[derive(Debug)]
struct Exhibit {
    declared: paper::Exhibit,
    grid: Grid,
    readings: Vec<Reading>,
    missing: Vec<Missing>,
    /// Row and column of the cell that represents the exhibit.
    headline: Option<(usize, usize)>,
}

impl Exhibit {
    /// Whether it is shown as in the paper, one line for each row.
    fn is_matrix(&self) -> bool {
        self.declared.file.is_some()
    }

    /// Whether it holds no measurement: neither cells nor plots of ours.
    fn is_illustration(&self) -> bool {
        let is_figure = |cell: &Cell| !matches!(cell.published, Published::None);
        self.declared.plots.is_empty() && !self.grid.cells.iter().flatten().any(is_figure)
    }

    /// Whether a reading has the paper's own size: its `scale` begins with `whole`.
    fn is_whole(&self, reading: usize) -> bool {
        self.declared.ours[reading].get_ref().scale.starts_with("whole")
    }

    /// Index of the reason why a cell has no figure of ours.
    fn why_not(&self, row: usize, column: usize) -> Option<usize> {
        let fits = |m: &Missing| m.rows.contains(&row) && m.columns.contains(&column);
        self.missing.iter().position(fits)
    }
}

/// Column of our figures beside the cells of an exhibit.
#[derive(Debug)]
struct Reading {
    maker: Maker,
    /// Measure by row and column.
    cells: Vec<Vec<Option<Measure>>>,
    /// Span in the file.
    at: Range<usize>,
}

/// Source of our figures.
#[derive(Debug)]
enum Maker {
    /// Recorded runs of an experiment.
    Experiment(Name),
    /// Committed file.
    File(Name),
    /// Declarations of the program for this puzzle.
    Program(Name),
}

/// Rows and columns of the cells to which a [`paper::Missing`] of the same index applies.
#[derive(Debug)]
struct Missing {
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl Paper {
    /// Reads the paper with a key in `folder`, which is `data/papers` beside
    /// `data/references.toml`.
    ///
    /// # Errors
    /// There is no such paper (with the nearest match), or its file is invalid: line and column.
    pub fn read(folder: &Path, key: &str) -> Result<Self, LabError> {
        let known = keys(folder)?;
        if !known.iter().any(|k| k == key) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(LabError::Usage(unknown("paper", key, &known)));
        }
        let path = folder.join(format!("{key}.toml"));
        let text = std::fs::read_to_string(&path).map_err(|e| LabError::file(&path, &e))?;
        let data = folder.parent().unwrap_or(Path::new(""));
        let references = References::read(&data.join("references.toml"))?;
        let Some(source) = references.source(key) else {
            let known: Vec<&str> = references.sources().collect();
            let message = unknown("source of data/references.toml", key, &known);
            return Err(LabError::at(&path, &text, &(0..0), message));
        };
        let root = match data.parent() {
            Some(root) if !root.as_os_str().is_empty() => root,
            _ => Path::new("."),
        };
        read::paper(&path, &text, root, key, source)
    }

    /// Makes the page as Markdown and HTML. `rows` returns the recorded runs of an experiment by
    /// its name; `data` is the folder of public data sets.
    ///
    /// # Errors
    /// The file names an unknown experiment, suite, solver, attribute or value (file, line and
    /// column), or a data set with the instances of recorded runs is missing.
    pub fn page(
        &self,
        registry: &Registry,
        rows: &dyn Fn(&str) -> Result<Vec<Row>, LabError>,
        data: Option<&Path>,
    ) -> Result<Report, LabError> {
        page::make(self, &ours::Sources::load(self, registry, rows, data)?)
    }

    /// Reader that reports errors with their line and column in the file.
    fn reader(&self) -> Reader<'_> {
        Reader { path: &self.path, text: &self.text }
    }
}
