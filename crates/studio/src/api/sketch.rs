//! The content of editors.

use serde::Serialize;
use unriddle_catalog::{
    board::{self, Cells, Gesture, Layout},
    sheet::{self, Sheet, Values},
};

/// Content of the editor.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Sketch {
    /// `grid`, `piles` or `net`; `table` for sections instead of rows.
    pub layout: &'static str,
    /// `paint`, `swap`, `move` or `write`.
    pub gesture: &'static str,
    /// Names of the rows; empty if they have none.
    pub heads: Vec<String>,
    /// Symbol of each cell; `null` where there is no cell.
    pub rows: Cells,
    /// All symbols; new cells have the first one.
    pub palette: Vec<Swatch>,
    /// Whether rows and columns may be added and removed.
    pub resizable: bool,
    /// Sentence about the gesture.
    pub help: &'static str,
    /// Tables of values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
}

/// A table of the editor.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Section {
    /// Its title.
    pub title: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Texts of its cells, row by row. A mark is `on` or `off`.
    pub rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Column {
    /// Its name.
    pub name: String,
    /// `text`, `number`, `choice` or `mark`.
    pub kind: &'static str,
    /// The words of a choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// Smallest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Whether a number may be left out.
    pub optional: bool,
    /// Whether its cells may be changed.
    pub editable: bool,
}

/// A symbol of the editor.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Swatch {
    /// The symbol.
    pub symbol: String,
    /// Its name.
    pub name: String,
    /// Colour of its cells in HTML.
    pub colour: Option<&'static str>,
    /// Text in its cells.
    pub text: String,
}

impl Sketch {
    /// The tables of an editor.
    pub(super) fn of_sheet(sheet: Sheet) -> Self {
        let section = |section: sheet::Section| Section {
            title: section.title,
            columns: section.columns.into_iter().map(column).collect(),
            rows: section.rows,
        };
        Self {
            layout: Layout::Table.name(),
            gesture: Gesture::Write.name(),
            heads: Vec::new(),
            rows: Vec::new(),
            palette: Vec::new(),
            resizable: false,
            help: help(Gesture::Write),
            sections: sheet.sections.into_iter().map(section).collect(),
        }
    }

    /// The content of an editor.
    pub(super) fn of_cells(sketch: board::Sketch) -> Self {
        let swatch = |swatch: board::Swatch| Swatch {
            symbol: swatch.symbol,
            name: swatch.name,
            colour: swatch.colour,
            text: swatch.text,
        };
        Self {
            layout: sketch.layout.name(),
            gesture: sketch.gesture.name(),
            heads: sketch.heads,
            rows: sketch.cells,
            palette: sketch.palette.into_iter().map(swatch).collect(),
            resizable: sketch.is_resizable,
            help: help(sketch.gesture),
            sections: Vec::new(),
        }
    }
}

/// A sentence about a gesture.
fn help(gesture: Gesture) -> &'static str {
    match gesture {
        Gesture::Paint => "Choose a symbol, then press the cells that get it.",
        Gesture::Swap => "Press two cells: they exchange their contents.",
        Gesture::Move => "Press a cell, then the pile or cell that gets it.",
        Gesture::Write => "Change the values; the instance follows.",
    }
}

fn column(column: sheet::Column) -> Column {
    let sheet::Column { name, values, is_editable: editable } = column;
    let none = Vec::new();
    let (kind, words, min, max, optional) = match values {
        Values::Text => ("text", none, None, None, false),
        Values::Number { min, max, is_optional } => ("number", none, min, max, is_optional),
        Values::Choice(words) => ("choice", words, None, None, false),
        Values::Mark => ("mark", none, None, None, false),
    };
    Column { name, kind, words, min, max, optional, editable }
}
