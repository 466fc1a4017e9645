//! Files of results, for other machines, spreadsheets and the repository.
//!
//! A CSV file begins with the line `# unriddle results, format 3`. The next line has the names of
//! the columns, which are the fields of [`Row`] in their order, and each further line is a run with
//! its cells as described in `cell`. A long instance is written once, with the first of its runs;
//! `=` in a later line refers to the instance of the same suite and name above. Columns are found
//! by their names; the values of a missing column are unknown.
//!
//! A compact file (`NAME.csv.zst`) holds the same records in the form described in `compact`, after
//! the line `# unriddle results, compact format 1`, as text compressed with Zstandard.

use super::compact::{self, Dictionary};
use crate::{
    LabError,
    cell::{Cell, Cells},
    row::Row,
};
use csv::{ReaderBuilder, StringRecord, WriterBuilder};
use std::{
    borrow::Cow,
    collections::HashMap,
    fs::{self, File},
    io::{BufRead, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

/// Format of CSV files that is written and read.
pub(super) const FORMAT: u32 = 3;
const TITLE: &str = "# unriddle results, format ";
/// Format of compact files that is written and read.
const COMPACT_FORMAT: u32 = 1;
const COMPACT_TITLE: &str = "# unriddle results, compact format ";
/// First bytes of a Zstandard frame.
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// Level of compression: the greatest that needs no more memory to read than the default.
const LEVEL: i32 = 19;
/// Cell that refers to the instance of the same suite and name above.
const REPEATED: &str = "=";
/// Instances of more bytes are written once.
const LONG: usize = 10_000;
/// Number of lines before the input of the CSV reader.
const TITLE_LINES: usize = 1;
/// Name of the column of instances.
const INSTANCE: &str = "instance";

fn unwritable(error: &dyn std::fmt::Display) -> LabError {
    LabError::Store(format!("the results cannot be written: {error}"))
}

/// Writes rows as CSV, and returns their number.
///
/// # Errors
/// The output cannot be written.
pub fn write_csv<'a>(
    rows: impl Iterator<Item = &'a Row>,
    mut to: impl Write,
) -> Result<usize, LabError> {
    writeln!(to, "{TITLE}{FORMAT}").map_err(|e| unwritable(&e))?;
    let mut writer = WriterBuilder::new().from_writer(to);
    writer.write_record(names()).map_err(|e| unwritable(&e))?;
    let mut count = 0;
    let mut records = Records::default();
    for row in rows {
        writer.write_record(&records.of(row)).map_err(|e| unwritable(&e))?;
        count += 1;
    }
    writer.flush().map_err(|e| unwritable(&e))?;
    Ok(count)
}

/// Writes rows in the compact form, and returns their number.
///
/// # Errors
/// The output cannot be written.
pub fn write_compact<'a>(
    rows: impl Iterator<Item = &'a Row>,
    to: impl Write,
) -> Result<usize, LabError> {
    let mut encoder = zstd::stream::write::Encoder::new(to, LEVEL).map_err(|e| unwritable(&e))?;
    encoder.include_checksum(true).map_err(|e| unwritable(&e))?;
    writeln!(encoder, "{COMPACT_TITLE}{COMPACT_FORMAT}").map_err(|e| unwritable(&e))?;
    let mut writer = WriterBuilder::new().flexible(true).from_writer(&mut encoder);
    let names: Vec<&str> = names().collect();
    writer.write_record(&names).map_err(|e| unwritable(&e))?;
    let mut records = Records::default();
    let runs: Vec<StringRecord> = rows.map(|row| records.of(row)).collect();
    compact::write(&names, &runs, &mut writer).map_err(|e| unwritable(&e))?;
    writer.flush().map_err(|e| unwritable(&e))?;
    drop(writer);
    encoder.finish().and_then(|mut to| to.flush()).map_err(|e| unwritable(&e))?;
    Ok(runs.len())
}

/// Writes rows into a file, in the compact form if its name ends in `.zst` and as CSV otherwise,
/// and returns their number. The file is written under another name and renamed: the former file
/// stays whole until all is written.
///
/// # Errors
/// The file cannot be written.
pub fn write_file(rows: &[Row], path: &Path) -> Result<usize, LabError> {
    let failed = |e: std::io::Error| LabError::file(path, &e);
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let to = BufWriter::new(File::create(&partial).map_err(failed)?);
    let count = if path.extension().is_some_and(|e| e == "zst") {
        write_compact(rows.iter(), to)?
    } else {
        write_csv(rows.iter(), to)?
    };
    fs::rename(&partial, path).map_err(failed)?;
    Ok(count)
}

