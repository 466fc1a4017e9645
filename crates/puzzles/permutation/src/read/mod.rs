//! Readers of files of permutation puzzles.
//!
//! | form | extensions |
//! |---|---|
//! | our own TOML, see [`own`] | `.toml` |
//! | KPuzzle JSON of cubing.js and twips | `.json` |
//! | generators of CayleyPy, results of its beam | `.json` |
//! | twsearch and ksolve | `.tws`, `.ksolve` |
//! | generators of GAP | `.gap`, `.g` |
//! | `puzzle_info.csv` of Santa 2023 | `.csv` |
//!
//! The content decides the form of a file with another extension.

mod gap;
mod generators;
mod kpuzzle;
mod moves;
pub mod own;
mod pieces;
pub mod santa;
pub mod sequence;
pub mod start;
mod states;
mod tree;
mod tws;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

use crate::definition::{Definition, Invalid};
use unriddle_core::ParseError;

/// Error at a byte of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fault {
    at: usize,
    why: String,
}

fn fault<T>(at: usize, why: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { at, why: why.into() })
}

impl Fault {
    /// The error with its line and column in `text`.
    fn locate(self, text: &str) -> ParseError {
        let (mut line, mut column) = (1, 1);
        for (_, sign) in text.char_indices().take_while(|&(byte, _)| byte < self.at) {
            (line, column) = if sign == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        ParseError::at(line, column, self.why)
    }
}

/// The beginning of a text, for messages.
fn excerpt(text: &str) -> String {
    let mut shown = String::new();
    for sign in text.chars().take(24) {
        match sign.is_control() {
            true => shown.extend(sign.escape_debug()),
            false => shown.push(sign),
        }
    }
    if text.chars().nth(24).is_some() {
        shown.push('…');
    }
    shown
}

/// Form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Own,
    Json,
    Tws,
    Gap,
    Santa,
}

impl Form {
    fn of_extension(extension: &str) -> Option<Self> {
        match &*extension.to_ascii_lowercase() {
            "toml" => Some(Self::Own),
            "json" => Some(Self::Json),
            "tws" | "ksolve" => Some(Self::Tws),
            "gap" | "g" => Some(Self::Gap),
            "csv" => Some(Self::Santa),
            _ => None,
        }
    }

    fn of_content(text: &str) -> Self {
        let begins = |words: &[&str]| {
            let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
            text.lines().filter_map(first).any(|word| words.contains(&&*word))
        };
        if text.trim_start().starts_with('{') {
            Self::Json
        } else if text.trim_start().starts_with(santa::HEADER) {
            Self::Santa
        } else if begins(&["Solved", "StartState"]) && begins(&["Set"]) {
            Self::Tws
        } else if text.contains(":=") {
            Self::Gap
        } else {
            Self::Own
        }
    }
}

/// Puzzles of a file: its extension determines the form, or its content if the extension is
/// unknown. All forms but [`santa`] contain one puzzle.
///
/// # Errors
/// The position of the first part that is invalid, that exceeds a limit of [`Definition`], or that
/// belongs to another kind of file.
pub fn read(file_name: &str, text: &str) -> Result<Vec<Definition>, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let base = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    let (stem, extension) = base.rsplit_once('.').unwrap_or((base, ""));
    let form = Form::of_extension(extension).unwrap_or_else(|| Form::of_content(text));
    let one = |read: Result<Definition, Fault>| read.map(|definition| vec![definition]);
    let read = match form {
        Form::Own => one(own::read(text)),
        Form::Json => one(json(text)),
        Form::Tws => one(tws::read(text)),
        Form::Gap => one(gap::read(text)),
        Form::Santa => santa::read(text),
    };
    let mut definitions = read.map_err(|fault| fault.locate(text))?;
    for definition in &mut definitions {
        if definition.name.is_empty() {
            stem.clone_into(&mut definition.name);
        }
        definition.check().map_err(|Invalid(why)| ParseError::at(1, 1, why))?;
    }
    Ok(definitions)
}

/// The puzzle of a JSON file, whose keys determine its form.
fn json(text: &str) -> Result<Definition, Fault> {
    let root = tree::json(text)?;
    let table = root.table("a table with `orbits`, or with `actions` and `names`")?;
    let has = |keys: &[&str]| keys.iter().any(|key| table.get(key).is_some());
    if has(&kpuzzle::KEYS) {
        kpuzzle::read(table)
    } else if has(&generators::KEYS) {
        generators::read(table)
    } else {
        let found: Vec<_> = table.keys().take(4).map(|key| format!("`{}`", excerpt(key))).collect();
        let found = if found.is_empty() { "no key".to_owned() } else { found.join(", ") };
        fault(
            table.at,
            format!(
                "expected `orbits`, `defaultPattern` and `moves` of a KPuzzle, `actions` and `names`, or `proof` \
                 of a result of CayleyPy, found {found}"
            ),
        )
    }
}
