//! Game ids of Simon Tatham's Portable Puzzle Collection, such as `3x3c3s2:1,2,3,1,2,2,3,3,3`.
//!
//! An id begins with the columns, the rows, the number of colours (`c`, 3 if left out) and the rule
//! of points (`s`, 2 if left out: a group of n cells is worth (n − s)²), and perhaps an `r`. After
//! the colon come the cells row by row from the top left: a colour from 1, or 0 for no cell.
//! Colours 1 to 7 keep their numbers; colour 8 of the id is colour 0 here.

use crate::{
    Layout, Scoring,
    layout::{MOST, Read, is_content},
};
use unriddle_core::ParseError;

/// Colours of an id, 1 to this number.
const COLOURS: usize = 8;

/// A text with a position.
struct Cursor<'t> {
    rest: &'t str,
    line: usize,
    column: usize,
}

impl<'t> Cursor<'t> {
    fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError::at(self.line, self.column, message)
    }

    fn advance(&mut self, bytes: usize) -> &'t str {
        let (passed, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.column += passed.chars().count();
        passed
    }

    fn blanks(&mut self) {
        self.advance(self.rest.len() - self.rest.trim_start().len());
    }

    /// Whether the next character is `sign`, which is passed.
    fn sign(&mut self, sign: char) -> bool {
        let is_next = self.rest.starts_with(sign);
        if is_next {
            self.advance(sign.len_utf8());
        }
        is_next
    }

    /// A number of any length; huge ones are `usize::MAX`.
    fn number(&mut self) -> Option<usize> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let digits = self.advance(end);
        (end > 0).then(|| digits.parse().unwrap_or(usize::MAX))
    }

    /// The rest for a message.
    fn found(&self) -> String {
        match self.rest.chars().next() {
            Some(sign) => format!("`{}`", sign.escape_debug()),
            None => "the end".to_owned(),
        }
    }
}

/// The numbers before the colon of an id.
struct Head {
    columns: usize,
    rows: usize,
    colours: usize,
    subtrahend: usize,
}

/// Reads the head of an id up to its colon or, of an id with a random seed, its `#`; `None` for
/// another text.
fn head(cursor: &mut Cursor<'_>) -> Option<Head> {
    cursor.blanks();
    let columns = cursor.number()?;
    let rows = if cursor.sign('x') { cursor.number()? } else { return None };
    let colours = if cursor.sign('c') { cursor.number()? } else { 3 };
    let subtrahend = if cursor.sign('s') { cursor.number()? } else { 2 };
    cursor.sign('r');
    let is_id = cursor.rest.starts_with([':', '#']);
    is_id.then_some(Head { columns, rows, colours, subtrahend })
}

/// Whether a line is a game id.
pub(crate) fn is_id(line: &str) -> bool {
    head(&mut Cursor { rest: line, line: 1, column: 1 }).is_some()
}

/// Reads a text whose first line is a game id; `None` for another text.
pub(crate) fn read(text: &str, scoring: Scoring) -> Option<Result<Layout, ParseError>> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| is_content(line));
    let (line, rest) = lines.next()?;
    let mut cursor = Cursor { rest, line, column: 1 };
    let head = head(&mut cursor)?;
    let next = lines.next().map(|(line, _)| line);
    Some(match next {
        Some(line) => Err(ParseError::at(line, 1, "a game id is one line, found another one")),
        None => board(&head, &mut cursor, scoring),
    })
}

/// Reads the cells of an id.
fn board(head: &Head, cursor: &mut Cursor<'_>, scoring: Scoring) -> Result<Layout, ParseError> {
    let &Head { columns, rows, colours, subtrahend } = head;
    let start = |message: String| Err(ParseError::at(cursor.line, 1, message));
    if ![columns, rows].iter().all(|side| (1..=MOST).contains(side)) {
        return start(format!(
            "expected a board of 1 to {MOST} columns and rows, found {columns} columns and {rows} rows"
        ));
    }
    if !(1..=2).contains(&subtrahend) {
        return start(format!("expected the rule of points s1 or s2, found s{subtrahend}"));
    }
    if scoring.subtrahend().is_some_and(|own| own != subtrahend) {
        let own = scoring.name();
        return start(format!(
            "`s{subtrahend}` of the game id scores a group of n cells (n − {subtrahend})², other than score={own}: \
             solve it as samegame(score=square-{subtrahend})"
        ));
    }
    if cursor.rest.starts_with('#') {
        return Err(cursor.error(
            "expected `:` and the cells, found `#` and a random seed, which only the other program can \
             turn into a board: copy the game id with `:`",
        ));
    }
    cursor.sign(':');
    let mut all: Vec<(usize, Vec<Read>)> = vec![(cursor.line, Vec::new()); rows];
    for (i, row) in all.iter_mut().enumerate() {
        for j in 0..columns {
            cursor.blanks();
            if (i, j) != (0, 0) && !cursor.sign(',') {
                let read = i * columns + j;
                return Err(cursor.error(format!(
                    "expected {} cells with commas between them, found {read} and then {}",
                    rows * columns,
                    cursor.found()
                )));
            }
            cursor.blanks();
            let column = cursor.column;
            let refused = |message| Err(ParseError::at(cursor.line, column, message));
            let Some(number) = Cursor { ..*cursor }.number() else {
                return refused(format!(
                    "expected a colour or 0 for no cell, found {}",
                    cursor.found()
                ));
            };
            if number > colours {
                return refused(format!(
                    "expected colours up to {colours} (c{colours}), found {number}"
                ));
            }
            if number > COLOURS {
                return refused(format!("a board has at most {COLOURS} colours, found {number}"));
            }
            cursor.number();
            // At most 8.
            let colour = (number > 0).then_some((number % COLOURS) as u8);
            row.1.push((colour, column));
        }
    }
    cursor.blanks();
    if !cursor.rest.is_empty() {
        let cells = rows * columns;
        let message = format!("expected the end after {cells} cells, found {}", cursor.found());
        return Err(cursor.error(message));
    }
    Layout::standing(&all)
}

