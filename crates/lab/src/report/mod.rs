//! Reports: tables and plots of an experiment's runs in Markdown and HTML.
//!
//! A report is made in three passes: `select` sorts the rows into typed series, `claims` judges the
//! claims by them, and the other modules write series and verdicts as blocks of text.
//!
//! | module | contents |
//! |---|---|
//! | `values` | value types, shared with the pages of papers |
//! | `select`, `scope` | the runs that count, as series by suite and solver |
//! | `statistics`, `summary`, `pairs` | statistics of a series or of pairs, with their uncertainty |
//! | `claims` | verdicts on the claims |
//! | `measured` | single figures for the pages of papers |
//! | `head`, `compare`, `suite`, `extra` | sections of the text |
//! | `plot` | figures |
//! | [`two_sides`], `tests_of_pairs` | two sets of runs side by side |
//! | `numbers`, `markdown`, `html` | notation |
//!
//! A report depends only on the plan and the rows, neither on the clock nor on the order of the
//! rows.

mod claims;
mod compare;
mod extra;
mod head;
pub(crate) mod html;
pub(crate) mod markdown;
mod measured;
pub(crate) mod numbers;
mod pairs;
pub(crate) mod plot;
mod scope;
mod select;
mod statistics;
mod suite;
mod summary;
mod tests_of_pairs;
pub mod two_sides;
pub(crate) mod values;

use crate::{error::LabError, plan::Plan, row::Row};
pub use claims::claims;
pub(crate) use measured::Recorded;
use select::Selection;
use std::{
    fs,
    path::{Path, PathBuf},
};
pub use values::{Estimate, Judged, Method, Tested, Verdict};

/// Texts and figures of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Name of the experiment, with `-quick` for its quick form.
    pub name: String,
    /// Markdown, which refers to figures in a folder of the report's name.
    pub markdown: String,
    /// HTML page that contains its figures.
    pub html: String,
    /// File names and contents (SVG) of the figures.
    pub figures: Vec<(String, String)>,
}

/// Reports the live runs of an experiment. `apart` is the number of further recorded runs that the
/// plan does not ask for; such rows among `rows` are added to it.
///
/// # Errors
/// A figure cannot be drawn.
pub fn report(plan: &Plan, rows: &[Row], apart: usize) -> Result<Report, LabError> {
    let selection = Selection::new(plan, rows, apart);
    let name = name(plan);
    let figures = plot::figures(&selection)?;
    let mut markdown = text(&selection);
    markdown += &plot::section(&figures, &name);
    let figures: Vec<(String, String)> =
        figures.into_iter().filter_map(|figure| Some((figure.file, figure.svg?))).collect();
    let html = html::page(&plan.experiment.title, &markdown, &name, &figures);
    Ok(Report { name, markdown, html, figures })
}

/// Returns the report's text and tables without figures, for the terminal.
#[must_use]
pub fn tables(plan: &Plan, rows: &[Row], apart: usize) -> String {
    text(&Selection::new(plan, rows, apart))
}

fn name(plan: &Plan) -> String {
    let quick = if plan.experiment.is_quick { "-quick" } else { "" };
    format!("{}{quick}", plan.experiment.name)
}

fn text(selection: &Selection<'_>) -> String {
    let judged = claims::judge_all(selection);
    let mut text = head::head(selection);
    text += &head::unexplained(selection);
    text += &claims::section(selection, &judged);
    for note in &selection.experiment.notes {
        text += &format!("{}\n\n", note.trim());
    }
    text += &compare::section(selection);
    for suite in &selection.suites {
        text += &suite::section(&selection.experiment.attributes, suite);
        text += &extra::tables(selection.experiment, suite);
    }
    text
}

impl Report {
    /// Writes `NAME.md`, `NAME.html` and `NAME/*.svg` into a folder, which is created if necessary,
    /// and returns their paths. Each file is written under another name and renamed, so that no
    /// reader gets half of it.
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
                // The error of writing matters; a failure to remove the remainder does not.
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
