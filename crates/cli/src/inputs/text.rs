//! Texts of files and of standard input, and records in them.

use crate::exit::{Failure, INPUT, note, refused};
use serde::de::DeserializeOwned;
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};
use unriddle_catalog::{ParseError, analysis::Solved, units::show_bytes};
use unriddle_lab::{Row, store::exchange};

/// Name of a file in messages. `-` is standard input.
pub(crate) fn name_of(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_owned();
    }
    path.display().to_string()
}

/// A file's text; `-` is standard input. A compact file of results is read as the CSV of its runs.
///
/// The text is UTF-8, UTF-16 with a byte order mark, or else Windows-1252, which a note reports.
///
/// # Errors
/// The file cannot be read, or its bytes are no text.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    if path.extension().is_some_and(|e| e == "zst") {
        let runs: Vec<Row> = exchange::read(path)?.collect::<Result<_, _>>()?;
        let mut text = Vec::new();
        exchange::write_csv(runs.iter(), &mut text)?;
        return Ok(String::from_utf8_lossy(&text).into_owned());
    }
    let name = name_of(path);
    let content = if path == Path::new("-") {
        content(std::io::stdin().lock(), 0)
    } else {
        File::open(path).and_then(|file| {
            let length = file.metadata()?.len();
            content(file, length)
        })
    };
    let bytes =
        content.map_err(|error| Failure::new(INPUT, format!("{name}: cannot be read: {error}")))?;
    let (text, encoding) = decoded(bytes).map_err(|error| refused(&name, &error))?;
    if let Some(encoding) = encoding {
        note(&format!("{name}: the bytes are not UTF-8 and are read as {encoding}"));
    }
    Ok(text)
}

/// Most bytes of a text. A device may have no end.
const MOST_BYTES: u64 = 1 << 32;

/// The bytes of a source of about `length` bytes.
fn content(source: impl Read, length: u64) -> io::Result<Vec<u8>> {
    let too_large = || {
        let message = format!("it has more than {}; split it", show_bytes(MOST_BYTES));
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    };
    if length > MOST_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(length as usize);
    source.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES { Err(too_large()) } else { Ok(bytes) }
}

/// The text of bytes, with the name of its encoding where that is a guess.
///
/// # Errors
/// A byte that no text contains, or half a character of UTF-16, with line and column.
fn decoded(bytes: Vec<u8>) -> Result<(String, Option<&'static str>), ParseError> {
    type Unit = fn([u8; 2]) -> u16;
    let wide: Option<Unit> = match bytes.as_slice() {
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes),
        _ => None,
    };
    if let Some(unit) = wide {
        let (pairs, rest) = bytes[2..].as_chunks::<2>();
        let mut text = String::with_capacity(pairs.len());
        for sign in char::decode_utf16(pairs.iter().map(|&pair| unit(pair))) {
            text.push(
                sign.map_err(|_| {
                    after(&text, "half a character of UTF-16; save the file as UTF-8")
                })?,
            );
        }
        return match rest {
            [] => Ok((text, None)),
            _ => Err(after(&text, "half a unit of UTF-16; save the file as UTF-8")),
        };
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok((text, None)),
        Err(error) => {
            let bytes = error.into_bytes();
            let mut text = String::with_capacity(bytes.len());
            for byte in bytes {
                // A byte of zero occurs in no text, but in nearly every other file.
                let sign = windows_1252(byte).filter(|&sign| sign != '\0').ok_or_else(|| {
                    let what = format!("expected text, found the byte 0x{byte:02x}");
                    after(&text, &what)
                })?;
                text.push(sign);
            }
            Ok((text, Some("Windows-1252")))
        }
    }
}

/// An error at the position behind a text.
fn after(text: &str, message: &str) -> ParseError {
    let last = text.rsplit('\n').next().unwrap_or_default();
    ParseError::at(text.matches('\n').count() + 1, last.chars().count() + 1, message)
}

