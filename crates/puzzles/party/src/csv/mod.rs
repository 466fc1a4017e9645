//! Reading pools of items from tables, as spreadsheets write them: cells separated by commas, tabs
//! or semicolons.
//!
//! ```text
//! name,race,guild:trait,level,price
//! Aria,elf,7,84,1200
//! Borin,dwarf,7,60.25,10.50
//! ```
//!
//! The first row is the header. It names the columns and determines the separator: the one by which
//! `price` is a cell of the header. `price` is required ([`items_priced`] reads tables with another
//! name), and `name` is optional, in any case of letters. Names may repeat. A price may be missing:
//! an empty cell, `n/a`, `-` and the like.
//!
//! Any other column is a number if all of its cells are numbers, and a trait otherwise.
//! `:trait` after a name makes a trait of numbers. If all cells but a few are numbers, the others
//! are refused, so that a typing error does not turn a column into a trait. A cell may be enclosed
//! in quotes, as in CSV.
//!
//! Decimals have a point. Prices may have a comma between thousands where it cannot be taken for a
//! decimal comma (`csv::prices`). All errors are reported at once, by line and column of the file,
//! in characters and from 1.

mod prices;
mod rows;

use super::{
    decimal::Decimal,
    errors::{Errors, Location, ReadError},
    items::{MOST_ITEMS, plain},
    prices::{
        DECIMALS, PRICE, Unpriced, is_missing, is_too_large, other_columns, tell_unpriced,
        too_large,
    },
    read::are_mistakes,
};
use prices::{price_in, shows_signs};
use rows::{Row, Rows};
use serde_json::{Map, Number, Value};
use std::collections::HashSet;

/// Suffix of a header cell that declares a trait.
const TRAIT: &str = ":trait";

/// Reads a table of items into the document that [`pool`](super::read::pool) reads, in its layout
/// of objects.
///
/// # Errors
/// All mistakes, each with the line and column of its cell: up to a hundred of them, and how many
/// more there are. Unless items without a price are refused, they have no price in the document
/// either.
pub fn items(text: &str, unpriced: Unpriced) -> Result<Map<String, Value>, Vec<ReadError>> {
    items_priced(text, unpriced, "")
}

/// Reads a table whose column of prices has another name; an empty name is `price`.
///
/// # Errors
/// The errors of [`items`].
pub fn items_priced(
    text: &str,
    unpriced: Unpriced,
    column: &str,
) -> Result<Map<String, Value>, Vec<ReadError>> {
    let mut errors = Errors::default();
    let text = text.trim_start_matches('\u{feff}');
    let column = if column.is_empty() { PRICE } else { column };
    let found = document(text, unpriced, column, &mut errors);
    found.filter(|_| errors.count() == 0).ok_or_else(|| errors.into_list("the table"))
}

