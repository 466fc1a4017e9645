//! Cutting of a file into boards.
//!
//! A line that is a game id is a board of its own, with or without a name and a colon before it,
//! and so is a single row behind a name and a colon, as this program writes it.
//! Other boards are apart by blank lines, each with a title of its own or none; blank lines may
//! follow a title. A board of a single row without a title, next to a board of the same width, is
//! not cut off: the rows may be one board with blank lines between them. The reader refuses it.

use crate::layout::game_id;
use crate::{
    Layout,
    layout::{is_content, is_titled, lettered, width},
};
use unriddle_catalog::input::{self, Piece};

/// A piece with its position in the file.
struct Part {
    piece: Piece,
    /// Number of its rows, without its title.
    rows: usize,
    /// Cells of its first row.
    width: usize,
    /// Cells of its title, if the title may be a row of letters.
    lettered: Option<usize>,
    is_titled: bool,
    /// Whether its rows are letters.
    has_letters: bool,
    /// Whether a comment right above names it.
    is_named: bool,
    /// The line behind it, from 1.
    end: usize,
}

/// Cuts a file into boards.
pub(crate) fn split(file: &str) -> Vec<Piece> {
    let lines: Vec<&str> = file.lines().collect();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut from = 0;
    for at in 0..=lines.len() {
        let id = lines.get(at).and_then(|line| named_id(line).or_else(|| named_row(&lines[at..])));
        if at < lines.len() && id.is_none() {
            continue;
        }
        boards(&lines[from..at], from, &mut pieces);
        if let Some((name, text)) = id {
            let column = lines[at].chars().count() - text.chars().count();
            let id = name.unwrap_or_else(|| (pieces.len() + 1).to_string());
            let text = text.to_owned();
            pieces.push(Piece { id, text, line: at + 1, column, ..Piece::default() });
        }
        from = at + 1;
    }
    pieces
}

/// The name of a line that is a game id, and the id.
fn named_id(line: &str) -> Option<(Option<String>, &str)> {
    if game_id::is_id(line) {
        return Some((None, line));
    }
    let (name, rest) = line.split_once(':')?;
    let name = name.trim();
    let is_name = !name.is_empty() && !name.starts_with('#');
    (is_name && game_id::is_id(rest)).then(|| (Some(name.to_owned()), rest))
}

/// The name of a line that is a name, a colon and a row, and the row, given the rest of the file. A
/// name that begins with a letter may be a title, such as `Level: 3`: then the row has several
/// words, or no board follows.
fn named_row<'f>(lines: &[&'f str]) -> Option<(Option<String>, &'f str)> {
    let divided = |line: &'f str| {
        let (name, row) = line.split_once(':')?;
        let is_name = !name.trim().is_empty() && !name.trim_start().starts_with('#');
        (is_name && Layout::parse(row).is_ok()).then_some((name.trim(), row))
    };
    let (name, row) = divided(lines.first()?)?;
    let is_next = |line: &&'f str| !line.trim().is_empty();
    let mut next = lines[1..].iter().copied();
    let is_sure =
        name.starts_with(|c: char| c.is_ascii_digit()) || row.split_whitespace().count() > 1;
    let next = if is_sure { next.next().filter(is_next) } else { next.find(is_next) };
    let is_alone = next.is_none_or(|line| divided(line).is_some() || game_id::is_id(line));
    is_alone.then(|| (Some(name.to_owned()), row))
}

/// Cuts lines without game ids, which follow `before` other lines, into boards.
fn boards(lines: &[&str], before: usize, pieces: &mut Vec<Piece>) {
    let mut parts: Vec<Part> = Vec::new();
    for (i, piece) in input::titled(&lines.join("\n")).into_iter().enumerate() {
        let part = Part::new(piece, i + 1);
        let blank = |last: &Part| {
            lines[last.end - 1..part.piece.line - 1].iter().all(|line| line.trim().is_empty())
        };
        match parts.last_mut() {
            Some(last) if !part.is_named && blank(last) && last.continues(&part) => {
                last.width = if last.rows == 0 { part.width } else { last.width };
                last.rows += part.rows;
                last.end = part.end;
                last.piece.text = lines[last.piece.line - 1..part.end - 1].join("\n");
            }
            _ => parts.push(part),
        }
    }
    for mut part in parts {
        // A row of letters looks like a title.
        if !is_titled(&part.piece.text) {
            part.piece.id = (pieces.len() + 1).to_string();
        }
        part.piece.line += before;
        pieces.push(part.piece);
    }
}

