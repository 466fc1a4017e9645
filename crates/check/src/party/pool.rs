//! The items that a team is chosen from, in both layouts.

use super::{
    decimal::{self, Decimal},
    text::shown,
};
use crate::json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Most items.
const MOST_ITEMS: usize = 1_000_000;

/// Most values of a trait.
const MOST_VALUES: usize = 1 << 16;

/// Most decimal places of prices.
const MOST_PLACES: usize = 3;

/// Exclusive upper bound of prices, in parts, so that the price of a team does not overflow.
const MOST_PRICE: i64 = 1 << 48;

/// A discrete property, of which items have equal or different values.
pub(super) struct Trait {
    pub(super) name: String,
    /// Its different values.
    pub(super) values: Vec<String>,
    /// For each item, the index of its value.
    pub(super) of: Vec<usize>,
}

/// A numeric property, counted in parts of its unit: as many as its finest value needs.
pub(super) struct Number {
    pub(super) name: String,
    /// Number of parts of a value of 1: 1, 10, 100 or 1000.
    pub(super) unit: i64,
    /// For each item, its number of parts.
    pub(super) of: Vec<i64>,
}

pub(super) struct Pool {
    /// The item of each name; empty if items have no names.
    names: BTreeMap<String, usize>,
    pub(super) traits: Vec<Trait>,
    pub(super) numbers: Vec<Number>,
    /// Prices of the items in parts; `price_unit` parts are a price of 1.
    pub(super) prices: Vec<i64>,
    /// Number of parts of a price of 1: 1, 10, 100 or 1000.
    pub(super) price_unit: i64,
}

impl Pool {
    pub(super) fn find_trait(&self, name: &Value) -> Option<usize> {
        let Value::Text(name) = name else {
            return None;
        };
        find(self.traits.iter().map(|known| &known.name), name)
    }

    pub(super) fn find_number(&self, name: &Value) -> Option<usize> {
        let Value::Text(name) = name else {
            return None;
        };
        find(self.numbers.iter().map(|known| &known.name), name)
    }

    /// The item of a name or a number counted from 0.
    pub(super) fn find_item(&self, value: &Value) -> Option<usize> {
        match value {
            Value::Text(name) => self.names.get(name).copied(),
            _ => value.as_index().filter(|&item| item < self.prices.len()),
        }
    }
}

/// Index of a name in a list: the exact name or, without an exact match, the only name that differs
/// in upper and lower case.
fn find<'a>(names: impl Iterator<Item = &'a String>, name: &str) -> Option<usize> {
    let names: Vec<&String> = names.collect();
    let exact = names.iter().position(|known| *known == name);
    if exact.is_some() {
        return exact;
    }
    let is_alike = |known: &String| known.to_lowercase() == name.to_lowercase();
    let alike: Vec<usize> = (0..names.len()).filter(|&i| is_alike(names[i])).collect();
    match alike.as_slice() {
        &[one] => Some(one),
        _ => None,
    }
}

pub(super) fn read(document: &Value) -> Result<Pool, String> {
    match (document.get("heroes"), document.get("items")) {
        (Some(Value::List(heroes)), None) => read_rows(document, heroes),
        (None, Some(Value::List(items))) => read_objects(document, items),
        _ => Err("expected either `heroes` or `items`, a list of items".to_owned()),
    }
}

/// The text by which a value is compared with others. A number is spelled as by a program that
/// reads whole numbers exactly and others as doubles: 7.00 is 7.0, but neither is 7.
pub(super) fn spelling(value: &Value) -> String {
    let literal = match value {
        Value::Text(text) => return text.clone(),
        Value::Number(literal) if literal.parse::<u64>().is_ok() => return literal.clone(),
        Value::Number(literal) => literal,
        other => return other.to_string(),
    };
    let is_whole = literal != "-0" && literal.parse::<i64>().is_ok();
    match literal.parse::<f64>() {
        Ok(number) if number.is_finite() && !is_whole => spelled(number),
        _ => literal.clone(),
    }
}

