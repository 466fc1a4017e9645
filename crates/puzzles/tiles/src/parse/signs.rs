//! Signs of cells: numbers, digits without blanks between them, and signs of the blank.

use super::{
    Place, excerpt,
    layout::{Cell, Layout},
};
use unriddle_core::ParseError;

/// A number of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number<'t> {
    pub(super) at: Place,
    /// The number; the largest of its type for a word beyond the type.
    pub(super) value: usize,
    /// The text, which is empty for an empty cell.
    pub(super) word: &'t str,
}

/// Rows of numbers.
pub(super) type Numbers<'t> = Vec<Vec<Number<'t>>>;

/// Whether a word is a sign of the blank.
fn is_blank(word: &str) -> bool {
    let words = ["none", "null", "nil", "blank", "empty", "□", "▢", "b"];
    let is_sign = |sign: char| matches!(sign, '_' | '-' | '.' | '*' | 'x' | 'X');
    let mut signs = word.chars();
    let first = signs.next();
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
        || first.is_some_and(is_sign) && word.len() <= 2 && signs.all(|sign| Some(sign) == first)
}

/// Reads digits that stand beside each other, such as `123405786` or `123/405/786`: a row is written
/// without separators, or the only row consists of rows that are separated by blanks. Every digit
/// occurs once. Boards of 16 cells have the digits 0–9 and A–F. `None` for any other text.
pub(super) fn digits<'t>(layout: &Layout<'t>) -> Option<(Numbers<'t>, bool)> {
    let words: Vec<_> = layout.rows.iter().flatten().filter(|cell| !cell.word.is_empty()).collect();
    let signs: String = words.iter().map(|cell| cell.word).collect();
    let count = signs.chars().count();
    if !(4..=16).contains(&count) || !signs.chars().all(is_digit) {
        return None;
    }
    let has_letters =
        signs.contains(|sign: char| sign.is_ascii_hexdigit() && !sign.is_ascii_digit());
    let is_together = words.iter().any(|cell| cell.word.chars().count() > 1);
    if has_letters != (count == 16) || !(has_letters || is_together) {
        return None;
    }
    let number = |sign: char| sign.to_digit(16).unwrap_or(0) as usize;
    let mut seen = vec![false; count];
    for sign in signs.chars() {
        let seen = seen.get_mut(number(sign))?;
        if std::mem::replace(seen, true) {
            return None;
        }
    }
    let read = |cell: &Cell<'t>| -> Vec<Number<'t>> {
        let (line, column) = cell.at;
        let signs = (column..).zip(cell.word.char_indices());
        let read = |(column, (byte, sign)): (usize, (usize, char))| Number {
            at: (line, column),
            value: number(sign),
            word: &cell.word[byte..byte + sign.len_utf8()],
        };
        signs.map(read).collect()
    };
    if layout.rows.len() > 1 {
        let row = |row: &Vec<Cell<'t>>| row.iter().flat_map(read).collect();
        Some((layout.rows.iter().map(row).collect(), layout.is_explicit))
    } else if is_together {
        Some((words.into_iter().map(read).collect(), true))
    } else {
        Some((vec![words.into_iter().flat_map(read).collect()], false))
    }
}

/// A digit, or a sign of the blank among digits.
fn is_digit(sign: char) -> bool {
    sign.is_ascii_hexdigit() || matches!(sign, '_' | '-' | '.' | '*' | 'x' | 'X')
}

/// Reads words as numbers. One other sign, or one empty cell, is the blank if no cell is 0.
///
/// # Errors
/// A word that is neither a number nor the only sign of the blank, with its place.
pub(super) fn numbers<'t>(layout: &Layout<'t>) -> Result<Numbers<'t>, ParseError> {
    let mut rows = Numbers::new();
    let mut blank: Option<(Place, &str)> = None;
    let (mut gaps, mut edges) = (0, 0);
    for cell in layout.rows.iter().flatten() {
        let (line, column) = cell.at;
        let refused = |why| Err(ParseError::at(line, column, why));
        if cell.word.is_empty() {
            *if cell.is_edge { &mut edges } else { &mut gaps } += 1;
        } else if is_number(cell.word) {
            // Zeros at the beginning do not count.
            if cell.word.bytes().all(|byte| byte == b'0') {
                blank = blank.or(Some((cell.at, cell.word)));
            }
        } else if !is_blank(cell.word) {
            return refused(format!("expected a number, found \"{}\"", excerpt(cell.word)));
        } else if let Some(((line, column), other)) = blank {
            let why = format!(
                "expected a number, found \"{}\": the blank is \"{}\" at line {line}, column {column}",
                excerpt(cell.word),
                excerpt(other)
            );
            return refused(why);
        } else {
            blank = Some((cell.at, cell.word));
        }
    }
    // Separators at the ends of rows are no cells unless the blank is there.
    let (use_gap, use_edge) = match (blank, gaps, edges) {
        (None, 1, _) => (true, false),
        (None, 0, 1) => (false, true),
        _ => (false, false),
    };
    for row in &layout.rows {
        let mut numbers = Vec::new();
        for cell in row {
            let &Cell { at, word, is_edge } = cell;
            let is_used = if is_edge { use_edge } else { use_gap };
            if is_number(word) {
                // A word of digits may exceed the range of the type.
                let value = word.parse().unwrap_or(usize::MAX);
                numbers.push(Number { at, value, word });
            } else if !word.is_empty() || is_used {
                numbers.push(Number { at, value: 0, word });
            }
        }
        rows.push(numbers);
    }
    if blank.is_none() && !use_gap && !use_edge && !layout.is_explicit {
        fill_gap(layout, &mut rows);
    }
    Ok(rows)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Fills in the blank of a drawing that has nothing at its place: all rows but one have equally many
/// numbers below each other, and one has a gap.
fn fill_gap(layout: &Layout<'_>, rows: &mut Numbers<'_>) {
    let Some(most) = rows.iter().map(Vec::len).max().filter(|&most| most > 1) else { return };
    let short: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].len() < most).collect();
    let &[short] = &short[..] else { return };
    let has_empty = layout.rows.iter().flatten().any(|cell| cell.word.is_empty());
    if rows[short].len() + 1 != most || has_empty {
        return;
    }
    let begins = |row: usize| layout.rows[row].iter().map(|cell| cell.at.1).collect::<Vec<_>>();
    let ends = |row: usize| {
        let end = |cell: &Cell<'_>| cell.at.1 + cell.word.len();
        layout.rows[row].iter().map(end).collect::<Vec<_>>()
    };
    let full: Vec<usize> = (0..rows.len()).filter(|&row| row != short).collect();
    let sides: [&dyn Fn(usize) -> Vec<usize>; 2] = [&ends, &begins];
    for side in sides {
        let Some(columns) = full.first().map(|&row| side(row)) else { return };
        let found = side(short);
        let missing: Vec<usize> =
            (0..most).filter(|&column| !found.contains(&columns[column])).collect();
        if let (true, &[gap]) = (full.iter().all(|&row| side(row) == columns), &missing[..]) {
            let line = layout.rows[short].first().map_or(1, |cell| cell.at.0);
            rows[short].insert(gap, Number { at: (line, columns[gap]), value: 0, word: "" });
            return;
        }
    }
}
