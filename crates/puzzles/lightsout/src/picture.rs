//! Boards as people write them.
//!
//! A board is a row of signs for each row of lights: `1`, `#` or `x` for a light that is on, `0`,
//! `.` or `-` for a light that is off; or the words `on` and `off`, `true` and `false`. A line,
//! `/`, `;`, a bar `|` and the end of a list end a row. Blanks and commas between the signs are
//! ignored. A text of one line without ends of rows is a square board, row by row.
//!
//! After the word `buttons` follows a row for each button: the lights that it toggles, with a sign
//! for each light of the board, row by row.

pub(crate) mod game_id;

use crate::{SIDE, Shape, shape::LISTED, variety::Variety};
use unriddle_core::ParseError;

/// A board with its lights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Lights that are on, row by row.
    pub(crate) lit: Vec<bool>,
    /// The lights of each button, if the text lists them.
    pub(crate) buttons: Option<Vec<Vec<u16>>>,
}

/// Word between the board and the lights of its buttons.
pub(crate) const BUTTONS: &str = "buttons";

/// A line and a column of a text.
type Place = (usize, usize);

/// A row of a text: the position of its first sign, and its lights.
struct Line {
    place: Place,
    lit: Vec<bool>,
}

fn refused<T>((line, column): Place, why: impl Into<String>) -> Result<T, ParseError> {
    Err(ParseError::at(line, column, why))
}

impl Picture {
    /// Reads a board.
    ///
    /// # Errors
    /// The position of an invalid sign, of a row of another length, of too many rows or columns, or
    /// of a single line that is not a square.
    pub(crate) fn parse(text: &str) -> Result<Self, ParseError> {
        if let Some(picture) = game_id::read(text) {
            return picture;
        }
        let Some((board, matrix)) = text.split_once(BUTTONS) else {
            return Self::board(&Rows::scan(text, (1, 1))?, false);
        };
        let before = &text[..board.len() + BUTTONS.len()];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
        let mut picture = Self::board(&Rows::scan(board, (1, 1))?, true)?;
        let lights = picture.lit.len();
        if lights > LISTED {
            return refused(
                (1, 1),
                format!("expected at most {LISTED} lights before `{BUTTONS}`, found {lights}"),
            );
        }
        let rows = Rows::scan(matrix, (line, column))?.rows;
        if rows.is_empty() || rows.len() > LISTED {
            let found = rows.len();
            return refused(
                (line, column),
                format!(
                    "expected 1 to {LISTED} rows after `{BUTTONS}`, one of each button, found {found}"
                ),
            );
        }
        let button = |row: &Line| match row.lit.len() {
            found if found == lights => {
                // At most `LISTED`.
                Ok((0..lights).filter(|&light| row.lit[light]).map(|light| light as u16).collect())
            }
            found => refused(
                row.place,
                format!("expected {lights} signs, one of each light of the board, found {found}"),
            ),
        };
        picture.buttons = Some(rows.iter().map(button).collect::<Result<_, _>>()?);
        Ok(picture)
    }

    /// The board of rows; a single line is a row if `is_row`.
    fn board(rows: &Rows, is_row: bool) -> Result<Self, ParseError> {
        match &rows.rows[..] {
            [] => refused((1, 1), "expected rows of 0 and 1, found no sign"),
            [line] if !rows.is_divided && !is_row => Self::square(line),
            lines => Self::rows(lines),
        }
    }

    /// A square board in one line, row by row.
    fn square(line: &Line) -> Result<Self, ParseError> {
        let cells = line.lit.len();
        let side = cells.isqrt();
        if side * side != cells {
            return refused(
                line.place,
                format!(
                    "expected a square number of signs, or rows that end with `/` or the line, found {cells} signs"
                ),
            );
        }
        if side > SIDE {
            let why = format!("expected at most {SIDE} rows and columns, found {side}");
            return refused(line.place, why);
        }
        Ok(Self { rows: side, columns: side, lit: line.lit.clone(), buttons: None })
    }