/// A double in the shortest digits that identify it, with an exponent from 10^16 on and below
/// 10^-5.
fn spelled(number: f64) -> String {
    let size = number.abs();
    if size >= 1e16 {
        return format!("{number:e}").replace('e', "e+");
    }
    if size > 0.0 && size < 1e-5 {
        return format!("{number:e}");
    }
    let plain = number.to_string();
    if plain.contains('.') { plain } else { plain + ".0" }
}

/// A list of different texts; empty if the key is missing.
pub(super) fn read_texts(object: &Value, key: &str) -> Result<Vec<String>, String> {
    match object.get(key) {
        None => Ok(Vec::new()),
        Some(list) => different_texts(list, key),
    }
}

fn different_texts(list: &Value, key: &str) -> Result<Vec<String>, String> {
    let Value::List(list) = list else {
        return Err(format!("{key}: expected a list of texts"));
    };
    let (mut texts, mut seen) = (Vec::new(), BTreeSet::new());
    for (i, value) in list.iter().enumerate() {
        let Value::Text(text) = value else {
            return Err(format!("{key}[{i}]: expected a text"));
        };
        if !seen.insert(text) {
            return Err(format!("{key}[{i}]: `{}` occurs twice", shown(text)));
        }
        texts.push(text.clone());
    }
    Ok(texts)
}

fn read_price(value: Option<&Value>) -> Result<Decimal, String> {
    let value = match value {
        None | Some(Value::Null) => return Err("there is no price".to_owned()),
        Some(value) => value,
    };
    decimal::read_below(value, MOST_PRICE)
        .filter(|price| price.thousandths >= 0)
        .ok_or_else(|| {
            format!(
                "the price is {}, expected a number from 0 to 2^48 - 1 (without its point) of at most three decimals",
                shown(value)
            )
        })
}

/// The unit of prices and all prices in it. The unit has the decimals of the finest price, or the
/// number of decimals that the document gives.
fn read_prices(document: &Value, prices: &[Decimal]) -> Result<(i64, Vec<i64>), String> {
    let needed = prices.iter().map(|price| price.places).max().unwrap_or(0);
    let places = match document.get("decimals") {
        None => needed,
        Some(value) => {
            let places = value.as_index().filter(|&places| places <= MOST_PLACES);
            let places = places.and_then(|places| u32::try_from(places).ok());
            places.filter(|&places| places >= needed).ok_or_else(|| {
                format!("decimals: expected {needed} to {MOST_PLACES}, found {}", shown(value))
            })?
        }
    };
    let unit = 10i64.pow(places);
    let parts = prices.iter().map(|price| price.thousandths / (1000 / unit));
    let parts: Vec<i64> = parts.collect();
    match parts.iter().position(|&price| price >= MOST_PRICE) {
        None => Ok((unit, parts)),
        Some(item) => Err(format!(
            "the price of item {item} is too large: it has to be below 2^48 in units of {places} decimals"
        )),
    }
}

fn read_number(name: &str, values: &[&Value], list: &str) -> Result<Number, String> {
    let mut decimals = Vec::new();
    for (i, value) in values.iter().enumerate() {
        decimals.push(decimal::read(value).ok_or_else(|| {
            format!(
                "{list}[{i}]: `{}` is {}, expected a number below 2^32 of at most three decimals",
                shown(name),
                shown(value)
            )
        })?);
    }
    let places = decimals.iter().map(|d| d.places).max().unwrap_or(0);
    let unit = 10i64.pow(places);
    let parts = decimals.iter().map(|d| d.thousandths / (1000 / unit));
    Ok(Number { name: name.to_owned(), unit, of: parts.collect() })
}

