//! Rows of words: a text without its comments, frames, brackets and separators.

use super::{Place, excerpt};
use unriddle_core::ParseError;

/// A word of a board, or an empty cell between two separators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell<'t> {
    pub(super) at: Place,
    /// Empty for an empty cell.
    pub(super) word: &'t str,
    /// Whether an empty cell is at the beginning or the end of its row.
    pub(super) is_edge: bool,
}

/// Rows of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout<'t> {
    pub(super) rows: Vec<Vec<Cell<'t>>>,
    /// Whether signs separate the rows; otherwise the ends of lines do.
    pub(super) is_explicit: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Comma,
    /// Also a separator of rows, if there are several words between two bars of a single line.
    Bar,
    Row,
    Line,
    Open,
    Close,
}

#[derive(Clone, Copy, Debug)]
enum Token<'t> {
    Word(&'t str),
    Sign(Sign),
}

/// A token with its place and the number of brackets around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'t> {
    token: Token<'t>,
    at: Place,
    depth: usize,
}

impl<'t> Placed<'t> {
    pub(super) fn word(&self) -> Option<&'t str> {
        match self.token {
            Token::Word(word) => Some(word),
            Token::Sign(_) => None,
        }
    }

    fn is(&self, sign: Sign) -> bool {
        matches!(self.token, Token::Sign(found) if found == sign)
    }

    pub(super) fn is_line_end(&self) -> bool {
        self.is(Sign::Line)
    }
}

/// A line without its comment, which begins with `#` at the line's beginning or behind anything but
/// a letter.
pub(crate) fn without_comment(line: &str) -> &str {
    let begins = |&(at, _): &(usize, &str)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|sign| !sign.is_alphabetic() && !matches!(sign, '_' | '-'))
    };
    let comment = line.match_indices('#').find(begins);
    comment.map_or(line, |(at, _)| &line[..at])
}

fn is_bar(sign: char) -> bool {
    matches!(sign, '|' | '│' | '┃' | '║')
}

/// Whether a line consists of signs of a frame only, such as `+---+---+`. A single sign may be a
/// cell.
pub(crate) fn is_frame(line: &str) -> bool {
    let is_rule = |sign: char| matches!(sign, '-' | '+' | '=' | '\u{2500}'..='\u{257f}');
    let signs = || line.chars().filter(|sign| !sign.is_whitespace());
    signs().all(|sign| is_rule(sign) || is_bar(sign))
        && signs().filter(|&sign| !is_bar(sign)).count() >= 2
}

/// Cuts a text into tokens.
///
/// # Errors
/// Brackets that do not match.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed<'_>>, ParseError> {
    let mut tokens = Vec::new();
    let mut open: Vec<(char, Place)> = Vec::new();
    for (line, content) in (1..).zip(text.split('\n')) {
        let content = without_comment(content);
        let content = if is_frame(content) { "" } else { content };
        // First byte and column of the word that has begun.
        let mut begun: Option<(usize, usize)> = None;
        for (column, (byte, sign)) in (1..).zip(content.char_indices()) {
            let token = match sign {
                // Two tabs have an empty cell between them.
                ',' | '\t' => Some(Sign::Comma),
                _ if is_bar(sign) => Some(Sign::Bar),
                '/' | ';' => Some(Sign::Row),
                '[' | '(' | '{' => Some(Sign::Open),
                ']' | ')' | '}' => Some(Sign::Close),
                _ if sign.is_whitespace() || matches!(sign, '\'' | '"' | '`') => None,
                _ => {
                    begun.get_or_insert((byte, column));
                    continue;
                }
            };
            if let Some((first, column)) = begun.take() {
                let token = Token::Word(&content[first..byte]);
                tokens.push(Placed { token, at: (line, column), depth: open.len() });
            }
            let Some(found) = token else { continue };
            let at = (line, column);
            match found {
                Sign::Open => open.push((sign, at)),
                Sign::Close => {
                    let fits = |&(other, _): &(char, Place)| {
                        matches!((other, sign), ('[', ']') | ('(', ')') | ('{', '}'))
                    };
                    if open.pop_if(|last| fits(last)).is_none() {
                        let why = format!("`{sign}` closes no bracket");
                        return Err(ParseError::at(line, column, why));
                    }
                }
                _ => {}
            }
            tokens.push(Placed { token: Token::Sign(found), at, depth: open.len() });
        }
        if let Some((first, column)) = begun {
            let token = Token::Word(&content[first..]);
            tokens.push(Placed { token, at: (line, column), depth: open.len() });
        }
        let at = (line, content.chars().count() + 1);
        tokens.push(Placed { token: Token::Sign(Sign::Line), at, depth: open.len() });
    }
    match open.last() {
        None => Ok(tokens),
        Some(&(sign, (line, column))) => {
            Err(ParseError::at(line, column, format!("`{sign}` is never closed")))
        }
    }
}