    fn rows(lines: &[Line]) -> Result<Self, ParseError> {
        let columns = lines[0].lit.len();
        let mut lit = Vec::with_capacity(lines.len() * columns);
        for (row, line) in lines.iter().enumerate() {
            let found = line.lit.len();
            if found != columns {
                let why = format!("expected {columns} signs as in the first row, found {found}");
                return refused(line.place, why);
            }
            if columns > SIDE {
                let why = format!("expected at most {SIDE} columns, found {columns}");
                return refused(line.place, why);
            }
            if row >= SIDE {
                let why = format!("expected at most {SIDE} rows, found {}", lines.len());
                return refused(line.place, why);
            }
            lit.extend(&line.lit);
        }
        Ok(Self { rows: lines.len(), columns, lit, buttons: None })
    }

    /// The shape of the board, given the parameters of the puzzle.
    ///
    /// # Errors
    /// A board without cells, or with too many; buttons beside a parameter that sets them.
    pub(crate) fn shape(&self, variety: &Variety) -> Result<Shape, ParseError> {
        let shape =
            variety.shape(self.rows, self.columns).map_err(|why| ParseError::at(1, 1, why))?;
        let Some(buttons) = &self.buttons else {
            return Ok(shape);
        };
        let is_same = buttons.len() == shape.buttons()
            && buttons.iter().enumerate().all(|(i, cells)| shape.toggled(i) == cells);
        if is_same {
            return Ok(shape);
        }
        if !variety.is_usual() {
            return refused(
                (1, 1),
                "the text lists other lights for its buttons than the parameters `press` and `torus` set: \
                 leave the parameters out",
            );
        }
        let listed = Shape::listing(self.rows, self.columns, buttons);
        let why = || ParseError::at(1, 1, format!("expected at most {LISTED} lights and buttons"));
        listed.ok_or_else(why)
    }
}

/// Meaning of bars in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bars {
    /// A bar ends a row.
    Rows,
    /// Bars are between the lights of a row.
    Lights,
}

impl Bars {
    /// The meaning in a text that begins at a line and a column.
    fn of(text: &str, (first, column): Place) -> Result<Self, ParseError> {
        let mut rows = 0;
        // The last line with several parts, and whether parts have one sign each.
        let (mut divided, mut are_single) = (None, true);
        for (line, content) in (first..).zip(text.lines()) {
            let parts = bar_parts(content);
            rows += usize::from(parts.iter().any(|&count| count > 0));
            let parts: Vec<usize> = parts.into_iter().filter(|&count| count > 0).collect();
            if parts.len() > 1 {
                let before = content.chars().take_while(|&sign| sign != '|').count();
                divided = Some((line, before + if line == first { column } else { 1 }));
            }
            are_single &= parts.iter().all(|&count| count == 1);
        }
        match (divided, are_single, rows) {
            (Some(_), true, 2..) => Ok(Self::Lights),
            (Some(place), true, _) => refused(
                place,
                "bars between single lights are a column or a row: write rows with `/` between them",
            ),
            (Some(place), false, 2..) => refused(
                place,
                "a bar within a line ends a row, or divides a row: write rows with `/` between them",
            ),
            _ => Ok(Self::Rows),
        }
    }
}

/// Numbers of lights between the bars of a line.
pub(crate) fn bar_parts(line: &str) -> Vec<usize> {
    let count = |part: &str| {
        part.split(|c: char| c.is_whitespace() || ",[](){}".contains(c))
            .map(|word| if is_word(word) { 1 } else { word.chars().count() })
            .sum()
    };
    line.split('|').map(count).collect()
}

/// Whether a word is the state of a light.
fn is_word(word: &str) -> bool {
    state_of(word).is_some()
}

/// The state that a word of letters names.
fn state_of(word: &str) -> Option<bool> {
    match &*word.to_lowercase() {
        "on" | "true" => Some(true),
        "off" | "false" => Some(false),
        _ => None,
    }
}

/// Pairs of signs of which a board has only one; `w` represents words.
const APART: [(char, char); 11] = [
    ('x', '1'),
    ('x', '#'),
    ('x', '0'),
    ('-', '1'),
    ('-', '0'),
    ('-', '.'),
    ('-', '#'),
    ('w', '0'),
    ('w', '1'),
    ('w', 'x'),
    ('w', '-'),
];

/// The rows of a text.
struct Rows {
    rows: Vec<Line>,
    /// Whether rows have other ends than lines.
    is_divided: bool,
    is_open: bool,
    /// Signs that the text has.
    signs: Vec<char>,
    /// The lists that are not closed: their brackets and positions, and whether they have lights.
    lists: Vec<(char, Place, bool)>,
}

