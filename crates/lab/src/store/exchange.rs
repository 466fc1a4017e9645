//! Rows as CSV, for spreadsheets and for other machines.
//!
//! The first line says what the file is: `# unriddle results, format 2` (1 had every instance with every run). Then come the names of the
//! columns, which are the fields of [`Row`] in their order, and one line for each run. What is unknown is
//! an empty cell; a text that is known to be empty is `''` (and one of apostrophes only gets two more). A long instance stands
//! once, with the first of its runs; `=` further down is the one above of the same suite and name.
//! Numbers are written in the shortest form that reads back as the same number.

use crate::{
    LabError,
    row::{Failure, Incumbent, Key, Row, Status},
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

/// The format that is written, and the newest that is read.
const FORMAT: u32 = 2;
const TITLE: &str = "# unriddle results, format ";
/// What stands for the instance above of the same suite and name.
const REPEATED: &str = "=";
/// Instances of more bytes stand once.
const LONG: usize = 10_000;
/// Lines before the first that the CSV reader sees.
const TITLE_LINES: usize = 1;

/// The columns.
const COLUMNS: [&str; 37] = [
    "experiment",
    "suite",
    "id",
    "puzzle",
    "instance",
    "solver",
    "peer_version",
    "seed",
    "threads",
    "limits",
    "key",
    "revision",
    "dirty",
    "version",
    "machine",
    "started_ms",
    "status",
    "stopped_by",
    "failure",
    "reason",
    "value",
    "length",
    "solution",
    "lower_bound",
    "initial_h",
    "checked",
    "checked_by",
    "expanded",
    "generated",
    "evaluated",
    "reopened",
    "cpu_s",
    "setup_cpu_s",
    "wall_s",
    "peak_accounted_bytes",
    "peak_resident_bytes",
    "incumbents",
];

/// The column of instances.
const INSTANCE: usize = 4;

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
    writer.write_record(COLUMNS).map_err(|e| failed(&e))?;
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
        let record = record_of(row, &instance);
        writer.write_record(&record).map_err(|e| failed(&e))?;
        count += 1;
    }
    writer.flush().map_err(|e| failed(&e))?;
    Ok(count)
}

fn record_of(row: &Row, instance: &str) -> StringRecord {
    fn or<T: ToString>(value: Option<T>) -> String {
        value.map_or_else(String::new, |value| value.to_string())
    }
    // Unlike `{}`, `{:?}` is short for very large and very small numbers.
    let real = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:?}"));
    let text = |value: &Option<String>| value.as_deref().map_or_else(String::new, quote);
    let incumbents: Vec<String> = row
        .incumbents
        .iter()
        .map(|i| format!("{:?}:{}:{}", i.cpu_s, i.expanded, i.value))
        .collect();
    let cells: [&str; COLUMNS.len()] = [
        &row.experiment,
        &row.suite,
        &row.id,
        &row.puzzle,
        instance,
        &row.solver,
        &row.peer_version,
        &row.seed.to_string(),
        &row.threads.to_string(),
        &row.limits,
        &row.key.to_string(),
        &row.revision,
        &row.dirty.to_string(),
        &row.version,
        &row.machine,
        &row.started_ms.to_string(),
        row.status.name(),
        &text(&row.stopped_by),
        row.failure.map_or("", Failure::name),
        &text(&row.reason),
        &or(row.value),
        &or(row.length),
        &text(&row.solution),
        &or(row.lower_bound),
        &real(row.initial_h),
        &or(row.checked),
        &text(&row.checked_by),
        &or(row.expanded),
        &or(row.generated),
        &or(row.evaluated),
        &or(row.reopened),
        &real(row.cpu_s),
        &real(row.setup_cpu_s),
        &real(row.wall_s),
        &or(row.peak_accounted_bytes),
        &or(row.peak_resident_bytes),
        &incumbents.join(" "),
    ];
    StringRecord::from(&cells[..])
}

fn is_apostrophes(text: &str) -> bool {
    text.bytes().all(|b| b == b'\'')
}

/// A known text: never an empty cell.
fn quote(text: &str) -> String {
    if is_apostrophes(text) {
        format!("{text}''")
    } else {
        text.to_owned()
    }
}