impl Part {
    /// The piece of a number, from 1.
    fn new(piece: Piece, number: usize) -> Self {
        let mut rows = piece.text.lines().filter(|line| is_content(line));
        let is_titled = is_titled(&piece.text);
        let title = if is_titled { rows.next() } else { None };
        let rows: Vec<&str> = rows.collect();
        Self {
            rows: rows.len(),
            width: rows.first().map_or(0, |row| width(row)),
            lettered: title.filter(|_| rows.is_empty()).and_then(lettered),
            is_titled,
            has_letters: rows.first().is_some_and(|row| lettered(row).is_some()),
            is_named: !is_titled && piece.id != number.to_string(),
            end: piece.line + piece.text.lines().count(),
            piece,
        }
    }

    /// Whether the rows of the next part may belong to the same board.
    fn continues(&self, next: &Self) -> bool {
        if next.is_titled {
            // A row of letters in a paragraph of its own looks like a title.
            return self.lettered.is_some() && self.lettered == next.lettered
                || self.has_letters && next.lettered == Some(self.width);
        }
        self.rows == 0 || self.width == next.width && (self.rows == 1 || next.rows == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str) -> Vec<(String, usize, Result<String, String>)> {
        let read = |piece: Piece| {
            let layout = Layout::parse(&piece.text).map_err(|error| error.to_string());
            (piece.id, piece.line, layout.map(|layout| layout.text()))
        };
        split(file).into_iter().map(read).collect()
    }

    /// The rows may be one board, or boards of one row.
    #[test]
    fn double_spaced_boards_are_refused() {
        for file in [
            "1 2 3\n\n1 2 2\n\n3 3 3\n",
            "\n123\n\n\n122\n\n333",
            "1 2 3\n1 2 2\n\n3 3 3",
            "123\n\n1 2 2\n3 3 3",
            "rgb\n\nrgg\n\nbbb",
            "r g b\n\nr g g\n\nb b b\n",
            "rgb\nrgg\n\nbbb",
            "position 4\n\n1 2 3\n\n1 2 2\n\n3 3 3",
            "1 2 3\r\n\r\n1 2 2\r\n\r\n3 3 3\r\n",
        ] {
            let read = read(file);
            assert_eq!(read.len(), 1, "{file:?}: {read:?}");
            let error = read[0].2.as_ref().unwrap_err();
            assert!(error.contains("a blank line among the rows of a board"), "{file:?}: {error}");
        }
    }

    #[test]
    fn boards_are_apart_by_blank_lines() {
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(
            read("position 1\n\n0 1\n1 1\n\n0 1\n0 0\n\ntitle x\n01\n\n11"),
            [
                ("1".to_owned(), 1, ok("0 1\n1 1")),
                ("2".to_owned(), 6, ok("0 1\n0 0")),
                ("x".to_owned(), 9, Err(read("title x\n01\n\n11")[0].2.clone().unwrap_err())),
            ]
        );
        // Boards of one row: of other widths, with titles, with comments.
        assert_eq!(read("0 1 1\n\n0 0\n\n1 1 1").len(), 3);
        assert_eq!(read("first\n0 1 1\n\nsecond\n1 1 1").len(), 2);
        assert_eq!(read("# first\n0 1 1\n\n# second\n1 1 1").len(), 2);
    }

    #[test]
    fn single_rows_have_names() {
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(
            read("1: 0 1 1\n2: 0 0 .\na: 1 1\n\nLevel: 3\n\n0 1\n1 1\n\n3: 0\n"),
            [
                ("1".to_owned(), 1, ok("0 1 1")),
                ("2".to_owned(), 2, ok("0 0 .")),
                ("a".to_owned(), 3, ok("1 1")),
                ("3".to_owned(), 5, ok("0 1\n1 1")),
                ("3".to_owned(), 10, ok("0")),
            ]
        );
        assert!(read("Level: 3 4\n0 1\n1 1")[0].2.is_ok());
        assert_eq!(read("a: 011\n"), [("a".to_owned(), 1, ok("0 1 1"))]);
        assert_eq!(read("Level: 12\n\n0 1\n1 1\n").len(), 1);
    }

    #[test]
    fn game_ids_are_boards_of_their_own() {
        let pieces = split("0 1\n1 1\n2x1:1,1\na: 2x1:1,2\n\n0 0\n0 1");
        let found: Vec<_> = pieces.iter().map(|p| (&*p.id, &*p.text, p.line, p.column)).collect();
        assert_eq!(
            found,
            [
                ("1", "0 1\n1 1", 1, 0),
                ("2", "2x1:1,1", 3, 0),
                ("a", " 2x1:1,2", 4, 2),
                ("4", "0 0\n0 1", 6, 0),
            ]
        );
    }
}
