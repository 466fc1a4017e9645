//! From the text of a paper to its exhibits, cells and claims. Everything that can be wrong with the file
//! itself is found here; what it names of experiments is looked up when the page is made (`ours`).

use super::{
    Cell, Claim, Exhibit, Line, Maker, Missing, Paper, Published, Reading,
    file::{self, Measure},
    shipped,
};
use crate::{
    error::LabError,
    reader::{Name, Reader},
    references::Source,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::Path,
};
use toml::Spanned;

/// A figure as the references need it.
pub(crate) struct Declared {
    pub(crate) key: String,
    pub(crate) value: f64,
    pub(crate) unit: String,
    pub(crate) place: String,
    pub(crate) what: String,
    /// Where it stands in the file.
    pub(crate) at: Range<usize>,
}

/// The figures that a paper's file declares: cells that are numbers of their own.
pub(crate) fn figures(path: &Path, text: &str, key: &str) -> Result<Vec<Declared>, LabError> {
    let reader = Reader { path, text };
    let file: file::File = reader.toml()?;
    let mut figures = Vec::new();
    for exhibit in &file.exhibit {
        let exhibit = exhibit.get_ref();
        let (columns, cells) = written(reader, key, exhibit)?;
        for (row, cells) in exhibit.rows.iter().zip(cells) {
            for (cell, column) in cells.into_iter().zip(&columns) {
                if let (Published::Value(value), false) = (&cell.published, cell.is_elsewhere) {
                    let names = [&*exhibit.title, &*row.name, &*column.name];
                    let names: Vec<_> = names.into_iter().filter(|n| !n.is_empty()).collect();
                    figures.push(Declared {
                        value: *value,
                        what: names.join(", "),
                        key: cell.key,
                        unit: cell.unit,
                        place: cell.place,
                        at: cell.at,
                    });
                }
            }
        }
    }
    Ok(figures)
}

/// Reads a paper. `key` is the name of its file and of its source; `root` the folder that paths are below.
pub(super) fn paper(
    path: &Path,
    text: &str,
    root: &Path,
    key: &str,
    source: &Source,
) -> Result<Paper, LabError> {
    let reader = Reader { path, text };
    let file: file::File = reader.toml()?;
    let mut exhibits: Vec<Exhibit> = Vec::new();
    for spanned in &file.exhibit {
        let exhibit = spanned.get_ref();
        let before = exhibits.iter().map(|e| e.id.as_str());
        reader.unique("exhibit", &exhibit.id, before)?;
        let (columns, rows, cells) = match &exhibit.file {
            None => {
                let (columns, cells) = written(reader, key, exhibit)?;
                let rows = exhibit
                    .rows
                    .iter()
                    .map(|row| Line { id: row.id.get_ref().clone(), name: row.name.clone() });
                (columns, rows.collect(), cells)
            }
            Some(csv) => of_file(reader, root, key, exhibit, csv)?,
        };
        exhibits.push(Exhibit {
            kind: exhibit.kind,
            id: exhibit.id.get_ref().clone(),
            place: exhibit.place.clone(),
            title: exhibit.title.clone(),
            shows: exhibit.shows.clone(),
            remark: exhibit.remark.clone(),
            is_matrix: exhibit.file.is_some(),
            columns,
            rows,
            cells,
            plots: Vec::new(),
            ours: Vec::new(),
            missing: Vec::new(),
        });
    }
    resolve(reader, root, key, &mut exhibits)?;
    for (exhibit, spanned) in exhibits.iter_mut().zip(&file.exhibit) {
        let file = spanned.get_ref();
        for ours in &file.ours {
            let reading = reading(reader, exhibit, ours)?;
            exhibit.ours.push(reading);
        }
        for missing in &file.missing {
            let missing = left_out(reader, exhibit, missing.get_ref())?;
            exhibit.missing.push(missing);
        }
        complete(reader, exhibit, &file.id)?;
        for plot in &file.plots {
            if !root.join(plot.get_ref()).is_file() {
                let message = format!("there is no file {}", plot.get_ref());
                return Err(reader.error(&plot.span(), message));
            }
            exhibit.plots.push(plot.get_ref().clone());
        }
    }
    let claims = file.claim.into_iter().map(|claim| Claim {
        place: claim.place,
        text: claim.text,
        note: claim.note,
        command: claim.command,
    });
    Ok(Paper {
        key: key.to_owned(),
        path: path.to_owned(),
        text: text.to_owned(),
        root: root.to_owned(),
        source: source.clone(),
        about: file.about.trim().to_owned(),
        exhibits,
        claims: claims.collect(),
    })
}

