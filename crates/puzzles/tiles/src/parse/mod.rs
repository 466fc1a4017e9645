//! Reading of one board from a text.
//!
//! A board is its numbers in reading order, 0 for the blank. White space, commas and quotation marks
//! separate numbers. A square may be written in one line, or over lines of any length. The rows of
//! any board are lines of equal length, or are separated by `/`, `;`, bars or brackets. A line of its
//! own with the size may precede the rows. The module's parts describe the other forms: digits
//! without blanks between them, other signs of the blank, empty cells and drawings (`signs`),
//! comments, frames and brackets (`layout`).
//!
//! A text that could be two boards is refused with both of them. A text that is not a board is
//! refused with line and column. A board from which no sequence of slides leads to the goal is
//! accepted, together with the reason (`parity`).

mod layout;
mod parity;
mod signs;

pub(crate) use layout::{is_frame, without_comment};
pub(crate) use parity::solvable;

use super::{
    Goal,
    shape::{MAX_CELLS, Shape},
};
use layout::Placed;
use signs::{Number, Numbers};
use unriddle_core::ParseError;

/// 1-based line and column.
type Place = (usize, usize);

/// Parsed board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Rows and columns of the board.
    pub shape: Shape,
    /// Tile numbers in reading order, 0 for the blank, as in the text.
    pub cells: Vec<u8>,
    /// Whether the goal can be reached, or why not.
    pub solvable: Result<(), String>,
}

/// Reads a board.
///
/// ```
/// use unriddle_tiles::{Goal, Shape, parse::parse};
///
/// let parsed = parse("1 2 3 4 / 5 6 7 0", Goal::BlankLast)?;
/// assert_eq!(parsed.shape, Shape { rows: 2, columns: 4 });
/// assert_eq!(parsed.cells, [1, 2, 3, 4, 5, 6, 7, 0]);
/// # Ok::<(), unriddle_core::ParseError>(())
/// ```
///
/// # Errors
/// A word that is not a number, the wrong count, rows of different lengths, a number out of range,
/// or a tile that occurs twice (so that another is missing), with line and column; a text that could
/// be boards of two shapes.
pub fn parse(text: &str, goal: Goal) -> Result<Parsed, ParseError> {
    let (shape, cells) = read(text)?;
    let solvable = solvable(shape, &cells, goal);
    Ok(Parsed { shape, cells, solvable })
}

/// The size that a text gives for its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    /// Side of a square.
    Side(usize),
    /// Rows and columns, in either order.
    Both(usize, usize),
    /// Columns and rows of a game id.
    Game(Shape),
}

impl Size {
    fn cells(self) -> usize {
        match self {
            Self::Side(side) => side.saturating_mul(side),
            Self::Both(rows, columns) => rows.saturating_mul(columns),
            Self::Game(shape) => shape.cells(),
        }
    }
}

/// Shape and cells of a board.
pub(crate) fn read(text: &str) -> Result<(Shape, Vec<u8>), ParseError> {
    let last = text.split('\n').next_back().unwrap_or("");
    let end = (1 + text.matches('\n').count(), 1 + last.chars().count());
    // Blanks keep the columns of the rest.
    let hidden;
    let (text, game) = match game_size(text)? {
        None => (text, None),
        Some((prefix, shape)) => {
            hidden = " ".repeat(prefix) + &text[prefix..];
            (&*hidden, Some(Size::Game(shape)))
        }
    };
    let tokens = layout::tokens(text)?;
    let (line, rest) = if game.is_some() { (None, &tokens[..]) } else { size_line(&tokens) };
    let Some(size) = line else { return board(&tokens, game, end) };
    board(rest, Some(size), end).or_else(|why| {
        let words = rest.iter().filter(|token| token.word().is_some()).count();
        // The line may be a row of the board, and no size.
        board(&tokens, None, end).map_err(|other| match size {
            Size::Both(..) if words != size.cells() => other,
            _ => why,
        })
    })
}

/// Whether a word is a size such as `3x4`.
pub(crate) fn size_word(word: &str) -> Option<(usize, usize)> {
    let (first, second) = word.split_once(['x', 'X', '×', '*'])?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let size = (first.parse().ok()?, second.parse().ok()?);
    (is_number(first) && is_number(second)).then_some(size)
}

/// The size before the colon of a game id such as `4x3:1,2,…`, and the length of this part in bytes,
/// all of which are ASCII.
fn game_size(text: &str) -> Result<Option<(usize, Shape)>, ParseError> {
    let blank = text.len() - text.trim_start().len();
    let is_size = |b: u8| b.is_ascii_digit() || b == b'x';
    let length = text[blank..].bytes().take_while(|&b| is_size(b)).count();
    let (word, rest) = text[blank..].split_at(length);
    let Some((columns, rows)) = size_word(word) else { return Ok(None) };
    if !text[..blank].bytes().all(|b| b == b' ') || !rest.starts_with([':', '#']) {
        return Ok(None);
    }
    let refused = |why| Err(ParseError::at(1, blank + 1, why));
    if rest.starts_with('#') {
        return refused(format!(
            "`{word}#…` is the seed of a game and contains no board: use the game id with a colon, `{word}:…`"
        ));
    }
    match Shape::new(rows, columns) {
        Some(shape) => Ok(Some((blank + length + 1, shape))),
        None => refused(bounds(rows, columns)),
    }
}

