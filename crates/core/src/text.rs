//! Reading texts: words with their places.

/// The words of a line, each with the column where it begins, from 1.
#[must_use]
pub fn words(line: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut column = 1;
    line.split(char::is_whitespace).filter_map(move |word| {
        let at = column;
        column += word.chars().count() + 1;
        (!word.is_empty()).then_some((word, at))
    })
}

/// The words of a text, each with its line and column, from 1.
#[must_use]
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

#[cfg(test)]
mod tests {
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
