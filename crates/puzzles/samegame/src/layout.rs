//! A board as people write it: rows of colours from top to bottom.
//!
//! Cells are digits from 0 to 7, with or without blanks or commas between them; `.`, `-` or `-1` is
//! no cell. Letters may denote colours instead, in either case: the first letter of the board is
//! colour 0, the next new letter colour 1. A first line that begins with a letter is a title and
//! skipped, unless it and the next line are rows of equally many single letters. Lines that begin
//! with `#` are skipped. Columns have no gaps below their cells, and empty columns are on the
//! right.

pub(crate) mod game_id;

use crate::Scoring;
use unriddle_core::ParseError;
use unriddle_core::text::words;

/// Message about a blank line among rows: the text may be one board or several.
const BLANK: &str = "a blank line among the rows of a board: remove it if the rows are one board, \
                     or write a title such as `position 1` above each board";

/// Most columns and most rows.
pub const MOST: usize = 32;

/// Cells of a board, by column and row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Columns of the board, empty ones included.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// Colours of each column from the left, each from the bottom; without empty columns to the
    /// right.
    pub columns: Vec<Vec<u8>>,
}

/// A cell of a row and its column in the text, from 1.
pub(crate) type Read = (Option<u8>, usize);

/// Words for no cell.
const NONE: [&str; 3] = [".", "-", "-1"];

/// The letters of the colours, in the order of their first occurrence; `None` on a board of digits.
type Letters = Option<Vec<char>>;

/// The letter that a word or a character is, in lower case.
fn letter(word: &str) -> Option<char> {
    let mut chars = word.chars();
    let letter = chars.next().filter(|c| c.is_alphabetic())?;
    chars.next().is_none().then(|| letter.to_lowercase().next().unwrap_or(letter))
}

/// Reads a word or a character as a cell: `None` if it is not a cell.
fn cell(word: &str, letters: &mut Letters) -> Option<Result<Option<u8>, String>> {
    if NONE.contains(&word) {
        return Some(Ok(None));
    }
    if let Some(known) = letters {
        let letter = letter(word)?;
        let at = known.iter().position(|&c| c == letter).unwrap_or_else(|| {
            known.push(letter);
            known.len() - 1
        });
        return Some(match at {
            0..8 => Ok(Some(at as u8)),
            _ => Err(format!("there are 8 colours, and `{letter}` is one more")),
        });
    }
    if word.is_empty() || !word.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(match word.as_bytes() {
        [digit @ b'0'..=b'7'] => Ok(Some(digit - b'0')),
        _ => Err(format!("there are colours 0 to 7, found {word}")),
    })
}

/// The texts of the cells of a row, with their columns: each of several words, each character of a
/// single word. With `is_narrow` a single word is a cell.
fn cells(line: &str, is_narrow: bool) -> Vec<(&str, usize)> {
    let words: Vec<_> = words(line).collect();
    let [(word, column)] = words[..] else {
        return words;
    };
    if is_narrow {
        return words;
    }
    let cell = |(i, (at, c)): (usize, (usize, char))| (&word[at..at + c.len_utf8()], column + i);
    word.char_indices().enumerate().map(cell).collect()
}

/// A line with blanks for commas.
fn without_commas(line: &str) -> String {
    line.replace([',', ';'], " ")
}

/// Whether a line is a row: not blank, not a comment.
pub(crate) fn is_content(line: &str) -> bool {
    let bare = line.trim();
    !bare.is_empty() && !bare.starts_with('#')
}

/// Number of cells of a line that is read as a row.
pub(crate) fn width(line: &str) -> usize {
    cells(&without_commas(line), false).len()
}

/// Whether the rows of a board of digits have one cell each, some of them `-1`: then the two
/// characters of `-1` are not two cells.
fn is_narrow(text: &str) -> bool {
    let mut rows = text.lines().filter(|line| is_content(line)).map(str::trim);
    text.contains("-1") && rows.all(|row| row == "-1" || row.chars().count() == 1)
}

/// The cells of a row.
fn row(
    line: &str,
    number: usize,
    is_narrow: bool,
    letters: &mut Letters,
) -> Result<Vec<Read>, ParseError> {
    let line = without_commas(line);
    let read = |(word, column): (&str, usize)| match cell(word, letters) {
        Some(Ok(colour)) => Ok((colour, column)),
        Some(Err(why)) => Err(ParseError::at(number, column, why)),
        None => {
            let what = if letters.is_some() { "a letter" } else { "a colour (0 to 7)" };
            let message = format!("expected {what} or . for no cell, found `{word}`");
            Err(ParseError::at(number, column, message))
        }
    };
    cells(&line, is_narrow).into_iter().map(read).collect()
}

/// The number of cells of a row of letters; `None` of every other line.
pub(crate) fn lettered(line: &str) -> Option<usize> {
    let line = without_commas(line);
    let cells = cells(&line, false);
    let mut words = cells.iter().map(|&(word, _)| word);
    let is_row = words.all(|word| NONE.contains(&word) || letter(word).is_some());
    (is_row && line.contains(char::is_alphabetic)).then_some(cells.len())
}

/// Whether colours are letters: the first two lines of a board are rows of as many.
fn is_lettered(text: &str) -> bool {
    let mut rows = text.lines().filter(|line| is_content(line)).map(lettered);
    let (first, second) = (rows.next().flatten(), rows.next().flatten());
    first.is_some() && first == second
}

/// Whether a text begins with a title.
#[must_use]
pub fn is_titled(text: &str) -> bool {
    text.trim_start().starts_with(char::is_alphabetic) && !is_lettered(text)
}