/// The document of a table.
fn document(
    text: &str,
    unpriced: Unpriced,
    price: &str,
    errors: &mut Errors,
) -> Option<Map<String, Value>> {
    let mut rows = Rows::new(text, price);
    let Some(header) = rows.next() else {
        return errors.refuse(Location::Text(1, 1), "there is no header");
    };
    if header.broken.is_some() {
        tell_broken(&header, &[], errors);
        return None;
    }
    let mut columns = columns(&header, price, errors);
    // One row too many shows that there are too many.
    let rows: Vec<Row<'_>> = rows.take(MOST_ITEMS + 1).collect();
    if rows.is_empty() {
        errors.tell(header.place(), "there is no row below the header");
    }
    if let Some(row) = rows.get(MOST_ITEMS) {
        return errors.refuse(row.place(), format!("more than {MOST_ITEMS} items"));
    }
    let wide = columns.len();
    let whole = || rows.iter().filter(|row| row.is_whole(wide));
    for (i, column) in columns.iter_mut().enumerate().filter(|(_, c)| c.kind == Kind::Number) {
        let cells = || whole().map(|row| &row.cells[i]);
        let filled = cells().filter(|cell| !cell.is_empty()).count();
        let numbers = cells().filter(|cell| value(cell).is_some()).count();
        if numbers < filled && !are_mistakes(filled - numbers, numbers) {
            column.kind = Kind::Trait;
        }
    }
    let prices = columns.iter().position(|column| column.kind == Kind::Price);
    if prices.is_none() {
        let numbers = columns.iter().filter(|c| c.kind == Kind::Number && !c.name.is_empty());
        let numbers: Vec<&str> = numbers.map(|column| column.name.as_str()).collect();
        let other = other_columns(&numbers);
        let price = plain(price);
        errors.tell(header.place(), format!("there is no column `{price}`; {other}"));
    }
    let signs = prices.is_some_and(|i| whole().any(|row| shows_signs(&row.cells[i])));
    let mut reader = ItemReader {
        columns: &columns,
        signs,
        prices: Vec::new(),
        decimals: 0,
        without_price: Vec::new(),
    };
    let items: Vec<Value> =
        rows.iter().map(|row| Value::Object(reader.item(row, errors))).collect();
    let ItemReader { prices, decimals, without_price, .. } = reader;
    if let (Unpriced::Refuse, Some((_, first))) = (unpriced, without_price.first()) {
        let lines = without_price.iter().map(|(line, _)| format!("line {line}"));
        tell_unpriced(first.clone(), &lines.collect::<Vec<_>>(), errors);
    }
    if let Some((_, row, cell)) = prices.iter().find(|(price, ..)| is_too_large(*price, decimals)) {
        errors.tell(row.at(*cell), too_large(decimals));
    }
    let traits = columns.iter().filter(|column| column.kind == Kind::Trait);
    let traits: Vec<&str> = traits.map(|column| column.name.as_str()).collect();
    let mut document = Map::from_iter([("traits".to_owned(), traits.into())]);
    if decimals > 0 {
        document.insert(DECIMALS.to_owned(), decimals.into());
    }
    document.insert("items".to_owned(), items.into());
    Some(document)
}

/// Whether a cell is a word, in any case of letters.
fn is_word(cell: &str, word: &str) -> bool {
    cell.trim().to_lowercase() == word
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
fn columns(header: &Row<'_>, price: &str, errors: &mut Errors) -> Vec<Column> {
    let mut seen = HashSet::new();
    let mut columns = Vec::new();
    // The exact name or, without one, the name in other letters.
    let is_exact = header.cells.iter().any(|cell| cell.trim() == price);
    let folded = price.to_lowercase();
    let is_price = |name: &str| if is_exact { name == price } else { is_word(name, &folded) };
    for (i, cell) in header.cells.iter().enumerate() {
        let cut = cell.len().saturating_sub(TRAIT.len());
        let stem = match cell.get(cut..) {
            Some(end) if is_word(end, TRAIT) => cell.get(..cut).map(str::trim_end),
            _ => None,
        };
        let name = stem.unwrap_or(cell);
        let (name, kind) = match name {
            _ if is_word(name, "name") => ("name", Kind::Name),
            _ if is_price(name) => (PRICE, Kind::Price),
            _ if price != PRICE && is_word(name, PRICE) => {
                let why = format!(
                    "the table has `{}` and `{PRICE}`: leave one of them out",
                    plain(price)
                );
                errors.tell(header.at(i), why);
                (name, Kind::Number)
            }
            _ if stem.is_some() => (name, Kind::Trait),
            _ => (name, Kind::Number),
        };
        if name.is_empty() {
            errors.tell(header.at(i), "the column has no name");
        } else if !seen.insert(name.to_lowercase()) {
            errors.tell(header.at(i), format!("there is another column `{name}`"));
        } else if stem.is_some() && kind != Kind::Trait {
            errors.tell(header.at(i), format!("`{name}` cannot be a trait"));
        }
        columns.push(Column { name: name.to_owned(), kind });
    }
    columns
}

fn tell_broken(row: &Row<'_>, columns: &[Column], errors: &mut Errors) {
    if let Some(cell) = row.broken {
        let name = columns.get(cell).map(|column| format!("`{}`: ", column.name));
        let why =
            "broken quotes: enclose the whole cell in quotes, and double each quote within it";
        errors.tell(row.at(cell), name.unwrap_or_default() + why);
    }
}

/// Reads rows as items.
struct ItemReader<'a> {
    columns: &'a [Column],
    /// Whether some price shows the meaning of commas.
    signs: bool,
    /// The prices so far, with their rows and columns.
    prices: Vec<(Decimal, &'a Row<'a>, usize)>,
    /// Most decimals that a price has been written with.
    decimals: usize,
    /// The lines of items without a price, and the positions of the empty cells.
    without_price: Vec<(usize, Location)>,
}

