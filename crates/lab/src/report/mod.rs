//! Reports: tables and plots of an experiment's runs in Markdown and HTML.
//!
//! | module | what it holds |
//! |---|---|
//! | `data` | the runs that count, in the order of the plan |
//! | `scope` | which instances of a suite a report is about |
//! | `statistics`, `summary` | many values as one, with its uncertainty |
//! | `numbers`, `markdown` | how these are written |
//! | `pairs` | two solvers on the same instances |
//! | `claims` | what the runs say of the claims |
//! | `head`, `compare`, `suite`, `extra` | the other sections |
//! | `measured` | single figures, for pages that are no reports |
//! | `plot` | figures |
//! | `html` | the Markdown as one self-contained page |
//!
//! A report depends on the plan and the rows alone: not on the clock and not on the order of the rows.

mod claims;
mod compare;
mod data;
mod extra;
mod head;
pub(crate) mod html;
pub(crate) mod markdown;
mod measured;
pub(crate) mod numbers;
mod pairs;
pub(crate) mod plot;
mod scope;
mod statistics;
mod suite;
mod summary;

use crate::{error::LabError, plan::Plan, row::Row};
pub use claims::{Estimate, Judged, Method, Tested, Verdict, claims};
use data::Data;
pub(crate) use measured::{Found, Recorded};
pub(crate) use numbers::Measure;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// What a report consists of; nothing in it depends on the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Name of the experiment, with `-quick` for its quick form.
    pub name: String,
    /// The report in Markdown; its figures are in a folder of the report's name.
    pub markdown: String,
    /// The report as one HTML page with its figures.
    pub html: String,
    /// File names and contents (SVG) of the figures.
    pub figures: Vec<(String, String)>,
}

/// Reports the live runs of an experiment. Rows that the plan does not ask for are counted to those kept
/// `apart`, the rows of other texts of the experiment.
///
/// # Errors
/// A figure cannot be drawn.
pub fn report(plan: &Plan, rows: &[Row], apart: usize) -> Result<Report, LabError> {
    let data = Data::new(plan, rows, apart);
    let name = name(plan);
    let figures = plot::figures(&data)?;
    let mut markdown = text(&data);
    markdown += &plot::section(&figures, &name);
    let figures: Vec<(String, String)> =
        figures.into_iter().filter_map(|figure| Some((figure.file, figure.svg?))).collect();
    let html = html::page(&plan.experiment.title, &markdown, &name, &figures);
    Ok(Report { name, markdown, html, figures })
}

/// The report's text and tables without figures, for the terminal.
///
/// # Errors
/// None at present.
pub fn tables(plan: &Plan, rows: &[Row], apart: usize) -> Result<String, LabError> {
    Ok(text(&Data::new(plan, rows, apart)))
}

fn name(plan: &Plan) -> String {
    let quick = if plan.experiment.is_quick { "-quick" } else { "" };
    format!("{}{quick}", plan.experiment.name)
}

fn text(data: &Data<'_>) -> String {
    let mut text = head::head(data);
    text += &head::unexplained(data);
    text += &claims::section(data);
    for note in &data.plan.experiment.notes {
        text += &format!("{}\n\n", note.trim());
    }
    text += &compare::section(data);
    for (index, suite) in data.suites() {
        text += &suite::section(data, index, suite);
        text += &extra::tables(data, index, suite);
    }
    text
}

impl Report {
    /// Writes `NAME.md`, `NAME.html` and `NAME/*.svg` below a folder, which is made if need be, and gives
    /// their paths. Each file is written beside its place and renamed, so that nobody reads half of one.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, LabError> {
        let mut files = vec![
            (folder.join(format!("{}.md", self.name)), &self.markdown),
            (folder.join(format!("{}.html", self.name)), &self.html),
        ];
        let figures = folder.join(&self.name);
        for (name, svg) in &self.figures {
            files.push((figures.join(name), svg));
        }
        make(folder)?;
        if !self.figures.is_empty() {
            make(&figures)?;
        }
        for (path, text) in &files {
            let beside = path.with_extension(format!("part-{}", std::process::id()));
            let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
            if let Err(error) = written {
                // What is left of it helps nobody; that it was there is no further error.
                let _ = fs::remove_file(&beside);
                return Err(LabError::file(path, &error));
            }
        }
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }
}

fn make(folder: &Path) -> Result<(), LabError> {
    fs::create_dir_all(folder).map_err(|error| LabError::file(folder, &error))
}
