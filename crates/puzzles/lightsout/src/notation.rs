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
pub(crate) struct Picture {
    rows: usize,
    columns: usize,
    /// Lights that are on, row by row.
    pub(crate) lit: Vec<bool>,
}

/// A row of a text: the position of its first sign, and its lights.
struct Line {
    place: (usize, usize),
    lit: Vec<bool>,
}

impl Picture {
    /// Reads a board.
    ///
    /// # Errors
    /// The position of an invalid sign, of a row of another length, of too many rows or columns, or
    /// of a single line that is not a square.
    pub(crate) fn parse(text: &str) -> Result<Self, ParseError> {
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
                        let other = other.escape_debug();
                        let why =
                            format!("expected 0 or . for off, 1 or # for on, found `{other}`");
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
    pub(crate) fn shape(&self, torus: bool) -> Result<Shape, ParseError> {
        let shape = Shape::new(self.rows, self.columns, torus);
        let why = || format!("expected 1 to {SIDE} rows and columns");
        shape.ok_or_else(|| ParseError::at(1, 1, why()))
    }
}

impl<const W: usize> Lights<W> {
    /// The board of a picture.
    pub(crate) fn of(picture: &Picture, torus: bool) -> Result<Self, ParseError> {
        let board = Self::new(picture.shape(torus)?, |cell| picture.lit[cell]);
        let found = picture.lit.len();
        let why = || format!("expected at most {} cells, found {found}", 64 * W);
        board.ok_or_else(|| ParseError::at(1, 1, why()))
    }

    /// Reads a board.
    ///
    /// # Errors
    /// A text that is not a board, and a board of more than 64 · `W` cells.
    pub fn parse(text: &str, torus: bool) -> Result<Self, ParseError> {
        Self::of(&Picture::parse(text)?, torus)
    }
}

/// Rows of 0 and 1, separated by `/`.
pub(crate) fn written(columns: usize, lit: &[bool]) -> String {
    let row = |row: &[bool]| row.iter().map(|&lit| if lit { '1' } else { '0' }).collect();
    let rows: Vec<String> = lit.chunks(columns).map(row).collect();
    // A single row without `/` would be read as a square.
    let end = if rows.len() == 1 { "/" } else { "" };
    rows.join("/") + end
}

impl Shape {
    /// A cell in the notation of solutions.
    pub(crate) fn name(&self, cell: usize) -> String {
        format!("{},{}", cell / self.columns, cell % self.columns)
    }

    /// Reads presses.
    fn presses(&self, solution: &str) -> Result<Vec<Press>, ParseError> {
        let (rows, columns) = (self.rows, self.columns);
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

impl<const W: usize> Notation for Lights<W> {
    fn state_text(&self, state: &[u64; W]) -> String {
        let lit: Vec<bool> = (0..self.shape.cells()).map(|cell| is_on(state, cell)).collect();
        written(self.shape.columns, &lit)
    }

    fn solution_text(&self, presses: &[Press]) -> String {
        let names = presses.iter().map(|press| self.shape.name(press.0.into()));
        names.collect::<Vec<_>>().join(" ")
    }

    fn parse_solution(&self, solution: &str) -> Result<Vec<Press>, ParseError> {
        self.shape.presses(solution)
    }
}
