//! Reads a paper's file into exhibits, cells and claims, and validates all of it that does not
//! depend on experiments. `ours` looks up the names of suites, solvers and attributes when the page
//! is made.

use super::{Exhibit, Maker, Missing, Paper, Reading, shipped};
use crate::{
    error::LabError,
    reader::{Name, Reader},
    references::{
        Source,
        cells::{self, Cell, Grid, Line, Published, inside},
        paper::{self, Measure, PaperFile},
    },
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::Path,
};
use toml::Spanned;

/// Reads a paper. `key` is the name of its file and of its source; paths in the file are relative
/// to `root`.
pub(super) fn paper(
    path: &Path,
    text: &str,
    root: &Path,
    key: &str,
    source: &Source,
) -> Result<Paper, LabError> {
    let reader = Reader { path, text };
    let file: PaperFile = reader.toml()?;
    let mut exhibits: Vec<Exhibit> = Vec::new();
    for declared in file.exhibit.into_iter().map(Spanned::into_inner) {
        let before = exhibits.iter().map(|e| e.declared.id.get_ref().as_str());
        reader.unique("exhibit", &declared.id, before)?;
        let grid = match &declared.file {
            None => cells::grid(reader, key, &declared)?,
            Some(csv) => of_file(reader, root, key, &declared, csv)?,
        };
        let names = cell_names(&grid);
        let index = |name: &Name| reader.index("cell", name, names.iter().map(String::as_str));
        let headline = declared.headline.as_ref().map(index).transpose()?;
        let columns = grid.columns.len();
        let headline = headline.map(|index| (index / columns, index % columns));
        let (readings, missing) = (Vec::new(), Vec::new());
        exhibits.push(Exhibit { declared, grid, readings, missing, headline });
    }
    resolve(reader, root, key, &mut exhibits)?;
    for exhibit in &mut exhibits {
        let Exhibit { declared, grid, .. } = &*exhibit;
        let readings: Result<_, _> =
            declared.ours.iter().map(|ours| reading(reader, grid, ours)).collect();
        let missing: Result<_, _> =
            declared.missing.iter().map(|m| left_out(reader, grid, m.get_ref())).collect();
        (exhibit.readings, exhibit.missing) = (readings?, missing?);
        complete(reader, exhibit)?;
        for plot in &exhibit.declared.plots {
            if !root.join(plot.get_ref()).is_file() {
                return reader.refuse(plot, format!("there is no file {}", plot.get_ref()));
            }
        }
    }
    Ok(Paper {
        key: key.to_owned(),
        path: path.to_owned(),
        text: text.to_owned(),
        root: root.to_owned(),
        source: source.clone(),
        about: file.about.trim().to_owned(),
        definitions: file.definition,
        exhibits,
        claims: file.claim,
    })
}

/// Reads the columns, rows and cells of an exhibit whose cells are in a CSV file.
fn of_file(
    reader: Reader<'_>,
    root: &Path,
    key: &str,
    exhibit: &paper::Exhibit,
    csv: &Name,
) -> Result<Grid, LabError> {
    if let Some(row) = exhibit.rows.first() {
        let message = "an exhibit with a `file` has the rows of this file: remove `rows`";
        return reader.refuse(&row.id, message);
    }
    if exhibit.columns.is_empty() {
        return reader.refuse(csv, "a `file` needs `columns`, by their names in it");
    }
    let table = shipped::table(&root.join(csv.get_ref()));
    let table = table.map_err(|why| reader.error(&csv.span(), why))?;
    let columns = cells::columns(reader, exhibit)?;
    let find = |name: &Name| {
        reader.index("column of the file", name, table.head.iter().map(String::as_str))
    };
    let Some(names) = &exhibit.key else {
        return reader.refuse(csv, "a `file` needs the `key`: its column with names of rows");
    };
    let names = find(names)?;
    let indices: Vec<usize> =
        exhibit.columns.iter().map(|c| find(&c.id)).collect::<Result<_, _>>()?;
    let (mut rows, mut cells) = (Vec::new(), Vec::new());
    for line in &table.rows {
        let id = line.get(names).cloned().unwrap_or_default();
        let of_row = indices.iter().zip(&exhibit.columns).map(|(&index, column)| {
            let text = line.get(index).map_or("", |text| text.trim());
            let published = match (text, text.parse::<f64>()) {
                ("", _) => Published::None,
                (_, Ok(value)) => Published::Value(value),
                (words, Err(_)) => Published::Words(words.to_owned()),
            };
            let unit = column.unit.as_ref().or(exhibit.unit.as_ref());
            Cell {
                key: format!("{key}/{}", inside(exhibit.id.get_ref(), &id, column.id.get_ref())),
                published,
                unit: unit.cloned().unwrap_or_default(),
                place: exhibit.place.clone(),
                at: csv.span(),
            }
        });
        cells.push(of_row.collect());
        rows.push(Line { name: id.clone(), id });
    }
    Ok(Grid { columns, rows, cells })
}

