//! Rows as CSV, for spreadsheets and for other machines.
//!
//! The first line names the format: `# unriddle results, format 3`. Format 1 had every instance
//! with every run. Up to format 2, networks were in the same field as the versions of external
//! programs, and keys were of the first kind. The next line has the names of the columns, which are
//! the fields of [`Row`] in their order. Then comes one line for each run. Cells are written as
//! `cell` says. A long instance is written once, with the first of its runs; `=` in a later line
//! stands for the instance of the same suite and name above.
//!
//! Columns are found by their names. A missing column, which was added later, means that its values
//! are unknown.

use crate::{
    LabError,
    cell::{Cell, Cells},
    key::{Kept, Translator},
    row::Row,
};
use csv::{ReaderBuilder, StringRecord, WriterBuilder};
use std::{
    borrow::Cow,
    collections::HashMap,
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    str::FromStr,
};
use unriddle_catalog::registry::Registry;

/// The format that is written, and the newest that is read.
const FORMAT: u32 = 3;
/// The last format whose keys are of the first kind.
const OLD_KEYS: u32 = 2;
const TITLE: &str = "# unriddle results, format ";
/// What stands for the instance above of the same suite and name.
const REPEATED: &str = "=";
/// Instances of more bytes stand once.
const LONG: usize = 10_000;
/// Lines before the first that the CSV reader sees.
const TITLE_LINES: usize = 1;
/// The name of the column of instances.
const INSTANCE: &str = "instance";

/// Writes rows, and returns how many there were.
///
/// # Errors
/// The output cannot be written.
pub fn write_csv<'a>(
    rows: impl Iterator<Item = &'a Row>,
    mut to: impl Write,
) -> Result<usize, LabError> {
    let failed =
        |e: &dyn std::fmt::Display| LabError::Store(format!("the results cannot be written: {e}"));
    writeln!(to, "{TITLE}{FORMAT}").map_err(|e| failed(&e))?;
    let mut writer = WriterBuilder::new().from_writer(to);
    let names = Row::COLUMNS.iter().map(|column| column.name);
    writer.write_record(names).map_err(|e| failed(&e))?;
    let mut count = 0;
    let mut above: HashMap<(&str, &str), &str> = HashMap::new();
    for row in rows {
        let last = above.insert((&row.suite, &row.id), &row.instance);
        let repeats = row.instance.len() > LONG && last == Some(&*row.instance);
        // A text that begins with the sign itself gets another one in front.
        let instance = match row.instance.starts_with(REPEATED) {
            _ if repeats => Cow::Borrowed(REPEATED),
            true => Cow::Owned(format!("{REPEATED}{}", row.instance)),
            false => Cow::Borrowed(&*row.instance),
        };
        let cells = Row::COLUMNS.iter().zip(row.cells());
        let cells = cells.map(|(column, cell)| match column.name {
            INSTANCE => Cow::Borrowed(&*instance),
            _ => cell.cell(),
        });
        let record: StringRecord = cells.collect();
        writer.write_record(&record).map_err(|e| failed(&e))?;
        count += 1;
    }
    writer.flush().map_err(|e| failed(&e))?;
    Ok(count)
}

/// The rows of a file, one after the other.
pub struct Rows<'r> {
    reader: csv::Reader<BufReader<File>>,
    source: Source,
    record: StringRecord,
    /// Long instances by suite and name.
    above: HashMap<(String, String), String>,
    /// For files of older formats.
    translator: Option<Translator<'r>>,
}

/// Reads rows, one after the other. Keys of an older format are translated.
///
/// # Errors
/// The file cannot be read, is no file of results, or is of a newer format. Then for each row: a cell
/// that does not hold what its column should.
pub fn read_csv<'r>(path: &Path, registry: &'r Registry) -> Result<Rows<'r>, LabError> {
    let file = File::open(path).map_err(|e| LabError::file(path, &e))?;
    let mut input = BufReader::new(file);
    let mut title = Vec::new();
    // No more than a line could need, whatever the file is.
    let read = input.by_ref().take(1000).read_until(b'\n', &mut title);
    read.map_err(|e| LabError::file(path, &e))?;
    let format = format_of(path, &String::from_utf8_lossy(&title))?;
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(input);
    let mut source = Source {
        path: path.to_owned(),
        line: TITLE_LINES + 1,
        ended: false,
        width: 0,
        places: Vec::new(),
    };
    let mut header = StringRecord::new();
    reader.read_record(&mut header).map_err(|e| source.broken(&e))?;
    source.read_header(&header)?;
    Ok(Rows {
        reader,
        source,
        record: StringRecord::new(),
        above: HashMap::new(),
        translator: (format <= OLD_KEYS).then(|| Translator::new(registry)),
    })
}

impl Rows<'_> {
    /// The runs so far whose keys could not be translated.
    #[must_use]
    pub fn kept(&self) -> Kept {
        let translator = self.translator.as_ref();
        translator.map_or_else(Kept::default, |translator| translator.kept.clone())
    }

    /// The row of the line that was read last.
    fn row(&mut self) -> Result<Row, LabError> {
        let mut row = self.source.row(&self.record)?;
        let name = (row.suite.clone(), row.id.clone());
        if row.instance == REPEATED {
            let known = self.above.get(&name).cloned();
            row.instance = known.ok_or_else(|| {
                let message = format!("{INSTANCE}: `=`, but there is none above");
                self.source.at(self.source.place_of(INSTANCE), message)
            })?;
        } else {
            if row.instance.starts_with("==") {
                row.instance.remove(0);
            }
            if row.instance.len() > LONG {
                self.above.insert(name, row.instance.clone());
            }
        }
        if let Some(translator) = &mut self.translator {
            translator.translate(&mut row);
        }
        Ok(row)
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Row, LabError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.source.ended {
            return None;
        }
        match self.reader.read_record(&mut self.record) {
            Ok(false) => None,
            Ok(true) => {
                let line = self.record.position().map_or(0, |p| p.line() as usize);
                self.source.line = line + TITLE_LINES;
                Some(self.row())
            }
            Err(e) => {
                self.source.ended = !matches!(e.kind(), csv::ErrorKind::Utf8 { .. });
                Some(Err(self.source.broken(&e)))
            }
        }
    }
}