/// Items as rows: codes of traits, numbers, the price.
fn read_rows(document: &Value, heroes: &[Value]) -> Result<Pool, String> {
    let traits = read_texts(document, "traits")?;
    let numbers = match document.get("numbers") {
        None => vec!["level".to_owned()],
        Some(_) => read_texts(document, "numbers")?,
    };
    let names = read_names(document, traits.len())?;
    if heroes.len() > MOST_ITEMS {
        return Err(format!("heroes: more than {MOST_ITEMS} items"));
    }
    let width = traits.len() + numbers.len() + 1;
    let mut columns: Vec<Vec<&Value>> = vec![Vec::new(); width];
    for (i, hero) in heroes.iter().enumerate() {
        let row = match hero {
            Value::List(row) if row.len() == width => row,
            _ => {
                return Err(format!(
                    "heroes[{i}]: expected {width} values: the traits, the numbers and the price"
                ));
            }
        };
        for (column, value) in columns.iter_mut().zip(row) {
            column.push(value);
        }
    }
    let mut columns = columns.into_iter();
    let mut pool = Pool {
        names: BTreeMap::new(),
        traits: Vec::new(),
        numbers: Vec::new(),
        prices: Vec::new(),
        price_unit: 1,
    };
    for ((name, values), column) in traits.into_iter().zip(names).zip(columns.by_ref()) {
        let (size, mut of) = (values.len(), Vec::new());
        for (i, code) in column.into_iter().enumerate() {
            of.push(code.as_index().filter(|&c| c < size).ok_or_else(|| {
                format!(
                    "heroes[{i}]: `{}` is {}, expected a code below {size}",
                    shown(&name),
                    shown(code)
                )
            })?);
        }
        pool.traits.push(Trait { name, values, of });
    }
    for (name, column) in numbers.iter().zip(columns.by_ref()) {
        pool.numbers.push(read_number(name, &column, "heroes")?);
    }
    let mut prices = Vec::new();
    for (i, price) in columns.next().into_iter().flatten().enumerate() {
        prices.push(read_price(Some(price)).map_err(|why| format!("heroes[{i}]: {why}"))?);
    }
    (pool.price_unit, pool.prices) = read_prices(document, &prices)?;
    Ok(pool)
}

/// Names of the values of each trait: given by `values`, or else their codes.
fn read_names(document: &Value, traits: usize) -> Result<Vec<Vec<String>>, String> {
    let Some(lists) = document.get("values") else {
        let sizes = read_sizes(document, traits)?.into_iter();
        let codes = |size| (0..size).map(|code: usize| code.to_string()).collect();
        return Ok(sizes.map(codes).collect());
    };
    let Value::List(lists) = lists else {
        return Err("values: expected a list of lists of texts".to_owned());
    };
    let mut names = Vec::new();
    for (t, list) in lists.iter().enumerate() {
        let found = different_texts(list, &format!("values[{t}]"))?;
        if found.len() > MOST_VALUES {
            return Err(format!("values[{t}]: more than {MOST_VALUES} values"));
        }
        names.push(found);
    }
    if names.len() == traits {
        Ok(names)
    } else {
        Err(format!("values: {} lists for {traits} traits", names.len()))
    }
}

/// Number of values of each trait.
fn read_sizes(document: &Value, traits: usize) -> Result<Vec<usize>, String> {
    let mut sizes = Vec::new();
    if let Some(Value::List(list)) = document.get("sizes") {
        for size in list {
            sizes.extend(size.as_index().filter(|&size| size <= MOST_VALUES));
        }
        if sizes.len() < list.len() {
            sizes.clear();
        }
    }
    if sizes.len() == traits {
        Ok(sizes)
    } else {
        Err(format!(
            "sizes: expected how many values each of the {traits} traits has, at most {MOST_VALUES}"
        ))
    }
}