/// Arranges tokens in rows.
///
/// # Errors
/// Words outside of the brackets, or brackets within more than two others.
pub(super) fn rows<'t>(tokens: &[Placed<'t>]) -> Result<Layout<'t>, ParseError> {
    let has = |sign| tokens.iter().any(|token| token.is(sign));
    let deepest = tokens.iter().filter(|t| t.word().is_some()).map(|t| t.depth).max().unwrap_or(0);
    for token in tokens {
        let (line, column) = token.at;
        let Some(word) = token.word() else { continue };
        if token.depth > 2 {
            let why = "there are three brackets around this number: a list of boards is not read, \
                       write one board per line";
            return Err(ParseError::at(line, column, why));
        }
        if token.depth < deepest {
            let why =
                format!("`{}` is outside of the brackets around other numbers", excerpt(word));
            return Err(ParseError::at(line, column, why));
        }
    }
    let lines = groups(tokens, |token| token.is_line_end());
    let breaks: Box<dyn Fn(&Placed<'t>) -> bool> = if has(Sign::Open) {
        Box::new(|token| token.is(Sign::Close) || token.is(Sign::Row))
    } else if has(Sign::Row) {
        Box::new(|token| token.is(Sign::Row))
    } else if lines.len() == 1
        && groups(tokens, |token| token.is(Sign::Bar)).iter().any(|group| words(group) > 1)
    {
        Box::new(|token| token.is(Sign::Bar))
    } else {
        Box::new(|_| false)
    };
    let parts = groups(tokens, &breaks);
    let is_explicit = parts.len() > 1;
    let parts = if !is_explicit {
        lines
    } else if has(Sign::Open) {
        parts
    } else {
        groups(tokens, |token| breaks(token) || token.is_line_end())
    };
    let rows = parts.iter().map(|part| cells(part, deepest)).collect();
    Ok(Layout { rows, is_explicit })
}

fn words(tokens: &[Placed<'_>]) -> usize {
    tokens.iter().filter(|token| token.word().is_some()).count()
}

/// The parts between separators that contain a word, or a cell that may be empty.
fn groups<'a, 't>(
    tokens: &'a [Placed<'t>],
    is_separator: impl Fn(&Placed<'t>) -> bool,
) -> Vec<&'a [Placed<'t>]> {
    tokens.split(is_separator).filter(|part| words(part) > 0).collect()
}