impl Rows {
    /// Scans a text that begins at a line and a column.
    fn scan(text: &str, from: Place) -> Result<Self, ParseError> {
        let bars = Bars::of(text, from)?;
        let mut rows = Self {
            rows: Vec::new(),
            is_divided: false,
            is_open: false,
            signs: Vec::new(),
            lists: Vec::new(),
        };
        for (i, line) in text.lines().enumerate() {
            // The lines of a list are not rows.
            rows.is_open &= !rows.lists.is_empty();
            let first = if i == 0 { from.1 } else { 1 };
            rows.line(line, (from.0 + i, first), bars)?;
        }
        match rows.lists.last() {
            Some(&(bracket, place, _)) => {
                refused(place, format!("this `{bracket}` is never closed"))
            }
            None => Ok(rows),
        }
    }

    fn line(&mut self, line: &str, from: Place, bars: Bars) -> Result<(), ParseError> {
        let mut rest = line;
        let mut place = from;
        while let Some(sign) = rest.chars().next() {
            let mut length = sign.len_utf8();
            match sign {
                '1' | '#' => self.light(true, sign, place)?,
                '0' | '.' | '-' => self.light(false, sign, place)?,
                'x' | 'X' => self.light(true, 'x', place)?,
                '/' | ';' => (self.is_divided, self.is_open) = (true, false),
                '|' if bars == Bars::Rows => (self.is_divided, self.is_open) = (true, false),
                '|' | ',' => {}
                '[' | '(' | '{' => self.open(sign, place)?,
                ']' | ')' | '}' => self.close(sign, place)?,
                blank if blank.is_whitespace() => {}
                letter if letter.is_ascii_alphabetic() => {
                    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
                    length = end;
                    match state_of(&rest[..end]) {
                        Some(lit) => self.light(lit, 'w', place)?,
                        None => return unexpected(&rest[..end], place),
                    }
                }
                other => return unexpected(other.encode_utf8(&mut [0; 4]), place),
            }
            place.1 += rest[..length].chars().count();
            rest = &rest[length..];
        }
        Ok(())
    }

    fn light(&mut self, lit: bool, sign: char, place: Place) -> Result<(), ParseError> {
        if !self.signs.contains(&sign) {
            let apart =
                |&&other: &&char| APART.contains(&(sign, other)) || APART.contains(&(other, sign));
            if let Some(&other) = self.signs.iter().find(apart) {
                let name =
                    |sign| if sign == 'w' { "a word".to_owned() } else { format!("`{sign}`") };
                return refused(
                    place,
                    format!(
                        "expected one sign for on and one for off, such as 1 and 0, # and . or x and -, found {} beside {}",
                        name(sign),
                        name(other)
                    ),
                );
            }
            self.signs.push(sign);
        }
        if let Some((.., has_lights)) = self.lists.last_mut() {
            *has_lights = true;
        }
        match self.rows.last_mut().filter(|_| self.is_open) {
            Some(line) => line.lit.push(lit),
            None => self.rows.push(Line { place, lit: vec![lit] }),
        }
        self.is_open = true;
        Ok(())
    }

    fn open(&mut self, bracket: char, place: Place) -> Result<(), ParseError> {
        if self.lists.len() == 2 || self.lists.last().is_some_and(|&(.., has_lights)| has_lights) {
            return refused(
                place,
                format!("expected a list of rows, found `{bracket}` within a row"),
            );
        }
        self.lists.push((bracket, place, false));
        self.is_open = false;
        Ok(())
    }

    fn close(&mut self, bracket: char, place: Place) -> Result<(), ParseError> {
        let opening = match bracket {
            ']' => '[',
            ')' => '(',
            _ => '{',
        };
        let list = self.lists.pop().filter(|&(open, ..)| open == opening);
        if list.is_none() {
            return refused(place, format!("there is no `{opening}` before this `{bracket}`"));
        }
        self.is_divided |= !self.lists.is_empty();
        self.is_open = false;
        Ok(())
    }
}

fn unexpected<T>(found: &str, place: Place) -> Result<T, ParseError> {
    let found: String = found.chars().take(20).flat_map(char::escape_debug).collect();
    refused(place, format!("expected 1, # or x for on, 0, . or - for off, found `{found}`"))
}
