//! Reports in the requested format, each written at once; an HTML page is written at the end.

use crate::{args::ReportFormat, exit::Failure, output};
use serde::Serialize;
use std::{io::Write, path::Path};

/// Writer of reports.
pub(crate) struct Reports<T> {
    sink: Box<dyn Write>,
    format: ReportFormat,
    written: usize,
    /// Reports of the page.
    kept: Vec<T>,
    text: fn(&T) -> String,
    page: fn(&[T]) -> String,
}

impl<T: Serialize> Reports<T> {
    /// A writer to a file, or to standard output without a path, with the functions that write a
    /// report as text and all reports as a page.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub(crate) fn new(
        path: Option<&Path>,
        format: ReportFormat,
        text: fn(&T) -> String,
        page: fn(&[T]) -> String,
    ) -> Result<Self, Failure> {
        let sink = output::sink(path)?;
        Ok(Self { sink, format, written: 0, kept: Vec::new(), text, page })
    }

    /// Writes a report.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn write(&mut self, report: T) -> Result<(), Failure> {
        let put = |sink: &mut dyn Write, before: &str, after: &str| {
            sink.write_all(before.as_bytes())?;
            serde_json::to_writer(&mut *sink, &report)?;
            sink.write_all(after.as_bytes())
        };
        let done = match (self.format, self.written) {
            (ReportFormat::Text, 0) => write!(self.sink, "{}", (self.text)(&report)),
            (ReportFormat::Text, _) => write!(self.sink, "\n{}", (self.text)(&report)),
            (ReportFormat::Jsonl, _) => put(&mut self.sink, "", "\n"),
            (ReportFormat::Json, 0) => put(&mut self.sink, "[\n", ""),
            (ReportFormat::Json, _) => put(&mut self.sink, ",\n", ""),
            (ReportFormat::Html, _) => {
                self.kept.push(report);
                Ok(())
            }
        };
        self.written += 1;
        done.and_then(|()| self.sink.flush()).map_err(Failure::output)
    }

    /// Closes the array, or writes the page.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        let end = match (self.format, self.written) {
            (ReportFormat::Json, 0) => "[]\n".to_owned(),
            (ReportFormat::Json, _) => "\n]\n".to_owned(),
            (ReportFormat::Html, _) => (self.page)(&self.kept),
            _ => String::new(),
        };
        self.sink
            .write_all(end.as_bytes())
            .and_then(|()| self.sink.flush())
            .map_err(Failure::output)
    }
}