/// The columns of an exhibit; without any, one without a name.
fn columns(reader: Reader<'_>, exhibit: &file::Exhibit) -> Result<Vec<Line>, LabError> {
    let mut columns: Vec<Line> = Vec::new();
    for column in &exhibit.columns {
        reader.unique("column", &column.id, columns.iter().map(|c| c.id.as_str()))?;
        columns.push(Line { id: column.id.get_ref().clone(), name: column.name.clone() });
    }
    if columns.is_empty() {
        columns.push(Line { id: String::new(), name: String::new() });
    }
    Ok(columns)
}

/// The key of a cell within its paper.
fn inside(exhibit: &str, row: &str, column: &str) -> String {
    match column {
        "" => format!("{exhibit}/{row}"),
        column => format!("{exhibit}/{row}/{column}"),
    }
}

/// The columns and cells that stand in the paper's file itself.
fn written(
    reader: Reader<'_>,
    key: &str,
    exhibit: &file::Exhibit,
) -> Result<(Vec<Line>, Vec<Vec<Cell>>), LabError> {
    let columns = columns(reader, exhibit)?;
    let mut rows = Vec::new();
    for (index, row) in exhibit.rows.iter().enumerate() {
        let before = exhibit.rows[..index].iter().map(|r| r.id.get_ref().as_str());
        reader.unique("row", &row.id, before)?;
        let cells = row.cells.get_ref();
        if cells.len() != columns.len() {
            let message = format!(
                "expected {} cells, one for each column, found {}",
                columns.len(),
                cells.len()
            );
            return Err(reader.error(&row.cells.span(), message));
        }
        let cells = cells.iter().zip(&columns).enumerate();
        rows.push(
            cells
                .map(|(at, (cell, column))| {
                    let unit = row.unit.as_ref();
                    let unit = unit.or_else(|| exhibit.columns.get(at)?.unit.as_ref());
                    let unit = unit.or(exhibit.unit.as_ref()).cloned();
                    let mut read = Cell {
                        key: format!(
                            "{key}/{}",
                            inside(exhibit.id.get_ref(), row.id.get_ref(), &column.id)
                        ),
                        published: Published::Lost,
                        unit: unit.unwrap_or_default(),
                        place: row.place.clone().unwrap_or_else(|| exhibit.place.clone()),
                        at: cell.span(),
                        is_elsewhere: false,
                    };
                    read.published = match cell.get_ref() {
                        file::Cell::Whole(n) => Published::Value(*n as f64),
                        file::Cell::Real(x) => Published::Value(*x),
                        file::Cell::More(more) => {
                            read.unit = more.unit.clone().unwrap_or(read.unit);
                            read.place = more.place.clone().unwrap_or(read.place);
                            Published::Value(more.value)
                        }
                        file::Cell::Words(words) => match words.as_str() {
                            "lost" => Published::Lost,
                            "none" => Published::None,
                            words => match words.strip_prefix('=') {
                                Some(other) => {
                                    read.is_elsewhere = true;
                                    Published::Same(other.trim().to_owned())
                                }
                                None => Published::Words(words.to_owned()),
                            },
                        },
                        file::Cell::Shipped(shipped) => {
                            read.is_elsewhere = true;
                            Published::Shipped(shipped.file.clone(), shipped.at.clone())
                        }
                        file::Cell::Quotient(parts) => {
                            read.is_elsewhere = true;
                            read.unit = row.unit.clone().unwrap_or_default();
                            Published::Quotient(parts.quotient.clone(), parts.of.clone())
                        }
                    };
                    read
                })
                .collect(),
        );
    }
    Ok((columns, rows))
}