/// The character of a byte in Windows-1252, of which Latin-1 is a part; `None` for the five bytes
/// without a character. Reference: the code page's table of the WHATWG Encoding Standard.
fn windows_1252(byte: u8) -> Option<char> {
    const UPPER: [char; 32] = [
        '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', //
        '\0', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => Some(UPPER[usize::from(byte) - 0x80]).filter(|&sign| sign != '\0'),
        _ => Some(char::from(byte)),
    }
}

/// Parses the records of a file: a JSON array, or one JSON object per line.
///
/// # Errors
/// The first invalid record, or a file without records.
pub(crate) fn records<T: DeserializeOwned>(name: &str, content: &str) -> Result<Vec<T>, Failure> {
    let not_a_record = |error: &serde_json::Error, line: usize| {
        // The parser's message ends with a line and column of its own.
        let message = error.to_string();
        let why = message.split(" at line ").next().unwrap_or_default();
        refused(name, &ParseError::at(line, error.column().max(1), format!("not a record: {why}")))
    };
    let rows: Vec<T> = if content.trim_start().starts_with('[') {
        serde_json::from_str(content).map_err(|error| not_a_record(&error, error.line()))?
    } else {
        let lines = content.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(i, line)| {
                serde_json::from_str(line).map_err(|error| not_a_record(&error, i + 1))
            })
            .collect::<Result<Vec<T>, Failure>>()?
    };
    if rows.is_empty() {
        return Err(Failure::new(INPUT, format!("{name}: the file contains no record")));
    }
    Ok(rows)
}

/// Whether a file contains records: JSON, or comma-separated values with a column `solution`.
pub(crate) fn is_of_records(content: &str) -> bool {
    let mut lines = content.lines().filter(|line| !line.starts_with('#'));
    let first = lines.next().unwrap_or("").trim_start();
    first.starts_with(['[', '{']) || first.split(',').any(|column| column == "solution")
}

/// Parses the solutions of a file of records, which is a JSON array, one JSON object per line, or a
/// table of comma-separated values.
///
/// # Errors
/// The first invalid record, or a file without records.
pub(crate) fn solved(name: &str, content: &str) -> Result<Vec<Solved>, Failure> {
    if content.trim_start().starts_with(['[', '{']) {
        return records(name, content);
    }
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(content.as_bytes());
    let not_a_record = |line: usize, why: &dyn std::fmt::Display| {
        refused(name, &ParseError::at(line, 1, format!("not a record: {why}")))
    };
    let rows: Result<Vec<Solved>, csv::Error> = reader.deserialize().collect();
    let rows = rows.map_err(|error| {
        not_a_record(error.position().map_or(1, |position| position.line() as usize), &error)
    })?;
    if rows.is_empty() {
        return Err(not_a_record(1, &"there is no line of values"));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn encodings_are_distinguished() {
        let text = |bytes: &[u8]| decoded(bytes.to_vec());
        assert_eq!(text("Straße".as_bytes()), Ok(("Straße".to_owned(), None)));
        assert_eq!(text(b"Stra\xdfe"), Ok(("Straße".to_owned(), Some("Windows-1252"))));
        assert_eq!(text(b"\x93a\x94"), Ok(("“a”".to_owned(), Some("Windows-1252"))));
        assert_eq!(text(b"\xff\xfe#\0@\0"), Ok(("#@".to_owned(), None)));
        assert_eq!(text(b"\xfe\xff\0#\0@"), Ok(("#@".to_owned(), None)));
    }

    #[test]
    fn bytes_that_are_no_text_are_rejected_with_their_position() {
        let refused = |bytes: &[u8]| {
            let error = decoded(bytes.to_vec()).unwrap_err();
            (error.line, error.column, error.message)
        };
        let (line, column, message) = refused(b"ab\nc\x81");
        assert_eq!((line, column), (2, 2));
        assert_eq!(message, "expected text, found the byte 0x81");
        assert_eq!(refused(b"\xe9\0").1, 2);
        assert_eq!(refused(b"\xff\xfe#\0@").1, 2);
        assert_eq!(refused(b"\xff\xfe\0\xd8#\0").1, 1);
    }
}
