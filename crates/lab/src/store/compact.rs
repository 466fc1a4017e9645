//! Compact form of a results file: the CSV records with their repeated cells replaced by indices.
//!
//! Almost all text of a results file repeats from run to run: revision, machine, limits, solvers,
//! instances. The compact form writes each distinct text of such a *shared* column once:
//!
//! ```text
//! experiment,suite,id,puzzle,…       names of all columns
//! experiment,tiles                   dictionary: column, text; texts are numbered from 0
//! suite,easy
//! suite,hard
//! runs                               end of the dictionary
//! 0,17,…                             runs
//! ```
//!
//! A shared column with one text is left out of the runs, a shared column with several contains the
//! index of the text, and every other column contains its cell.

use csv::{StringRecord, Writer};
use std::{
    collections::{HashMap, HashSet},
    io::Write,
};

/// Record that ends the dictionary.
const RUNS: &str = "runs";

/// Column that is never shared, so that no run has an empty record.
const NEVER_SHARED: &str = "key";

/// Writes the dictionary and the runs. The names of the columns are already written.
pub(super) fn write<W: Write>(
    names: &[&str],
    runs: &[StringRecord],
    to: &mut Writer<W>,
) -> csv::Result<()> {
    let mut shared: Vec<Option<HashMap<&str, usize>>> = Vec::new();
    for (column, &name) in names.iter().enumerate() {
        let texts = distinct(runs, column);
        let is_shared = name != NEVER_SHARED && !runs.is_empty() && saves(runs, column, &texts);
        shared.push(is_shared.then(|| texts.iter().enumerate().map(|(i, t)| (*t, i)).collect()));
        for text in texts.iter().filter(|_| is_shared) {
            to.write_record([name, text])?;
        }
    }
    to.write_record([RUNS])?;
    for run in runs {
        let mut record = StringRecord::new();
        for (cell, shared) in run.iter().zip(&shared) {
            match shared {
                None => record.push_field(cell),
                Some(texts) if texts.len() == 1 => {}
                Some(texts) => record.push_field(&texts[cell].to_string()),
            }
        }
        to.write_record(&record)?;
    }
    Ok(())
}

/// Distinct texts of a column, in the order in which they occur.
fn distinct(runs: &[StringRecord], column: usize) -> Vec<&str> {
    let mut seen = HashSet::new();
    runs.iter().filter_map(|run| run.get(column)).filter(|text| seen.insert(*text)).collect()
}

/// Whether the dictionary and the indices of a column are shorter than its cells.
fn saves(runs: &[StringRecord], column: usize, texts: &[&str]) -> bool {
    let whole: usize = runs.iter().filter_map(|run| run.get(column)).map(str::len).sum();
    let dictionary: usize = texts.iter().map(|text| text.len() + 12).sum();
    let digits = texts.len().to_string().len();
    texts.len() == 1 || dictionary + runs.len() * digits < whole
}

/// Dictionary of a compact file.
pub(super) struct Dictionary {
    names: Vec<String>,
    /// Texts of each column; empty for a column that is not shared.
    texts: Vec<Vec<String>>,
}

impl Dictionary {
    /// Makes an empty dictionary for these columns.
    pub(super) fn new(names: &StringRecord) -> Self {
        let names: Vec<String> = names.iter().map(str::to_owned).collect();
        Self { texts: vec![Vec::new(); names.len()], names }
    }

    /// Adds an entry of the dictionary. Returns whether more entries follow.
    ///
    /// # Errors
    /// The record is not an entry.
    pub(super) fn add(&mut self, entry: &StringRecord) -> Result<bool, String> {
        match (entry.get(0), entry.get(1)) {
            (Some(RUNS), None) => return Ok(false),
            (Some(name), Some(text)) if entry.len() == 2 => {
                if let Some(column) = self.names.iter().position(|known| known == name) {
                    self.texts[column].push(text.to_owned());
                    return Ok(true);
                }
            }
            _ => {}
        }
        Err(format!("expected `COLUMN,TEXT` or `{RUNS}`"))
    }

    /// Restores the cells of a run.
    ///
    /// # Errors
    /// The run has another number of cells, or a cell is not an index of its column's texts.
    pub(super) fn restore(&self, run: &StringRecord) -> Result<StringRecord, String> {
        let mut cells = run.iter();
        let mut restored = StringRecord::new();
        for (name, texts) in self.names.iter().zip(&self.texts) {
            if let [only] = &texts[..] {
                restored.push_field(only);
                continue;
            }
            let cell = cells.next().ok_or_else(|| format!("{name} is missing"))?;
            if texts.is_empty() {
                restored.push_field(cell);
                continue;
            }
            let text = cell.parse().ok().and_then(|index: usize| texts.get(index));
            restored.push_field(text.ok_or_else(|| {
                format!("{name}: expected an index below {}, found \"{cell}\"", texts.len())
            })?);
        }
        match cells.next() {
            Some(cell) => Err(format!("expected the end of the line, found \"{cell}\"")),
            None => Ok(restored),
        }
    }
}
