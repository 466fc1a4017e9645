//! Refused requests.

use serde::Serialize;
use std::fmt;
use unriddle_catalog::{ParseError, SpecError, sheet::Misfit};

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
    /// Section of the editor's tables, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<usize>,
    /// Row of the section, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<usize>,
    /// Cell of the row, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<usize>,
}

impl Refusal {
    /// A refusal without a position.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            message,
            line: None,
            column: None,
            field: None,
            section: None,
            row: None,
            cell: None,
        }
    }

    /// The refusal as one of a field.
    #[must_use]
    pub fn in_field(self, field: Field) -> Self {
        Self { field: Some(field), ..self }
    }

    /// Makes refusals of the errors of a reader.
    pub(crate) fn of(field: Field) -> impl Fn(ParseError) -> Self {
        move |error| Self {
            line: Some(error.line),
            column: Some(error.column),
            field: Some(field),
            ..Self::new(error.message)
        }
    }

    /// A refused change of a table.
    pub(crate) fn of_cell(misfit: Misfit) -> Self {
        let place = misfit.place;
        Self {
            section: place.map(|place| place.section),
            row: place.map(|place| place.row),
            cell: place.map(|place| place.column),
            ..Self::new(misfit.message)
        }
    }

    /// Makes refusals of the errors of specs.
    pub(crate) fn of_spec(field: Field) -> impl Fn(SpecError) -> Self {
        move |error| Self {
            line: Some(error.line()),
            column: Some(error.column()),
            field: Some(field),
            ..Self::new(error.message())
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
