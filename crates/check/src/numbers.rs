//! Solutions that are rows of numbers.

use crate::CheckError;

pub(crate) fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())
}

/// The words of a solution, each a number. For an invalid word, `shown` returns its text in the
/// message, and `notation` describes the expected words.
pub(crate) fn numbers(
    solution: &str,
    notation: &str,
    shown: impl Fn(&str) -> String,
) -> Result<Vec<String>, CheckError> {
    let mut actions = Vec::new();
    for (number, word) in (1..).zip(solution.split_whitespace()) {
        if !is_number(word) {
            let word = shown(word);
            return Err(CheckError::Solution(format!("word {number} is `{word}`; {notation}")));
        }
        actions.push(word.to_owned());
    }
    Ok(actions)
}
