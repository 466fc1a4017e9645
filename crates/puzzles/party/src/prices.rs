//! Prices of items: decimals that become whole numbers of their smallest unit, and items that have
//! none.

use super::{
    decimal::{Decimal, MOST_PLACES},
    errors::{Errors, Location},
    items::{Items, Number, plain},
};
use serde_json::{Map, Value};
use unriddle_core::words;

/// Exclusive upper bound of prices, in units of the last decimal, so that no sum of them overflows.
const MOST_PRICE: i64 = 1 << 48;

/// Most items without a price that an error lists.
const MOST_LISTED: usize = 10;

/// The name of the price: as a key of items, as a column, and in requirements and objectives.
pub(super) const PRICE: &str = "price";

/// The key of a puzzle for another name of the price.
const COLUMN: &str = "price_column";

/// Texts for a missing price, in lower case.
const MISSING: [&str; 12] =
    ["", "-", "–", "—", "--", "n/a", "na", "n.a.", "#n/a", "none", "null", "nan"];

/// Exclusive upper bound of prices of a puzzle that bounds their sum, in units of the last decimal:
/// the bound of numbers.
const MOST_SPENT: i64 = 1 << 32;

/// Exclusive upper bound of a team's price in requirements.
const MOST_BUDGET: i64 = 1 << 44;

/// The document's key for the number of decimals of its prices.
pub(super) const DECIMALS: &str = "decimals";

words! {
    /// Handling of items without a price.
    pub enum Unpriced {
        /// The pool is refused.
        Refuse = "refuse",
        /// The item cannot be chosen, unless the puzzle declares it as owned.
        Exclude = "exclude",
        /// The item costs nothing.
        Zero = "zero",
    }
}

/// Whether a text marks a missing price, such as `n/a` or `-`.
pub(super) fn is_missing(text: &str) -> bool {
    MISSING.contains(&text.trim().to_lowercase().as_str())
}

/// A bound of a team's price.
pub(super) fn budget(value: &Value) -> Option<Decimal> {
    Decimal::read(&value.as_number()?.to_string(), MOST_BUDGET)
}

/// The name that a puzzle gives to the price; empty if it gives none.
pub(super) fn column_of(puzzle: Option<&Value>, errors: &mut Errors) -> Option<String> {
    match puzzle.and_then(|puzzle| puzzle.get(COLUMN)) {
        None => Some(String::new()),
        Some(Value::String(name)) => Some(name.clone()),
        Some(other) => {
            errors.refuse(COLUMN, format!("expected the name of a column, found {other}"))
        }
    }
}

/// Advice for items without a price, with the names of their numbers.
pub(super) fn other_columns(numbers: &[&str]) -> String {
    let Some(first) = numbers.first() else {
        return "there is no column of numbers either".to_owned();
    };
    let all: Vec<String> = numbers.iter().map(|name| format!("`{}`", plain(name))).collect();
    let first = plain(first);
    format!(
        "columns of numbers: {}; `party(price_column=\"{first}\")`, or \"{COLUMN}\": \"{first}\" in \
         the puzzle, makes one of them the price",
        all.join(", ")
    )
}

/// Renames the key of a document's items to the key of prices. An empty name changes nothing.
pub(super) fn rename(
    file: &mut Map<String, Value>,
    column: &str,
    errors: &mut Errors,
) -> Option<()> {
    if let Some(Value::Object(puzzle)) = file.get_mut("puzzle") {
        puzzle.remove(COLUMN);
    }
    if column.is_empty() || column == PRICE {
        return Some(());
    }
    let Some(Value::Array(items)) = file.get_mut("items") else {
        let why =
            format!("`{column}` cannot be the price: the last number of each row is the price");
        return errors.refuse(COLUMN, why);
    };
    let objects = || items.iter().filter_map(Value::as_object);
    if objects().any(|item| item.contains_key(PRICE)) {
        let why = format!("the items have `{column}` and `{PRICE}`: leave one of them out");
        return errors.refuse(COLUMN, why);
    }
    if !items.is_empty() && objects().all(|item| !item.contains_key(column)) {
        let first = objects().next().into_iter().flatten();
        let numbers = first.filter(|(_, value)| value.is_number()).map(|(name, _)| name.as_str());
        let why =
            format!("no item has `{column}`; {}", other_columns(&numbers.collect::<Vec<&str>>()));
        return errors.refuse(COLUMN, why);
    }
    for item in items.iter_mut().filter_map(Value::as_object_mut) {
        if let Some(price) = item.remove(column) {
            item.insert(PRICE.to_owned(), price);
        }
    }
    Some(())
}

/// Adds the price as a number if a requirement refers to it and no other number has its name. Owned
/// items cost nothing. Returns the index of the number.
pub(super) fn spent(
    file: &Map<String, Value>,
    items: &mut Items,
    owned: &[u32],
    errors: &mut Errors,
) -> Option<usize> {
    let list = file.get("requirements").and_then(Value::as_array);
    let names_price = |(_, requirement): &(usize, &Value)| {
        ["sum", "average", "rating"].iter().any(|kind| {
            let name = requirement.get(kind).and_then(Value::as_str);
            name.is_some_and(|name| name.to_lowercase() == PRICE)
        })
    };
    let (at, _) = list.into_iter().flatten().enumerate().find(names_price)?;
    if items.find_number(PRICE).is_some() {
        return None;
    }
    let mut values = items.prices.clone();
    for &item in owned {
        values[item as usize] = 0;
    }
    if let Some(item) = values.iter().position(|&price| price >= MOST_SPENT) {
        let item = items.label(item as u32);
        let why = format!(
            "the price of item {item} is too large for a bound on prices: it has to be below 2^32 in \
             units of {} decimals",
            items.price_places
        );
        return errors.refuse(format!("requirements[{at}]"), why);
    }
    items.numbers.push(Number { name: PRICE.to_owned(), places: items.price_places, values });
    Some(items.numbers.len() - 1)
}

