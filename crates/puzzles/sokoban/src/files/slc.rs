//! The XML form of level archives: `<Level Id="…">` with rows in `<L>`. The reader knows only
//! elements, references and comments. Tags that are not closed end with the next level, so that a
//! broken level does not affect the others.

use crate::picture::Picture;
use std::fmt::Write as _;
use unriddle_catalog::input::{self, Piece};

/// Whether a text is XML.
pub(crate) fn is_xml(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('<')
}

/// A part of an XML text.
enum Part<'x> {
    /// Characters between tags.
    Text(&'x str),
    /// Characters in which references are not replaced.
    Raw(&'x str),
    /// A tag: its name, its attributes, and whether it is an end or has an end of its own.
    Begin {
        name: &'x str,
        attributes: &'x str,
        is_empty: bool,
    },
    End(&'x str),
}

/// Parts of an XML text with the offsets at which they begin. Comments and declarations are left
/// out.
struct Parts<'x> {
    text: &'x str,
    at: usize,
}

impl<'x> Iterator for Parts<'x> {
    type Item = (usize, Part<'x>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let at = self.at;
            let rest = &self.text[at..];
            if rest.is_empty() {
                return None;
            }
            // The length up to an end, or of everything if there is no end.
            let to = |end: &str| rest.find(end).map_or(rest.len(), |found| found + end.len());
            if !rest.starts_with('<') {
                let length = rest.find('<').unwrap_or(rest.len());
                self.at += length;
                return Some((at, Part::Text(&rest[..length])));
            }
            if rest.starts_with("<!--") {
                self.at += to("-->");
            } else if let Some(inside) = rest.strip_prefix("<![CDATA[") {
                self.at += to("]]>");
                return Some((at, Part::Raw(inside.split("]]>").next().unwrap_or(inside))));
            } else if rest.starts_with("<?") || rest.starts_with("<!") {
                self.at += to(">");
            } else {
                let length = tag_length(rest);
                self.at += length;
                let tag = rest[1..length].trim_end_matches('>');
                if let Some(name) = tag.strip_prefix('/') {
                    return Some((at, Part::End(name.trim())));
                }
                let is_empty = tag.ends_with('/');
                let tag = tag.trim_end_matches('/');
                let end = tag.find(char::is_whitespace).unwrap_or(tag.len());
                let (name, attributes) = tag.split_at(end);
                return Some((at, Part::Begin { name, attributes, is_empty }));
            }
        }
    }
}

/// Length of the tag at the beginning of a text: a `>` in quotes does not end it.
fn tag_length(text: &str) -> usize {
    let mut quote = None;
    for (at, sign) in text.char_indices() {
        match (quote, sign) {
            (None, '>') => return at + 1,
            (None, '"' | '\'') => quote = Some(sign),
            (Some(open), _) if open == sign => quote = None,
            _ => {}
        }
    }
    text.len()
}

/// The value of an attribute, in quotes.
fn attribute(attributes: &str, wanted: &str) -> Option<String> {
    let mut rest = attributes;
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let quote = after.chars().next().filter(|quote| "\"'".contains(*quote))?;
        let (value, next) = after[1..].split_once(quote)?;
        if name.trim().eq_ignore_ascii_case(wanted) {
            return Some(resolved(value));
        }
        rest = next;
    }
    None
}

/// A text with its references replaced. Unknown references stay.
fn resolved(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let end = after.find(';').filter(|&end| end <= 10);
        match end.and_then(|end| Some((referred(&after[..end])?, end))) {
            Some((sign, end)) => {
                out.push(sign);
                rest = &after[end + 1..];
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out + rest
}

/// The character of a reference.
fn referred(name: &str) -> Option<char> {
    let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok();
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        _ => match (name.strip_prefix("#x"), name.strip_prefix('#')) {
            (Some(digits), _) => char::from_u32(number(digits, 16)?)?,
            (None, Some(digits)) => char::from_u32(number(digits, 10)?)?,
            (None, None) => return None,
        },
    })
}

