//! Game ids of the game *Flip* of Simon Tatham's Portable Puzzle Collection, such as
//! `3x3c:d074191345d1644c17058,cb8`.
//!
//! An id has the columns, the rows, a letter for the kind of presses (`c` for crosses, `r` for
//! random ones), a colon, the lights of each button, a comma, and the lights that are on. Both are
//! bits in the order of the cells, row by row, each hexadecimal digit four of them, the highest
//! first; missing bits of the last digit are 0.

use crate::{
    Shape,
    picture::Picture,
    shape::{LISTED, SIDE},
};
use unriddle_core::ParseError;

/// Most cells of a board that is written as a game id: the lights of the buttons take a quarter of
/// the cells squared.
const WRITTEN: usize = 256;

/// The parts of an id: columns, rows, and the text after the colon with its column in the line.
struct Parts<'t> {
    columns: usize,
    rows: usize,
    bits: &'t str,
    at: usize,
}

/// Splits an id; `None` for another text.
fn parts(line: &str) -> Option<Parts<'_>> {
    let (head, rest) = line.split_at(line.find([':', '#'])?);
    let size = head.trim();
    let bare = size.strip_suffix(['c', 'r'])?;
    let (columns, rows) = bare.split_once('x')?;
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| text.parse().unwrap_or(usize::MAX))
    };
    let at = head.chars().count() + 1;
    Some(Parts { columns: number(columns)?, rows: number(rows)?, bits: rest, at })
}

/// Whether a line is a game id.
pub(crate) fn is_id(line: &str) -> bool {
    parts(line).is_some()
}

/// Reads a game id; `None` for another text.
pub(crate) fn read(text: &str) -> Option<Result<Picture, ParseError>> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let (number, line) = lines.next()?;
    let parts = parts(line)?;
    Some(match lines.next() {
        Some((number, _)) => {
            Err(ParseError::at(number, 1, "a game id is one line, found another one"))
        }
        None => board(&parts, number),
    })
}

fn board(parts: &Parts<'_>, line: usize) -> Result<Picture, ParseError> {
    let &Parts { columns, rows, bits, at } = parts;
    let refused = |column, why: String| Err(ParseError::at(line, column, why));
    let cells = columns.saturating_mul(rows);
    if cells == 0 || columns > SIDE || rows > SIDE || cells > LISTED {
        return refused(
            1,
            format!(
                "expected at most {SIDE} columns and rows and at most {LISTED} lights, found {columns} columns and {rows} rows"
            ),
        );
    }
    let Some(bits) = bits.strip_prefix(':') else {
        return refused(
            at,
            "expected `:` and the lights, found `#` and a random seed, which only the other program can \
             turn into a board: copy the game id with `:`"
                .to_owned(),
        );
    };
    let blank = bits.chars().count() - bits.trim_start().chars().count();
    let first = at + 1 + blank;
    let Some((matrix, lit)) = bits.trim().split_once(',') else {
        return refused(
            first,
            "expected the lights of the buttons, a comma, and the lights that are on".to_owned(),
        );
    };
    let matrix = binary(matrix, cells * cells, line, first)?;
    let second = first + matrix.len().div_ceil(4) + 1;
    let lit = binary(lit, cells, line, second)?;
    let button = |row: &[bool]| {
        // At most `LISTED`.
        (0..cells).filter(|&light| row[light]).map(|light| light as u16).collect()
    };
    let buttons = matrix.chunks(cells).map(button).collect();
    Ok(Picture { rows, columns, lit, buttons: Some(buttons) })
}

/// Reads hexadecimal digits as `count` bits.
fn binary(text: &str, count: usize, line: usize, column: usize) -> Result<Vec<bool>, ParseError> {
    let mut bits = Vec::with_capacity(count + 3);
    for (i, sign) in text.chars().enumerate() {
        let Some(digit) = sign.to_digit(16) else {
            let sign = sign.escape_debug();
            let why = format!("expected a hexadecimal digit, found `{sign}`");
            return Err(ParseError::at(line, column + i, why));
        };
        bits.extend((0..4).rev().map(|bit| digit >> bit & 1 == 1));
    }
    let (found, expected) = (bits.len() / 4, count.div_ceil(4));
    if found != expected {
        let why =
            format!("expected {expected} hexadecimal digits for {count} lights, found {found}");
        return Err(ParseError::at(line, column, why));
    }
    bits.truncate(count);
    Ok(bits)
}

/// Writes bits as hexadecimal digits.
fn hexadecimal(bits: &[bool]) -> String {
    let digit = |bits: &[bool]| {
        let value = (0..4).fold(0, |value, i| value << 1 | u32::from(bits.get(i) == Some(&true)));
        char::from_digit(value, 16).unwrap_or('0')
    };
    bits.chunks(4).map(digit).collect()
}

/// The game id of a board; `None` for large boards, and where buttons are not at the lights.
pub(crate) fn written(shape: &Shape, lit: &[bool]) -> Option<String> {
    let cells = shape.cells();
    if shape.buttons() != cells || cells > WRITTEN {
        return None;
    }
    let mut matrix = vec![false; cells * cells];
    for button in 0..cells {
        for &light in shape.toggled(button) {
            matrix[button * cells + usize::from(light)] = true;
        }
    }
    let is_usual = Shape::new(shape.rows, shape.columns, false)
        .is_some_and(|usual| (0..cells).all(|cell| usual.toggled(cell) == shape.toggled(cell)));
    let kind = if is_usual { 'c' } else { 'r' };
    let size = format!("{}x{}{kind}", shape.columns, shape.rows);
    Some(format!("{size}:{},{}", hexadecimal(&matrix), hexadecimal(lit)))
}