impl Layout {
    /// Reads a board in any form: rows, or the game id of another program. Games that score groups
    /// otherwise than `scoring` are refused.
    ///
    /// # Errors
    /// [`ParseError`] with the position, as for [`parse`](Self::parse).
    pub fn read(text: &str, scoring: Scoring) -> Result<Self, ParseError> {
        game_id::read(text, scoring).unwrap_or_else(|| Self::parse(text))
    }

    /// Reads rows.
    ///
    /// # Errors
    /// [`ParseError`] with the position: rows of different widths, unknown symbols, more than eight
    /// colours, cells above a gap, empty columns before others, no rows, or more than the limit.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut rows: Vec<(usize, Vec<Read>)> = Vec::new();
        let mut letters = is_lettered(text).then(Vec::new);
        let mut titled = letters.is_some();
        let is_narrow = letters.is_none() && is_narrow(text);
        let mut blank = None;
        for (i, line) in text.lines().enumerate() {
            let bare = line.trim();
            if bare.is_empty() && !rows.is_empty() {
                blank = blank.or(Some(i + 1));
            }
            if bare.is_empty() || bare.starts_with('#') {
                continue;
            }
            if rows.is_empty() && !titled && bare.starts_with(char::is_alphabetic) {
                titled = true;
                continue;
            }
            if let Some(blank) = blank {
                return Err(ParseError::at(blank, 1, BLANK));
            }
            let cells = row(line, i + 1, is_narrow, &mut letters)?;
            let wide = cells.len();
            let first = rows.first().map_or(wide, |(_, first)| first.len());
            let (column, message) = if wide == 0 {
                (1, "expected cells, found a line of commas".to_owned())
            } else if first != wide {
                (1, format!("this row has {wide} cells, the first one {first}"))
            } else if wide > MOST {
                (cells[MOST].1, format!("a board has at most {MOST} columns, found {wide}"))
            } else if rows.len() == MOST {
                (1, format!("a board has at most {MOST} rows, this is one more"))
            } else {
                rows.push((i + 1, cells));
                continue;
            };
            return Err(ParseError::at(i + 1, column, message));
        }
        Self::standing(&rows)
    }

    /// The board of rows from the top, each with its line in the text.
    ///
    /// # Errors
    /// No rows, a cell above a gap, an empty column before others.
    pub(crate) fn standing(rows: &[(usize, Vec<Read>)]) -> Result<Self, ParseError> {
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
        let filled = columns.iter().rposition(|c| !c.is_empty()).map_or(0, |c| c + 1);
        if let Some(empty) = columns[..filled].iter().position(Vec::is_empty) {
            let (number, cells) = &rows[height - 1];
            let message = "this column is empty, and others to its right are not";
            return Err(ParseError::at(*number, cells[empty].1, message));
        }
        columns.truncate(filled);
        Ok(Self { width, height, columns })
    }

    /// The colour of a cell, row and column counted from the bottom left.
    #[must_use]
    pub fn colour(&self, column: usize, row: usize) -> Option<u8> {
        self.columns.get(column)?.get(row).copied()
    }

    /// The board as text: rows from top to bottom, numbers apart by blanks, `.` for no cell.
    #[must_use]
    pub fn text(&self) -> String {
        let row = |row: usize| {
            let cell = |column| {
                self.colour(column, row).map_or_else(|| ".".to_owned(), |colour| colour.to_string())
            };
            (0..self.width).map(cell).collect::<Vec<_>>().join(" ")
        };
        (0..self.height).rev().map(row).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(board: &str) -> Result<String, String> {
        let layout = Layout::parse(board).map_err(|error| error.to_string())?;
        Ok(layout.text())
    }

    #[test]
    fn letters_and_commas_are_taken() {
        let same = Ok("0 1\n2 1".to_owned());
        for board in [
            "01\n21",
            "0,1\n2, 1",
            "0;1;\n2;1;",
            "rg\nBG",
            "R G\nb g",
            "r,g\nb,g",
            "# x\nrg\n\n# y\nbg",
        ] {
            // A blank line ends nothing but a title.
            let expected = match board.contains("\n\n") {
                true => Err(format!("line 3, column 1: {BLANK}")),
                false => same.clone(),
            };
            assert_eq!(text(board), expected, "{board}");
        }
        assert_eq!(text(". r\nr g"), Ok(". 0\n0 1".to_owned()));
        for board in ["-1 -1 2\n0 1 2", "-1,-1,2\n0,1,2", "--2\n012", "..2\n012", "- . 2\n0 1 2"] {
            assert_eq!(text(board), Ok(". . 2\n0 1 2".to_owned()), "{board}");
        }
        assert_eq!(text("-1\n-1\n1"), Ok(".\n.\n1".to_owned()));
        // Two columns without blanks.
        assert_eq!(text("1-\n11"), Ok("1 .\n1 1".to_owned()));
        assert_eq!(text("-1\n11"), Ok(". 1\n1 1".to_owned()));
        assert_eq!(
            text("abcdefghi\nabcdefghi"),
            Err("line 1, column 9: there are 8 colours, and `i` is one more".to_owned())
        );
        assert_eq!(
            text("ab\nab\n0b"),
            Err("line 3, column 1: expected a letter or . for no cell, found `0`".to_owned())
        );
    }

    #[test]
    fn titles_are_distinguished_from_rows_of_letters() {
        for (board, titled) in [
            ("position 1\n01\n21", true),
            ("ab\n01\n21", true),
            ("abc\nab\nab", true),
            ("ab\nab", false),
            ("01\n21", false),
            ("x", true),
        ] {
            assert_eq!(is_titled(board), titled, "{board}");
        }
        assert_eq!(text("ab\n01\n21"), Ok("0 1\n2 1".to_owned()));
    }
}
