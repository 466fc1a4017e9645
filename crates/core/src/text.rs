//! Texts: words with their places, and decimals.

use crate::ability::ParseError;

/// The words of a line, each with the column where it begins, from 1.
pub fn words(line: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut column = 1;
    line.split(char::is_whitespace).filter_map(move |word| {
        let at = column;
        column += word.chars().count() + 1;
        (!word.is_empty()).then_some((word, at))
    })
}

/// The words of a text, each with its line and column, from 1.
pub fn placed(text: &str) -> impl Iterator<Item = ((usize, usize), &str)> {
    let lines = text.lines().enumerate();
    lines.flat_map(|(i, line)| words(line).map(move |(word, column)| ((i + 1, column), word)))
}

/// The whole number that a word is, written in digits alone: a sign is no part of a solution.
#[must_use]
pub fn whole(word: &str) -> Option<usize> {
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| word.parse().ok()).flatten()
}

/// Reads every word of a text.
///
/// # Errors
/// What `read` says of the first word that it refuses, at the place of that word.
///
/// ```
/// use unriddle_core::text;
///
/// let read = |word: &str| word.parse::<u8>().map_err(|_| "expected a number up to 255".to_owned());
/// assert_eq!(text::read("3 1\n2", read), Ok(vec![3, 1, 2]));
/// let refused = text::read("3 1\n x", read).unwrap_err();
/// assert_eq!(refused.to_string(), "line 2, column 2: expected a number up to 255, found `x`");
/// ```
pub fn read<T>(
    text: &str,
    mut read: impl FnMut(&str) -> Result<T, String>,
) -> Result<Vec<T>, ParseError> {
    let word = |((line, column), word): ((usize, usize), &str)| {
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
    fn whole_numbers_are_digits_alone() {
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
