//! Lines of texts and files: ids, comments, and the signs that may be stickers.

use crate::sequence::PRIMES;

/// A sign that may be a sticker, with its line and column.
pub(crate) type Sign = ((usize, usize), char);

/// A line of a text.
#[derive(Clone, Debug)]
pub(crate) struct Line<'t> {
    /// Counted from 1.
    pub(crate) number: usize,
    /// The entire line.
    pub(crate) all: &'t str,
    /// Name before a colon.
    pub(crate) id: Option<&'t str>,
    /// The text behind the id, or the entire line.
    pub(crate) text: &'t str,
    /// Number of its signs, if all of the text may be stickers.
    pub(crate) signs: Option<usize>,
}

impl<'t> Line<'t> {
    fn new(number: usize, all: &'t str) -> Self {
        let (id, text) = if is_comment(all) { (None, "") } else { named(all) };
        let mut line = Self { number, all, id, text, signs: None };
        let signs = line.stickers();
        let has = |kind: fn(&char) -> bool| signs.iter().flatten().any(|(_, sign)| kind(sign));
        // Digits among letters are numbers of turns.
        let mixed = has(char::is_ascii_alphabetic) && has(char::is_ascii_digit);
        line.signs = signs.as_ref().filter(|_| !mixed).map(Vec::len);
        line
    }

    /// Whether there is nothing but a comment.
    pub(crate) fn is_blank(&self) -> bool {
        self.id.is_none() && self.text.trim().is_empty()
    }

    /// Whether there is a name only.
    pub(crate) fn is_name(&self) -> bool {
        self.id.is_some() && self.text.trim().is_empty()
    }

    /// Columns before the text.
    pub(crate) fn columns(&self) -> usize {
        self.all[..self.all.len() - self.text.len()].chars().count()
    }

    /// The signs of the text; `None` if a sign turns a move round.
    pub(crate) fn stickers(&self) -> Option<Vec<Sign>> {
        signs_in(self.text, self.number, self.columns())
    }

    /// The text of its comment.
    pub(crate) fn comment(&self) -> Option<&'t str> {
        let text = self.all.trim().strip_prefix('#')?.trim();
        (!text.is_empty()).then_some(text)
    }
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// The lines of a text.
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = Line::new(number, line);
        // A few blank lines separate as well as many.
        if line.is_blank() && lines.len() > 3 && lines[lines.len() - 3..].iter().all(Line::is_blank)
        {
            lines.pop();
        }
        lines.push(line);
    }
    lines
}

/// A text without comments: lines that begin with `#` are empty.
pub(crate) fn without_comments(text: &str) -> String {
    let kept: Vec<&str> =
        text.lines().map(|line| if is_comment(line) { "" } else { line }).collect();
    kept.join("\n")
}

/// The name of a line and the text behind the name. A name is followed by a colon, or is a number
/// that is followed by a full stop or a bracket.
///
/// A colon in brackets belongs to a conjugate, and a sequence of moves is no name.
fn named(line: &str) -> (Option<&str>, &str) {
    let bare = line.trim_start();
    let digits = bare.len() - bare.trim_start_matches(|sign: char| sign.is_ascii_digit()).len();
    let behind = &bare[digits..];
    if digits > 0
        && let Some(text) = behind.strip_prefix(['.', ')'])
        && text.starts_with(char::is_whitespace)
    {
        return (Some(&bare[..digits]), text);
    }
    let Some((name, text)) = line.split_once(':') else {
        return (None, line);
    };
    let name = name.trim();
    let count = |signs: [char; 3]| name.matches(signs).count();
    let is_bracket = name.starts_with(['(', '[', '{'])
        || count(['(', '[', '{']) != count([')', ']', '}'])
        || name.contains("//");
    if is_bracket || is_sequence(name) {
        return (None, line);
    }
    (Some(name).filter(|name| !name.is_empty()), text)
}

/// Whether a name is rather several moves, or a move with a sign that turns it round.
fn is_sequence(name: &str) -> bool {
    let is_marked = name.contains(PRIMES) || name.trim().contains(char::is_whitespace);
    is_marked && crate::sequence::read(name, "", |_| true).is_ok()
}

