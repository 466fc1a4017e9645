//! Reading pools of items from tables of comma-separated values, as spreadsheets write them.
//!
//! ```text
//! name,race,guild:trait,level,price
//! Aria,elf,7,84,1200
//! Borin,dwarf,7,60.25,10
//! ```
//!
//! The first row names the columns. `price` is required and `name` is optional. Any other column is
//! a number if all of its cells are, and a trait otherwise. `:trait` after a name makes a trait of
//! numbers. If all cells but a few are numbers, those few are refused, so that a typing error does
//! not turn a column into a trait. Semicolons separate cells where the header has no comma;
//! decimals have a point. All errors are reported at once, by line and column of the file, in
//! characters and from 1.

use super::read::{Decimal, Errors, MOST_ITEMS, Place, ReadError, are_mistakes, price};
use ::csv::{Reader, ReaderBuilder, StringRecord, Trim};
use serde_json::{Map, Number, Value};
use std::collections::{HashMap, HashSet};

/// Most mistakes that are reported one by one.
const MOST_TOLD: usize = 100;

/// What marks a column of traits.
const TRAIT: &str = ":trait";

/// Reads a table of items into the document that [`pool`](super::read::pool) reads, in its layout of objects.
///
/// # Errors
/// All mistakes, each with the line and column of its cell: up to a hundred of them, and how many
/// more there are.
pub fn items(text: &str) -> Result<Map<String, Value>, Vec<ReadError>> {
    let mut told = Told::default();
    let found = document(text.trim_start_matches('\u{feff}'), &mut told);
    let errors = told.all();
    match found {
        Some(found) if errors.is_empty() => Ok(found),
        _ => Err(errors),
    }
}

/// The mistakes found: the first ones, and the number of the others.
#[derive(Default)]
struct Told {
    errors: Errors,
    more: usize,
}

impl Told {
    /// The errors to add to. Errors beyond the limit are only counted, so that a file full of
    /// mistakes takes little memory.
    fn errors(&mut self) -> &mut Errors {
        self.more += self.errors.0.len().saturating_sub(MOST_TOLD);
        self.errors.0.truncate(MOST_TOLD);
        &mut self.errors
    }

    fn all(mut self) -> Vec<ReadError> {
        self.errors();
        if self.more > 0 {
            let more = format!("{} more mistakes", self.more);
            self.errors.tell("the table", more);
        }
        self.errors.0
    }
}

fn document(text: &str, told: &mut Told) -> Option<Map<String, Value>> {
    let mut rows = Rows::new(text);
    let Some(header) = rows.next() else {
        told.errors().tell(Place::Text(1, 1), "there is no header");
        return None;
    };
    if header.broken.is_some() {
        header.tell_broken(&[], told.errors());
        return None;
    }
    let mut columns = columns(&header, told);
    // One row too many shows that there are too many.
    let rows: Vec<Row<'_>> = rows.take(MOST_ITEMS + 1).collect();
    if rows.is_empty() {
        let reason = "there is no row below the header";
        told.errors().tell(header.place(), reason);
    }
    if let Some(row) = rows.get(MOST_ITEMS) {
        let reason = format!("more than {MOST_ITEMS} items");
        told.errors().tell(row.place(), reason);
        return None;
    }
    let wide = columns.len();
    let whole = || rows.iter().filter(|row| row.is_whole(wide));
    for (i, column) in columns.iter_mut().enumerate() {
        if column.kind != Kind::Number {
            continue;
        }
        let cells = || whole().map(|row| &row.cells[i]);
        let filled = cells().filter(|cell| !cell.is_empty()).count();
        let numbers = cells().filter(|cell| value(cell).is_some()).count();
        if numbers < filled && !are_mistakes(filled - numbers, numbers) {
            column.kind = Kind::Trait;
        }
    }
    let mut names = HashMap::new();
    let items: Vec<Value> = rows
        .iter()
        .map(|row| Value::Object(row.item(&columns, &mut names, told.errors())))
        .collect();
    let traits = columns.iter().filter(|column| column.kind == Kind::Trait);
    let traits: Vec<&str> = traits.map(|column| column.name.as_str()).collect();
    let mut document = Map::new();
    document.insert("traits".to_owned(), traits.into());
    document.insert("items".to_owned(), items.into());
    Some(document)
}

/// The value of a cell that is a number.
fn value(cell: &str) -> Option<Value> {
    serde_json::from_str::<Number>(cell).ok().map(Value::Number)
}

