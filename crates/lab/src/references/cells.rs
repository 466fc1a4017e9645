//! Published cells of a paper's file, and the figures among them.

use super::{
    Figure, Source,
    paper::{self, PaperFile},
};
use crate::{
    error::LabError,
    reader::{Name, Reader},
};
use std::{ops::Range, path::Path};

/// Row or column of an exhibit.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) id: String,
    pub(crate) name: String,
}

/// Published cell.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// `PAPER/EXHIBIT/ROW/COLUMN`.
    pub(crate) key: String,
    pub(crate) published: Published,
    pub(crate) unit: String,
    /// Table, figure or section of the paper.
    pub(crate) place: String,
    /// Span of the cell in the file.
    pub(crate) at: Range<usize>,
}

/// Contents of a published cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Published {
    Value(f64),
    Words(String),
    /// The available text of the paper has lost the figure.
    Lost,
    /// The paper has no figure here.
    None,
    /// Same as another cell of this paper; resolved by the reader of papers.
    Same(String),
    /// Quotient of two other cells; resolved by the reader of papers.
    Quotient(String, String),
    /// Value at a path of a committed file; resolved by the reader of papers.
    Shipped(String, String),
}

/// Columns and rows of an exhibit with the cells by row and column.
#[derive(Debug)]
pub(crate) struct Grid {
    pub(crate) columns: Vec<Line>,
    pub(crate) rows: Vec<Line>,
    pub(crate) cells: Vec<Vec<Cell>>,
}

/// Names of the TOML files in a folder without extension, in alphabetical order: the keys of
/// papers.
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

/// Reads the figures that a paper's file declares, with their spans: the cells that contain a
/// number.
pub(super) fn figures(
    reader: Reader<'_>,
    key: &str,
    source: &Source,
) -> Result<Vec<(Figure, Range<usize>)>, LabError> {
    let file: PaperFile = reader.toml()?;
    let mut figures = Vec::new();
    for exhibit in &file.exhibit {
        let exhibit = exhibit.get_ref();
        let Grid { columns, rows, cells } = grid(reader, key, exhibit)?;
        for (row, cells) in rows.iter().zip(cells) {
            for (cell, column) in cells.into_iter().zip(&columns) {
                if let Published::Value(value) = cell.published {
                    let names = [&*exhibit.title, &*row.name, &*column.name];
                    let names: Vec<_> = names.into_iter().filter(|n| !n.is_empty()).collect();
                    let (key, unit, place) = (cell.key, cell.unit, cell.place);
                    let (what, source) = (names.join(", "), source.clone());
                    figures.push((Figure { key, value, unit, place, what, source }, cell.at));
                }
            }
        }
    }
    Ok(figures)
}

/// Reads the columns of an exhibit; an exhibit without columns has one without a name.
pub(crate) fn columns(reader: Reader<'_>, exhibit: &paper::Exhibit) -> Result<Vec<Line>, LabError> {
    let mut columns: Vec<Line> = Vec::new();
    for column in &exhibit.columns {
        reader.unique("column", &column.id, columns.iter().map(|c| c.id.as_str()))?;
        columns.push(line(&column.id, &column.name));
    }
    if columns.is_empty() {
        columns.push(Line { id: String::new(), name: String::new() });
    }
    Ok(columns)
}

fn line(id: &Name, name: &str) -> Line {
    Line { id: id.get_ref().clone(), name: name.to_owned() }
}

/// Returns the key of a cell within its paper.
pub(crate) fn inside(exhibit: &str, row: &str, column: &str) -> String {
    match column {
        "" => format!("{exhibit}/{row}"),
        column => format!("{exhibit}/{row}/{column}"),
    }
}

/// Reads the columns, rows and cells that are written in the paper's file itself.
pub(crate) fn grid(
    reader: Reader<'_>,
    key: &str,
    exhibit: &paper::Exhibit,
) -> Result<Grid, LabError> {
    let columns = columns(reader, exhibit)?;
    let (mut rows, mut all) = (Vec::<Line>::new(), Vec::new());
    for row in &exhibit.rows {
        reader.unique("row", &row.id, rows.iter().map(|r| r.id.as_str()))?;
        let cells = row.cells.get_ref();
        if cells.len() != columns.len() {
            let (expected, found) = (columns.len(), cells.len());
            let message = format!("expected {expected} cells, one for each column, found {found}");
            return reader.refuse(&row.cells, message);
        }
        let cells = cells.iter().zip(&columns).enumerate().map(|(at, (written, column))| {
            let unit = row.unit.as_ref().or_else(|| exhibit.columns.get(at)?.unit.as_ref());
            let inside = inside(exhibit.id.get_ref(), row.id.get_ref(), &column.id);
            let mut cell = Cell {
                key: format!("{key}/{inside}"),
                published: Published::Lost,
                unit: unit.or(exhibit.unit.as_ref()).cloned().unwrap_or_default(),
                place: row.place.as_ref().unwrap_or(&exhibit.place).clone(),
                at: written.span(),
            };
            cell.published = match written.get_ref() {
                paper::Cell::Whole(n) => Published::Value(*n as f64),
                paper::Cell::Real(x) => Published::Value(*x),
                paper::Cell::More(more) => {
                    cell.unit = more.unit.clone().unwrap_or(cell.unit);
                    cell.place = more.place.clone().unwrap_or(cell.place);
                    Published::Value(more.value)
                }
                paper::Cell::Words(words) => match (words.as_str(), words.strip_prefix('=')) {
                    ("lost", _) => Published::Lost,
                    ("none", _) => Published::None,
                    (_, Some(other)) => Published::Same(other.trim().to_owned()),
                    (words, None) => Published::Words(words.to_owned()),
                },
                paper::Cell::Shipped(shipped) => {
                    Published::Shipped(shipped.file.clone(), shipped.at.clone())
                }
                paper::Cell::Quotient(parts) => {
                    cell.unit = row.unit.clone().unwrap_or_default();
                    Published::Quotient(parts.quotient.clone(), parts.of.clone())
                }
            };
            cell
        });
        all.push(cells.collect());
        rows.push(line(&row.id, &row.name));
    }
    Ok(Grid { columns, rows, cells: all })
}
