//! Texts: words with their positions, and decimals.

use crate::ability::ParseError;

/// The words of a line, each with the column of its first character, from 1.
pub fn words(line: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut column = 1;
    line.split(char::is_whitespace).filter_map(move |word| {
        let at = column;
        column += word.chars().count() + 1;
        (!word.is_empty()).then_some((word, at))
    })
}

/// The words of a text, each with its line and column, from 1.
pub fn placed(text: &str) -> impl Iterator<Item = Word<'_>> {
    let lines = text.lines().enumerate();
    lines.flat_map(|(i, line)| words(line).map(move |(word, column)| ((i + 1, column), word)))
}

/// The whole number that a word represents. Only digits are allowed: a sign is not part of a
/// solution.
#[must_use]
pub fn whole(word: &str) -> Option<usize> {
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| word.parse().ok()).flatten()
}

/// Reads every word of a text.
///
/// # Errors
/// The error of `read` for the first word that it rejects, with the position of that word.
///
/// ```
/// use unriddle_core::text;
///
/// let read = |word: &str| word.parse::<u8>().map_err(|_| "expected a number to 255".to_owned());
/// assert_eq!(text::read("3 1\n2", read), Ok(vec![3, 1, 2]));
/// let refused = text::read("3 1\n x", read).unwrap_err();
/// assert_eq!(refused.to_string(), "line 2, column 2: expected a number to 255, found `x`");
/// ```
pub fn read<T>(
    text: &str,
    mut read: impl FnMut(&str) -> Result<T, String>,
) -> Result<Vec<T>, ParseError> {
    let word = |((line, column), word): Word<'_>| {
        read(word).map_err(|why| ParseError::at(line, column, format!("{why}, found `{word}`")))
    };
    placed(text).map(word).collect()
}

/// The number `value` · 10^−`places`, with all of its decimals.
///
/// ```
/// assert_eq!(unriddle_core::text::decimal(-1250, 2), "-12.50");
/// ```
#[must_use]
pub fn decimal(value: i64, places: u32) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let places = places as usize;
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = places + 1);
    match digits.split_at(digits.len() - places) {
        (whole, "") => format!("{sign}{whole}"),
        (whole, part) => format!("{sign}{whole}.{part}"),
    }
}

/// A word with its line and column.
pub type Word<'t> = ((usize, usize), &'t str);

/// Reads a picture: each word is a row, and each of its characters a cell. All rows have the length
/// of the first row, and there are at most `side` rows and columns.
///
/// # Errors
/// The error of `read` for the first character that it rejects, with the position of that
/// character; the position of a row of another length, or of a superfluous row; the beginning of
/// the text if there are no rows.
///
/// ```
/// use unriddle_core::text;
///
/// let words: Vec<_> = text::placed("..#\n#..").collect();
/// let read = |sign| match sign {
///     '#' | '.' => Ok(sign == '#'),
///     _ => Err("expected `#` or `.`".to_owned()),
/// };
/// let rows = vec![vec![false, false, true], vec![true, false, false]];
/// assert_eq!(text::picture(&words, 3, read), Ok(rows));
/// let refused = text::picture(&[((1, 1), ".x")], 3, read).unwrap_err();
/// assert_eq!(refused.to_string(), "line 1, column 2: expected `#` or `.`, found `x`");
/// ```
pub fn picture<T>(
    rows: &[Word<'_>],
    side: usize,
    read: impl Fn(char) -> Result<T, String>,
) -> Result<Vec<Vec<T>>, ParseError> {
    let Some((_, first)) = rows.first() else {
        return Err(ParseError::at(1, 1, "expected a row of signs"));
    };
    let width = first.chars().count();
    let mut picture = Vec::new();
    for &((line, column), row) in rows {
        let refused = |at: usize, why| Err(ParseError::at(line, column + at, why));
        let length = row.chars().count();
        if length != width {
            let why = format!("expected {width} signs as in the first row, found {length}");
            return refused(0, why);
        }
        if width > side || picture.len() == side {
            return refused(0, format!("expected at most {side} rows and columns"));
        }
        let mut signs = Vec::new();
        for (at, sign) in row.chars().enumerate() {
            match read(sign) {
                Ok(sign) => signs.push(sign),
                Err(why) => return refused(at, format!("{why}, found `{sign}`")),
            }
        }
        picture.push(signs);
    }
    Ok(picture)
}

/// Reads a solution: `step` reads and plays each word, and updates the state.
///
/// # Errors
/// The error of `step` for the first word that it rejects, with the number of the move and the
/// position of that word.
///
/// ```
/// use unriddle_core::text;
///
/// // Moves are numbers, each larger than the one before.
/// let step = |last: &mut u8, word: &str| match word.parse() {
///     Ok(next) if next > *last => {
///         *last = next;
///         Ok(next)
///     }
///     _ => Err(format!("expected a number above {last}, found `{word}`")),
/// };
/// assert_eq!(text::played("3 4\n9", 0, step), Ok(vec![3, 4, 9]));
/// let refused = text::played("3 4\n 4", 0, step).unwrap_err();
/// let expected = "line 2, column 2: move 3: expected a number above 4, found `4`";
/// assert_eq!(refused.to_string(), expected);
/// ```
pub fn played<S, A>(
    text: &str,
    mut state: S,
    mut step: impl FnMut(&mut S, &str) -> Result<A, String>,
) -> Result<Vec<A>, ParseError> {
    let mut actions = Vec::new();
    for ((line, column), word) in placed(text) {
        let number = actions.len() + 1;
        let action = step(&mut state, word)
            .map_err(|why| ParseError::at(line, column, format!("move {number}: {why}")))?;
        actions.push(action);
    }
    Ok(actions)
}

#[cfg(test)]
mod tests {
    #[test]
    fn decimals_are_written_in_full() {
        let all = [(705, 1), (-1205, 3), (7, 0), (-5, 2), (0, 2), (1234, 2)];
        let texts = all.map(|(value, places)| super::decimal(value, places));
        assert_eq!(texts, ["70.5", "-1.205", "7", "-0.05", "0.00", "12.34"]);
        assert_eq!(super::decimal(i64::MIN, 0), i64::MIN.to_string());
    }

    #[test]
    fn whole_numbers_consist_of_digits() {
        assert_eq!(super::whole("0017"), Some(17));
        for word in ["", "+1", "-0", "1.0", "x", "99999999999999999999"] {
            assert_eq!(super::whole(word), None, "{word}");
        }
    }

    #[test]
    fn words_know_where_they_begin() {
        let found: Vec<_> = super::words(" ä b\t cd ").collect();
        assert_eq!(found, [("ä", 2), ("b", 4), ("cd", 7)]);
        assert_eq!(super::words("  ").count(), 0);
        let found: Vec<_> = super::placed("a\n b").collect();
        assert_eq!(found, [((1, 1), "a"), ((2, 2), "b")]);
    }
}