/// The meaning of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Name,
    Price,
    Trait,
    Number,
}

/// A column.
struct Column {
    name: String,
    kind: Kind,
}

/// The columns that a header names.
fn columns(header: &Row<'_>, told: &mut Told) -> Vec<Column> {
    let mut seen = HashSet::new();
    let mut columns = Vec::new();
    for (i, cell) in header.cells.iter().enumerate() {
        let stem = cell.strip_suffix(TRAIT).map(str::trim_end);
        let name = stem.unwrap_or(cell);
        let kind = match name {
            "name" => Kind::Name,
            "price" => Kind::Price,
            _ if stem.is_some() => Kind::Trait,
            _ => Kind::Number,
        };
        let mut tell = |reason: String| {
            told.errors().tell(header.at(i), reason);
        };
        if name.is_empty() {
            tell("the column has no name".to_owned());
        } else if !seen.insert(name) {
            tell(format!("there is another column `{name}`"));
        } else if stem.is_some() && kind != Kind::Trait {
            tell(format!("`{name}` is no trait"));
        }
        columns.push(Column {
            name: name.to_owned(),
            kind,
        });
    }
    if !seen.contains("price") {
        told.errors()
            .tell(header.place(), "there is no column `price`");
    }
    columns
}

/// A row.
struct Row<'a> {
    /// The line of the file where it begins, from 1.
    line: usize,
    /// Its text, from the beginning of that line.
    text: &'a str,
    delimiter: u8,
    cells: StringRecord,
    /// The cell whose quotes are broken.
    broken: Option<usize>,
}

impl Row<'_> {
    fn place(&self) -> Place {
        Place::Text(self.line, 1)
    }

    fn is_whole(&self, columns: usize) -> bool {
        self.broken.is_none() && self.cells.len() == columns
    }

    /// The place of a cell's first character that is not blank, or of the cell itself.
    fn at(&self, cell: usize) -> Place {
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
        Place::Text(self.line + breaks(before), last.chars().count() + 1)
    }

    fn tell_broken(&self, columns: &[Column], errors: &mut Errors) {
        if let Some(cell) = self.broken {
            let name = columns
                .get(cell)
                .map(|column| format!("`{}`: ", column.name));
            let why =
                "broken quotes: they stand around a whole cell, and twice for each one within it";
            errors.tell(self.at(cell), name.unwrap_or_default() + why);
        }
    }

    /// The item of this row, as far as it can be read. `names` holds the line of each name so far.
    fn item<'a>(
        &'a self,
        columns: &[Column],
        names: &mut HashMap<&'a str, usize>,
        errors: &mut Errors,
    ) -> Map<String, Value> {
        let mut item = Map::new();
        self.tell_broken(columns, errors);
        if self.is_whole(columns.len()) {
            for (i, (column, cell)) in columns.iter().zip(&self.cells).enumerate() {
                let place = || self.at(i);
                let found = match column.kind {
                    Kind::Price => price_of(cell, &place, errors),
                    _ if cell.is_empty() => {
                        errors.tell(place(), format!("the cell of `{}` is empty", column.name));
                        None
                    }
                    Kind::Number => number(&column.name, cell, &place, errors),
                    Kind::Trait => Some(cell.into()),
                    Kind::Name => {
                        if let Some(line) = names.insert(cell, self.line) {
                            let why = format!("the name `{cell}` stands on line {line}, too");
                            errors.tell(place(), why);
                        }
                        Some(cell.into())
                    }
                };
                item.extend(found.map(|value| (column.name.clone(), value)));
            }
        } else if self.broken.is_none() {
            let (found, wanted) = (self.cells.len(), columns.len());
            let reason = format!("cells: {found}, expected {wanted} as in the header");
            errors.tell(self.place(), reason);
        }
        item
    }
}

fn price_of(cell: &str, place: &dyn Fn() -> Place, errors: &mut Errors) -> Option<Value> {
    let value = (!cell.is_empty()).then(|| value(cell).unwrap_or_else(|| cell.into()));
    price(value.as_ref(), place, errors).map(Value::from)
}

/// The number of a cell in a column of numbers.
fn number(name: &str, cell: &str, place: &dyn Fn() -> Place, errors: &mut Errors) -> Option<Value> {
    let value = value(cell);
    let found = value.clone().filter(|value| Decimal::of(value).is_some());
    if found.is_none() {
        let why = match value {
            None => "is no number, as the column's other cells are",
            Some(_) => "is too large or has too many decimals",
        };
        let declared = format!("`{name}{TRAIT}` in the header would make the column a trait");
        errors.tell(place(), format!("`{name}`: `{cell}` {why}; {declared}"));
    }
    found
}

