//! Cutting of files into documents, so that a broken document leaves the others whole.

use serde::{Deserialize, de::IgnoredAny};
use unriddle_catalog::input::{self, Piece};

/// The keys by which a document is recognised.
#[derive(Deserialize)]
struct Keys {
    #[serde(default)]
    items: Option<IgnoredAny>,
    #[serde(default)]
    heroes: Option<IgnoredAny>,
}

/// The name of a document.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    name: Option<String>,
}

/// Length of the first value of a text, if it is JSON.
fn value(text: &str) -> Option<usize> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    Some(values.byte_offset())
}

/// Position of the next document after a broken one: a line that begins with a document.
fn next_document(text: &str, from: usize) -> Option<usize> {
    let lines = text[from..].match_indices("\n{").map(|(at, _)| from + at + 1);
    let is_document = |at: &usize| {
        let mut values = serde_json::Deserializer::from_str(&text[*at..]).into_iter::<Keys>();
        let keys = values.next().and_then(Result::ok);
        keys.is_some_and(|keys| keys.items.is_some() || keys.heroes.is_some())
    };
    lines.into_iter().find(is_document)
}

/// Cuts a file into JSON documents, one after the other: the id is a document's `name`, or else its
/// number. A table is one instance.
pub(super) fn pieces(file: &str) -> Vec<Piece> {
    let text = file.strip_prefix('\u{feff}').unwrap_or(file);
    if !text.trim_start().starts_with('{') {
        return input::whole(text);
    }
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut from, mut line, mut column) = (0, 1, 0);
    while from < text.trim_end().len() {
        let to = match value(&text[from..]) {
            Some(length) => from + length,
            None => next_document(text, from).unwrap_or(text.len()),
        };
        let part = &text[from..to];
        let head = serde_json::from_str::<Head>(part).ok();
        let number = (pieces.len() + 1).to_string();
        pieces.push(Piece {
            id: head.and_then(|head| head.name).unwrap_or(number),
            text: part.to_owned(),
            line,
            column,
            ..Piece::default()
        });
        match part.rsplit_once('\n') {
            Some((before, last)) => {
                line += before.matches('\n').count() + 1;
                column = last.chars().count();
            }
            None => column += part.chars().count(),
        }
        from = to;
    }
    input::distinct(pieces.iter_mut().map(|piece| &mut piece.id));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(file: &str) -> Vec<(String, String, usize, usize)> {
        let pieces = pieces(file).into_iter();
        pieces.map(|p| (p.id, p.text.trim().to_owned(), p.line, p.column)).collect()
    }

    fn own(id: &str, text: &str, line: usize, column: usize) -> (String, String, usize, usize) {
        (id.to_owned(), text.to_owned(), line, column)
    }

    #[test]
    fn documents_follow_each_other() {
        let file = "{\"name\": \"a\"}\n{\"x\": [1,\n2]} {\"name\": \"a\"}\n{]";
        let usual = [
            own("a", "{\"name\": \"a\"}", 1, 0),
            own("2", "{\"x\": [1,\n2]}", 1, 13),
            own("a-2", "{\"name\": \"a\"}", 3, 3),
            own("4", "{]", 3, 17),
        ];
        assert_eq!(cut(file), usual);
        assert_eq!(cut("name,price\na,1\n"), [own("1", "name,price\na,1", 1, 0)]);
        assert_eq!(cut(" \n"), []);
    }

    #[test]
    fn a_broken_document_leaves_the_others_whole() {
        let [first, last] =
            ["{\"name\": \"a\", \"items\": []}", "{\"name\": \"b\", \"heroes\": [1]}"];
        for broken in
            ["{\"items\": [{\"x\": 1},\n{\"x\": 2}]", "{\"name\": \"c\", \"items\": [}", "]"]
        {
            let file = format!("{first}\n{broken}\n{last}\n");
            let lines = 2 + broken.lines().count();
            let found = cut(&file);
            assert_eq!(found[0], own("a", first, 1, 0), "{broken}");
            assert_eq!(found[1].1, broken);
            assert_eq!(found[2], own("b", last, lines, 0), "{broken}");
        }
        let twice = "{\"name\": \"a\", \"name\": \"a\"} {\"name\": \"b\"}";
        assert_eq!(cut(twice).len(), 2);
    }
}