/// The format of a file. Spreadsheets add a mark of the encoding, quotes and commas to what they save again.
fn format_of(path: &Path, title: &str) -> Result<u32, LabError> {
    let wrong = |message: String| {
        Err(LabError::Text { path: path.to_owned(), line: 1, column: 1, message })
    };
    let title = title.trim_start_matches('\u{feff}').trim_end();
    let title = title.trim_matches(['"', ',', ';']);
    let format = title.strip_prefix(TITLE).map(u32::from_str);
    match format {
        Some(Ok(format @ 1..=FORMAT)) => Ok(format),
        Some(Ok(newer)) if newer > FORMAT => wrong(format!(
            "written by a newer version (format {newer}; this program knows {FORMAT}): use that version"
        )),
        _ => wrong(format!("no results of unriddle: expected \"{TITLE}{FORMAT}\"")),
    }
}

/// Where we are in the file.
struct Source {
    path: PathBuf,
    line: usize,
    /// After an error from which reading cannot go on.
    ended: bool,
    /// Number of columns.
    width: usize,
    /// Where the columns of a row stand in the file; `None` for those that it lacks.
    places: Vec<Option<usize>>,
}

impl Source {
    fn at(&self, cell: usize, message: String) -> LabError {
        LabError::Text { path: self.path.clone(), line: self.line, column: cell + 1, message }
    }

    fn broken(&mut self, error: &csv::Error) -> LabError {
        if let Some(position) = error.position() {
            self.line = position.line() as usize + TITLE_LINES;
        }
        match error.kind() {
            csv::ErrorKind::Io(e) => LabError::file(&self.path, e),
            csv::ErrorKind::Utf8 { err, .. } => self.at(err.field(), "not in UTF-8".to_owned()),
            _ => self.at(0, error.to_string()),
        }
    }

    fn check_end(&self, record: &StringRecord) -> Result<(), LabError> {
        // Empty cells at the end of a line come from spreadsheets.
        let more = record.iter().skip(self.width);
        match more.enumerate().find(|(_, cell)| !cell.is_empty()) {
            Some((at, cell)) => {
                let message = format!("expected the end of the line, found {cell}");
                Err(self.at(self.width + at, message))
            }
            None => Ok(()),
        }
    }

    /// Finds every column by its name.
    fn read_header(&mut self, header: &StringRecord) -> Result<(), LabError> {
        let mut names: Vec<&str> = header.iter().collect();
        while names.last().is_some_and(|name| name.is_empty()) {
            names.pop();
        }
        self.width = names.len();
        for (at, name) in names.iter().enumerate() {
            if names[..at].contains(name) {
                return Err(self.at(at, format!("there are two columns {name}")));
            }
            if !Row::COLUMNS.iter().any(|column| column.name == *name) {
                let message = format!("no column of this version is called {name}");
                return Err(self.at(at, message));
            }
        }
        let place = |name| names.iter().position(|found| *found == name);
        self.places = Row::COLUMNS.iter().map(|c| place(c.name)).collect();
        let mut columns = Row::COLUMNS.iter().zip(&self.places);
        match columns.find(|(column, place)| place.is_none() && !(column.may_lack)()) {
            Some((column, _)) => Err(self.at(0, format!("expected the column {}", column.name))),
            None => Ok(()),
        }
    }

    /// Where a column stands.
    fn place_of(&self, name: &str) -> usize {
        let at = Row::COLUMNS.iter().position(|column| column.name == name);
        at.and_then(|at| self.places[at]).unwrap_or(0)
    }

    fn row(&self, record: &StringRecord) -> Result<Row, LabError> {
        if record.len() < self.width {
            let at = |column: &usize| self.places[*column] == Some(record.len());
            let missing = (0..Row::COLUMNS.len()).find(at);
            let message = format!(
                "expected {} cells, found {}: {} is missing",
                self.width,
                record.len(),
                missing.map_or("", |column| Row::COLUMNS[column].name)
            );
            return Err(self.at(record.len(), message));
        }
        self.check_end(record)?;
        Row::read(&mut InFile { record, source: self, at: 0 })
    }
}

/// The cells of a line, in the order of a row's columns.
struct InFile<'a> {
    record: &'a StringRecord,
    source: &'a Source,
    at: usize,
}

impl Cells for InFile<'_> {
    type Error = LabError;

    fn next<T: Cell>(&mut self) -> Result<T, LabError> {
        let (name, place) = (Row::COLUMNS[self.at].name, self.source.places[self.at]);
        self.at += 1;
        // A column that may lack reads as an empty cell.
        let cell = place.and_then(|place| self.record.get(place));
        let (cell, place) = (cell.unwrap_or_default(), place.unwrap_or_default());
        T::of_cell(cell).ok_or_else(|| {
            let found: String = cell.chars().take(80).collect();
            let message = format!("{name}: expected {}, found \"{found}\"", T::expected());
            self.source.at(place, message)
        })
    }
}
