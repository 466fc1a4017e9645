//! Rows of a table with their positions: quotes, separators, lines and columns of the file.

use crate::errors::Location;
use ::csv::{Reader, ReaderBuilder, StringRecord, Trim};

/// Possible separators of cells. The first one is chosen among separators that suit a header
/// equally.
const SEPARATORS: [u8; 3] = [b',', b'\t', b';'];

/// A row.
pub(super) struct Row<'a> {
    /// The line of the file where it begins, from 1.
    pub(super) line: usize,
    /// Its text, from the beginning of that line.
    text: &'a str,
    delimiter: u8,
    pub(super) cells: StringRecord,
    /// The cell whose quotes are broken.
    pub(super) broken: Option<usize>,
}

impl Row<'_> {
    pub(super) fn place(&self) -> Location {
        Location::Text(self.line, 1)
    }

    pub(super) fn is_whole(&self, columns: usize) -> bool {
        self.broken.is_none() && self.cells.len() == columns
    }

    /// The position of a cell's first character that is not blank, or of the cell itself.
    pub(super) fn at(&self, cell: usize) -> Location {
        let mut starts = Vec::new();
        broken(self.text, self.delimiter, &mut starts);
        let start = starts.get(cell).copied().unwrap_or(0);
        let text = &self.text[start..];
        let blank = match self.cells.get(cell) {
            Some("") | None => 0,
            Some(_) => text.len() - text.trim_start().len(),
        };
        let before = &self.text[..start + blank];
        let last = before.rsplit(['\n', '\r']).next().unwrap_or(before);
        Location::Text(self.line + breaks(before), last.chars().count() + 1)
    }
}

/// The rows of a text.
pub(super) struct Rows<'a> {
    text: &'a str,
    delimiter: u8,
    reader: Reader<&'a [u8]>,
    /// Byte offset of the last row, and its line.
    start: usize,
    line: usize,
    /// Reused buffer for where the cells of a row begin.
    starts: Vec<usize>,
}

impl<'a> Rows<'a> {
    /// The rows from the header on. The header determines the separator: the column of prices has
    /// to be one of its cells.
    pub(super) fn new(text: &'a str, price: &str) -> Self {
        let delimiter = separator(text, price);
        let reader = reader(text, delimiter);
        Self { text, delimiter, reader, start: 0, line: 1, starts: Vec::new() }
    }
}

impl<'a> Iterator for Rows<'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        loop {
            let from = self.reader.position().byte() as usize;
            let mut cells = StringRecord::new();
            // A text in memory can always be read, and it is valid UTF-8.
            if !matches!(self.reader.read_record(&mut cells), Ok(true)) {
                return None;
            }
            let to = self.reader.position().byte() as usize;
            let text: &'a str = self.text;
            let raw = text.get(from..to).unwrap_or("");
            // Spreadsheets write rows of nothing but separators below a table.
            let is_blank = |c: char| c.is_whitespace() || c == char::from(self.delimiter);
            if raw.chars().all(is_blank) {
                continue;
            }
            let row = raw.trim_start_matches(['\n', '\r']);
            let start = to - row.len();
            self.line += breaks(text.get(self.start..start).unwrap_or(""));
            self.start = start;
            let row = row.trim_end_matches(['\n', '\r']);
            self.starts.clear();
            return Some(Row {
                line: self.line,
                text: row,
                delimiter: self.delimiter,
                cells,
                broken: broken(row, self.delimiter, &mut self.starts),
            });
        }
    }
}

fn reader(text: &str, delimiter: u8) -> Reader<&[u8]> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .delimiter(delimiter)
        .from_reader(text.as_bytes())
}

/// The separator of a text: the separator by which its header has the column of prices, or
/// otherwise the separator that splits the header into the most cells.
fn separator(text: &str, price: &str) -> u8 {
    let folded = price.to_lowercase();
    let header = |delimiter: u8| {
        let mut records = reader(text, delimiter).into_records();
        let filled = |cells: &StringRecord| cells.iter().any(|cell| !cell.is_empty());
        let first = records.find_map(|record| record.ok().filter(filled));
        first.unwrap_or_default()
    };
    let suits = |cells: &StringRecord| cells.iter().any(|cell| super::is_word(cell, &folded));
    let mut best = (SEPARATORS[0], (false, 0));
    let is_there = |delimiter: &u8| text.as_bytes().contains(delimiter);
    for delimiter in SEPARATORS.into_iter().filter(is_there) {
        let cells = header(delimiter);
        let found = (suits(&cells), cells.len());
        if found > best.1 {
            best = (delimiter, found);
        }
    }
    best.0
}

/// Number of line breaks, in the convention of any system.
fn breaks(text: &str) -> usize {
    let count = |of: &str| text.matches(of).count();
    count("\n") + count("\r") - count("\r\n")
}

/// The first cell of a row with quotes that do not enclose the whole cell; the CSV reader accepts
/// such quotes. Adds the byte offsets of the cells up to that one to `starts`.
fn broken(row: &str, delimiter: u8, starts: &mut Vec<usize>) -> Option<usize> {
    /// The position within a cell.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum At {
        Start,
        Plain,
        Quoted,
        /// After a quote, which may be the last one or the first of two.
        Quote,
    }
    let (mut at, mut cell) = (At::Start, 0);
    starts.push(0);
    for (i, byte) in row.bytes().enumerate() {
        at = match (at, byte) {
            (At::Quoted, b'"') => At::Quote,
            (At::Quoted, _) | (At::Start | At::Quote, b'"') => At::Quoted,
            (_, byte) if byte == delimiter => {
                cell += 1;
                starts.push(i + 1);
                At::Start
            }
            (At::Plain, b'"') | (At::Quote, _) => return Some(cell),
            _ => At::Plain,
        };
    }
    (at == At::Quoted).then_some(cell)
}
