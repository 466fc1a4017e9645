//! Errors of specs.

use thiserror::Error;

/// Columns of a line that [`SpecError::caret`] shows at most.
const WINDOW: usize = 76;

/// Error of a spec, with its position.
///
/// `Display` writes one line with the position in figures; [`caret`](Self::caret) returns the line
/// of the spec with a `^` under the position.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}column {column}: {message}", if *lines > 1 { format!("line {line}, ") } else { String::new() })]
pub struct SpecError {
    /// 1-based line.
    line: usize,
    /// 1-based column, in characters.
    column: usize,
    message: String,
    /// Number of lines of the text.
    lines: usize,
    /// The line of the position.
    text: String,
    /// Whether the fault is in a file, and not in the spec that names the file.
    is_of_file: bool,
}

impl SpecError {
    /// An error at a byte of a text.
    pub(crate) fn new(source: &str, byte: usize, message: impl Into<String>) -> Self {
        let byte =
            (0..=byte.min(source.len())).rev().find(|&b| source.is_char_boundary(b)).unwrap_or(0);
        let before = &source[..byte];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let text = source[start..].lines().next().unwrap_or("");
        Self {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            message: message.into(),
            lines: source.lines().count(),
            text: text.to_owned(),
            is_of_file: false,
        }
    }

    /// The error of a file that the spec names, or of a spec that was read from a file.
    #[must_use]
    pub fn of_file(self) -> Self {
        Self { is_of_file: true, ..self }
    }

    /// Whether the fault is in a file, which is bad input and not a wrong argument.
    #[must_use]
    pub fn is_of_file(&self) -> bool {
        self.is_of_file
    }

    /// The 1-based line.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// The 1-based column, in characters.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// The message without the position.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Two lines: the line of the spec (its middle part, if it is long) and a `^` under the
    /// position.
    #[must_use]
    pub fn caret(&self) -> String {
        let place = self.column - 1;
        let from = if place < WINDOW { 0 } else { place - WINDOW / 2 };
        let shown: String = self
            .text
            .chars()
            .skip(from)
            .take(WINDOW)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let rest = if self.text.chars().nth(from + WINDOW).is_some() { "…" } else { "" };
        let lead = if from > 0 { "…" } else { "" };
        let indent = place - from + lead.chars().count();
        format!("{lead}{shown}{rest}\n{:indent$}^", "")
    }
}