/// Reads rows, one after the other.
///
/// # Errors
/// The file cannot be read, is no file of results, or is of a newer format. Then for each row: a cell
/// that does not hold what its column should.
pub fn read_csv(
    path: &Path,
) -> Result<impl Iterator<Item = Result<Row, LabError>> + use<>, LabError> {
    let file = File::open(path).map_err(|e| LabError::file(path, &e))?;
    let mut input = BufReader::new(file);
    let mut title = Vec::new();
    // No more than a line could need, whatever the file is.
    let read = input.by_ref().take(1000).read_until(b'\n', &mut title);
    read.map_err(|e| LabError::file(path, &e))?;
    check_title(path, &String::from_utf8_lossy(&title))?;
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(input);
    let mut source = Source {
        path: path.to_owned(),
        line: TITLE_LINES + 1,
        ended: false,
    };
    let mut header = StringRecord::new();
    reader
        .read_record(&mut header)
        .map_err(|e| source.broken(&e))?;
    for (at, name) in COLUMNS.iter().enumerate() {
        if header.get(at) != Some(name) {
            let found = header.get(at).unwrap_or("the end of the line");
            return Err(source.at(at, format!("expected the column {name}, found {found}")));
        }
    }
    source.check_end(&header)?;
    let mut record = StringRecord::new();
    let mut above: HashMap<(String, String), String> = HashMap::new();
    Ok(std::iter::from_fn(move || {
        if source.ended {
            return None;
        }
        match reader.read_record(&mut record) {
            Ok(false) => None,
            Ok(true) => {
                let line = record.position().map_or(0, |p| p.line() as usize);
                source.line = line + TITLE_LINES;
                Some(source.row(&record).and_then(|mut row| {
                    let name = (row.suite.clone(), row.id.clone());
                    if row.instance == REPEATED {
                        let known = above.get(&name).cloned();
                        row.instance = known.ok_or_else(|| {
                            let message = "instance: `=`, but there is none above".to_owned();
                            source.at(INSTANCE, message)
                        })?;
                        return Ok(row);
                    }
                    if row.instance.starts_with("==") {
                        row.instance.remove(0);
                    }
                    if row.instance.len() > LONG {
                        above.insert(name, row.instance.clone());
                    }
                    Ok(row)
                }))
            }
            Err(e) => {
                source.ended = !matches!(e.kind(), csv::ErrorKind::Utf8 { .. });
                Some(Err(source.broken(&e)))
            }
        }
    }))
}

/// Spreadsheets add a mark of the encoding, quotes and commas to what they save again.
fn check_title(path: &Path, title: &str) -> Result<(), LabError> {
    let wrong = |message: String| {
        Err(LabError::Text {
            path: path.to_owned(),
            line: 1,
            column: 1,
            message,
        })
    };
    let title = title.trim_start_matches('\u{feff}').trim_end();
    let title = title.trim_matches(['"', ',', ';']);
    let format = title.strip_prefix(TITLE).map(u32::from_str);
    match format {
        Some(Ok(1..=FORMAT)) => Ok(()),
        Some(Ok(newer)) if newer > FORMAT => wrong(format!(
            "written by a newer version (format {newer}; this program knows {FORMAT}): use that version"
        )),
        _ => wrong(format!(
            "no results of unriddle: expected \"{TITLE}{FORMAT}\""
        )),
    }
}

/// Where we are in the file.
struct Source {
    path: PathBuf,
    line: usize,
    /// After an error from which reading cannot go on.
    ended: bool,
}

impl Source {
    fn at(&self, cell: usize, message: String) -> LabError {
        LabError::Text {
            path: self.path.clone(),
            line: self.line,
            column: cell + 1,
            message,
        }
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
        let more = record.iter().skip(COLUMNS.len());
        match more.enumerate().find(|(_, cell)| !cell.is_empty()) {
            Some((at, cell)) => {
                let message = format!("expected the end of the line, found {cell}");
                Err(self.at(COLUMNS.len() + at, message))
            }
            None => Ok(()),
        }
    }

