//! Levels in text form: rows of signs.
//!
//! | sign | also | content |
//! |---|---|---|
//! | `#` | | wall |
//! | blank | `-` `_` | floor |
//! | `$` | `b` | box |
//! | `.` | | goal |
//! | `*` | `B` | box on a goal |
//! | `@` | `p` | player |
//! | `+` | `P` | player on a goal |
//!
//! A row is a line, or a part of a line that ends with `|`. A number is a count of the sign behind
//! it: `4#` is `####`.

use std::fmt::Write as _;
use unriddle_core::ParseError;

/// Most rows, and most columns.
pub(crate) const SIDE: usize = 64;

/// A row and a column, counted from 0 at the top left.
pub(crate) type Place = (usize, usize);

/// A row and column as shown in messages, counted from 1.
pub(crate) fn named((row, column): Place) -> String {
    format!("row {}, column {}", row + 1, column + 1)
}

/// Content of a cell besides the player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// A wall.
    pub wall: bool,
    /// A goal.
    pub goal: bool,
    /// A box.
    pub boxed: bool,
}

/// The signs of a level: a rectangle, in which short rows are filled with floor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Rows of cells, from the top; all of the same length.
    pub rows: Vec<Vec<Cell>>,
    /// Row and column of the player.
    pub player: Place,
}

/// A row of signs, each with its position in the text.
type Row = Vec<(char, (usize, usize))>;

impl Picture {
    /// Reads a level.
    ///
    /// # Errors
    /// The position of the first mistake: an unknown sign, a count without a sign, more
    /// than [`SIDE`] rows or columns, no player or two, no box, or not as many boxes as goals.
    pub(crate) fn parse(text: &str) -> Result<Self, ParseError> {
        let signs = rows(text)?;
        let width = signs.iter().map(Vec::len).max().unwrap_or(0);
        let mut players = Vec::new();
        let mut rows = vec![vec![Cell::default(); width]; signs.len()];
        for (r, row) in signs.iter().enumerate() {
            for (c, &(sign, at)) in row.iter().enumerate() {
                let cell = &mut rows[r][c];
                cell.wall = sign == '#';
                cell.goal = ".*B+P".contains(sign);
                cell.boxed = "$b*B".contains(sign);
                if "@p+P".contains(sign) {
                    players.push(((r, c), at));
                }
            }
        }
        let refused = |message: String| Err(ParseError::at(1, 1, message));
        let player = match players[..] {
            [] => return refused("there is no player (`@`, or `+` on a goal)".to_owned()),
            [(place, _)] => place,
            [(first, _), (_, (line, column)), ..] => {
                let message = format!("a second player; the first one is in {}", named(first));
                return Err(ParseError::at(line, column, message));
            }
        };
        let count = |of: fn(&Cell) -> bool| rows.iter().flatten().filter(|cell| of(cell)).count();
        let (boxes, goals) = (count(|cell| cell.boxed), count(|cell| cell.goal));
        if boxes == 0 {
            return refused("there is no box (`$`, or `*` on a goal)".to_owned());
        }
        if boxes != goals {
            return refused(format!("there are {boxes} boxes and {goals} goals; expected as many"));
        }
        Ok(Self { rows, player })
    }

