//! Texts of the repository: which files are read, and the comments, messages and test names of a
//! Rust file.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A doc comment (`///`, `//!`), with its lines joined.
    Doc,
    /// Another comment, with its lines joined.
    Comment,
    /// A string literal of production code with several words: a message, an option's text.
    Message,
    /// The short text of an option in `options!`.
    Short,
    /// The name of a test, with spaces for underscores.
    Test,
    /// A line of a document.
    Document,
}

/// A text and the line on which it begins.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) kind: Kind,
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// Folders of `crates/` that hold crates of their own.
const NESTED: &str = "puzzles";

/// All files that are read, with the area to which each belongs: a crate, or `documents`.
pub(crate) fn files(root: &Path) -> Vec<(String, PathBuf)> {
    let mut all = Vec::new();
    for folder in folders(&root.join("crates")) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if name == NESTED {
            for folder in folders(&folder) {
                let name = folder.file_name().unwrap().to_string_lossy().into_owned();
                rust_files(&folder, &name, &mut all);
            }
        } else {
            rust_files(&folder, &name, &mut all);
        }
    }
    // Written by hand. CHANGELOG and decisions tell a history; generated documents follow from the
    // code.
    let by_hand = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "KNOWN_ISSUES.md"];
    let mut documents: Vec<PathBuf> = by_hand.iter().map(|name| root.join(name)).collect();
    for folder in ["docs", "docs/adr", "experiments", "recipes", "models", "fuzz", "counters"] {
        documents.extend(entries(&root.join(folder)).into_iter().filter(|path| {
            path.extension().is_some_and(|e| e == "md")
                && !GENERATED.iter().any(|name| path.ends_with(name))
        }));
    }
    all.extend(documents.into_iter().map(|path| ("documents".to_owned(), path)));
    all
}

/// Documents that the program writes.
const GENERATED: &[&str] = &["docs/algorithms.md", "docs/puzzles.md", "docs/adr/README.md"];

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|path| path.is_dir()).collect()
}

fn rust_files(folder: &Path, area: &str, all: &mut Vec<(String, PathBuf)>) {
    for path in entries(folder) {
        if path.is_dir() {
            // The rules and their examples contain the words that they look for.
            if !path.ends_with("tests/language") {
                rust_files(&path, area, all);
            }
        } else if path.extension().is_some_and(|e| e == "rs" || e == "cu") {
            all.push((area.to_owned(), path));
        }
    }
}

/// The texts of a Rust file. `is_production` is false for files of tests, benches and examples,
/// whose string literals are not read.
pub(crate) fn texts(source: &str, is_production: bool) -> Vec<Text> {
    let mut all = Vec::new();
    let mut reader = Reader { source, at: 0, line: 1, is_production, awaits_test: false };
    while reader.at < source.len() {
        reader.next(&mut all);
    }
    joined(all)
}

struct Reader<'s> {
    source: &'s str,
    at: usize,
    line: usize,
    is_production: bool,
    awaits_test: bool,
}

