//! Cutting of files into instances.
//!
//! The common form is one instance per line, `id: instance` or just the instance; blank lines and
//! lines that begin with `#` are left out. An instance without an id is known by the number of its
//! line.
//!
//! Puzzles whose instances take several lines have them apart by blank lines; a comment right above
//! one is its id, and one without is known by its number in the file.

use std::collections::{HashMap, HashSet};

pub use crate::interface::instance::batch::Piece;

/// Whether a text before a colon is the name of an instance. A text that begins with a bracket
/// belongs to the instance: a list, or a conjugate of moves such as `[A: B]`.
#[must_use]
pub fn is_name(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && !text.starts_with(['[', '(', '{', '<'])
}

/// Cuts a file of one instance per line.
#[must_use]
pub fn lines(file: &str) -> Vec<Piece> {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    file.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .map(|(i, line)| {
            let (id, text) = match line.split_once(':') {
                Some((id, text)) if is_name(id) => (id.trim().to_owned(), text),
                Some((id, text)) if id.trim().is_empty() => ((i + 1).to_string(), text),
                _ => ((i + 1).to_string(), line),
            };
            let column = line.chars().count() - text.chars().count();
            Piece { id, text: text.to_owned(), line: i + 1, column, ..Piece::default() }
        })
        .collect()
}

/// Cuts a file of instances of several lines, apart by blank lines. A line that is a number, with
/// or without an id before a colon, is an instance of its own: the number of a deal.
#[must_use]
pub fn boards(file: &str) -> Vec<Piece> {
    paragraphs(file, true)
}

/// Cuts a file into paragraphs; with `numbers`, lines that are a number are instances of their own.
fn paragraphs(file: &str, numbers: bool) -> Vec<Piece> {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut comment = None;
    // Whether the last piece may continue.
    let mut open = false;
    for (i, line) in file.lines().enumerate() {
        let bare = line.trim();
        if bare.is_empty() {
            open = false;
            comment = None;
            continue;
        }
        let (id, rest) = match line.split_once(':') {
            Some((id, rest)) if id.trim().is_empty() || is_name(id) => {
                (Some(id.trim()).filter(|id| !id.is_empty()), rest)
            }
            _ => (None, line),
        };
        let is_number = |text: &str| {
            let digits = text.trim();
            let digits = digits.strip_prefix('-').unwrap_or(digits);
            !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
        };
        if numbers && !open && is_number(rest) {
            pieces.push(Piece {
                id: id.unwrap_or(rest.trim()).to_owned(),
                text: rest.to_owned(),
                line: i + 1,
                column: line.chars().count() - rest.chars().count(),
                ..Piece::default()
            });
        } else if open && let Some(piece) = pieces.last_mut() {
            piece.text.push('\n');
            piece.text.push_str(line);
        } else if let Some(text) = bare.strip_prefix('#') {
            comment = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        } else {
            let number = pieces.len() + 1;
            pieces.push(Piece {
                id: comment.take().unwrap_or_else(|| number.to_string()),
                text: line.to_owned(),
                line: i + 1,
                column: 0,
                ..Piece::default()
            });
            open = true;
        }
    }
    pieces
}

/// Cuts a file of boards apart by blank lines, each with a title of its own or none: the id is the
/// last word of the title, or the number in the file.
#[must_use]
pub fn titled(file: &str) -> Vec<Piece> {
    let mut pieces = paragraphs(file, false);
    for piece in &mut pieces {
        let title = piece.text.lines().next().unwrap_or("");
        if title.trim_start().starts_with(char::is_alphabetic)
            && let Some(word) = title.split_whitespace().last()
        {
            piece.id = word.to_owned();
        }
    }
    pieces
}

/// A file that is one instance.
#[must_use]
pub fn whole(file: &str) -> Vec<Piece> {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let piece =
        Piece { id: "1".to_owned(), text: file.to_owned(), line: 1, column: 0, ..Piece::default() };
    (!file.trim().is_empty()).then_some(piece).into_iter().collect()
}