/// Replaces cells that refer to another cell or to a value of a committed file by that cell or
/// value.
fn resolve(
    reader: Reader<'_>,
    root: &Path,
    key: &str,
    exhibits: &mut [Exhibit],
) -> Result<(), LabError> {
    let mut known: BTreeMap<String, (Published, String)> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for cell in exhibits.iter().flat_map(|e| e.grid.cells.iter().flatten()) {
        if !seen.insert(&cell.key) {
            return Err(reader.error(&cell.at, format!("there is a figure `{}` already", cell.key)));
        }
        if !matches!(cell.published, Published::Same(_) | Published::Quotient(..)) {
            let name = cell.key[key.len() + 1..].to_owned();
            known.insert(name, (cell.published.clone(), cell.unit.clone()));
        }
    }
    let names: Vec<&str> = known.keys().map(String::as_str).collect();
    let find = |other: &str, at: &Range<usize>| {
        known.get(other).ok_or_else(|| {
            let name = Spanned::new(at.clone(), other.to_owned());
            reader.unknown("figure of this paper", &name, &names)
        })
    };
    for cell in exhibits.iter_mut().flat_map(|e| e.grid.cells.iter_mut().flatten()) {
        if let Published::Same(other) = &cell.published {
            let (published, unit) = find(other, &cell.at)?;
            cell.published = published.clone();
            cell.unit.clone_from(unit);
        }
        if let Published::Quotient(quotient, of) = &cell.published {
            let (above, below) = (find(quotient, &cell.at)?, find(of, &cell.at)?);
            let (Published::Value(above), Published::Value(below)) = (&above.0, &below.0) else {
                let message = "expected the keys of two numbers in `quotient` and `of`";
                return Err(reader.error(&cell.at, message));
            };
            cell.published = Published::Value(above / below);
        }
        if let Published::Shipped(file, at) = &cell.published {
            let value = shipped::of_toml(&root.join(file), at);
            let value = value.map_err(|why| reader.error(&cell.at, why))?;
            cell.published = match value.parse::<f64>() {
                Ok(number) => Published::Value(number),
                Err(_) => Published::Words(value),
            };
        }
    }
    Ok(())
}

/// Returns the index of a row or a column.
fn line(reader: Reader<'_>, what: &str, name: &Name, lines: &[Line]) -> Result<usize, LabError> {
    reader.index(what, name, lines.iter().map(|line| line.id.as_str()))
}

/// Names of all cells, `ROW/COLUMN`, row by row.
fn cell_names(grid: &Grid) -> Vec<String> {
    let names = grid.rows.iter().flat_map(|row| {
        let name = |column: &Line| match column.id.as_str() {
            "" => row.id.clone(),
            column => format!("{}/{column}", row.id),
        };
        grid.columns.iter().map(name)
    });
    names.collect()
}

/// Measure with the fields of `later`, and the fields of `under` where `later` has none.
fn over(under: &Measure, later: &Measure) -> Measure {
    macro_rules! later {
        ($($field:ident)*) => {
            Measure {
                $($field: later.$field.clone().or_else(|| under.$field.clone()),)*
                when: under.when.iter().chain(&later.when)
                    .map(|(name, value)| (name.clone(), value.clone())).collect(),
            }
        };
    }
    later!(suite solver attribute statistic class against pairing instance at column spec option unit better
           incomparable)
}