/// The columns, rows and cells of an exhibit whose cells are in a CSV file.
#[allow(clippy::type_complexity)]
fn of_file(
    reader: Reader<'_>,
    root: &Path,
    key: &str,
    exhibit: &file::Exhibit,
    csv: &Name,
) -> Result<(Vec<Line>, Vec<Line>, Vec<Vec<Cell>>), LabError> {
    if let Some(row) = exhibit.rows.first() {
        let message = "the rows of this exhibit are those of its `file`";
        return Err(reader.error(&row.id.span(), message));
    }
    let refused = |why: String| reader.error(&csv.span(), why);
    if exhibit.columns.is_empty() {
        return Err(refused("a `file` needs `columns`, by their names in it".into()));
    }
    let table = shipped::table(&root.join(csv.get_ref())).map_err(refused)?;
    let columns = columns(reader, exhibit)?;
    let find = |name: &Name| {
        reader.index("column of the file", name, table.head.iter().map(String::as_str))
    };
    let names = match &exhibit.key {
        Some(name) => find(name)?,
        None => {
            return Err(refused("a `file` needs the `key`: its column with names of rows".into()));
        }
    };
    let indices: Result<Vec<_>, _> = exhibit.columns.iter().map(|c| find(&c.id)).collect();
    let indices = indices?;
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
                is_elsewhere: true,
            }
        });
        cells.push(of_row.collect());
        rows.push(Line { name: id.clone(), id });
    }
    Ok((columns, rows, cells))
}