impl<'a> ItemReader<'a> {
    /// The item of a row, as far as it can be read.
    fn item(&mut self, row: &'a Row<'a>, errors: &mut Errors) -> Map<String, Value> {
        let mut item = Map::new();
        tell_broken(row, self.columns, errors);
        if row.is_whole(self.columns.len()) {
            for (i, (column, cell)) in self.columns.iter().zip(&row.cells).enumerate() {
                let place = || row.at(i);
                let found = match column.kind {
                    Kind::Price if is_missing(cell) => {
                        self.without_price.push((row.line, place()));
                        None
                    }
                    Kind::Price => match price_in(cell, self.signs) {
                        Ok((price, decimal, decimals)) => {
                            self.decimals = self.decimals.max(decimals);
                            self.prices.push((decimal, row, i));
                            Some(price)
                        }
                        Err(why) => errors.refuse(place(), why),
                    },
                    _ if cell.is_empty() => {
                        errors.refuse(place(), format!("the cell of `{}` is empty", column.name))
                    }
                    Kind::Number => number(&column.name, cell, &place, errors),
                    Kind::Trait | Kind::Name => Some(cell.into()),
                };
                item.extend(found.map(|value| (column.name.clone(), value)));
            }
        } else if row.broken.is_none() {
            let (found, wanted) = (row.cells.len(), self.columns.len());
            let reason = format!("cells: {found}, expected {wanted} as in the header");
            errors.tell(row.place(), reason);
        }
        item
    }
}