/// The name of a face in front of its stickers.
pub(crate) fn face_of(name: &str) -> Option<usize> {
    const NAMES: [[&str; 3]; 6] = [
        ["u", "up", "top"],
        ["r", "right", "right"],
        ["f", "front", "front"],
        ["d", "down", "bottom"],
        ["l", "left", "left"],
        ["b", "back", "back"],
    ];
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(" face").unwrap_or(&name);
    NAMES.iter().position(|names| names.contains(&name))
}

/// Whether a sign separates stickers: a blank, punctuation, or a line of a drawing.
fn separates(sign: char) -> bool {
    sign.is_whitespace()
        || sign.is_ascii_punctuation()
        || ('\u{2500}'..='\u{257f}').contains(&sign)
        || INVISIBLE.contains(&sign)
}

/// Signs that join others or change how they look.
const INVISIBLE: [char; 3] = ['\u{fe0e}', '\u{fe0f}', '\u{200d}'];

/// Signs of a text that are looked at; no cube has as many stickers.
pub(crate) const MOST: usize = 10_000;

/// The signs of a text that may be stickers: letters, digits and symbols, or punctuation in a text
/// of punctuation only. `None` if a sign turns a move round. Quotation marks around words are left
/// out.
fn signs_in(text: &str, line: usize, columns: usize) -> Option<Vec<Sign>> {
    let (mut signs, mut marks) = (Vec::new(), Vec::new());
    let mut column = columns + 1;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|sign| separates(sign) && !PRIMES.contains(&sign));
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        let inner = match word.strip_prefix(PRIMES) {
            Some(inner) => inner.strip_suffix(PRIMES).filter(|inner| !inner.is_empty())?,
            None => word,
        };
        if inner.contains(PRIMES) {
            return None;
        }
        column += usize::from(inner.len() < word.len());
        for sign in inner.chars() {
            if signs.len() < MOST {
                signs.push(((line, column), sign));
            }
            column += 1;
        }
        column += usize::from(inner.len() < word.len());
        let separator = after.chars().next();
        if let Some(sign) = separator {
            let is_mark = !sign.is_whitespace() && !INVISIBLE.contains(&sign);
            if is_mark && marks.len() < MOST {
                marks.push(((line, column), sign));
            }
            column += 1;
        }
        rest = &after[separator.map_or(0, char::len_utf8)..];
    }
    Some(if signs.is_empty() { marks } else { signs })
}

/// The signs of all of a text that may be stickers; `None` if a sign turns a move round.
pub(crate) fn signs(text: &str) -> Option<Vec<Sign>> {
    let mut all = Vec::new();
    let mut marks = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let signs = signs_in(line, number, 0)?;
        let is_mark = signs.first().is_some_and(|(_, sign)| separates(*sign));
        let kind = if is_mark { &mut marks } else { &mut all };
        let left = MOST - kind.len();
        kind.extend(signs.into_iter().take(left));
    }
    Some(if all.is_empty() { marks } else { all })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_no_names() {
        for (line, name, text) in [
            ("a: R U", Some("a"), " R U"),
            ("b: [R: U]", Some("b"), " [R: U]"),
            ("cube (3): R", Some("cube (3)"), " R"),
            ("12. R U", Some("12"), " R U"),
            ("3) R", Some("3"), " R"),
            ("R2: U", Some("R2"), " U"),
            (": R", None, " R"),
            ("[R: U]", None, "[R: U]"),
            ("R [U: F]", None, "R [U: F]"),
            ("R U R': F", None, "R U R': F"),
            ("R U // then: F", None, "R U // then: F"),
        ] {
            assert_eq!(named(line), (name, text), "{line}");
        }
    }

    #[test]
    fn separators_are_no_stickers() {
        let read = |text: &str| -> Option<String> {
            signs(text).map(|signs| signs.into_iter().map(|(_, sign)| sign).collect())
        };
        for (text, found) in [
            ("['U', 'R'] \"F\"", Some("URF")),
            ("+---+\n|U R|\n+---+", Some("UR")),
            ("│🟥│⬜\u{fe0f}│", Some("🟥⬜")),
            ("R U'", None),
            ("##..", Some("##..")),
        ] {
            assert_eq!(read(text).as_deref(), found, "{text}");
        }
    }
}
