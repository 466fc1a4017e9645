//! A board as people write it: rows of colours from top to bottom.
//!
//! Cells are digits from 0 to 7, with or without blanks between them; `.` or `-` is no cell. A first line that
//! begins with a letter is a title and left out, as are lines that begin with `#`. Cells lie on the ground
//! and empty columns to the right.

use unriddle_core::ParseError;
use unriddle_core::text::words;

/// Most columns and most rows.
pub const MOST: usize = 32;

/// Cells in their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Columns of the board, empty ones included.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// Colours of each column from the left, each from the bottom; without empty columns to the right.
    pub columns: Vec<Vec<u8>>,
}

/// A cell of a row and the column of the text where it stands, from 1.
type Read = (Option<u8>, usize);

/// Reads a word or a character as a cell: `None` if it is none.
fn cell(word: &str) -> Option<Result<Option<u8>, String>> {
    if word == "." || word == "-" {
        return Some(Ok(None));
    }
    if word.is_empty() || !word.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(match word.as_bytes() {
        [digit @ b'0'..=b'7'] => Ok(Some(digit - b'0')),
        _ => Err(format!("there are colours 0 to 7, found {word}")),
    })
}

/// The cells of a row: of several words each is one, of a single word each character.
fn row(line: &str, number: usize) -> Result<Vec<Read>, ParseError> {
    let mut words: Vec<_> = words(line).collect();
    if let [(word, column)] = words[..] {
        words = word
            .char_indices()
            .enumerate()
            .map(|(i, (at, c))| (&word[at..at + c.len_utf8()], column + i))
            .collect();
    }
    let read = |(word, column): (&str, usize)| match cell(word) {
        Some(Ok(colour)) => Ok((colour, column)),
        Some(Err(why)) => Err(ParseError::at(number, column, why)),
        None => {
            let message = format!("expected a colour (0 to 7) or . for no cell, found `{word}`");
            Err(ParseError::at(number, column, message))
        }
    };
    words.into_iter().map(read).collect()
}

/// Whether a line is a title: no row begins with a letter.
fn is_title(line: &str) -> bool {
    line.trim_start().starts_with(char::is_alphabetic)
}

impl Layout {
    /// Reads a board.
    ///
    /// # Errors
    /// What is wrong and where: rows of different widths, unknown symbols, too many colours, cells that hang
    /// in the air, empty columns before others, no rows, too many.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut rows: Vec<(usize, Vec<Read>)> = Vec::new();
        let mut titled = false;
        let mut blank = None;
        for (i, line) in text.lines().enumerate() {
            let bare = line.trim();
            if bare.is_empty() && !rows.is_empty() {
                blank = blank.or(Some(i + 1));
            }
            if bare.is_empty() || bare.starts_with('#') {
                continue;
            }
            if rows.is_empty() && !titled && is_title(line) {
                titled = true;
                continue;
            }
            if let Some(blank) = blank {
                let message = "a blank line among the rows of a board";
                return Err(ParseError::at(blank, 1, message));
            }
            let cells = row(line, i + 1)?;
            if let Some((_, first)) = rows.first()
                && first.len() != cells.len()
            {
                let message = format!(
                    "this row has {} cells, the first one {}",
                    cells.len(),
                    first.len()
                );
                return Err(ParseError::at(i + 1, 1, message));
            }
            if cells.len() > MOST {
                let message = format!("a board has at most {MOST} columns, found {}", cells.len());
                return Err(ParseError::at(i + 1, cells[MOST].1, message));
            }
            if rows.len() == MOST {
                let message = format!("a board has at most {MOST} rows, this is one more");
                return Err(ParseError::at(i + 1, 1, message));
            }
            rows.push((i + 1, cells));
        }
        let Some((_, first)) = rows.first() else {
            return Err(ParseError::at(1, 1, "there is no row of cells in it"));
        };
        let (width, height) = (first.len(), rows.len());
        let mut columns = vec![Vec::new(); width];
        for (below, (number, cells)) in rows.iter().rev().enumerate() {
            for (column, &(colour, at)) in columns.iter_mut().zip(cells) {
                match colour {
                    Some(_) if column.len() < below => {
                        let message = "this cell has no cell beneath it";
                        return Err(ParseError::at(*number, at, message));
                    }
                    Some(colour) => column.push(colour),
                    None => {}
                }
            }
        }
        let filled = columns
            .iter()
            .rposition(|c| !c.is_empty())
            .map_or(0, |c| c + 1);
        if let Some(empty) = columns[..filled].iter().position(Vec::is_empty) {
            let (number, cells) = &rows[height - 1];
            let message = "this column is empty, and others to its right are not";
            return Err(ParseError::at(*number, cells[empty].1, message));
        }
        columns.truncate(filled);
        Ok(Self {
            width,
            height,
            columns,
        })
    }

    /// The colour of a cell, row and column counted from the bottom left.
    #[must_use]
    pub fn colour(&self, column: usize, row: usize) -> Option<u8> {
        self.columns.get(column)?.get(row).copied()
    }

    /// The board as text: rows from top to bottom, numbers apart by blanks, `.` for no cell.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.width * self.height * 2);
        for row in (0..self.height).rev() {
            if !text.is_empty() {
                text.push('\n');
            }
            for column in 0..self.width {
                if column > 0 {
                    text.push(' ');
                }
                let digit = |colour: u8| char::from(b'0' + colour);
                text.push(self.colour(column, row).map_or('.', digit));
            }
        }
        text
    }
}
