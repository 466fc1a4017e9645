//! Refused requests.

use serde::Serialize;
use std::fmt;
use unriddle_catalog::{ParseError, SpecError};

/// Field of a request that a refusal points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Field {
    /// Spec of the puzzle.
    Puzzle,
    /// Text of a file.
    Text,
    /// Text of the instance.
    Instance,
    /// Line of play.
    Line,
    /// Search expression.
    Solver,
    /// Expression of a generator.
    Generator,
    /// Number of a deal.
    Number,
    /// A limit.
    Limit,
}

/// Refused request: the reason and its position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Refusal {
    /// Sentence with the found and the expected text, and the remedy.
    pub message: String,
    /// Line in the field, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Column in the line, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<Field>,
}

impl Refusal {
    /// A refusal without a position.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), line: None, column: None, field: None }
    }

    /// The refusal as one of a field.
    #[must_use]
    pub fn in_field(self, field: Field) -> Self {
        Self { field: Some(field), ..self }
    }

    /// Makes refusals of the errors of a reader.
    pub(crate) fn of(field: Field) -> impl Fn(ParseError) -> Self {
        move |error| Self {
            message: error.message,
            line: Some(error.line),
            column: Some(error.column),
            field: Some(field),
        }
    }

    /// Makes refusals of the errors of specs.
    pub(crate) fn of_spec(field: Field) -> impl Fn(SpecError) -> Self {
        move |error| Self {
            message: error.message().to_owned(),
            line: Some(error.line()),
            column: Some(error.column()),
            field: Some(field),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