    fn row(&self, record: &StringRecord) -> Result<Row, LabError> {
        if record.len() < COLUMNS.len() {
            let message = format!(
                "expected {} cells, found {}: {} is missing",
                COLUMNS.len(),
                record.len(),
                COLUMNS[record.len()]
            );
            return Err(self.at(record.len(), message));
        }
        self.check_end(record)?;
        let mut cells = Cells {
            record,
            source: self,
            at: 0,
        };
        // The fields are evaluated in the order in which they stand here: that of the columns.
        Ok(Row {
            experiment: cells.next().to_owned(),
            suite: cells.next().to_owned(),
            id: cells.next().to_owned(),
            puzzle: cells.next().to_owned(),
            instance: cells.next().to_owned(),
            solver: cells.next().to_owned(),
            peer_version: cells.next().to_owned(),
            seed: cells.parse("a whole number")?,
            threads: cells.parse("a whole number")?,
            limits: cells.next().to_owned(),
            key: cells.parse::<Key>("32 hexadecimal digits")?,
            revision: cells.next().to_owned(),
            dirty: cells.parse("true or false")?,
            version: cells.next().to_owned(),
            machine: cells.next().to_owned(),
            started_ms: cells.parse("a whole number")?,
            status: {
                let word = cells.next();
                cells.word(word, &Status::ALL, Status::name)?
            },
            stopped_by: cells.text(),
            failure: match cells.next() {
                "" => None,
                word => Some(cells.word(word, &Failure::ALL, Failure::name)?),
            },
            reason: cells.text(),
            value: cells.parse_or("a whole number")?,
            length: cells.parse_or("a whole number")?,
            solution: cells.text(),
            lower_bound: cells.parse_or("a whole number")?,
            initial_h: cells.real()?,
            checked: cells.parse_or("true or false")?,
            checked_by: cells.text(),
            expanded: cells.parse_or("a whole number")?,
            generated: cells.parse_or("a whole number")?,
            evaluated: cells.parse_or("a whole number")?,
            reopened: cells.parse_or("a whole number")?,
            cpu_s: cells.real()?,
            setup_cpu_s: cells.real()?,
            wall_s: cells.real()?,
            peak_accounted_bytes: cells.parse_or("a whole number")?,
            peak_resident_bytes: cells.parse_or("a whole number")?,
            incumbents: cells.incumbents()?,
        })
    }
}

/// The cells of a line, from left to right.
struct Cells<'a> {
    record: &'a StringRecord,
    source: &'a Source,
    at: usize,
}

impl<'a> Cells<'a> {
    fn next(&mut self) -> &'a str {
        self.at += 1;
        self.record.get(self.at - 1).unwrap_or("")
    }

    /// What is wrong with the cell that was read last.
    fn wrong(&self, expected: &str) -> LabError {
        let at = self.at - 1;
        let name = COLUMNS.get(at).copied().unwrap_or("");
        let found: String = self.record.get(at).unwrap_or("").chars().take(80).collect();
        let message = format!("{name}: expected {expected}, found \"{found}\"");
        self.source.at(at, message)
    }

    fn text(&mut self) -> Option<String> {
        let cell = self.next();
        let text = if cell.len() >= 2 && is_apostrophes(cell) {
            &cell[2..]
        } else {
            cell
        };
        (!cell.is_empty()).then(|| text.to_owned())
    }

    fn parse<T: FromStr>(&mut self, expected: &str) -> Result<T, LabError> {
        self.next().parse().map_err(|_| self.wrong(expected))
    }

    fn parse_or<T: FromStr>(&mut self, expected: &str) -> Result<Option<T>, LabError> {
        match self.next() {
            "" => Ok(None),
            cell => Ok(Some(cell.parse().map_err(|_| self.wrong(expected))?)),
        }
    }

    fn real(&mut self) -> Result<Option<f64>, LabError> {
        match self.parse_or::<f64>("a number")? {
            Some(number) if number.is_nan() => Err(self.wrong("a number")),
            number => Ok(number),
        }
    }

    fn word<T: Copy>(
        &self,
        word: &str,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Result<T, LabError> {
        let found = all.iter().copied().find(|&each| name(each) == word);
        found.ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|&each| name(each)).collect();
            self.wrong(&format!("one of {}", names.join(", ")))
        })
    }

    fn incumbents(&mut self) -> Result<Vec<Incumbent>, LabError> {
        let one = |text: &str| {
            let mut parts = text.split(':');
            let incumbent = Incumbent {
                cpu_s: parts.next()?.parse().ok().filter(|s: &f64| !s.is_nan())?,
                expanded: parts.next()?.parse().ok()?,
                value: parts.next()?.parse().ok()?,
            };
            parts.next().is_none().then_some(incumbent)
        };
        let all: Option<Vec<_>> = self.next().split_whitespace().map(one).collect();
        all.ok_or_else(|| self.wrong("incumbents such as 0.5:1200:42, separated by blanks"))
    }
}