/// Items as objects: their properties by name.
fn read_objects(document: &Value, items: &[Value]) -> Result<Pool, String> {
    if items.len() > MOST_ITEMS {
        return Err(format!("items: more than {MOST_ITEMS} items"));
    }
    let forced: BTreeSet<String> = read_texts(document, "traits")?.into_iter().collect();
    let (mut names, mut prices) = (BTreeMap::new(), Vec::new());
    let mut columns: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for (i, item) in items.iter().enumerate() {
        let place = |why: String| format!("items[{i}]: {why}");
        for (key, value) in properties(item).map_err(place)? {
            let column = columns.entry(key).or_default();
            if column.len() < i {
                return Err(lacks(column.len(), key));
            }
            column.push(value);
        }
        prices.push(read_price(item.get("price")).map_err(place)?);
        read_name(item, i, &mut names).map_err(place)?;
    }
    for (key, column) in &columns {
        if column.len() < items.len() {
            return Err(lacks(column.len(), key));
        }
    }
    if !names.is_empty() && names.len() < items.len() {
        return Err("items: some have a `name` and some have none".to_owned());
    }
    let (mut traits, mut numbers) = (Vec::new(), Vec::new());
    for (key, column) in columns {
        let has_text = column.iter().any(|value| matches!(value, Value::Text(_)));
        if has_text || forced.contains(key) {
            traits.push(read_trait(key, &column)?);
        } else {
            numbers.push(read_number(key, &column, "items")?);
        }
    }
    let (price_unit, prices) = read_prices(document, &prices)?;
    Ok(Pool { names, traits, numbers, prices, price_unit })
}

fn lacks(item: usize, key: &str) -> String {
    format!("items[{item}]: there is no `{}`, as other items have", shown(key))
}

fn read_name(
    item: &Value,
    number: usize,
    names: &mut BTreeMap<String, usize>,
) -> Result<(), String> {
    match item.get("name") {
        None => Ok(()),
        Some(Value::Text(name)) => match names.insert(name.clone(), number) {
            None => Ok(()),
            Some(other) => Err(format!("`{}` is the name of item {other}", shown(name))),
        },
        Some(other) => Err(format!("`name` is {}, expected a text", shown(other))),
    }
}

/// Properties of an item besides its name and its price.
fn properties(item: &Value) -> Result<impl Iterator<Item = (&str, &Value)>, String> {
    let Value::Object(pairs) = item else {
        return Err("expected an object".to_owned());
    };
    let pairs = pairs.iter().map(|(key, value)| (key.as_str(), value));
    Ok(pairs.filter(|(key, _)| *key != "name" && *key != "price"))
}

fn read_trait(name: &str, column: &[&Value]) -> Result<Trait, String> {
    let (mut values, mut known, mut of) = (Vec::new(), HashMap::new(), Vec::new());
    for value in column {
        let spelled = spelling(value);
        let next = values.len();
        let which = *known.entry(spelled.clone()).or_insert(next);
        if which == next {
            values.push(spelled);
        }
        of.push(which);
    }
    if values.len() > MOST_VALUES {
        return Err(format!(
            "items: `{}` has more than {MOST_VALUES} different values",
            shown(name)
        ));
    }
    Ok(Trait { name: name.to_owned(), values, of })
}

#[cfg(test)]
mod tests {
    use super::spelling;
    use crate::json::Value;

    #[test]
    fn numbers_are_spelled_as_programs_write_them() {
        for (literal, spelled) in [
            ("7", "7"),
            ("18446744073709551615", "18446744073709551615"),
            ("7.00", "7.0"),
            ("-0", "-0.0"),
            ("0.00001", "0.00001"),
            ("5e-5", "0.00005"),
            ("0.0000025", "2.5e-6"),
            ("1e15", "1000000000000000.0"),
            ("1e16", "1e+16"),
            ("-12345678901234567890123", "-1.2345678901234568e+22"),
            ("1e400", "1e400"),
        ] {
            assert_eq!(spelling(&Value::Number(literal.to_owned())), spelled);
        }
        assert_eq!(spelling(&Value::Text("1e5".to_owned())), "1e5");
    }
}