/// Splits a line with a size from the tokens.
fn size_line<'a, 't>(tokens: &'a [Placed<'t>]) -> (Option<Size>, &'a [Placed<'t>]) {
    let first = tokens.iter().position(|token| token.word().is_some()).unwrap_or(0);
    let length = tokens[first..].iter().position(Placed::is_line_end).unwrap_or(0);
    let (line, rest) = tokens.split_at(first + length);
    let words: Vec<&str> = line.iter().filter_map(Placed::word).collect();
    let number = |word: &str| word.parse().ok().filter(|&n: &usize| n <= MAX_CELLS);
    let size = match words[..] {
        [word] => match size_word(word) {
            Some((rows, columns)) => Some(Size::Both(rows, columns)),
            None => number(word).map(Size::Side),
        },
        [rows, columns] => number(rows).zip(number(columns)).map(|(r, c)| Size::Both(r, c)),
        _ => None,
    };
    let follows = rest.iter().any(|token| token.word().is_some());
    if follows && line.len() == first + words.len() { (size, rest) } else { (None, tokens) }
}

/// The board of tokens that begin behind its size.
fn board(
    tokens: &[Placed<'_>],
    size: Option<Size>,
    end: Place,
) -> Result<(Shape, Vec<u8>), ParseError> {
    let layout = layout::rows(tokens)?;
    let (mut rows, is_explicit) = match signs::digits(&layout) {
        Some(read) => read,
        None => (signs::numbers(&layout)?, layout.is_explicit),
    };
    if size.is_none() {
        leave_index_out(&mut rows);
    }
    let shape = shape(&rows, is_explicit, size, end)?;
    Ok((shape, permutation(shape, rows.into_iter().flatten())?))
}

/// Leaves the number of a board out that precedes the numbers of a square in one line.
fn leave_index_out(rows: &mut Numbers<'_>) {
    if let [row] = &mut rows[..]
        && let Some((_, board)) = row.split_first()
        && square(board.len()).is_some()
        && is_permutation(board)
        && !is_permutation(&row[..row.len() - 1])
    {
        row.remove(0);
    }
}

fn is_permutation(numbers: &[Number<'_>]) -> bool {
    let mut seen = vec![false; numbers.len()];
    numbers
        .iter()
        .all(|number| seen.get_mut(number.value).is_some_and(|seen| !std::mem::replace(seen, true)))
}

/// The square of a number of cells.
fn square(cells: usize) -> Option<Shape> {
    Shape::of_cells(cells.min(MAX_CELLS + 1)).find(|shape| shape.is_square())
}

fn bounds(rows: usize, columns: usize) -> String {
    format!(
        "a board has at least two rows and columns and at most {MAX_CELLS} cells, found {rows}×{columns}"
    )
}

/// The shape of a board with these rows.
fn shape(
    rows: &Numbers<'_>,
    is_explicit: bool,
    size: Option<Size>,
    end: Place,
) -> Result<Shape, ParseError> {
    let count: usize = rows.iter().map(Vec::len).sum();
    let refused = |(line, column): Place, why| Err(ParseError::at(line, column, why));
    let start = rows.iter().flatten().next().map_or(end, |number| number.at);
    let columns = rows.first().map_or(0, Vec::len);
    let odd = rows.iter().position(|row| row.len() != columns);
    let drawn = (rows.len() > 1 && odd.is_none()).then_some((rows.len(), columns));
    let uneven = |row: usize| {
        format!(
            "row {} has {}, but row 1 has {columns}: all rows of a board have equally many",
            row + 1,
            numbers(rows[row].len())
        )
    };
    if let (true, Some(odd)) = (is_explicit, odd) {
        return refused(rows[odd].first().map_or(end, |number| number.at), uneven(odd));
    }
    if let Some(size) = size {
        return sized(size, drawn, is_explicit, count)
            .or_else(|why| refused(if count < size.cells() { end } else { start }, why));
    }
    match (drawn, square(count)) {
        // Lines that are no rows of a square.
        (Some((rows, columns)), Some(square))
            if !is_explicit && rows != columns && rows > 1 && columns > 1 =>
        {
            let why = format!(
                "{rows} lines of {columns} numbers are a board of {rows}×{columns}, or of {square} over several \
                 lines: put `/` between the rows, or all numbers in one line"
            );
            refused(start, why)
        }
        (Some((rows, columns)), None) if rows > 1 && columns > 1 => match Shape::new(rows, columns)
        {
            Some(shape) => Ok(shape),
            None => refused(start, bounds(rows, columns)),
        },
        (Some((rows, columns)), Some(_)) if is_explicit && rows != columns => {
            match Shape::new(rows, columns) {
                Some(shape) => Ok(shape),
                None => refused(start, bounds(rows, columns)),
            }
        }
        (_, Some(square)) => Ok(square),
        (None, None) if rows.len() > 1 => {
            let odd = odd.unwrap_or(0);
            refused(rows[odd].first().map_or(end, |number| number.at), uneven(odd))
        }
        _ => {
            let mut why = format!(
                "found {}; a board has 4, 9, 16, 25, 36, 49 or 64 (0 for the blank)",
                numbers(count)
            );
            let shapes: Vec<String> =
                Shape::of_cells(count.min(MAX_CELLS + 1)).map(|shape| shape.to_string()).collect();
            let all: Vec<_> = rows.iter().flatten().copied().collect();
            if let (true, [others @ .., last]) = (is_permutation(&all), &shapes[..]) {
                why = format!(
                    "{} without rows are a board of {} or {last}: put `/` between its rows",
                    numbers(count),
                    others.join(", ")
                );
            }
            refused(end, why)
        }
    }
}

/// The shape of a board with a size, whose rows are `drawn` if they have equal lengths.
fn sized(
    size: Size,
    drawn: Option<(usize, usize)>,
    is_explicit: bool,
    count: usize,
) -> Result<Shape, String> {
    let (shape, name) = match size {
        Size::Side(side) => (Shape::new(side, side), side.to_string()),
        Size::Game(shape) => (Some(shape), format!("{}x{}", shape.columns, shape.rows)),
        Size::Both(rows, columns) => (Shape::new(rows, columns), format!("{rows}×{columns}")),
    };
    let Some(shape) = shape else {
        return Err(match size {
            Size::Side(side) => bounds(side, side),
            Size::Both(rows, columns) => bounds(rows, columns),
            Size::Game(shape) => bounds(shape.rows, shape.columns),
        });
    };
    if count != shape.cells() {
        return Err(format!(
            "the size {name} means {}, found {}",
            numbers(shape.cells()),
            numbers(count)
        ));
    }
    let is = |shape: Shape| drawn == Some((shape.rows, shape.columns));
    match size {
        _ if is(shape) => Ok(shape),
        Size::Both(..) | Size::Game(_) if is(shape.transposed()) => Ok(shape.transposed()),
        Size::Both(rows, columns) if rows != columns => Err(format!(
            "the size {name} is {rows} rows or {rows} columns, and the numbers are in no such rows: write each \
             row in its own line"
        )),
        _ => match drawn {
            Some((rows, columns)) if is_explicit => Err(format!(
                "the size is {name}, but there are {rows} rows of {}",
                numbers(columns)
            )),
            _ => Ok(shape),
        },
    }
}

/// A count of numbers in words.
fn numbers(count: usize) -> String {
    match count {
        0 => "no numbers".to_owned(),
        1 => "1 number".to_owned(),
        count => format!("{count} numbers"),
    }
}

/// The cells of a board, each number of which occurs once.
fn permutation<'t>(
    shape: Shape,
    numbers: impl Iterator<Item = Number<'t>> + Clone,
) -> Result<Vec<u8>, ParseError> {
    let count = shape.cells();
    let mut first = vec![None; count];
    let mut cells = Vec::with_capacity(count);
    let mut twice = None;
    for Number { at: (line, column), value: number, word } in numbers.clone() {
        if number >= count {
            let board = if shape.is_square() {
                format!("a board of side {}", shape.rows)
            } else {
                format!("a board of {shape}")
            };
            // Numbers of other boards, and those that begin with 1.
            let mut all: Vec<usize> = numbers.map(|number| number.value).collect();
            all.sort_unstable();
            let hint = if all.iter().copied().eq(1..=count) {
                format!(
                    "; is {count} or 1 the blank? Write 0 for the blank, and 1 to {} for the tiles",
                    count - 1
                )
            } else {
                String::new()
            };
            let why = format!(
                "{} is out of range: {board} has the numbers 0 to {}{hint}",
                excerpt(word),
                count - 1
            );
            return Err(ParseError::at(line, column, why));
        }
        match first[number] {
            None => first[number] = Some((line, column)),
            Some(before) => {
                twice.get_or_insert((number, before, (line, column)));
            }
        }
        cells.push(number as u8);
    }
    if let Some((number, (line, column), at)) = twice {
        let missing: Vec<String> = (0..count).filter(|&n| first[n].is_none()).map(name).collect();
        let why = format!(
            "{} occurs twice, first at line {line}, column {column}; missing: {}",
            name(number),
            missing.join(", ")
        );
        return Err(ParseError::at(at.0, at.1, why));
    }
    Ok(cells)
}

/// A number for messages.
fn name(number: usize) -> String {
    match number {
        0 => "0 (the blank)".to_owned(),
        tile => tile.to_string(),
    }
}

/// The beginning of a word, printable.
fn excerpt(word: &str) -> String {
    let start: String = word.chars().take(20).collect();
    let rest = if word.chars().nth(20).is_some() { "…" } else { "" };
    format!("{}{rest}", start.escape_debug())
}

#[cfg(test)]
mod tests;
