//! Boards and solutions as texts.
//!
//! A board is one line for each row, the top one first: `1` or `#` for a light that is on, `0` or
//! `.` for a light that is off. Blanks and commas between the signs are ignored, and `/` ends a row
//! as the end of a line does. A text of one line without `/` is a square board, row by row.
//!
//! A solution is a sequence of words `row,column`, one for each press, counted from 0 at the top
//! left.

use crate::{Lights, Press, SIDE, Shape, is_on};
use unriddle_core::{Notation, ParseError, text};

/// A board with its lights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Lights that are on, row by row.
    pub lit: Vec<bool>,
}

/// A row of a text: the position of its first sign, and its lights.
struct Line {
    place: (usize, usize),
    lit: Vec<bool>,
}

impl Picture {
    /// Reads a board.
    ///
    /// ```
    /// use unriddle_lightsout::Picture;
    ///
    /// let board = Picture::parse("1 1 0\n.#.")?;
    /// assert_eq!((board.rows, board.columns), (2, 3));
    /// assert_eq!(Picture::parse("110/010/"), Ok(board));
    /// let error = Picture::parse("110/0x0").unwrap_err().to_string();
    /// assert_eq!(error, "line 1, column 6: expected 0 or . for off, 1 or # for on, found `x`");
    /// # Ok::<(), unriddle_core::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// The position of an invalid sign, of a row of another length, of too many rows or columns, or
    /// of a single line that is not a square.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut lines: Vec<Line> = Vec::new();
        let mut is_divided = false;
        for (number, line) in (1..).zip(text.lines()) {
            let mut is_open = false;
            for (column, sign) in (1..).zip(line.chars()) {
                let lit = match sign {
                    '0' | '.' => false,
                    '1' | '#' => true,
                    '/' => {
                        (is_divided, is_open) = (true, false);
                        continue;
                    }
                    ',' => continue,
                    blank if blank.is_whitespace() => continue,
                    other => {
                        let why = format!(
                            "expected 0 or . for off, 1 or # for on, found `{}`",
                            other.escape_debug()
                        );
                        return Err(ParseError::at(number, column, why));
                    }
                };
                match lines.last_mut().filter(|_| is_open) {
                    Some(line) => line.lit.push(lit),
                    None => lines.push(Line { place: (number, column), lit: vec![lit] }),
                }
                is_open = true;
            }
        }
        match &lines[..] {
            [] => Err(ParseError::at(1, 1, "expected rows of 0 and 1, found no sign")),
            [line] if !is_divided => Self::square(line),
            lines => Self::rows(lines),
        }
    }

    /// A square board in one line, row by row.
    fn square(line: &Line) -> Result<Self, ParseError> {
        let (cells, (number, column)) = (line.lit.len(), line.place);
        let side = cells.isqrt();
        let refused = |why| Err(ParseError::at(number, column, why));
        if side * side != cells {
            return refused(format!(
                "expected a square number of signs, or rows that end with `/` or the line, found {cells} signs"
            ));
        }
        if side > SIDE {
            return refused(format!("expected at most {SIDE} rows and columns, found {side}"));
        }
        Ok(Self { rows: side, columns: side, lit: line.lit.clone() })
    }

    fn rows(lines: &[Line]) -> Result<Self, ParseError> {
        let columns = lines[0].lit.len();
        let mut lit = Vec::with_capacity(lines.len() * columns);
        for (row, line) in lines.iter().enumerate() {
            let (number, column) = line.place;
            let refused = |why| Err(ParseError::at(number, column, why));
            let found = line.lit.len();
            if found != columns {
                return refused(format!(
                    "expected {columns} signs as in the first row, found {found}"
                ));
            }
            if columns > SIDE {
                return refused(format!("expected at most {SIDE} columns, found {columns}"));
            }
            if row >= SIDE {
                return refused(format!("expected at most {SIDE} rows, found {}", lines.len()));
            }
            lit.extend(&line.lit);
        }
        Ok(Self { rows: lines.len(), columns, lit })
    }

    /// The shape of the board.
    ///
    /// # Errors
    /// A board without cells, or with too many.
    pub fn shape(&self, torus: bool) -> Result<Shape, ParseError> {
        let shape = Shape::new(self.rows, self.columns, torus);
        let why = || format!("expected 1 to {SIDE} rows and columns");
        shape.ok_or_else(|| ParseError::at(1, 1, why()))
    }
}

impl<const W: usize> Lights<W> {
    /// Reads a board.
    ///
    /// # Errors
    /// The errors of [`Picture::parse`], and a board of more than 64 · `W` cells.
    pub fn parse(text: &str, torus: bool) -> Result<Self, ParseError> {
        let picture = Picture::parse(text)?;
        let cells = picture.lit.len();
        let board = Self::new(picture.shape(torus)?, |cell| picture.lit[cell]);
        let why = || format!("expected at most {} cells, found {cells}", 64 * W);
        board.ok_or_else(|| ParseError::at(1, 1, why()))
    }
}

/// Rows of 0 and 1, separated by `/`.
pub(crate) fn written(columns: usize, lit: impl ExactSizeIterator<Item = bool>) -> String {
    let cells = lit.len();
    let mut text = String::with_capacity(cells + cells / columns + 1);
    for (cell, lit) in lit.enumerate() {
        if cell > 0 && cell % columns == 0 {
            text.push('/');
        }
        text.push(if lit { '1' } else { '0' });
    }
    if cells == columns {
        // A single row without `/` would be read as a square.
        text.push('/');
    }
    text
}

impl<const W: usize> Notation for Lights<W> {
    fn state_text(&self, state: &[u64; W]) -> String {
        let cells = 0..self.shape.cells();
        written(self.shape.columns(), cells.map(|cell| is_on(state, cell)))
    }

    fn solution_text(&self, presses: &[Press]) -> String {
        let columns = self.shape.columns();
        let word = |press: &Press| {
            let cell = usize::from(press.0);
            format!("{},{}", cell / columns, cell % columns)
        };
        presses.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    fn parse_solution(&self, solution: &str) -> Result<Vec<Press>, ParseError> {
        let (rows, columns) = (self.shape.rows(), self.shape.columns());
        text::read(solution, |word| {
            let read = || {
                let (row, column) = word.split_once(',')?;
                let (row, column) = (text::whole(row)?, text::whole(column)?);
                let is_cell = row < rows && column < columns;
                // At most 40,000 cells.
                is_cell.then(|| Press((row * columns + column) as u16))
            };
            read().ok_or_else(|| {
                format!(
                    "expected row,column with rows 0 to {} and columns 0 to {}, such as 0,0",
                    rows - 1,
                    columns - 1
                )
            })
        })
    }
}