/// Reads a price from the text of a number.
///
/// # Errors
/// The reason why the text is not a valid price.
pub(super) fn price(text: &str) -> Result<Decimal, String> {
    match Decimal::read(text, MOST_PRICE) {
        Some(price) if price.digits < 0 => Err(format!("the price {text} is negative")),
        Some(price) => Ok(price),
        None => Err(format!(
            "the price is {text}, expected a number such as 12 or 12.50, below 2^48 without its \
             point and with at most {MOST_PLACES} decimals"
        )),
    }
}

/// Whether a price is too large in units of 10^−`places`.
pub(super) fn is_too_large(price: Decimal, places: usize) -> bool {
    price.scaled(places) >= MOST_PRICE
}

/// The message for such a price.
pub(super) fn too_large(places: usize) -> String {
    format!("the price is too large: it has to be below 2^48 in units of {places} decimals")
}

/// Reports items without a price, at the position of the first one. `rows` are the positions of the
/// items in words.
pub(super) fn tell_unpriced(first: Location, rows: &[String], errors: &mut Errors) {
    let listed = rows[..rows.len().min(MOST_LISTED)].join(", ");
    let more = match rows.len().saturating_sub(MOST_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let which = match rows.len() {
        1 => "there is no price".to_owned(),
        all => format!("{all} items have no price: {listed}{more}"),
    };
    let remedy = "`party(unpriced=exclude)` leaves such items out, `party(unpriced=zero)` makes \
                  them free";
    errors.tell(first, format!("{which}; {remedy}"));
}

/// The prices of a pool.
pub(super) struct Column {
    /// In units of 10^−`places`; 0 for items that have none.
    pub(super) prices: Vec<i64>,
    pub(super) places: u32,
    /// The items that cannot be chosen for want of a price.
    pub(super) excluded: Vec<u32>,
}

/// Prices that are read item by item.
pub(super) struct Prices {
    unpriced: Unpriced,
    found: Vec<Option<Decimal>>,
    /// Positions of the items without a price.
    missing: Vec<Location>,
}

impl Prices {
    pub(super) fn new(unpriced: Unpriced, items: usize) -> Self {
        Self { unpriced, found: Vec::with_capacity(items), missing: Vec::new() }
    }

    /// Reads the price of the next item.
    pub(super) fn read(
        &mut self,
        value: Option<&Value>,
        place: &dyn Fn() -> Location,
        errors: &mut Errors,
    ) {
        let is_price = |value: &&Value| !value.is_null() && !value.as_str().is_some_and(is_missing);
        let Some(value) = value.filter(is_price) else {
            self.missing.push(place());
            self.found.push(None);
            return;
        };
        let read = price(&value.to_string());
        self.found.push(read.map_err(|why| errors.tell(place(), why)).ok());
    }

    /// The prices in the unit of the finest one, or in the unit given by `decimals`. `None` after
    /// an error.
    pub(super) fn column(self, decimals: Option<&Value>, errors: &mut Errors) -> Option<Column> {
        let before = errors.count();
        if let (Unpriced::Refuse, Some(first)) = (self.unpriced, self.missing.first()) {
            let rows: Vec<String> = self.missing.iter().map(ToString::to_string).collect();
            tell_unpriced(first.clone(), &rows, errors);
        }
        let needed = self.found.iter().flatten().map(|price| price.places).max().unwrap_or(0);
        let given = decimals.map(|value| (value, value.as_u64().map(|places| places as usize)));
        let places = match given {
            None => needed,
            Some((_, Some(places))) if (needed..=MOST_PLACES).contains(&places) => places,
            Some((value, places)) => {
                let why = match places {
                    Some(places) => format!(
                        "{places} is out of range: the prices have {needed} decimals, and at most \
                         {MOST_PLACES} are possible"
                    ),
                    None => format!("expected a number from 0 to {MOST_PLACES}, found {value}"),
                };
                return errors.refuse(DECIMALS, why);
            }
        };
        let scaled = |price: &Option<Decimal>| price.map_or(0, |price| price.scaled(places));
        let prices: Vec<i64> = self.found.iter().map(scaled).collect();
        if let Some(item) = prices.iter().position(|&price| price >= MOST_PRICE) {
            errors.tell("items", format!("item {item}: {}", too_large(places)));
        }
        let is_excluded = |(item, price): (usize, &Option<Decimal>)| {
            (self.unpriced == Unpriced::Exclude && price.is_none()).then_some(item as u32)
        };
        let excluded = self.found.iter().enumerate().filter_map(is_excluded).collect();
        (errors.count() == before).then_some(Column { prices, places: places as u32, excluded })
    }
}

/// Writes a price of 0 where a document that was read has none.
pub(super) fn fill(file: &mut Map<String, Value>) {
    for (key, list) in file {
        for item in list.as_array_mut().into_iter().flatten() {
            let price = match (key.as_str(), item) {
                ("heroes", Value::Array(row)) => row.last_mut(),
                ("items", Value::Object(item)) => Some(item.entry("price").or_insert(Value::Null)),
                _ => None,
            };
            if let Some(price) = price
                && (price.is_null() || price.as_str().is_some_and(is_missing))
            {
                *price = Value::from(0);
            }
        }
    }
}