/// Replaces cells that name another cell, or a value of a shipped file, by what these hold.
fn resolve(
    reader: Reader<'_>,
    root: &Path,
    key: &str,
    exhibits: &mut [Exhibit],
) -> Result<(), LabError> {
    let all = || exhibits.iter().flat_map(|e| e.cells.iter().flatten());
    let known: BTreeMap<String, (Published, String)> = all()
        .filter(|cell| !matches!(cell.published, Published::Same(_) | Published::Quotient(..)))
        .map(|cell| {
            let name = cell.key[key.len() + 1..].to_owned();
            (name, (cell.published.clone(), cell.unit.clone()))
        })
        .collect();
    let mut seen = BTreeSet::new();
    for cell in all() {
        if !seen.insert(&cell.key) {
            return Err(reader.error(&cell.at, format!("there is a figure `{}` already", cell.key)));
        }
    }
    let names: Vec<&str> = known.keys().map(String::as_str).collect();
    let find = |other: &str, at: &Range<usize>| {
        known.get(other).ok_or_else(|| {
            let name = Spanned::new(at.clone(), other.to_owned());
            reader.unknown("figure of this paper", &name, &names)
        })
    };
    for cell in exhibits.iter_mut().flat_map(|e| e.cells.iter_mut().flatten()) {
        if let Published::Same(other) = &cell.published {
            let (published, unit) = find(other, &cell.at)?;
            cell.published = published.clone();
            cell.unit.clone_from(unit);
        }
        if let Published::Quotient(quotient, of) = &cell.published {
            let (above, below) = (find(quotient, &cell.at)?, find(of, &cell.at)?);
            let (Published::Value(above), Published::Value(below)) = (&above.0, &below.0) else {
                let message = "a quotient is of two numbers";
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

/// The index of a row or a column.
fn line(reader: Reader<'_>, what: &str, name: &Name, lines: &[Line]) -> Result<usize, LabError> {
    reader.index(what, name, lines.iter().map(|line| line.id.as_str()))
}

/// What a later measure adds to an earlier one.
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
    exhibit: &Exhibit,
    ours: &Spanned<file::Ours>,
) -> Result<Reading, LabError> {
    let (place, ours) = (ours.span(), ours.get_ref());
    let maker = match (&ours.experiment, &ours.file, &ours.puzzle) {
        (Some(name), None, None) => Maker::Experiment(name.clone()),
        (None, Some(file), None) => Maker::File(file.clone()),
        (None, None, Some(puzzle)) => Maker::Program(puzzle.clone()),
        _ => {
            let message = "ours come from one of: `experiment`, `file`, `puzzle`";
            return Err(reader.error(&place, message));
        }
    };
    if matches!(maker, Maker::File(_)) && ours.command.is_none() {
        return Err(reader.error(&place, "a `file` needs the `command` that made it"));
    }
    let by_line =
        |what: &str, lines: &[Line], given: &Option<BTreeMap<Spanned<String>, Measure>>| {
            let mut of_line: Vec<Option<Measure>> = vec![None; lines.len()];
            match given {
                None => of_line.fill(Some(Measure::default())),
                Some(given) => {
                    for (name, measure) in given {
                        of_line[line(reader, what, name, lines)?] = Some(measure.clone());
                    }
                }
            }
            Ok::<_, LabError>(of_line)
        };
    let rows = by_line("row", &exhibit.rows, &ours.rows)?;
    let columns = by_line("column", &exhibit.columns, &ours.columns)?;
    let only_cells = ours.rows.is_none() && ours.columns.is_none() && !ours.cells.is_empty();
    let mut cells = vec![vec![None; exhibit.columns.len()]; exhibit.rows.len()];
    for (r, row) in rows.iter().enumerate().filter(|_| !only_cells) {
        for (c, column) in columns.iter().enumerate() {
            let is_there = !matches!(exhibit.cells[r][c].published, Published::None);
            if let (Some(row), Some(column), true) = (row, column, is_there) {
                cells[r][c] = Some(over(&over(&ours.measure, row), column));
            }
        }
    }
    for (name, measure) in &ours.cells {
        let names = exhibit.rows.iter().flat_map(|row| {
            let name = |column: &Line| match column.id.as_str() {
                "" => row.id.clone(),
                column => format!("{}/{column}", row.id),
            };
            exhibit.columns.iter().map(name)
        });
        let names: Vec<String> = names.collect();
        let at = reader.index("cell", name, names.iter().map(String::as_str))?;
        let (r, c) = (at / exhibit.columns.len(), at % exhibit.columns.len());
        let under = cells[r][c].take().unwrap_or_else(|| ours.measure.clone());
        cells[r][c] = Some(over(&under, measure));
    }
    Ok(Reading {
        name: ours.name.clone(),
        maker,
        scale: ours.scale.clone(),
        deviation: ours.deviation.clone(),
        command: ours.command.clone(),
        cells,
        place,
    })
}

fn left_out(
    reader: Reader<'_>,
    exhibit: &Exhibit,
    missing: &file::Missing,
) -> Result<Missing, LabError> {
    let indices = |what: &str, names: &Option<Vec<Name>>, lines: &[Line]| match names {
        None => Ok((0..lines.len()).collect()),
        Some(names) => {
            names.iter().map(|name| line(reader, what, name, lines)).collect::<Result<Vec<_>, _>>()
        }
    };
    Ok(Missing {
        rows: indices("row", &missing.rows, &exhibit.rows)?,
        columns: indices("column", &missing.columns, &exhibit.columns)?,
        because: missing.because.clone(),
        command: missing.command.clone(),
    })
}

/// Every figure has one of ours beside it, or a reason why not.
fn complete(reader: Reader<'_>, exhibit: &Exhibit, id: &Name) -> Result<(), LabError> {
    for (r, row) in exhibit.cells.iter().enumerate() {
        for (c, cell) in row.iter().enumerate() {
            let is_figure = matches!(cell.published, Published::Value(_) | Published::Lost);
            let has_ours = exhibit.ours.iter().any(|ours| ours.cells[r][c].is_some());
            if is_figure && !has_ours && exhibit.why_not(r, c).is_none() {
                let message = format!(
                    "the figure `{}` has neither one of ours in an [[exhibit.ours]] nor a reason in an \
                     [[exhibit.missing]]",
                    cell.key
                );
                return Err(reader.error(&id.span(), message));
            }
        }
    }
    Ok(())
}