/// A level that is being read.
#[derive(Default)]
struct Open {
    id: String,
    rows: Vec<String>,
    /// Line and column of the first row.
    place: Option<(usize, usize)>,
    solution: Option<String>,
}

/// The text that is being read.
#[derive(PartialEq, Eq)]
enum Field {
    Row,
    Solution,
}

/// The levels of an XML text.
#[derive(Default)]
struct Levels {
    pieces: Vec<Piece>,
    open: Option<Open>,
    field: Option<(Field, String)>,
}

impl Levels {
    /// Ends the text that is being read.
    fn close_field(&mut self) {
        let (Some((field, text)), Some(open)) = (self.field.take(), &mut self.open) else {
            return;
        };
        match field {
            // A row is one line.
            Field::Row => open.rows.push(text.replace(['\n', '\r'], "")),
            Field::Solution => {
                let text = text.trim();
                open.solution = (!text.is_empty()).then(|| text.to_owned());
            }
        }
    }

    /// Ends the level that is being read.
    fn close(&mut self) {
        self.close_field();
        let Some(open) = self.open.take().filter(|open| !open.rows.is_empty()) else {
            return;
        };
        let number = self.pieces.len() + 1;
        let id = open.id.trim();
        let id = if id.is_empty() { number.to_string() } else { id.to_owned() };
        let (line, column) = open.place.unwrap_or((1, 0));
        let text = open.rows.join("\n");
        self.pieces.push(Piece { id, text, line, column, solution: open.solution });
    }
}

/// Splits an XML text into levels.
pub(crate) fn levels(file: &str) -> Vec<Piece> {
    let mut levels = Levels::default();
    // Line and column of an offset that only grows.
    let (mut line, mut column, mut seen) = (1, 0, 0);
    let mut place = |at: usize| {
        for sign in file[seen..at].chars() {
            (line, column) = if sign == '\n' { (line + 1, 0) } else { (line, column + 1) };
        }
        seen = at;
        (line, column)
    };
    for (at, part) in (Parts { text: file, at: 0 }) {
        match part {
            Part::Text(text) => {
                if let Some((_, field)) = &mut levels.field {
                    field.push_str(&resolved(text));
                }
            }
            Part::Raw(text) => {
                if let Some((_, field)) = &mut levels.field {
                    field.push_str(text);
                }
            }
            Part::Begin { name, attributes, is_empty } => {
                levels.close_field();
                let (_, name) = name.rsplit_once(':').unwrap_or(("", name));
                if name.eq_ignore_ascii_case("level") {
                    levels.close();
                    let id = attribute(attributes, "id").unwrap_or_default();
                    levels.open = Some(Open { id, ..Open::default() });
                } else if let Some(open) = &mut levels.open {
                    if name.eq_ignore_ascii_case("l") {
                        let (line, column) = place(at);
                        // The row begins behind its tag.
                        open.place.get_or_insert((line, column + 3));
                        levels.field = Some((Field::Row, String::new()));
                    } else if name.eq_ignore_ascii_case("solution") {
                        levels.field = Some((Field::Solution, String::new()));
                    }
                }
                if is_empty {
                    levels.close_field();
                }
            }
            Part::End(name) => {
                levels.close_field();
                let (_, name) = name.rsplit_once(':').unwrap_or(("", name));
                if name.eq_ignore_ascii_case("level") {
                    levels.close();
                }
            }
        }
    }
    levels.close();
    input::distinct(levels.pieces.iter_mut().map(|piece| &mut piece.id));
    levels.pieces
}

/// A level as XML.
pub(crate) fn written(picture: &Picture) -> String {
    let (rows, columns) = picture.size();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<SokobanLevels>\n  <LevelCollection>\n    \
         <Level Id=\"1\" Width=\"{columns}\" Height=\"{rows}\">\n"
    );
    for row in picture.lines() {
        // Writing to a string does not fail. Signs of levels need no references.
        let _ = writeln!(out, "      <L>{row}</L>");
    }
    out + "    </Level>\n  </LevelCollection>\n</SokobanLevels>\n"
}
