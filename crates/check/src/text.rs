//! Words and numbers in the texts of puzzles, and things that messages show.

use std::str::FromStr;

/// A number of things in words.
pub(crate) fn count(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// The first `most` characters of a text.
pub(crate) fn start(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// The beginning of a word, with control characters escaped.
pub(crate) fn clip(word: &str) -> String {
    start(word, 20).escape_debug().to_string()
}

pub(crate) fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())
}

/// A number that consists of digits only.
pub(crate) fn number<T: FromStr>(word: &str) -> Option<T> {
    if is_number(word) { word.parse().ok() } else { None }
}

/// Two numbers with a comma between them.
pub(crate) fn pair<T: FromStr>(word: &str) -> Option<(T, T)> {
    let (first, second) = word.split_once(',')?;
    Some((number(first)?, number(second)?))
}

/// The actions of a solution that consists of words. An error gives the first invalid word, of
/// which `shown` returns the text, and the text `expected`.
pub(crate) fn words(
    solution: &str,
    is_action: impl Fn(&str) -> bool,
    expected: &str,
    shown: impl Fn(&str) -> String,
) -> Result<Vec<String>, String> {
    let action = |(number, word): (usize, &str)| match is_action(word) {
        true => Ok(word.to_owned()),
        false => Err(format!("word {number} is `{}`; {expected}", shown(word))),
    };
    (1..).zip(solution.split_whitespace()).map(action).collect()
}

/// A line of a board.
pub(crate) struct Line<'a> {
    /// Counted from 1.
    pub(crate) number: usize,
    /// Without blanks at either end.
    pub(crate) text: &'a str,
    /// Number of the first blank line between the previous line of the board and this one.
    pub(crate) blank: Option<usize>,
}

/// The lines of a board that are neither blank nor begin with `#`.
pub(crate) fn lines(instance: &str) -> impl Iterator<Item = Line<'_>> {
    let (mut started, mut blank) = (false, None);
    (1..).zip(instance.lines().map(str::trim)).filter_map(move |(number, text)| {
        if text.is_empty() {
            blank = blank.or(started.then_some(number));
        }
        if text.is_empty() || text.starts_with('#') {
            return None;
        }
        started = true;
        Some(Line { number, text, blank: blank.take() })
    })
}