fn names() -> impl Iterator<Item = &'static str> {
    Row::COLUMNS.iter().map(|column| column.name)
}

/// Makes the records of rows.
#[derive(Default)]
struct Records<'a> {
    /// Instance of the last row of each suite and name.
    above: HashMap<(&'a str, &'a str), &'a str>,
}

impl<'a> Records<'a> {
    fn of(&mut self, row: &'a Row) -> StringRecord {
        let last = self.above.insert((&row.suite, &row.id), &row.instance);
        let repeats = row.instance.len() > LONG && last == Some(&*row.instance);
        // A text that begins with the sign itself gets another one in front.
        let instance = match row.instance.starts_with(REPEATED) {
            _ if repeats => Cow::Borrowed(REPEATED),
            true => Cow::Owned(format!("{REPEATED}{}", row.instance)),
            false => Cow::Borrowed(&*row.instance),
        };
        let mut cells = row.csv();
        if let Some(at) = names().position(|name| name == INSTANCE) {
            cells[at] = instance;
        }
        cells.into_iter().collect()
    }
}

/// Rows of a file, read one after the other.
pub struct Rows {
    reader: csv::Reader<Box<dyn Read>>,
    source: Source,
    record: StringRecord,
    /// Long instances by suite and name.
    above: HashMap<(String, String), String>,
    /// Dictionary of a compact file.
    dictionary: Option<Dictionary>,
}

/// Reads the rows of a CSV file or a compact file, one after the other.
///
/// # Errors
/// The file cannot be read, contains no results, or is of another format. For each row: a cell is
/// invalid for its column.
pub fn read(path: &Path) -> Result<Rows, LabError> {
    let (format, rows) = read_any(path)?;
    if format < FORMAT {
        let message = format!(
            "written by an older version (format {format}; this program reads {FORMAT}): run \
             `unriddle lab migrate {}` once",
            path.display()
        );
        return Err(wrong_title(path, message));
    }
    Ok(rows)
}

/// Reads the rows of a file of any format up to the current one, as its columns have them; also
/// returns the format.
pub(super) fn read_any(path: &Path) -> Result<(u32, Rows), LabError> {
    let failed = |e: std::io::Error| LabError::file(path, &e);
    let mut file = BufReader::new(File::open(path).map_err(failed)?);
    let is_compact = file.fill_buf().map_err(failed)?.starts_with(ZSTANDARD);
    let mut input: Box<dyn BufRead> = if is_compact {
        Box::new(BufReader::new(zstd::stream::read::Decoder::with_buffer(file).map_err(failed)?))
    } else {
        Box::new(file)
    };
    let mut title = Vec::new();
    // Longer lines than any title are not read whole, whatever the file is.
    input.by_ref().take(1000).read_until(b'\n', &mut title).map_err(failed)?;
    let format = format_of(path, &String::from_utf8_lossy(&title), is_compact)?;
    let input: Box<dyn Read> = Box::new(input);
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(input);
    let mut source = Source {
        path: path.to_owned(),
        line: TITLE_LINES + 1,
        ended: false,
        width: 0,
        indices: Vec::new(),
    };
    let mut record = StringRecord::new();
    reader.read_record(&mut record).map_err(|e| source.broken(&e))?;
    source.read_header(&record)?;
    let mut dictionary = is_compact.then(|| Dictionary::new(&record));
    if let Some(dictionary) = &mut dictionary {
        while {
            reader.read_record(&mut record).map_err(|e| source.broken(&e))?;
            source.line = line_of(&record);
            dictionary.add(&record).map_err(|message| source.at(0, message))?
        } {}
    }
    Ok((format, Rows { reader, source, record, above: HashMap::new(), dictionary }))
}

fn line_of(record: &StringRecord) -> usize {
    record.position().map_or(0, |p| p.line() as usize) + TITLE_LINES
}

