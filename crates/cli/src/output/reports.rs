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

/// The text of a report in a format.
///
/// # Errors
/// The report cannot be written as JSON.
pub(crate) fn body<T: Serialize>(
    format: ReportFormat,
    report: &T,
    text: fn(&T) -> String,
) -> Result<String, Failure> {
    match format {
        ReportFormat::Text => Ok(text(report)),
        _ => serde_json::to_string(report).map_err(|error| Failure::output(error.into())),
    }
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
        if self.format == ReportFormat::Html {
            self.kept.push(report);
            return Ok(());
        }
        let body = body(self.format, &report, self.text)?;
        self.write_body(&body)
    }

    /// Writes a report that is text already ([`body`]). Pages are made of whole reports only.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn write_body(&mut self, body: &str) -> Result<(), Failure> {
        let (before, after) = match (self.format, self.written) {
            (ReportFormat::Text, 0) | (ReportFormat::Html, _) => ("", ""),
            (ReportFormat::Text, _) => ("\n", ""),
            (ReportFormat::Jsonl, _) => ("", "\n"),
            (ReportFormat::Json, 0) => ("[\n", ""),
            (ReportFormat::Json, _) => (",\n", ""),
        };
        let parts = [before, body, after];
        self.written += 1;
        let mut put = parts.iter().map(|part| self.sink.write_all(part.as_bytes()));
        put.find(Result::is_err).unwrap_or(Ok(())).map_err(Failure::output)?;
        self.sink.flush().map_err(Failure::output)
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