/// Makes names distinct: a repeated name is extended by a hyphen and a number.
pub fn distinct<'i>(ids: impl IntoIterator<Item = &'i mut String>) {
    let mut known = HashSet::new();
    // The number that a repeated name was given last.
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for id in ids {
        if known.insert(id.clone()) {
            continue;
        }
        let number = numbers.entry(id.clone()).or_insert(1);
        loop {
            *number += 1;
            let other = format!("{id}-{number}");
            if known.insert(other.clone()) {
                *id = other;
                break;
            }
        }
    }
}

/// Cuts a file into JSON documents, one after the other: the id is a document's `name`, or else its
/// number, and no two have the same one. A text that is not JSON is one instance; the puzzle's
/// reader refuses it.
#[must_use]
pub fn documents(file: &str) -> Vec<Piece> {
    #[derive(serde::Deserialize)]
    struct Head {
        #[serde(default)]
        name: Option<String>,
    }
    let mut pieces = whole(file);
    let Some(all) = pieces.pop().filter(|all| all.text.trim_start().starts_with('{')) else {
        return whole(file);
    };
    let mut stream = serde_json::Deserializer::from_str(&all.text).into_iter::<Head>();
    let (mut from, mut line, mut column) = (0, 1, 0);
    while from < all.text.trim_end().len() {
        let head = stream.next();
        let to = match head {
            Some(Ok(_)) => stream.byte_offset(),
            _ => all.text.len(),
        };
        let text = &all.text[from..to];
        let number = pieces.len() + 1;
        let name = head.and_then(Result::ok).and_then(|head| head.name);
        pieces.push(Piece {
            id: name.unwrap_or_else(|| number.to_string()),
            text: text.to_owned(),
            line,
            column,
            ..Piece::default()
        });
        match text.rsplit_once('\n') {
            Some((before, last)) => {
                line += before.matches('\n').count() + 1;
                column = last.chars().count();
            }
            None => column += text.chars().count(),
        }
        from = to;
    }
    distinct(pieces.iter_mut().map(|piece| &mut piece.id));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_apart_by_blank_lines() {
        let pieces = boards("# first\nAC\n# inside\nAD\n\n: 2C\n2D\n\n# deals\n617\nx: 8\n-1\n");
        let read: Vec<_> = pieces.iter().map(|p| (&*p.id, &*p.text, p.line, p.column)).collect();
        let expected = [
            ("first", "AC\n# inside\nAD", 2, 0),
            ("2", ": 2C\n2D", 6, 0),
            ("617", "617", 10, 0),
            ("x", " 8", 11, 2),
            ("-1", "-1", 12, 0),
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn documents_follow_each_other() {
        let pieces = documents("{\"name\": \"a\"}\n{\"x\": [1,\n2]} {\"name\": \"a\"}\n{]");
        let read: Vec<_> =
            pieces.iter().map(|p| (&*p.id, p.text.trim(), p.line, p.column)).collect();
        let expected = [
            ("a", "{\"name\": \"a\"}", 1, 0),
            ("2", "{\"x\": [1,\n2]}", 1, 13),
            ("a-2", "{\"name\": \"a\"}", 3, 3),
            ("4", "{]", 3, 17),
        ];
        assert_eq!(read, expected);
        assert_eq!(documents("no").len(), 1);
        assert_eq!(documents(" \n"), []);
    }

    #[test]
    fn names_become_distinct() {
        let mut ids = ["a", "a", "b", "a-2", "a", "b"].map(String::from);
        distinct(&mut ids);
        assert_eq!(ids, ["a", "a-2", "b", "a-2-2", "a-3", "b-2"]);
    }

    #[test]
    fn lines_have_ids_and_positions() {
        let pieces = lines("\u{feff}# a comment\n\na1: 1 2 0 3\r\n 3 1 2 0\n");
        let read: Vec<_> =
            pieces.iter().map(|p| (&*p.id, p.text.trim(), p.line, p.column)).collect();
        assert_eq!(read, [("a1", "1 2 0 3", 3, 3), ("4", "3 1 2 0", 4, 0)]);
    }
}