/// The cells of a row, of which separators at the numbers' depth count.
fn cells<'t>(tokens: &[Placed<'t>], depth: usize) -> Vec<Cell<'t>> {
    let is_separator =
        |token: &Placed<'_>| (token.is(Sign::Comma) || token.is(Sign::Bar)) && token.depth == depth;
    let counts = |token: &&Placed<'t>| token.word().is_some() || is_separator(token);
    let mut row: Vec<&Placed<'t>> = tokens.iter().filter(counts).collect();
    // Bars at both ends belong to the frame.
    if row.last().is_some_and(|token| token.is(Sign::Bar)) {
        row.pop();
    }
    if row.first().is_some_and(|token| token.is(Sign::Bar)) {
        row.remove(0);
    }
    let mut cells = Vec::new();
    for (i, token) in row.iter().enumerate() {
        let empty = |at, is_edge| Cell { at, word: "", is_edge };
        match token.word() {
            Some(word) => cells.push(Cell { at: token.at, word, is_edge: false }),
            // A separator behind a word separates it from the next cell.
            None if i > 0 && row[i - 1].word().is_some() => {}
            None => cells.push(empty(token.at, i == 0)),
        }
        if i + 1 == row.len() && token.word().is_none() {
            cells.push(empty(token.at, true));
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Layout<'_> {
        rows(&tokens(text).unwrap()).unwrap()
    }

    /// The words of all rows; `_` is an empty cell, `-` one at the edge of its row.
    fn shown(text: &str) -> String {
        let layout = read(text);
        let row = |row: &Vec<Cell<'_>>| {
            let cell = |cell: &Cell<'_>| match (cell.word, cell.is_edge) {
                ("", true) => "-".to_owned(),
                ("", false) => "_".to_owned(),
                (word, _) => word.to_owned(),
            };
            row.iter().map(cell).collect::<Vec<_>>().join(" ")
        };
        let sign = if layout.is_explicit { " / " } else { " | " };
        layout.rows.iter().map(row).collect::<Vec<_>>().join(sign)
    }

    #[test]
    fn rows_are_separated_by_signs_or_lines() {
        assert_eq!(shown("1 2\n3 0"), "1 2 | 3 0");
        assert_eq!(shown("1,2 , 3 0\n"), "1 2 3 0");
        assert_eq!(shown("1 2 / 3 0"), "1 2 / 3 0");
        assert_eq!(shown("1 2 /\n3 0;"), "1 2 / 3 0");
        assert_eq!(shown("1 2;3 0\n4 5"), "1 2 / 3 0 / 4 5");
        assert_eq!(shown("1 2 | 3 0"), "1 2 / 3 0");
        assert_eq!(shown("[[1,2],\n [3, 0]]"), "1 2 / 3 0");
        assert_eq!(shown("((1 2)\n (3\n 0))"), "1 2 / 3 0");
        assert_eq!(shown("[1, 2]\n[3, 0]"), "1 2 / 3 0");
        assert_eq!(shown("(1, 2,\n 3, 0)"), "1 2 - | 3 0");
        assert_eq!(shown("['1', '2', '', '4']"), "1 2 _ 4");
    }

    #[test]
    fn comments_and_frames_are_left_out() {
        assert_eq!(shown("# one\n1 2 # two\n\n3 0"), "1 2 | 3 0");
        assert_eq!(shown("+---+---+\n| 1 |   |\n+---+---+\n| 3 | 2 |\n+---+---+"), "1 - | 3 2");
        assert_eq!(shown("┌─────┐\n│ 1 2 │\n│ 3   │\n└─────┘"), "1 2 | 3");
        assert_eq!(shown(",2\n3,1"), "- 2 | 3 1");
        assert_eq!(without_comment("a#1: 2 #3"), "a#1: 2 ");
        assert_eq!(without_comment("1 2#3"), "1 2");
        assert!(!is_frame("-") && !is_frame("") && !is_frame("1 -") && is_frame("-+-"));
    }

    #[test]
    fn brackets_match() {
        let refused = |text| match tokens(text) {
            Ok(tokens) => rows(&tokens).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(refused("[1 2"), "line 1, column 1: `[` is never closed");
        assert_eq!(refused("[1 2)"), "line 1, column 5: `)` closes no bracket");
        assert!(refused("1 [2 3]").starts_with("line 1, column 1: `1` is outside of the brackets"));
        assert!(refused("[[[1]]]").starts_with("line 1, column 4: there are three brackets"));
    }
}