/// The game id of a board.
pub(crate) fn written(layout: &Layout, scoring: Scoring) -> String {
    let number = |column, row| match layout.colour(column, row) {
        Some(0) => COLOURS,
        Some(colour) => colour.into(),
        None => 0,
    };
    let cells =
        (0..layout.height).rev().flat_map(|row| (0..layout.width).map(move |column| (column, row)));
    let cells: Vec<usize> = cells.map(|(column, row)| number(column, row)).collect();
    let colours = cells.iter().copied().max().unwrap_or(0).max(3);
    let rule = scoring.subtrahend().unwrap_or(2);
    let cells: Vec<String> = cells.iter().map(usize::to_string).collect();
    format!("{}x{}c{colours}s{rule}:{}", layout.width, layout.height, cells.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::uniform;
    use unriddle_core::Rng;

    fn text(id: &str, scoring: Scoring) -> Result<String, String> {
        let layout = read(id, scoring).expect("an id").map_err(|error| error.to_string())?;
        Ok(layout.text())
    }

    #[test]
    fn game_ids_are_boards() {
        let board = Ok("1 2 3\n1 2 2\n3 3 3".to_owned());
        for id in [
            "3x3c3s2:1,2,3,1,2,2,3,3,3",
            " 3x3c3s2:1, 2, 3, 1, 2, 2, 3, 3, 3 \n",
            "# from the window\n3x3:1,2,3,1,2,2,3,3,3",
            "3x3c3s2r:1,2,3,1,2,2,3,3,3",
        ] {
            assert_eq!(text(id, Scoring::Paper), board, "{id}");
        }
        assert_eq!(text("2x3c8s2:0,0,8,0,8,2", Scoring::Paper), Ok(". .\n0 .\n0 2".to_owned()));
        assert_eq!(text("2x1s1:1,1", Scoring::LessOne), Ok("1 1".to_owned()));
        assert_eq!(text("2x1s1:1,1", Scoring::Clicks), Ok("1 1".to_owned()));
        for other in ["0 1\n1 1", "3x3", "x3:1", "3:1,2,3", "", "title\n3x3c3s2:1", "3x3c:1"] {
            assert!(read(other, Scoring::Paper).is_none(), "{other}");
        }
    }

    #[test]
    fn wrong_game_ids_are_refused() {
        for (id, part) in [
            (
                "3x3c3s2:1,2,3,1,2,2,3,3",
                "line 1, column 24: expected 9 cells with commas between them, found 8",
            ),
            ("3x3c3s2:1,2,3,1,2,2,3,3,3,1", "column 26: expected the end after 9 cells, found `,`"),
            ("3x1c3s2:1,2,4", "column 13: expected colours up to 3 (c3), found 4"),
            ("3x1c9s2:1,2,9", "column 13: a board has at most 8 colours, found 9"),
            ("3x1c3s2:1,x,3", "column 11: expected a colour or 0 for no cell, found `x`"),
            ("3x1c3s1:1,2,3", "solve it as samegame(score=square-1)"),
            ("3x1c3s3:1,2,3", "expected the rule of points s1 or s2, found s3"),
            ("33x1c3s2:1", "expected a board of 1 to 32 columns and rows, found 33 columns"),
            ("3x0c3s2:1", "0 rows"),
            (
                "15x10c3s2#123",
                "line 1, column 10: expected `:` and the cells, found `#` and a random seed",
            ),
            ("1x2c3s2:1,0", "column 9: this cell has no cell beneath it"),
            ("1x1:1\n1x1:1", "line 2, column 1: a game id is one line, found another one"),
            ("99999999999999999999x3:1", "columns"),
        ] {
            let error = text(id, Scoring::Paper).unwrap_err();
            assert!(error.contains(part), "{id}: {error}");
        }
    }

    #[test]
    fn game_ids_are_read_back() {
        for (i, scoring) in (0..).zip(Scoring::ALL) {
            let layout = uniform(5, 4, 8, &mut Rng::stream(2, i));
            assert_eq!(read(&written(&layout, scoring), scoring), Some(Ok(layout)));
        }
    }
}
