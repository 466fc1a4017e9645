//! Interactive boards: touchable areas of a drawing, the inputs that choose an action, and the
//! content of an editor.
//!
//! A page shows the drawing of a state with a button over each [`Spot`]. A [`Touch`] of an
//! action names the spots and the key that choose it. A puzzle without spots is played by a list of
//! its actions.
//!
//! A state may also be a [`Solid`], which a page draws in space; its facets name the spots.
//!
//! ```
//! use unriddle_catalog::board::{Area, Spot};
//!
//! let spots = Spot::grid(2, 3, Area { x: 0.0, y: 0.0, width: 30.0, height: 20.0 }, |row, column| {
//!     format!("cell {row} {column}")
//! });
//! assert_eq!(spots.len(), 6);
//! assert_eq!((spots[4].row, spots[4].column), (1, 1));
//! assert_eq!(spots[4].area, Area { x: 10.0, y: 10.0, width: 10.0, height: 10.0 });
//! ```

pub use super::solid::{Facet, Point, Solid, Turn};

/// Rectangle in the units of the drawing's `viewBox`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Left edge.
    pub x: f32,
    /// Upper edge.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

/// Touchable area of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Row, counted from 0, for moving the focus by arrow keys.
    pub row: usize,
    /// Column, counted from 0.
    pub column: usize,
    /// Area in the drawing.
    pub area: Area,
    /// Name for people who do not see the drawing, with the content: `row 1, column 2: tile 5`.
    pub name: String,
}

impl Spot {
    /// The spots of a grid of equal cells that fill an area, row by row. `name` names the cell of a
    /// row and a column.
    pub fn grid(
        rows: usize,
        columns: usize,
        area: Area,
        mut name: impl FnMut(usize, usize) -> String,
    ) -> Vec<Self> {
        let (width, height) = (area.width / columns as f32, area.height / rows as f32);
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let spot = |(row, column)| {
            let (x, y) = (area.x + column as f32 * width, area.y + row as f32 * height);
            Self { row, column, area: Area { x, y, width, height }, name: name(row, column) }
        };
        cells.map(spot).collect()
    }
}

/// Inputs that choose an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touch {
    /// Index of the spot that is pressed, or pressed first.
    pub from: Option<usize>,
    /// Indices of further spots that choose the action like `from`: the other cells of a group.
    pub also: Vec<usize>,
    /// Index of the spot that is pressed afterwards.
    pub to: Option<usize>,
    /// Key of a keyboard, as browsers name it: `ArrowLeft`, `r`, `R`.
    pub key: Option<&'static str>,
    /// The action in words; `None` where its text is readable.
    pub name: Option<String>,
}

/// Arrangement of the cells of a sketch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Rows of a board.
    Grid,
    /// Each row is a pile, from bottom to top.
    Piles,
    /// Rows of an unfolded solid, with missing cells at the corners.
    Net,
    /// Tables of values: a [`Sheet`](crate::sheet::Sheet) instead of cells.
    Table,
}

impl Layout {
    /// Word for pages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Piles => "piles",
            Self::Net => "net",
            Self::Table => "table",
        }
    }
}

/// Gesture that changes a sketch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gesture {
    /// A symbol of the palette is put on a cell.
    Paint,
    /// Two cells exchange their symbols.
    Swap,
    /// The top cell of a pile moves to another pile, or a cell to another height of a pile.
    Move,
    /// A value is written into a cell of a table.
    Write,
}

impl Gesture {
    /// Word for pages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Paint => "paint",
            Self::Swap => "swap",
            Self::Move => "move",
            Self::Write => "write",
        }
    }
}

/// Symbol that cells of a sketch may contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swatch {
    /// The symbol.
    pub symbol: String,
    /// Its name: `box on a goal`.
    pub name: String,
    /// Colour of the cell in HTML; `None` for the page's own.
    pub colour: Option<&'static str>,
    /// Text shown in the cell.
    pub text: String,
}

impl Swatch {
    /// A symbol that is shown as itself on the page's colour.
    pub fn new(symbol: impl Into<String>, name: impl Into<String>) -> Self {
        let symbol = symbol.into();
        Self { text: symbol.clone(), symbol, name: name.into(), colour: None }
    }

    /// The swatch with a colour.
    #[must_use]
    pub fn coloured(self, colour: &'static str) -> Self {
        Self { colour: Some(colour), ..self }
    }

    /// The swatch with another text in its cells.
    #[must_use]
    pub fn shown(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }
}

/// Symbols of a sketch, row by row. `None`: there is no cell.
pub type Cells = Vec<Vec<Option<String>>>;

/// Content of an editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// Arrangement of the cells.
    pub layout: Layout,
    /// Gesture that changes it.
    pub gesture: Gesture,
    /// Name of each row, such as `cell a` or `peg 2`; empty where rows need no names.
    pub heads: Vec<String>,
    /// Symbol of each cell.
    pub cells: Cells,
    /// All symbols. New cells have the first symbol.
    pub palette: Vec<Swatch>,
    /// Whether rows and columns may be added and removed.
    pub is_resizable: bool,
}

impl Sketch {
    /// A sketch of a text with one character per cell and one line per row. A blank denotes a
    /// missing cell.
    #[must_use]
    pub fn of_lines(text: &str, gesture: Gesture, palette: Vec<Swatch>) -> Self {
        let cell = |c: char| (c != ' ').then(|| c.to_string());
        let cells = text.lines().map(|line| line.chars().map(cell).collect()).collect();
        Self {
            layout: Layout::Grid,
            gesture,
            heads: Vec::new(),
            cells,
            palette,
            is_resizable: true,
        }
    }
}

/// The lines of cells with one character each: the inverse of [`Sketch::of_lines`].
#[must_use]
pub fn lines(cells: &Cells) -> String {
    let row = |row: &Vec<Option<String>>| {
        row.iter().map(|cell| cell.as_deref().unwrap_or(" ")).collect::<String>()
    };
    cells.iter().map(row).collect::<Vec<_>>().join("\n")
}
