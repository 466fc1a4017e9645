//! Results in the form that was asked for, to standard output or a file, one record at a time.

use crate::{
    args::Format,
    exit::{CANCELLED, Failure, INPUT},
    units::{show_bytes, show_count, show_seconds},
};
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};
use unriddle_catalog::{Record, Status};

/// Writes records as they come.
pub(crate) struct Writer {
    sink: Box<dyn Write>,
    format: Format,
    /// The file, for messages; `None` for standard output.
    path: Option<PathBuf>,
    written: usize,
    /// Whether there is but one record: text then shows it at length.
    single: bool,
}

impl Writer {
    /// Opens the place; a file is made (or emptied) at once, so that a wrong path is found before any
    /// search.
    pub(crate) fn new(format: Format, path: Option<&Path>, single: bool) -> Result<Self, Failure> {
        let sink: Box<dyn Write> = match path {
            None => Box::new(io::stdout().lock()),
            Some(path) => Box::new(BufWriter::new(File::create(path).map_err(|error| {
                let message = format!("{}: cannot be written: {error}", path.display());
                Failure::new(INPUT, message)
            })?)),
        };
        Ok(Self { sink, format, path: path.map(Path::to_owned), written: 0, single })
    }

    fn failure(&self, error: &io::Error) -> Failure {
        match (&self.path, error.kind()) {
            (None, io::ErrorKind::BrokenPipe) => Failure::new(
                CANCELLED,
                format!("standard output was closed after {} records", self.written),
            ),
            (None, _) => Failure::new(INPUT, format!("cannot write to standard output: {error}")),
            (Some(path), _) => Failure::new(
                INPUT,
                format!("{}: {error}; {} records were written", path.display(), self.written),
            ),
        }
    }

    /// Writes one record, and makes sure that it is out.
    pub(crate) fn write(&mut self, record: &Record) -> Result<(), Failure> {
        self.put(record).map_err(|error| self.failure(&error))?;
        self.written += 1;
        Ok(())
    }

    fn put(&mut self, record: &Record) -> io::Result<()> {
        match self.format {
            Format::Text if self.single => self.sink.write_all(long(record).as_bytes())?,
            Format::Text => writeln!(self.sink, "{}", short(record))?,
            Format::Jsonl => {
                serde_json::to_writer(&mut self.sink, record)?;
                self.sink.write_all(b"\n")?;
            }
            Format::Json => {
                self.sink.write_all(if self.written == 0 { b"[\n" } else { b",\n" })?;
                serde_json::to_writer(&mut self.sink, record)?;
            }
            Format::Csv => {
                let mut csv = csv::WriterBuilder::new()
                    .has_headers(self.written == 0)
                    .from_writer(Vec::new());
                csv.serialize(record).map_err(io::Error::other)?;
                let row = csv.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
                self.sink.write_all(&row)?;
            }
        }
        self.sink.flush()
    }

    /// Ends the output.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        let end: &[u8] = match (self.format, self.written) {
            (Format::Json, 0) => b"[]\n",
            (Format::Json, _) => b"\n]\n",
            _ => b"",
        };
        let done = self.sink.write_all(end).and_then(|()| self.sink.flush());
        done.map_err(|error| self.failure(&error))
    }
}

/// What came out, in a few words.
fn verdict(record: &Record) -> String {
    let limit = || record.stopped_by.as_deref().unwrap_or("a limit");
    match (record.status, record.value) {
        (Status::Optimal, Some(value)) => format!("{value}, proved optimal"),
        (Status::Unsolvable, _) => "unsolvable, proved".to_owned(),
        (Status::Stopped, Some(value)) => format!("{value}, stopped by {}", limit()),
        (Status::Stopped, None) => format!("no solution, stopped by {}", limit()),
        (_, Some(value)) => value.to_string(),
        (_, None) => "no solution found, nothing left to try".to_owned(),
    }
}

fn checked(record: &Record) -> &'static str {
    match record.checked {
        Some(true) => "checked",
        Some(false) => "REFUSED BY THE CHECKER",
        None => "",
    }
}

/// One line.
fn short(record: &Record) -> String {
    let mut parts = vec![format!("{}: {}", record.id, verdict(record))];
    if record.status != Status::Optimal
        && let Some(bound) = record.lower_bound
    {
        parts.push(format!("at least {bound}"));
    }
    if !checked(record).is_empty() {
        parts.push(checked(record).to_owned());
    }
    if let Some(reason) = &record.reason {
        parts.push(reason.clone());
    }
    parts.push(show_seconds(record.cpu_s));
    if let Some(solution) = &record.solution {
        parts.push(solution.clone());
    }
    parts.join("; ")
}

/// A short paragraph.
fn long(record: &Record) -> String {
    let mut text = String::new();
    if let Some(solution) = &record.solution {
        text += &format!("{solution}\n");
    }
    text += &format!("{} with {}: {}", record.puzzle, record.solver, verdict(record));
    if !checked(record).is_empty() {
        text += &format!(", {}", checked(record));
    }
    text.push('\n');
    if let Some(reason) = &record.reason {
        text += &format!("{reason}\n");
    }
    if let (Some(bound), true) = (record.lower_bound, record.status != Status::Optimal) {
        text += &format!("any solution has at least {bound}\n");
    }
    if let (Some(expanded), Some(generated)) = (record.expanded, record.generated) {
        text += &format!(
            "{} states expanded, {} generated; ",
            show_count(expanded),
            show_count(generated)
        );
    }
    text += &format!("CPU time {} (and {} to prepare)", show_seconds(record.cpu_s), show_seconds(record.setup_cpu_s));
    if record.peak_bytes > 1 << 20 {
        text += &format!(", {}", show_bytes(record.peak_bytes));
    }
    text.push('\n');
    text
}
