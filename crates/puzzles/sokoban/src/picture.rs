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
//! it: `4#` is `####`. Letters of other programs are in [`signs`](crate::signs).

use crate::{extra::Extra, signs::Signs};
use std::fmt::Write as _;
use unriddle_core::ParseError;

/// Most rows, and most columns.
pub(crate) const SIDE: usize = 255;

/// Largest count in front of a sign.
const COUNT: usize = 10_000;

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
    /// Reads a level of standard signs with as many boxes as goals.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(crate) fn parse(text: &str) -> Result<Self, ParseError> {
        Self::read(text, Extra::None, &Signs::default())
    }

    /// Reads a level.
    ///
    /// # Errors
    /// The position of the first mistake: an unknown sign, a count without a sign, more
    /// than [`SIDE`] rows or columns, no player or two, no box, letters that can be read as two
    /// levels, or numbers of boxes and goals that `extra` does not allow.
    pub(crate) fn read(text: &str, extra: Extra, known: &Signs) -> Result<Self, ParseError> {
        let signs = rows(text, known)?;
        let letters = known.letters(signs.iter().flatten().map(|&(sign, _)| sign), extra)?;
        let meaning = |sign: char| {
            let letter = letters.iter().find(|(letter, _)| *letter == sign);
            letter.map_or_else(|| known.plain(sign).unwrap_or(' '), |&(_, meaning)| meaning)
        };
        let width = signs.iter().map(Vec::len).max().unwrap_or(0);
        let mut players = Vec::new();
        let mut rows = vec![vec![Cell::default(); width]; signs.len()];
        for (r, row) in signs.iter().enumerate() {
            for (c, &(sign, at)) in row.iter().enumerate() {
                let sign = meaning(sign);
                let cell = &mut rows[r][c];
                cell.wall = sign == '#';
                cell.goal = ".*+".contains(sign);
                cell.boxed = "$*".contains(sign);
                if "@+".contains(sign) {
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
        let picture = Self { rows, player };
        let (boxes, goals) = picture.counts();
        if boxes == 0 {
            return refused("there is no box (`$`, or `*` on a goal)".to_owned());
        }
        if !extra.allows(boxes as i64, goals as i64) {
            let more = if boxes > goals { Extra::Boxes } else { Extra::Goals };
            let option = match (goals, more) {
                (0, _) => String::new(),
                (_, more) => format!("; sokoban(extra={}) reads other levels", more.name()),
            };
            let (boxes, goals) = (count(boxes, "box", "boxes"), count(goals, "goal", "goals"));
            return refused(format!("there are {boxes} and {goals}, expected as many{option}"));
        }
        Ok(picture)
    }

    /// Numbers of boxes and goals.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let cells = || self.rows.iter().flatten();
        (cells().filter(|cell| cell.boxed).count(), cells().filter(|cell| cell.goal).count())
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

    /// The rows as lines; `None` if a row has signs but no wall, which files do not contain. A row
    /// of only floor has a `-`, so that it does not end the level.
    pub(crate) fn xsb(&self) -> Option<String> {
        let line = |line: String| match line.is_empty() {
            true => Some("-".to_owned()),
            false => line.contains('#').then_some(line),
        };
        Some(self.lines().map(line).collect::<Option<Vec<_>>>()?.join("\n"))
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

/// A number with its noun.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Rows of signs while they are read, without empty rows at the beginning and the end, and without
/// floor at the ends of rows. Counts of floor and of empty rows take no memory before another sign
/// follows.
#[derive(Default)]
struct Rows {
    rows: Vec<Row>,
    /// Number of empty rows since the last row with a sign.
    empty: usize,
    row: Row,
    /// Number of floor cells since the last other sign of the row.
    floor: usize,
}

impl Rows {
    /// Adds a sign, repeated.
    fn add(&mut self, sign: char, times: usize, at: (usize, usize)) -> Result<(), ParseError> {
        if sign == ' ' {
            self.floor = self.floor.saturating_add(times);
            return Ok(());
        }
        if self.row.is_empty() {
            // Empty rows above the first row do not count.
            self.empty = if self.rows.is_empty() { 0 } else { self.empty };
        }
        let (rows, columns) =
            (self.rows.len() + self.empty + 1, self.row.len() + self.floor + times);
        if rows > SIDE || columns > SIDE {
            let message = format!("expected at most {SIDE} rows and columns");
            return Err(ParseError::at(at.0, at.1, message));
        }
        let floor = std::mem::take(&mut self.floor);
        self.row.extend(std::iter::repeat_n((' ', at), floor));
        self.row.extend(std::iter::repeat_n((sign, at), times));
        Ok(())
    }

    /// Ends some rows; all but the first are empty.
    fn end(&mut self, times: usize) {
        self.floor = 0;
        let mut empty = times;
        if !self.row.is_empty() {
            let above = std::mem::take(&mut self.empty);
            self.rows.extend(std::iter::repeat_n(Row::new(), above));
            self.rows.push(std::mem::take(&mut self.row));
            empty -= 1;
        }
        self.empty = self.empty.saturating_add(empty);
    }
}

/// The rows of signs.
fn rows(text: &str, known: &Signs) -> Result<Vec<Row>, ParseError> {
    let in_line = text.trim().lines().count() == 1;
    let mut rows = Rows::default();
    for (line, content) in (1..).zip(text.lines()) {
        let mut times: Option<usize> = None;
        // Blanks around a level in one line do not belong to it.
        let begin = content.chars().take_while(|sign| in_line && sign.is_whitespace()).count();
        let mut last = None;
        for (column, sign) in (1..).zip(content.chars()).skip(begin) {
            let refused = |message: String| Err(ParseError::at(line, column, message));
            if !sign.is_whitespace() {
                last = Some(sign);
            }
            match sign {
                '0'..='9' => {
                    let digit = sign as usize - '0' as usize;
                    times = Some(times.unwrap_or(0) * 10 + digit).filter(|&count| count <= COUNT);
                    if times.is_none_or(|count| count == 0) {
                        return refused(format!("a count is from 1 to {COUNT}"));
                    }
                }
                // A counted end of a row means several rows; all but the first are empty.
                '|' => rows.end(times.take().unwrap_or(1)),
                _ if known.knows(sign) => {
                    let sign = known.plain(sign).filter(|&sign| sign == ' ').unwrap_or(sign);
                    rows.add(sign, times.take().unwrap_or(1), (line, column))?;
                }
                other if other.is_whitespace() => {}
                '<' => {
                    let message = "found `<`: expected an XML file with a `<Level>` of rows in `<L>`, or a sign of a level";
                    return refused(message.to_owned());
                }
                other => {
                    let other = other.escape_debug();
                    return refused(format!(
                        "expected a sign of a level, found `{other}`; sokoban(signs=\"{other}=$\") reads it as a box"
                    ));
                }
            }
        }
        if times.is_some() {
            let column = content.chars().count();
            return Err(ParseError::at(line, column, "a count without a sign behind it"));
        }
        if last != Some('|') {
            rows.end(1);
        }
    }
    if rows.rows.is_empty() {
        return Err(ParseError::at(1, 1, "there is no level"));
    }
    Ok(rows.rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_several_forms() {
        let picture = Picture::parse("#####\n#@$.#\n#####").unwrap();
        assert_eq!(Picture::parse("5#|#@$.#|5#"), Ok(picture.clone()));
        assert_eq!(picture.text(), "#####|#@$.#|#####");
        let refused = Picture::parse("####|#@?#|####").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "line 1, column 8: expected a sign of a level, found `?`; sokoban(signs=\"?=$\") reads it as a box"
        );
    }
}
