//! Boards and solutions as texts.
//!
//! A board is written as rows of `1` (on) and `0` (off) with `/` between them. Where every button
//! has lights of its own, the word `buttons` follows, and a row for each button. The module
//! `picture` reads boards.
//!
//! A solution is a sequence of words `row,column`, one for each press, counted from 0 at the top
//! left. Buttons that are not as many as lights are a single row.

use crate::{
    Lights, Press, Shape, is_on,
    picture::{BUTTONS, Picture},
    variety::Variety,
};
use unriddle_core::{Notation, ParseError, text};

impl<const W: usize> Lights<W> {
    /// The board of a picture.
    pub(crate) fn of(picture: &Picture, variety: &Variety) -> Result<Self, ParseError> {
        let board = Self::new(picture.shape(variety)?, |cell| picture.lit[cell]);
        let found = picture.lit.len();
        let why = || format!("expected at most {} cells, found {found}", 64 * W);
        board.ok_or_else(|| ParseError::at(1, 1, why()))
    }

    /// Reads a board with the usual presses.
    ///
    /// # Errors
    /// A text that is not a board, and a board of more than 64 · `W` cells.
    pub fn parse(text: &str, torus: bool) -> Result<Self, ParseError> {
        Self::read(text, &Variety { torus, ..Variety::default() })
    }

    /// Reads a board of a puzzle with parameters.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse).
    pub fn read(text: &str, variety: &Variety) -> Result<Self, ParseError> {
        Self::of(&Picture::parse(text)?, variety)
    }
}

/// A row of 0 and 1.
fn signs(row: &[bool]) -> String {
    row.iter().map(|&lit| if lit { '1' } else { '0' }).collect()
}

/// Rows of 0 and 1, separated by `/`.
pub(crate) fn written(columns: usize, lit: &[bool]) -> String {
    let rows: Vec<String> = lit.chunks(columns).map(signs).collect();
    // A single row without `/` would be read as a square.
    let end = if rows.len() == 1 { "/" } else { "" };
    rows.join("/") + end
}

impl Shape {
    /// A button in the notation of solutions.
    pub(crate) fn name(&self, button: usize) -> String {
        let (_, columns) = self.button_grid();
        format!("{},{}", button / columns, button % columns)
    }

    /// A light, by its row and column.
    pub(crate) fn light_name(&self, cell: usize) -> String {
        format!("{},{}", cell / self.columns, cell % self.columns)
    }

    /// A board with the lights of the buttons, if the board lists them.
    pub(crate) fn text(&self, lit: &[bool]) -> String {
        let board = written(self.columns, lit);
        if self.reach.is_some() {
            return board;
        }
        let button = |button: usize| {
            let mut lights = vec![false; self.cells()];
            for &light in self.toggled(button) {
                lights[usize::from(light)] = true;
            }
            signs(&lights)
        };
        let buttons: Vec<String> = (0..self.buttons()).map(button).collect();
        format!("{board} {BUTTONS} {}", buttons.join("/"))
    }

    /// Reads presses.
    fn presses(&self, solution: &str) -> Result<Vec<Press>, ParseError> {
        let (rows, columns) = self.button_grid();
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
        self.shape.text(&lit)
    }

    fn solution_text(&self, presses: &[Press]) -> String {
        let names = presses.iter().map(|press| self.shape.name(press.0.into()));
        names.collect::<Vec<_>>().join(" ")
    }

    fn parse_solution(&self, solution: &str) -> Result<Vec<Press>, ParseError> {
        self.shape.presses(solution)
    }
}
