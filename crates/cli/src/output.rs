//! Results in the requested format, written to standard output or a file record by record.

mod locked;
mod reports;

pub(crate) use locked::LockedFile;
pub(crate) use reports::{Reports, body};

use crate::{
    args::Format,
    exit::{CANCELLED, Failure, INPUT},
    ranks, text,
};
use std::{
    fs::File,
    io::{self, BufWriter, IsTerminal as _, Write},
    path::{Path, PathBuf},
};
use unriddle_catalog::Record;

/// Writer of records, which writes each record at once.
pub(crate) struct Writer {
    sink: Box<dyn Write>,
    format: Format,
    /// The file, for messages; `None` for standard output.
    path: Option<PathBuf>,
    written: usize,
    /// Whether there is only one record, which text then shows as a paragraph.
    single: bool,
    /// Unit of values, such as moves.
    unit: &'static str,
    /// Whether lines of text are cut at the edge of the terminal.
    clip: bool,
}

/// The values of a record in the order of its fields. A field without a value is empty.
fn fields(record: &Record) -> io::Result<Vec<String>> {
    let object = serde_json::to_value(record)?;
    let text = |name: &&str| match &object[*name] {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Array(parts) => {
            let parts: Vec<_> = parts.iter().filter_map(|part| part.as_str()).collect();
            parts.join("; ")
        }
        // The only object is `measures`, whose text keeps the order.
        serde_json::Value::Object(_) => {
            record.measures.as_ref().map_or_else(String::new, ToString::to_string)
        }
        other => other.to_string(),
    };
    Ok(Record::FIELDS.iter().map(text).collect())
}

/// Creates or empties a file for writing, or opens standard output without a path.
///
/// # Errors
/// The file cannot be opened.
pub(crate) fn sink(path: Option<&Path>) -> Result<Box<dyn Write>, Failure> {
    // Only rank 0 writes.
    if !ranks::is_first() {
        return Ok(Box::new(io::sink()));
    }
    let Some(path) = path else {
        return Ok(Box::new(io::stdout().lock()));
    };
    let file = File::create(path).map_err(|error| Failure::file(path, &error))?;
    Ok(Box::new(BufWriter::new(file)))
}

/// Writes a text to standard output.
///
/// # Errors
/// Standard output cannot be written.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    if !ranks::is_first() {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::output)
}

/// Writes a text to a file, or to standard output without a path.
///
/// # Errors
/// The destination cannot be written.
pub(crate) fn store(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    match path {
        None => print(text),
        Some(path) => std::fs::write(path, text).map_err(|error| Failure::file(path, &error)),
    }
}

impl Writer {
    /// Writer to a file, or to standard output without a file.
    pub(crate) fn new(
        format: Format,
        file: Option<LockedFile>,
        single: bool,
        unit: &'static str,
    ) -> Self {
        let path = file.as_ref().map(|file| file.path().to_owned());
        Self {
            sink: match file {
                None if !ranks::is_first() => Box::new(io::sink()),
                None => Box::new(io::stdout().lock()),
                Some(file) => Box::new(BufWriter::new(file)),
            },
            format,
            clip: path.is_none() && io::stdout().is_terminal(),
            path,
            written: 0,
            single,
            unit,
        }
    }

    fn so_far(&self) -> String {
        text::count(self.written as i64, "records")
    }

    /// Whether a person reads the results on standard output.
    pub(crate) fn is_text_on_stdout(&self) -> bool {
        self.format == Format::Text && self.path.is_none()
    }

    fn failure(&self, error: &io::Error) -> Failure {
        match (&self.path, error.kind()) {
            (None, io::ErrorKind::BrokenPipe) => Failure::new(
                CANCELLED,
                format!("standard output was closed after {}", self.so_far()),
            ),
            (None, _) => Failure::new(INPUT, format!("cannot write to standard output: {error}")),
            (Some(path), _) => {
                Failure::new(INPUT, format!("{}: {error}, after {}", path.display(), self.so_far()))
            }
        }
    }

    /// Writes and flushes one record.
    pub(crate) fn write(&mut self, record: &Record) -> Result<(), Failure> {
        self.put(record).map_err(|error| self.failure(&error))?;
        self.written += 1;
        Ok(())
    }

    fn put(&mut self, record: &Record) -> io::Result<()> {
        match self.format {
            Format::Text if self.single => {
                self.sink.write_all(text::paragraph(record, self.unit).as_bytes())?;
            }
            Format::Text => {
                let line = text::line(record, self.unit);
                // The size is requested for every line, since terminals are resized, and only of a
                // terminal: without one, `crossterm` would start other programs to find it.
                let size = self.clip.then(crossterm::terminal::size).and_then(Result::ok);
                match size {
                    Some((columns, _)) => {
                        writeln!(self.sink, "{}", text::clip(&line, usize::from(columns)))?;
                    }
                    None => writeln!(self.sink, "{line}")?,
                }
            }
            Format::Jsonl => {
                writeln!(self.sink, "{}", record.json()?)?;
            }
            Format::Json => {
                self.sink.write_all(if self.written == 0 { b"[\n" } else { b",\n" })?;
                self.sink.write_all(record.json()?.as_bytes())?;
            }
            Format::Csv => {
                let mut csv = csv::Writer::from_writer(Vec::new());
                if self.written == 0 {
                    csv.write_record(Record::FIELDS).map_err(io::Error::other)?;
                }
                csv.write_record(&fields(record)?).map_err(io::Error::other)?;
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
