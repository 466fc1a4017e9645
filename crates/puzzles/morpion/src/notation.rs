//! Positions and games as texts.
//!
//! A position is one line for each row, the top one first: `o` for a point (also `O`, `x` or `X`)
//! and `.` for an empty cell. Fewer than 32 rows or columns are centred on the board. The lines
//! already drawn follow below the rows, as moves, each by any of its points.

use super::{Cell, LENGTH, Line, Morpion, Rule, SIDE, STEPS, State, has};
use unriddle_core::text::{picture, placed, played, whole};
use unriddle_core::{Notation, ParseError};

/// The signs of the directions.
const SIGNS: [char; STEPS.len()] = ['-', '|', '\\', '/'];

/// Offset of the middle of a line from each of its points.
const MIDDLES: [&str; LENGTH as usize] = ["+2", "+1", "0", "-1", "-2"];

/// Reads a line and which of its points is named.
fn read(word: &str) -> Result<Line, String> {
    let read = || {
        let (at, middle) = word.split_at(word.find(SIGNS)?);
        let (x, y) = at.split_once(',')?;
        let direction = SIGNS.iter().position(|&sign| middle.starts_with(sign))?;
        let index = MIDDLES.iter().position(|&known| known == &middle[1..])?;
        Some((whole(x)?, whole(y)?, direction, index as i32))
    };
    let read = read().ok_or_else(|| format!("expected a move such as 14,10|-2, found `{word}`"));
    let (x, y, direction, index) = read?;
    // Clamped, however far beyond the edge.
    let [x, y] = [x, y].map(|at| at.min(2 * SIDE) as i32);
    let (dx, dy) = STEPS[direction];
    let line = Line::new(direction, (x - dx * index, y - dy * index));
    let line = line.map(|line| Line { index: index as u8, ..line });
    line.ok_or_else(|| format!("`{word}` leaves the board of {SIDE} columns and {SIDE} rows"))
}

impl Morpion {
    /// Reads a position.
    ///
    /// # Errors
    /// [`ParseError`] with the position: an unknown sign, rows of different lengths, a line without
    /// its points.
    pub fn parse(text: &str, rule: Rule) -> Result<Self, ParseError> {
        let is_line = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        let words: Vec<_> = placed(text).collect();
        let rows = words.iter().take_while(|(_, word)| !is_line(word));
        let (rows, lines) = words.split_at(rows.count());
        let rows = picture(rows, SIDE, |sign| match sign {
            'o' | 'O' | 'x' | 'X' | '.' => Ok(sign != '.'),
            _ => Err("expected a point `o` or `.` for none".to_owned()),
        })?;
        let (points, taken) = ([0; SIDE], [[0; SIDE]; STEPS.len()]);
        let mut start = State { points, taken };
        for (y, row) in ((SIDE - rows.len()) / 2..).zip(rows) {
            for (x, is_point) in ((SIDE - row.len()) / 2..).zip(row) {
                start.points[y] |= u32::from(is_point) << x;
            }
        }
        for &((row, column), word) in lines {
            let line = read(word).and_then(|line| allowed(&start, line, None, rule));
            let line = line.map_err(|why| ParseError::at(row, column, why))?;
            start.draw(line, rule);
        }
        Ok(Self { start, rule })
    }
}

impl Morpion {
    /// Plays a line; the error is the reason why it is illegal.
    pub(crate) fn step(&self, state: &mut State, line: Line) -> Result<(), String> {
        let (x, y) = line.point();
        if has(&state.points, (x, y)) {
            return Err(format!("there is a point at {x},{y}"));
        }
        let line = allowed(state, line, Some((x, y)), self.rule)?;
        state.draw(line, self.rule);
        Ok(())
    }
}

/// The line, if its points are there, but for the new one, and another one has nothing of it.
fn allowed(state: &State, line: Line, new: Option<Cell>, rule: Rule) -> Result<Line, String> {
    let mut points = (0..LENGTH).map(|index| line.at(index));
    if let Some((x, y)) = points.find(|&at| Some(at) != new && !has(&state.points, at)) {
        return Err(format!("the line has no point at {x},{y}"));
    }
    match state.is_taken(line, rule) {
        false => Ok(line),
        true => Err("the line overlaps another one of its direction".to_owned()),
    }
}

/// The part of the rows or columns in the middle of the board that leaves out none in use.
fn middle(is_used: impl Fn(usize) -> bool) -> std::ops::Range<usize> {
    let is_empty = |&i: &usize| !is_used(i) && !is_used(SIDE - 1 - i);
    let margin = (0..SIDE / 2 - 1).take_while(is_empty).count();
    margin..SIDE - margin
}

impl Notation for Morpion {
    fn state_text(&self, state: &State) -> String {
        let columns = middle(|x| state.points.iter().any(|row| row >> x & 1 == 1));
        let rows = &state.points[middle(|y| state.points[y] != 0)];
        let sign = |is_point| if is_point { 'o' } else { '.' };
        let row = |row: &u32| columns.clone().map(|x| sign(row >> x & 1 == 1)).collect();
        let mut text: Vec<String> = rows.iter().map(row).collect();
        text.push(self.solution_text(&state.lines(self.rule)));
        text.join("\n").trim_end().to_owned()
    }

    fn solution_text(&self, lines: &[Line]) -> String {
        let word = |line: &Line| {
            let (x, y) = line.point();
            let sign = SIGNS[usize::from(line.direction)];
            format!("{x},{y}{sign}{}", MIDDLES[usize::from(line.index)])
        };
        lines.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    fn parse_solution(&self, text: &str) -> Result<Vec<Line>, ParseError> {
        played(text, self.start, |state, word| {
            let line = read(word)?;
            self.step(state, line).map_err(|why| format!("`{word}` is illegal: {why}"))?;
            Ok(line)
        })
    }
}