/// The number of a cell in a column of numbers.
fn number(
    name: &str,
    cell: &str,
    place: &dyn Fn() -> Location,
    errors: &mut Errors,
) -> Option<Value> {
    let why = match value(cell) {
        Some(value) if Decimal::of(&value).is_some() => return Some(value),
        Some(_) => "is too large or has too many decimals",
        None => "is not a number, as the column's other cells are",
    };
    let declared = format!("`{name}{TRAIT}` in the header would make the column a trait");
    errors.refuse(place(), format!("`{name}`: `{cell}` {why}; {declared}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{items::Items, read::pool};
    use serde_json::json;

    fn read(text: &str) -> Items {
        let document = Value::Object(items(text, Unpriced::Refuse).unwrap());
        pool(&document.to_string()).unwrap().items
    }

    fn told(text: &str) -> Vec<String> {
        let errors = items(text, Unpriced::Refuse).unwrap_err();
        errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn columns_are_numbers_if_all_of_their_cells_are() {
        let text = "name,race,guild:trait,level,rank,price\n\
            Aria,elf,007,84,1,1200\n\"Borin, \"\"the\r\nBold\"\"\", dwarf ,7,60.25,x,10\n";
        let document = items(text, Unpriced::Refuse).unwrap();
        assert_eq!(document["traits"], json!(["race", "guild", "rank"]));
        assert_eq!(
            document["items"][0],
            json!({"name": "Aria", "race": "elf", "guild": "007", "level": 84, "rank": "1", "price": 1200})
        );
        let found = read(text);
        assert_eq!(found.names, ["Aria", "Borin, \"the\r\nBold\""]);
        assert_eq!(found.traits[found.find_trait("guild").unwrap()].values, ["007", "7"]);
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
            text.replace(',', "\t"),
            text.replace(',', "\t") + "\t\t\n",
            text.replace("level", "\"level\"").replace("price", " PRICE "),
            text.replace('\n', "\r\n"),
            text.replace('\n', "\r"),
            format!("\u{feff}\"race\"{}", &text[4..]),
            format!("\n  \n{text}\n \n\n"),
        ] {
            assert_eq!(read(&text), usual, "{text:?}");
        }
        // `price` is a cell of the header with the right separator, whatever else the
        // header contains.
        assert_eq!(read("a;b,price\nx,1").traits[0].name, "a;b");
        assert_eq!(read("a,b\tPrice\nx\t1").traits[0].name, "a,b");
        assert_eq!(read("\"a\tb\",price\nx,1").traits[0].name, "a\tb");
        assert_eq!(read("a;\"b,price\";price\nx;y;1").traits[1].name, "b,price");
        let told_of = told("a;b;cost\nx;y;1");
        let other = "columns of numbers: `cost`; `party(price_column=\"cost\")`, or \"price_column\": \
                     \"cost\" in the puzzle, makes one of them the price";
        assert_eq!(told_of, [format!("line 1, column 1: there is no column `price`; {other}")]);
        assert_eq!(
            told("a;b\nx;y"),
            ["line 1, column 1: there is no column `price`; there is no column of numbers either"]
        );
    }

    /// Prices keep the decimals that they are written with, and names of columns any case.
    #[test]
    fn prices_are_decimals() {
        let text = "Name\tLevel\tGuild:TRAIT\tPrice\nAria\t84\t7\t1,234.50\nBorin\t70\t7\t10.00\n";
        let found = read(text);
        assert_eq!((found.prices, found.price_places), (vec![123_450, 1000], 2));
        assert_eq!(found.names, ["Aria", "Borin"]);
        assert_eq!(found.numbers[0].name, "Level");
        assert_eq!(found.traits[0].name, "Guild");
        assert_eq!(
            told("price\n0.50\n281474976710655\n"),
            ["line 3, column 1: the price is too large: it has to be below 2^48 in units of 2 \
                 decimals"]
        );
        assert_eq!(
            told("NAME;Name;price\na;b;\"1,234\"\n"),
            [
                "line 1, column 6: there is another column `name`",
                "line 2, column 5: the price 1,234 is 1234 or 1.234: write it without a comma",
            ]
        );
    }

    /// Every item without a price is named by its line, the first ten and the number of the others.
    #[test]
    fn items_without_a_price_are_named() {
        let text = format!("race,price\norc,1\n{}", "elf,\n".repeat(12));
        let all = told(&text);
        let expected = "line 3, column 5: 12 items have no price: line 3, line 4, line 5, line 6, line 7, \
                        line 8, line 9, line 10, line 11, line 12 and 2 more; `party(unpriced=exclude)`";
        assert!(all.len() == 1 && all[0].starts_with(expected), "{all:?}");
        let left = items(&text, Unpriced::Exclude).unwrap();
        assert_eq!(left["items"][1], json!({"race": "elf"}));
    }

    #[test]
    fn all_errors_are_reported_at_once() {
        let text = "name,level,race,price\nAria,84,\"el\nf\",1200\n\nBorin,,dwarf,-5\r\nCyd,70.1234,orc,\n\
            a,1\nAria,8,x,1.5,7\nAria,99999999999,elf,1e-4\nDov,7,\"elf\" ,3\n Eva ,1,e\"f,x\nFay,1,\"elf,4\n";
        let quotes = "`race`: broken quotes: enclose the whole cell in quotes, and double each quote within it";
        let declared = "`level:trait` in the header would make the column a trait";
        let price = "the price is 1e-4, expected a number such as 12 or 12.50, below 2^48 without its \
                     point and with at most 3 decimals";
        assert_eq!(
            told(text),
            [
                "line 5, column 7: the cell of `level` is empty",
                "line 5, column 14: the price -5 is negative",
                &format!(
                    "line 6, column 5: `level`: `70.1234` is too large or has too many decimals; {declared}"
                ),
                "line 7, column 1: cells: 2, expected 4 as in the header",
                "line 8, column 1: cells: 5, expected 4 as in the header",
                &format!(
                    "line 9, column 6: `level`: `99999999999` is too large or has too many decimals; {declared}"
                ),
                &format!("line 9, column 22: {price}"),
                &format!("line 10, column 7: {quotes}"),
                &format!("line 11, column 9: {quotes}"),
                &format!("line 12, column 7: {quotes}"),
                "line 6, column 17: there is no price; `party(unpriced=exclude)` leaves such items out, \
                 `party(unpriced=zero)` makes them free",
            ]
        );
    }

    /// Columns are counted in characters, and line breaks within a row are counted.
    #[test]
    fn cells_have_positions() {
        assert_eq!(
            told("\u{feff}name,race,price\n\"Bör\nin\",  élf , x\r\n\n Äria,,-1\n"),
            [
                "line 3, column 13: the price is \"x\", expected a number such as 12 or 12.50, below 2^48 \
                 without its point and with at most 3 decimals",
                "line 5, column 7: the cell of `race` is empty",
                "line 5, column 8: the price -1 is negative",
            ]
        );
    }

    /// A few cells that are not a number among numbers are mistakes. A column with many of both
    /// kinds is a trait, and so is a column that is declared as one.
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
                "line 3, column 1: `level`: `6o` is not a number, as the column's other cells are; `level:trait` in the header \
                 would make the column a trait"
            ]
        );
        let two = table("level", &["84", "x", "1", "2", "3", "4", "?", "5"]);
        let places: Vec<String> = told(&two).iter().map(|told| told[..17].to_owned()).collect();
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
    fn all_errors_of_a_header_are_reported() {
        assert_eq!(
            told("level,,level:trait,name:trait\n1,2,3,4\n5\n"),
            [
                "line 1, column 7: the column has no name",
                "line 1, column 8: there is another column `level`",
                "line 1, column 20: `name` cannot be a trait",
                "line 1, column 1: there is no column `price`; columns of numbers: `level`; \
                 `party(price_column=\"level\")`, or \"price_column\": \"level\" in the puzzle, makes one \
                 of them the price",
                "line 3, column 1: cells: 1, expected 4 as in the header",
            ]
        );
        assert_eq!(told(""), ["line 1, column 1: there is no header"]);
        assert_eq!(told("\r\n price \r\n"), ["line 2, column 1: there is no row below the header"]);
        assert!(told("price,\"x\n1,2\n")[0].starts_with("line 1, column 7: broken quotes"));
    }

    #[test]
    fn errors_and_items_are_limited() {
        let text = format!("price\n{}", "x\n".repeat(1234));
        let told_of = told(&text);
        assert_eq!(told_of.len(), crate::errors::MOST_TOLD + 1);
        assert_eq!(told_of.last().unwrap(), "the table: 1134 more mistakes");
        let text = format!("price\n{}", "1\n".repeat(MOST_ITEMS + 1));
        assert_eq!(told(&text), ["line 1000002, column 1: more than 1000000 items"]);
    }

    /// Any text is read, or refused with reasons. A document that is read is a valid pool, except
    /// for rules that only a pool checks.
    #[test]
    fn no_text_is_too_strange() {
        let bits = [
            "\"", ",", ";", "\t", "\n", "\r", "price", "Name", "7", "1,234", ".5", "é", " ",
            ":trait",
        ];
        let mut rng = unriddle_core::Rng::new(1);
        for _ in 0..20_000 {
            let count = rng.below(24);
            let text: String =
                (0..count).map(|_| bits[rng.below(bits.len() as u64) as usize]).collect();
            match items(&text, Unpriced::Refuse) {
                Ok(document) => {
                    let document = Value::Object(document).to_string();
                    assert!(pool(&document).is_ok(), "{text:?} as {document}");
                }
                Err(errors) => assert!(!errors.is_empty(), "{text:?}"),
            }
        }
    }
}