impl Rows {
    /// Returns the row of the line that was read last.
    fn row(&mut self) -> Result<Row, LabError> {
        if let Some(dictionary) = &self.dictionary {
            let restored = dictionary.restore(&self.record);
            self.record = restored.map_err(|message| self.source.at(0, message))?;
        }
        let mut row = self.source.row(&self.record)?;
        let name = (row.suite.clone(), row.id.clone());
        if row.instance == REPEATED {
            let known = self.above.get(&name).cloned();
            row.instance = known.ok_or_else(|| {
                let at = names().position(|name| name == INSTANCE);
                let at = at.and_then(|at| self.source.indices[at]).unwrap_or(0);
                let message = format!(
                    "{INSTANCE}: `=` refers to an instance above, but there is no such line"
                );
                self.source.at(at, message)
            })?;
        } else {
            if row.instance.starts_with("==") {
                row.instance.remove(0);
            }
            if row.instance.len() > LONG {
                self.above.insert(name, row.instance.clone());
            }
        }
        Ok(row)
    }
}

impl Iterator for Rows {
    type Item = Result<Row, LabError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.source.ended {
            return None;
        }
        match self.reader.read_record(&mut self.record) {
            Ok(false) => None,
            Ok(true) => {
                self.source.line = line_of(&self.record);
                Some(self.row())
            }
            Err(e) => {
                self.source.ended = !matches!(e.kind(), csv::ErrorKind::Utf8 { .. });
                Some(Err(self.source.broken(&e)))
            }
        }
    }
}

/// Reads the format from the first line. Spreadsheets add a byte order mark, quotes and commas to
/// files that they save.
fn format_of(path: &Path, title: &str, is_compact: bool) -> Result<u32, LabError> {
    let wrong = |message| Err(wrong_title(path, message));
    let title = title.trim_start_matches('\u{feff}').trim_end().trim_matches(['"', ',', ';']);
    let (start, known) = if is_compact { (COMPACT_TITLE, COMPACT_FORMAT) } else { (TITLE, FORMAT) };
    match title.strip_prefix(start).map(str::parse) {
        // A compact file holds records of the current CSV format.
        Some(Ok(format)) if (1..=known).contains(&format) => {
            Ok(if is_compact { FORMAT } else { format })
        }
        Some(Ok(newer)) if newer > known => wrong(format!(
            "written by a newer version (format {newer}; this program knows {known}): use that version"
        )),
        _ => wrong(format!("no results of unriddle: expected \"{start}{known}\"")),
    }
}

fn wrong_title(path: &Path, message: String) -> LabError {
    LabError::Text { path: path.to_owned(), line: 1, column: 1, message }
}

/// Current position in a file and the columns of the file.
struct Source {
    path: PathBuf,
    line: usize,
    /// Whether an error has made further reading impossible.
    ended: bool,
    /// Number of columns.
    width: usize,
    /// Index in the file of each column of a row; `None` for a column that the file lacks.
    indices: Vec<Option<usize>>,
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
        let index = |name| names.iter().position(|found| *found == name);
        self.indices = Row::COLUMNS.iter().map(|c| index(c.name)).collect();
        let mut columns = Row::COLUMNS.iter().zip(&self.indices);
        match columns.find(|(column, index)| index.is_none() && !column.may_lack) {
            Some((column, _)) => Err(self.at(0, format!("expected the column {}", column.name))),
            None => Ok(()),
        }
    }

    fn row(&self, record: &StringRecord) -> Result<Row, LabError> {
        if record.len() < self.width {
            let (width, found) = (self.width, record.len());
            let missing = self.indices.iter().position(|&index| index == Some(found));
            let missing = missing.map_or("", |column| Row::COLUMNS[column].name);
            let message = format!("expected {width} cells, found {found}: {missing} is missing");
            return Err(self.at(found, message));
        }
        // Spreadsheets add empty cells at the end of a line.
        if let Some(at) = (self.width..record.len()).find(|&at| !record[at].is_empty()) {
            return Err(self.at(at, format!("expected the end of the line, found {}", &record[at])));
        }
        Row::read(&mut Line { record, source: self, at: 0 })
    }
}

/// Cells of a line, in the order of a row's columns.
struct Line<'a> {
    record: &'a StringRecord,
    source: &'a Source,
    at: usize,
}

impl Cells for Line<'_> {
    type Error = LabError;

    fn next<T: Cell>(&mut self) -> Result<T, LabError> {
        let (name, index) = (Row::COLUMNS[self.at].name, self.source.indices[self.at]);
        self.at += 1;
        // A column that the file lacks reads as an empty cell.
        let cell = index.and_then(|index| self.record.get(index)).unwrap_or_default();
        T::parse(cell).ok_or_else(|| {
            let found: String = cell.chars().take(80).collect();
            let message = format!("{name}: expected {}, found \"{found}\"", T::EXPECTED);
            self.source.at(index.unwrap_or_default(), message)
        })
    }
}
