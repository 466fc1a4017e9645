//! The modules of a crate as lists of words.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Module of a crate.
pub(crate) struct Module {
    /// Its path below the crate, empty for the root: `validate::html`.
    pub(crate) path: String,
    /// Words and signs of its code, without comments, literals and tests.
    pub(crate) words: Vec<String>,
}

impl Module {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), words: without_tests(&words(text)) }
    }
}

/// The crates of the workspace: name of the folder, and the folder.
pub(crate) fn crates(root: &Path) -> Vec<(String, PathBuf)> {
    let mut all = Vec::new();
    for folder in ["crates", "crates/puzzles"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.join("src").is_dir() {
                all.push((path.file_name().unwrap().to_string_lossy().into_owned(), path));
            }
        }
    }
    all.sort();
    all
}

/// The modules of a crate: its files below `src`.
pub(crate) fn modules(folder: &Path) -> Vec<Module> {
    let mut all = Vec::new();
    read_folder(&folder.join("src"), "", &mut all);
    all
}

fn read_folder(folder: &Path, path: &str, all: &mut Vec<Module>) {
    for entry in fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        let inner = if path.is_empty() { stem.clone() } else { format!("{path}::{stem}") };
        if file.is_dir() {
            read_folder(&file, &inner, all);
        } else if file.extension().is_some_and(|e| e == "rs") && stem != "tests" {
            let own = if ["lib", "main", "mod"].contains(&stem.as_str()) { path } else { &inner };
            all.push(Module::new(own, &fs::read_to_string(&file).unwrap()));
        }
    }
}

/// Identifiers and single signs; `::` is one word.
fn words(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        let (c, next) = (chars[at], chars.get(at + 1).copied().unwrap_or(' '));
        if c == '/' && next == '/' {
            while at < chars.len() && chars[at] != '\n' {
                at += 1;
            }
        } else if c == 'r' && (next == '"' || next == '#' && raw_hashes(&chars, at).is_some()) {
            let hashes = raw_hashes(&chars, at).unwrap_or(0);
            at += hashes + 2;
            while at < chars.len()
                && !(chars[at] == '"' && (1..=hashes).all(|i| chars.get(at + i) == Some(&'#')))
            {
                at += 1;
            }
            at += hashes + 1;
        } else if c == '"' {
            at += 1;
            while at < chars.len() && chars[at] != '"' {
                at += if chars[at] == '\\' { 2 } else { 1 };
            }
            at += 1;
        } else if c == '\'' {
            // A character literal; a lifetime is a sign and a word.
            let escaped = next == '\\';
            let close = if escaped {
                (at + 3..at + 12).find(|&i| chars.get(i) == Some(&'\''))
            } else {
                Some(at + 2)
            };
            at = match close {
                Some(close) if chars.get(close) == Some(&'\'') => close + 1,
                _ => at + 1,
            };
        } else if c.is_alphanumeric() || c == '_' {
            let begin = at;
            while at < chars.len() && (chars[at].is_alphanumeric() || chars[at] == '_') {
                at += 1;
            }
            all.push(chars[begin..at].iter().collect());
        } else {
            if c == ':' && next == ':' {
                all.push("::".to_owned());
                at += 1;
            } else if !c.is_whitespace() {
                all.push(c.to_string());
            }
            at += 1;
        }
    }
    all
}

/// The number of hashes of a raw literal that begins at `r`.
fn raw_hashes(chars: &[char], at: usize) -> Option<usize> {
    let hashes = chars[at + 1..].iter().take_while(|c| **c == '#').count();
    (chars.get(at + 1 + hashes) == Some(&'"')).then_some(hashes)
}

/// Leaves out items behind `#[cfg(test)]` or `#[cfg(all(test, …))]`.
fn without_tests(words: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if words[at] == "#" && words.get(at + 1).is_some_and(|w| w == "[") {
            let end = closing(words, at + 1);
            let attribute = &words[at..end];
            let is_test = attribute.iter().any(|w| w == "cfg")
                && attribute.iter().any(|w| w == "test")
                && !attribute.iter().any(|w| w == "not");
            if is_test {
                at = end;
                // Further attributes, then the item up to its end.
                while words.get(at).is_some_and(|w| w == "#") {
                    at = closing(words, at + 1);
                }
                while at < words.len() && words[at] != "{" && words[at] != ";" {
                    at = if words[at] == "(" { closing(words, at) } else { at + 1 };
                }
                at = if words.get(at).is_some_and(|w| w == "{") {
                    closing(words, at)
                } else {
                    at + 1
                };
                continue;
            }
        }
        all.push(words[at].clone());
        at += 1;
    }
    all
}

/// The index behind the bracket that closes the one at `open`.
pub(crate) fn closing(words: &[String], open: usize) -> usize {
    let mut depth = 0;
    for (at, word) in words.iter().enumerate().skip(open) {
        match word.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    words.len()
}