fn reading(
    reader: Reader<'_>,
    grid: &Grid,
    ours: &Spanned<paper::Ours>,
) -> Result<Reading, LabError> {
    let (at, ours) = (ours.span(), ours.get_ref());
    let maker = match (&ours.experiment, &ours.file, &ours.puzzle) {
        (Some(name), None, None) => Maker::Experiment(name.clone()),
        (None, Some(file), None) => Maker::File(file.clone()),
        (None, None, Some(puzzle)) => Maker::Program(puzzle.clone()),
        _ => {
            let message =
                "the source of our figures must be one of: `experiment`, `file`, `puzzle`";
            return Err(reader.error(&at, message));
        }
    };
    if matches!(maker, Maker::File(_)) && ours.command.is_none() {
        return Err(reader.error(&at, "a `file` needs the `command` that made it"));
    }
    let by_line =
        |what: &str, lines: &[Line], given: &Option<BTreeMap<Spanned<String>, Measure>>| {
            let Some(given) = given else {
                return Ok(lines.iter().map(|_| Some(Measure::default())).collect());
            };
            let mut of_line: Vec<Option<Measure>> = vec![None; lines.len()];
            for (name, measure) in given {
                of_line[line(reader, what, name, lines)?] = Some(measure.clone());
            }
            Ok::<_, LabError>(of_line)
        };
    let rows = by_line("row", &grid.rows, &ours.rows)?;
    let columns = by_line("column", &grid.columns, &ours.columns)?;
    let only_cells = ours.rows.is_none() && ours.columns.is_none() && !ours.cells.is_empty();
    let mut cells = vec![vec![None; grid.columns.len()]; grid.rows.len()];
    for (r, row) in rows.iter().enumerate().filter(|_| !only_cells) {
        for (c, column) in columns.iter().enumerate() {
            let is_there = !matches!(grid.cells[r][c].published, Published::None);
            if let (Some(row), Some(column), true) = (row, column, is_there) {
                cells[r][c] = Some(over(&over(&ours.measure, row), column));
            }
        }
    }
    let names = cell_names(grid);
    for (name, measure) in &ours.cells {
        let index = reader.index("cell", name, names.iter().map(String::as_str))?;
        let cell = &mut cells[index / grid.columns.len()][index % grid.columns.len()];
        let under = cell.take().unwrap_or_else(|| ours.measure.clone());
        *cell = Some(over(&under, measure));
    }
    Ok(Reading { maker, cells, at })
}

fn left_out(
    reader: Reader<'_>,
    grid: &Grid,
    missing: &paper::Missing,
) -> Result<Missing, LabError> {
    let indices = |what: &str, names: &Option<Vec<Name>>, lines: &[Line]| match names {
        None => Ok((0..lines.len()).collect()),
        Some(names) => names.iter().map(|name| line(reader, what, name, lines)).collect(),
    };
    Ok(Missing {
        rows: indices("row", &missing.rows, &grid.rows)?,
        columns: indices("column", &missing.columns, &grid.columns)?,
    })
}

/// Refuses an exhibit with a figure that has neither a figure of ours nor a reason for its absence.
fn complete(reader: Reader<'_>, exhibit: &Exhibit) -> Result<(), LabError> {
    for (r, row) in exhibit.grid.cells.iter().enumerate() {
        for (c, cell) in row.iter().enumerate() {
            let is_figure = matches!(cell.published, Published::Value(_) | Published::Lost);
            let has_ours = exhibit.readings.iter().any(|ours| ours.cells[r][c].is_some());
            if is_figure && !has_ours && exhibit.why_not(r, c).is_none() {
                let message = format!(
                    "the figure `{}` has neither one of ours in an [[exhibit.ours]] nor a reason in an \
                     [[exhibit.missing]]",
                    cell.key
                );
                return Err(reader.error(&exhibit.declared.id.span(), message));
            }
        }
    }
    Ok(())
}