    /// Number of rows and columns.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.rows.len(), self.rows[0].len())
    }

    /// The sign of a cell.
    pub(crate) fn sign(&self, (row, column): Place) -> char {
        let cell = self.rows[row][column];
        match (cell.wall, cell.boxed, cell.goal, self.player == (row, column)) {
            (true, ..) => '#',
            (_, true, true, _) => '*',
            (_, true, false, _) => '$',
            (_, _, true, true) => '+',
            (_, _, false, true) => '@',
            (_, _, true, false) => '.',
            (_, _, false, false) => ' ',
        }
    }

    /// The rows as text, without blanks at their ends.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let (rows, columns) = self.size();
        (0..rows).map(move |row| {
            let line: String = (0..columns).map(|column| self.sign((row, column))).collect();
            line.trim_end().to_owned()
        })
    }

    /// The standard form: one line, rows separated by `|`, floor as `-`.
    #[must_use]
    pub fn text(&self) -> String {
        let line =
            |line: String| if line.is_empty() { "-".to_owned() } else { line.replace(' ', "-") };
        self.lines().map(line).collect::<Vec<_>>().join("|")
    }

    /// The standard form with counts instead of repeated signs.
    pub(crate) fn counted(&self) -> String {
        let mut out = String::new();
        let text: Vec<char> = self.text().chars().collect();
        for run in text.chunk_by(|a, b| a == b) {
            // Writing to a string does not fail. A count for two signs would not be shorter.
            let _ = match run {
                [sign] => write!(out, "{sign}"),
                [sign, _] => write!(out, "{sign}{sign}"),
                [sign, ..] => write!(out, "{}{sign}", run.len()),
                [] => Ok(()),
            };
        }
        out
    }
}

/// The rows of signs, without empty rows at the beginning and the end, and without blanks at the
/// ends of rows.
fn rows(text: &str) -> Result<Vec<Row>, ParseError> {
    let in_line = text.trim().lines().count() == 1;
    let mut rows: Vec<Row> = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let mut row = Row::new();
        let mut count: Option<usize> = None;
        // Blanks around a level in one line do not belong to it.
        let begin = content.chars().take_while(|sign| in_line && sign.is_whitespace()).count();
        for (column, sign) in (1..).zip(content.chars()).skip(begin) {
            let refused = |message: String| Err(ParseError::at(line, column, message));
            match sign {
                '0'..='9' => {
                    let digit = sign as usize - '0' as usize;
                    count = Some(count.unwrap_or(0) * 10 + digit).filter(|&count| count <= 10_000);
                    if count.is_none_or(|count| count == 0) {
                        return refused("a count is from 1 to 10000".to_owned());
                    }
                }
                '|' => {
                    // A counted end of a row means several rows; all but the first are empty.
                    for _ in 0..count.take().unwrap_or(1) {
                        rows.push(std::mem::take(&mut row));
                    }
                }
                _ if " -_\t#$b.*B@p+P".contains(sign) => {
                    let sign = if "-_\t".contains(sign) { ' ' } else { sign };
                    let times = count.take().unwrap_or(1);
                    row.extend((0..times).map(|_| (sign, (line, column))));
                }
                other if other.is_whitespace() => {}
                other => {
                    let other = other.escape_debug();
                    return refused(format!("expected a sign of a level, found `{other}`"));
                }
            }
        }
        if count.is_some() {
            let column = content.chars().count();
            return Err(ParseError::at(line, column, "a count without a sign behind it"));
        }
        if !row.is_empty() || !content.trim_end().ends_with('|') {
            rows.push(row);
        }
    }
    for row in &mut rows {
        while row.last().is_some_and(|&(sign, _)| sign == ' ') {
            row.pop();
        }
    }
    while rows.last().is_some_and(Vec::is_empty) {
        rows.pop();
    }
    let empty = rows.iter().take_while(|row| row.is_empty()).count();
    rows.drain(..empty);
    for (number, row) in (1..).zip(&rows) {
        let extra = if number > SIDE { row.first() } else { row.get(SIDE) };
        if let Some(&(_, (line, column))) = extra {
            let message = format!("expected at most {SIDE} rows and columns");
            return Err(ParseError::at(line, column, message));
        }
    }
    if rows.is_empty() { Err(ParseError::at(1, 1, "there is no level")) } else { Ok(rows) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_several_forms() {
        let picture = Picture::parse("#####\n#@$.#\n#####").unwrap();
        assert_eq!(Picture::parse("5#|#@$.#|5#"), Ok(picture.clone()));
        assert_eq!(picture.text(), "#####|#@$.#|#####");
        let refused = Picture::parse("####|#@x#|####").unwrap_err();
        assert_eq!(refused.to_string(), "line 1, column 8: expected a sign of a level, found `x`");
    }
}
