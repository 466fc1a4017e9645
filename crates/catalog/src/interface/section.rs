//! Sections that a puzzle adds to a report: data for programs, and blocks for people.

use serde::{Deserialize, Serialize};

/// A part of a report that belongs to one puzzle.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its key in the JSON form.
    pub name: &'static str,
    /// Its heading in text and HTML.
    pub title: String,
    /// Value of the JSON form.
    pub data: serde_json::Value,
    /// Visible blocks.
    pub blocks: Vec<Block>,
}

impl Section {
    /// A section with data and without visible blocks.
    ///
    /// # Panics
    /// Data that has no JSON form, such as a map whose keys are no texts: a mistake of the program.
    #[must_use]
    pub fn new(name: &'static str, title: impl Into<String>, data: &impl Serialize) -> Self {
        let data = serde_json::to_value(data);
        Self {
            name,
            title: title.into(),
            data: data.expect("sections hold only values with a JSON form"),
            blocks: Vec::new(),
        }
    }

    /// The section with one more block.
    #[must_use]
    pub fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }
}

/// Visible part of a section.
#[derive(Clone, Debug)]
pub enum Block {
    /// A sentence or a few.
    Line(String),
    /// Lines of the same kind.
    List(Vec<String>),
    /// Rows with a cell for each column.
    Table {
        /// The columns.
        columns: Vec<Column>,
        /// The rows.
        rows: Vec<Vec<String>>,
    },
    /// A bar for each row.
    Bars(Vec<Bar>),
    /// Points to be drawn; text leaves them out.
    Points(Points),
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its head.
    pub head: String,
    /// Whether it holds numbers, which are aligned on the right.
    pub is_number: bool,
}

impl Column {
    /// A column of numbers.
    pub fn number(head: impl Into<String>) -> Self {
        let head = head.into();
        Self { head, is_number: true }
    }

    /// A column of words.
    pub fn words(head: impl Into<String>) -> Self {
        let head = head.into();
        Self { head, is_number: false }
    }
}

/// A row of a bar chart.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Its label.
    pub label: String,
    /// Its length, in any unit that is the same for all bars of a block.
    pub length: f64,
    /// Text behind the bar.
    pub text: String,
}

/// Points of two measures, each with a bound of the second.
#[derive(Clone, Debug)]
pub struct Points {
    /// Title of the drawing.
    pub title: String,
    /// Names of the two axes.
    pub axes: [String; 2],
    /// First measure, second measure, and the proved bound of the second.
    pub points: Vec<[f64; 3]>,
}

/// A file that a report comes with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// Path of the file.
    pub path: String,
    /// Content of the file.
    pub text: String,
    /// Note about it for people.
    pub note: String,
    /// Reason for which the checker refused its content; `None` if the checker accepted it.
    pub refused: Option<String>,
}