impl<'s> Reader<'s> {
    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    fn advance(&mut self, bytes: usize) -> &'s str {
        let passed = &self.source[self.at..self.at + bytes];
        self.line += passed.matches('\n').count();
        self.at += bytes;
        passed
    }

    fn next(&mut self, all: &mut Vec<Text>) {
        let rest = self.rest();
        let line = self.line;
        if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            let text = self.advance(end);
            let kind = if text.starts_with("///") || text.starts_with("//!") {
                Kind::Doc
            } else {
                Kind::Comment
            };
            all.push(Text { kind, line, text: text.to_owned() });
        } else if rest.starts_with("#[cfg(test)]") {
            self.is_production = false;
            self.advance(1);
        } else if rest.starts_with("#[test]") {
            self.awaits_test = true;
            self.advance(1);
        } else if self.awaits_test && rest.starts_with("fn ") {
            self.awaits_test = false;
            let name = rest[3..].split('(').next().unwrap_or_default();
            all.push(Text { kind: Kind::Test, line, text: name.replace('_', " ") });
            self.advance(3);
        } else if let Some(hashes) = raw_string(rest) {
            let close = format!("\"{}", "#".repeat(hashes));
            let begin = hashes + 2;
            let end =
                rest[begin..].find(&close).map_or(rest.len(), |end| begin + end + close.len());
            let text = self.advance(end);
            self.message(all, line, text);
        } else if rest.starts_with('"') {
            let end = string_end(rest);
            let text = self.advance(end);
            self.message(all, line, text);
        } else if let Some(end) = character(rest) {
            self.advance(end);
        } else {
            let bytes = rest.chars().next().map_or(1, char::len_utf8);
            self.advance(bytes);
        }
    }

    /// Keeps a literal of production code that is a text for people.
    fn message(&self, all: &mut Vec<Text>, line: usize, literal: &str) {
        let text = literal.trim_matches(['r', '#', '"']);
        let is_text =
            text.split_whitespace().count() >= 3 && !text.contains("::") && !text.contains("=\"");
        let before = self.source[..self.at - literal.len()].trim_end();
        if self.is_production && before.ends_with(',') && is_short_text(before) {
            all.push(Text { kind: Kind::Short, line, text: text.to_owned() });
            return;
        }
        let is_shader = text.contains("SELECT ") || text.contains("CREATE TABLE");
        if self.is_production && is_text && !is_shader {
            // A backslash at the end of a line joins it with the next.
            let mut joined = String::new();
            for (i, part) in text.split("\\\n").enumerate() {
                joined += if i == 0 { part } else { part.trim_start() };
            }
            all.push(Text { kind: Kind::Message, line, text: joined });
        }
    }
}

/// Whether the literal behind this source is the short text of an option: the first text of a line
/// of `options!`, or the last argument of `Parameter::named` and its like.
fn is_short_text(before: &str) -> bool {
    let Some(begin) = before.rfind("options! {") else { return false };
    // The block closes with a brace at the begin of a line.
    let block = &before[begin..];
    if block.contains("\n}") {
        return false;
    }
    // Texts are emptied, since they may contain brackets and semicolons.
    let code: Vec<&str> = block.split('"').step_by(2).collect();
    let code = code.join("\"\"");
    let statement = code.rsplit([';', '{', '(']).next().unwrap_or_default();
    let is_in_list = statement.matches('[').count() > statement.matches(']').count();
    let is_second = statement.split(',').any(|part| part.trim() == "\"\"");
    !is_in_list && !is_second
}

/// The number of hashes of a raw string that begins here.
fn raw_string(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('r').or_else(|| text.strip_prefix("br"))?;
    let hashes = rest.bytes().take_while(|b| *b == b'#').count();
    rest[hashes..].starts_with('"').then_some(hashes)
}

fn string_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The length of a character literal that begins here.
fn character(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('\'')?;
    let mut chars = rest.char_indices();
    let (_, first) = chars.next()?;
    if first == '\\' {
        return rest[1..].find('\'').map(|end| end + 3).filter(|&end| end < 14);
    }
    match chars.next()? {
        (at, '\'') => Some(at + 2),
        _ => None,
    }
}

/// Comments of the same kind on successive lines are one text, without their marks.
fn joined(lines: Vec<Text>) -> Vec<Text> {
    let mut all: Vec<Text> = Vec::new();
    let mut last_line = 0;
    let mut fenced = false;
    for mut text in lines {
        if !matches!(text.kind, Kind::Doc | Kind::Comment) {
            all.push(text);
            last_line = 0;
            continue;
        }
        let body = text.text.trim_start_matches(['/', '!']).trim().to_owned();
        let continues =
            last_line + 1 == text.line && all.last().is_some_and(|l| l.kind == text.kind);
        if !continues {
            fenced = false;
        }
        last_line = text.line;
        if body.starts_with("```") {
            fenced = !fenced;
            if !continues {
                text.text = String::new();
                all.push(text);
            }
            continue;
        }
        let body = if fenced { String::new() } else { body };
        match all.last_mut().filter(|_| continues) {
            Some(before) => {
                // An empty line, a table row or a list item begins a sentence.
                let breaks = body.is_empty()
                    || body.starts_with(['|', '-', '*', '#'])
                    || body.starts_with(|c: char| c.is_ascii_digit());
                before.text += if breaks { "\n" } else { " " };
                before.text += &body;
            }
            None => {
                text.text = body;
                all.push(text);
            }
        }
    }
    all
}
