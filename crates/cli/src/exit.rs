//! Exit codes, and errors that carry one.

use std::{
    io::{self, Write as _},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};
use unriddle_catalog::{
    Limit, ParseError, Record, SolveError, SpecError, Status, tables::TableError, units::printable,
};

/// Wrong usage: arguments, specs.
pub(crate) const USAGE: u8 = 2;
/// The instance is proved unsolvable.
pub(crate) const UNSOLVABLE: u8 = 10;
/// An incomplete search has nothing left to try.
pub(crate) const EXHAUSTED: u8 = 11;
/// The time ran out.
pub(crate) const TIME: u8 = 20;
/// The memory ran out.
pub(crate) const MEMORY: u8 = 21;
/// The expansions (or generated states) ran out.
pub(crate) const EXPANSIONS: u8 = 22;
/// Cancelled without a solution.
pub(crate) const CANCELLED: u8 = 23;
/// Internal error, such as a solution that the checker refuses.
pub(crate) const INTERNAL: u8 = 30;
/// Bad input: an instance, a file, a table.
pub(crate) const INPUT: u8 = 31;
/// The combination of puzzle, solver and options is not supported.
pub(crate) const UNSUPPORTED: u8 = 32;

/// Reason why the command ends with a code other than 0.
#[derive(Debug)]
pub(crate) struct Failure {
    /// Exit code.
    pub(crate) code: u8,
    /// The line for standard error.
    pub(crate) message: String,
    /// The refused line of a spec with a `^` under the refused column, for errors in specs.
    caret: Option<String>,
}

impl Failure {
    pub(crate) fn new(code: u8, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), caret: None }
    }

    /// An error while writing to standard output. A reader that went away (`| head`) is no failure.
    #[expect(clippy::needless_pass_by_value, reason = "by value, as `map_err` passes it")]
    pub(crate) fn output(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::new(0, ""),
            _ => Self::new(INPUT, format!("cannot write to standard output: {error}")),
        }
    }

    /// An error while writing a file.
    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        Self::new(INPUT, format!("{}: cannot be written: {error}", path.display()))
    }

    /// A refused spec, or a refused file that a spec names. `what` names the spec's role in the
    /// message.
    pub(crate) fn spec(what: &str, error: &SpecError) -> Self {
        let caret = error.caret();
        Self {
            code: if error.is_of_file() { INPUT } else { USAGE },
            message: format!("{what}, {error}"),
            // A text that was refused before it was split into lines has no line to show.
            caret: Some(caret).filter(|caret| !caret.starts_with('\n')),
        }
    }

    /// An error that prevented a solve.
    pub(crate) fn solve(error: SolveError) -> Self {
        match error {
            SolveError::Spec(error) => Self::spec("solver", &error),
            SolveError::Table(error) => error.into(),
            SolveError::Unsupported(message) => Self::new(UNSUPPORTED, message),
            SolveError::Search(error) => Self::new(UNSUPPORTED, error.to_string()),
        }
    }

    /// The message in one line.
    pub(crate) fn message(&self) -> String {
        printable(&self.message)
    }

    /// The same failure with `what` in front of the message.
    pub(crate) fn within(mut self, what: &str) -> Self {
        self.message = format!("{what}: {}", self.message);
        self
    }

    /// Writes the line (and the caret) to standard error.
    pub(crate) fn report(&self) {
        if self.message.is_empty() {
            return;
        }
        let mut text = format!("{}: {}", crate::identity().name, printable(&self.message));
        if let Some(caret) = &self.caret {
            text += &format!("\n{caret}");
        }
        line(&text);
    }

    /// The failure of a rank other than 0.
    #[cfg(feature = "mpi")]
    pub(crate) fn of_rank(&self, rank: usize) -> Self {
        Self::new(self.code, self.message.clone()).within(&format!("rank {rank}"))
    }
}

/// Whether this process writes no notes.
static SILENT: AtomicBool = AtomicBool::new(false);

/// Ends the notes of this process, which is a rank other than 0.
#[cfg(feature = "mpi")]
pub(crate) fn silence() {
    SILENT.store(true, Ordering::Relaxed);
}

/// Writes a line of rank 0 to standard error, and ignores errors of writing.
pub(crate) fn note(text: &str) {
    if !SILENT.load(Ordering::Relaxed) {
        line(text);
    }
}

/// Writes a line of any rank to standard error.
fn line(text: &str) {
    // A single write keeps the lines of processes that share a terminal whole.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        let code = match error {
            TableError::Cancelled => CANCELLED,
            TableError::BadPattern(_) => UNSUPPORTED,
            TableError::Memory(_) => MEMORY,
            _ => INPUT,
        };
        let way_out = match error {
            TableError::Unusable { .. } => {
                "; build it again with --rebuild, or remove it with `unriddle tables clean`"
            }
            _ => "",
        };
        Self::new(code, format!("{error}{way_out}"))
    }
}

/// An input error. `source` names the file or argument that contains the refused text.
pub(crate) fn refused(source: &str, error: &ParseError) -> Failure {
    Failure::new(
        INPUT,
        format!("{source}, line {}, column {}: {}", error.line, error.column, error.message),
    )
}

/// The code of one record: 0 if the instance has a definite, checked answer.
pub(crate) fn code_of(record: &Record) -> u8 {
    if record.checked == Some(false) || record.certified == Some(false) {
        return INTERNAL;
    }
    if record.is_answered() {
        return 0;
    }
    match (record.status, record.stopped_by.as_deref()) {
        (Status::Exhausted, _) => EXHAUSTED,
        (Status::Unsupported, _) => UNSUPPORTED,
        (Status::Refused, _) => INPUT,
        (_, Some(limit)) if limit == Limit::Time.name() => TIME,
        (_, Some(limit)) if limit == Limit::Memory.name() => MEMORY,
        (_, Some(limit)) if limit == Limit::Cancelled.name() => CANCELLED,
        (_, Some(_)) => EXPANSIONS,
        _ => INTERNAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_printable() {
        assert_eq!(printable("a\nb\u{1b}[0m µ"), "a\\nb\\u{1b}[0m µ");
    }
}
