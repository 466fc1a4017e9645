//! Papers: every table and figure of a published work with ours beside it, as a page.
//!
//! | module | what it holds |
//! |---|---|
//! | `file` | the TOML form of a paper, `data/papers/KEY.toml` |
//! | `read` | from that text to exhibits, cells and readings: what can be wrong with the file itself |
//! | `shipped` | figures of committed files: TOML, CSV, the tables of a Markdown file |
//! | `ours` | figures of recorded runs: what the file names of experiments, looked up and measured |
//! | `verdict` | a published figure and ours as a word: same, better, worse, and by how much |
//! | `page`, `claims` | the Markdown |
//!
//! A paper's file declares each of its figures once; `data/references.toml` takes them from there under the
//! keys `KEY/EXHIBIT/ROW/COLUMN`. No figure of ours stands in it: it names experiments, solvers and attributes,
//! or committed files. A cell has ours beside it or a reason why not, or the file is refused. Claims that an
//! experiment tests are declared there; the file has those that none tests.

mod claims;
mod file;
mod ours;
mod page;
mod read;
mod shipped;
mod verdict;

use crate::{
    error::LabError,
    reader::{Name, unknown},
    references::{References, Source},
    report::Report,
    row::Row,
};
use file::{Kind, Measure};
pub(crate) use read::figures;
use std::{
    ops::Range,
    path::{Path, PathBuf},
};
use unriddle_catalog::Registry;

/// A paper as its file has it.
#[derive(Clone, Debug)]
pub struct Paper {
    /// Name of its file and of its source.
    pub key: String,
    /// The file.
    pub path: PathBuf,
    /// Who published it.
    pub source: Source,
    text: String,
    /// What paths in the file are below.
    root: PathBuf,
    about: String,
    exhibits: Vec<Exhibit>,
    claims: Vec<Claim>,
}

/// A table, a figure, or numbers of the text.
#[derive(Clone, Debug)]
struct Exhibit {
    kind: Kind,
    id: String,
    place: String,
    title: String,
    shows: Option<String>,
    remark: Option<String>,
    /// Whether it is shown as the paper shows it, one line for each row.
    is_matrix: bool,
    columns: Vec<Line>,
    rows: Vec<Line>,
    /// By row and column.
    cells: Vec<Vec<Cell>>,
    plots: Vec<String>,
    ours: Vec<Reading>,
    missing: Vec<Missing>,
}

impl Exhibit {
    /// The index of the reason why a cell has none of ours.
    fn why_not(&self, row: usize, column: usize) -> Option<usize> {
        let fits = |m: &Missing| m.rows.contains(&row) && m.columns.contains(&column);
        self.missing.iter().position(fits)
    }
}

/// A row or a column.
#[derive(Clone, Debug)]
struct Line {
    id: String,
    name: String,
}

/// A published cell.
#[derive(Clone, Debug)]
struct Cell {
    key: String,
    published: Published,
    unit: String,
    place: String,
    /// Where it stands in the file.
    at: Range<usize>,
    /// Whether the figure is declared elsewhere.
    is_elsewhere: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Published {
    Value(f64),
    Words(String),
    /// The text at hand has lost it.
    Lost,
    /// The paper has nothing here.
    None,
    /// As another cell of this paper; resolved by the reader.
    Same(String),
    /// The quotient of two other cells; resolved by the reader.
    Quotient(String, String),
    /// The value of a shipped file at a path; resolved by the reader.
    Shipped(String, String),
}

/// Ours beside the cells of an exhibit.
#[derive(Clone, Debug)]
struct Reading {
    name: String,
    maker: Maker,
    scale: String,
    deviation: String,
    command: Option<String>,
    /// By row and column: what is measured.
    cells: Vec<Vec<Option<Measure>>>,
    /// Where it stands in the file.
    place: Range<usize>,
}

/// Where ours come from.
#[derive(Clone, Debug)]
enum Maker {
    /// Recorded runs of an experiment.
    Experiment(Name),
    /// A committed file.
    File(Name),
    /// The program's own declarations, for this puzzle.
    Program(Name),
}

/// Why cells have none of ours.
#[derive(Clone, Debug)]
struct Missing {
    rows: Vec<usize>,
    columns: Vec<usize>,
    because: String,
    command: Option<String>,
}

/// A claim that no experiment tests.
#[derive(Clone, Debug)]
struct Claim {
    place: String,
    text: String,
    note: String,
    command: Option<String>,
}

/// The keys of the papers in a folder, in alphabetical order.
///
/// # Errors
/// The folder cannot be read.
pub fn keys(folder: &Path) -> Result<Vec<String>, LabError> {
    let failed = |error: std::io::Error| LabError::file(folder, &error);
    let mut keys = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|e| e == "toml") {
            keys.extend(path.file_stem().and_then(|s| s.to_str()).map(str::to_owned));
        }
    }
    keys.sort();
    Ok(keys)
}

impl Paper {
    /// Reads the paper of a key below `folder`, which is `data/papers` beside `data/references.toml`.
    ///
    /// # Errors
    /// There is no such paper (with the nearest match), or something is wrong with its file: line and
    /// column.
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

    /// The page: Markdown and HTML. `rows` gives the recorded runs of the experiment of a name, `data` is the
    /// folder of public data sets.
    ///
    /// # Errors
    /// The file names an experiment, a suite, a solver, an attribute or a value that is not there (file, line
    /// and column), or a data set is missing that recorded runs are of.
    pub fn page(
        &self,
        registry: &Registry,
        rows: &dyn Fn(&str) -> Result<Vec<Row>, LabError>,
        data: Option<&Path>,
    ) -> Result<Report, LabError> {
        page::make(self, &ours::Sources::load(self, registry, rows, data)?)
    }
}