/// The rows of a text.
struct Rows<'a> {
    text: &'a str,
    delimiter: u8,
    reader: Reader<&'a [u8]>,
    /// Where the last row begins, in bytes, and its line.
    start: usize,
    line: usize,
    /// Reused buffer for where the cells of a row begin.
    starts: Vec<usize>,
}

impl<'a> Rows<'a> {
    fn new(text: &'a str) -> Self {
        let mut lines = text.split(['\n', '\r']);
        let header = lines.find(|line| !line.trim().is_empty()).unwrap_or("");
        let delimiter = if header.contains(';') && !header.contains(',') {
            b';'
        } else {
            b','
        };
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(Trim::All)
            .delimiter(delimiter)
            .from_reader(text.as_bytes());
        Self {
            text,
            delimiter,
            reader,
            start: 0,
            line: 1,
            starts: Vec::new(),
        }
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
            if raw.trim().is_empty() {
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

/// Number of line breaks, in the convention of any system.
fn breaks(text: &str) -> usize {
    let count = |of: &str| text.matches(of).count();
    count("\n") + count("\r") - count("\r\n")
}

/// The first cell of a row with quotes that do not enclose it as a whole; the reader accepts such
/// quotes. Adds where the cells begin, in bytes, up to that one.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{items::Items, read::pool};
    use serde_json::json;

    fn read(text: &str) -> Items {
        let document = Value::Object(items(text).unwrap());
        pool(&document.to_string()).unwrap().items
    }

    fn told(text: &str) -> Vec<String> {
        let errors = items(text).unwrap_err();
        errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn columns_are_numbers_if_all_of_their_cells_are() {
        let text = "name,race,guild:trait,level,rank,price\n\
            Aria,elf,007,84,1,1200\n\"Borin, \"\"the\r\nBold\"\"\", dwarf ,7,60.25,x,10\n";
        let document = items(text).unwrap();
        assert_eq!(document["traits"], json!(["race", "guild", "rank"]));
        assert_eq!(
            document["items"][0],
            json!({"name": "Aria", "race": "elf", "guild": "007", "level": 84, "rank": "1", "price": 1200})
        );
        let found = read(text);
        assert_eq!(found.names, ["Aria", "Borin, \"the\r\nBold\""]);
        assert_eq!(
            found.traits[found.find_trait("guild").unwrap()].values,
            ["007", "7"]
        );
        assert_eq!(found.numbers[0].places, 2);
        assert_eq!(found.numbers[0].values, [8400, 6025]);
        assert_eq!(found.prices, [1200, 10]);
    }

    #[test]
    fn tables_come_from_any_spreadsheet() {
        let text = "race,level,price\nelf,84.125,3\n";
        let usual = read(text);
        for text in [
            text.replace(',', ";"),
            text.replace('\n', "\r\n"),
            text.replace('\n', "\r"),
            format!("\u{feff}\"race\"{}", &text[4..]),
            format!("\n  \n{text}\n \n\n"),
        ] {
            assert_eq!(read(&text), usual, "{text:?}");
        }
        // A comma in the header makes commas the separators, whatever else there is.
        assert_eq!(read("a;b,price\nx,1").traits[0].name, "a;b");
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let text = "name,level,race,price\nAria,84,\"el\nf\",1200\n\nBorin,,dwarf,-5\r\nCyd,70.1234,orc,\n\
            a,1\nAria,8,x,1.5,7\nAria,99999999999,elf,1e3\nDov,7,\"elf\" ,3\n Eva ,1,e\"f,x\nFay,1,\"elf,4\n";
        let quotes = "`race`: broken quotes: they stand around a whole cell, and twice for each one within it";
        let declared = "`level:trait` in the header would make the column a trait";
        assert_eq!(
            told(text),
            [
                "line 5, column 7: the cell of `level` is empty",
                "line 5, column 14: the price -5 is negative",
                &format!(
                    "line 6, column 5: `level`: `70.1234` is too large or has too many decimals; {declared}"
                ),
                "line 6, column 17: there is no price",
                "line 7, column 1: cells: 2, expected 4 as in the header",
                "line 8, column 1: cells: 5, expected 4 as in the header",
                "line 9, column 1: the name `Aria` stands on line 2, too",
                &format!(
                    "line 9, column 6: `level`: `99999999999` is too large or has too many decimals; {declared}"
                ),
                "line 9, column 22: the price is 1000.0, expected a whole number",
                &format!("line 10, column 7: {quotes}"),
                &format!("line 11, column 9: {quotes}"),
                &format!("line 12, column 7: {quotes}"),
            ]
        );
    }

    /// Columns count in characters, and lines within a row count, too.
    #[test]
    fn cells_have_the_place_where_they_stand() {
        assert_eq!(
            told("\u{feff}name,race,price\n\"Bör\nin\",  élf , x\r\n\n Äria,,-1\n"),
            [
                "line 3, column 13: the price is \"x\", expected a whole number",
                "line 5, column 7: the cell of `race` is empty",
                "line 5, column 8: the price -1 is negative",
            ]
        );
    }

    /// A few cells that are not a number among numbers are mistakes. A column with many of both is
    /// a trait, as is one that says so.
    #[test]
    fn a_slip_among_numbers_makes_no_trait() {
        let table = |header: &str, cells: &[&str]| {
            let rows = cells.iter().map(|cell| format!("{cell},1\n"));
            format!("{header},price\n{}", rows.collect::<String>())
        };
        let slip = table("level", &["84", "6o", "70.5"]);
        assert_eq!(
            told(&slip),
            [
                "line 3, column 1: `level`: `6o` is no number, as the column's other cells are; `level:trait` in the header \
                 would make the column a trait"
            ]
        );
        let two = table("level", &["84", "x", "1", "2", "3", "4", "?", "5"]);
        let places: Vec<String> = told(&two)
            .iter()
            .map(|told| told[..17].to_owned())
            .collect();
        assert_eq!(places, ["line 3, column 1:", "line 8, column 1:"]);
        for (header, cells) in [
            ("level:trait", &["84", "6o", "70.5"][..]),
            ("level", &["84", "6o"]),
            ("level", &["84", "x", "1", "2", "y", "3", "z", "4"]),
            ("level", &["a", "b", "7"]),
        ] {
            let found = read(&table(header, cells));
            assert_eq!(found.numbers, [], "{cells:?}");
            assert_eq!(found.traits[0].values[0], cells[0]);
        }
    }

    #[test]
    fn headers_are_looked_at_as_a_whole() {
        assert_eq!(
            told("level,,level:trait,name:trait\n1,2,3,4\n5\n"),
            [
                "line 1, column 7: the column has no name",
                "line 1, column 8: there is another column `level`",
                "line 1, column 20: `name` is no trait",
                "line 1, column 1: there is no column `price`",
                "line 3, column 1: cells: 1, expected 4 as in the header",
            ]
        );
        assert_eq!(told(""), ["line 1, column 1: there is no header"]);
        assert_eq!(
            told("\r\n price \r\n"),
            ["line 2, column 1: there is no row below the header"]
        );
        assert!(told("price,\"x\n1,2\n")[0].starts_with("line 1, column 7: broken quotes"));
    }

    #[test]
    fn no_more_is_told_than_can_be_read_and_no_more_is_read_than_can_be_solved() {
        let text = format!("price\n{}", "x\n".repeat(1234));
        let told_of = told(&text);
        assert_eq!(told_of.len(), MOST_TOLD + 1);
        assert_eq!(told_of.last().unwrap(), "the table: 1134 more mistakes");
        let text = format!("price\n{}", "1\n".repeat(MOST_ITEMS + 1));
        assert_eq!(
            told(&text),
            ["line 1000002, column 1: more than 1000000 items"]
        );
    }

    /// Any text is read, or refused with reasons. What is read is a pool, except for rules that
    /// only a pool checks.
    #[test]
    fn no_text_is_too_strange() {
        let bits = [
            "\"", ",", ";", "\n", "\r", "price", "name", "7", "é", " ", ":trait",
        ];
        let mut rng = unriddle_core::Rng::new(1);
        for _ in 0..20_000 {
            let count = rng.below(24);
            let text: String = (0..count)
                .map(|_| bits[rng.below(bits.len() as u64) as usize])
                .collect();
            match items(&text) {
                Ok(document) => {
                    let document = Value::Object(document).to_string();
                    assert!(pool(&document).is_ok(), "{text:?} as {document}");
                }
                Err(errors) => assert!(!errors.is_empty(), "{text:?}"),
            }
        }
    }
}
