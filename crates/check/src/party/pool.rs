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
const MOST_PLACES: u32 = 3;

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
    /// The items of each name; empty if items have no names.
    names: BTreeMap<String, Vec<usize>>,
    pub(super) traits: Vec<Trait>,
    pub(super) numbers: Vec<Number>,
    /// Prices of the items in parts; `price_unit` parts are a price of 1.
    pub(super) prices: Vec<i64>,
    /// Number of parts of a price of 1: 1, 10, 100 or 1000.
    pub(super) price_unit: i64,
}

impl Pool {
    pub(super) fn find_trait(&self, name: &str) -> Option<usize> {
        find(self.traits.iter().map(|known| &known.name), name)
    }

    pub(super) fn find_number(&self, name: &str) -> Option<usize> {
        find(self.numbers.iter().map(|known| &known.name), name)
    }

    /// The item of a number counted from 0, or of a name that no other item has.
    pub(super) fn find_item(&self, value: &Value) -> Result<usize, String> {
        let found = match value {
            Value::Text(name) => match self.names.get(name).map(Vec::as_slice) {
                Some([item]) => Some(*item),
                Some([first, second, ..]) => {
                    return Err(format!(
                        "{} is the name of item {first} and of item {second}",
                        shown(value)
                    ));
                }
                _ => None,
            },
            _ => value.as_index().filter(|&item| item < self.prices.len()),
        };
        found.ok_or_else(|| format!("there is no item {}", shown(value)))
    }

    /// Adds the price as a number, which requirements can refer to, unless a number has this name.
    /// Items that are `owned` cost nothing.
    pub(super) fn count_prices(&mut self, owned: &[bool]) -> Result<(), String> {
        if self.find_number("price").is_some() {
            return Ok(());
        }
        let spent = |(price, owned): (&i64, &bool)| if *owned { 0 } else { *price };
        let of: Vec<i64> = self.prices.iter().zip(owned).map(spent).collect();
        if let Some(item) = of.iter().position(|&price| price >= 1 << 32) {
            return Err(format!(
                "the price of item {item} is too large for a requirement of prices"
            ));
        }
        self.numbers.push(Number { name: "price".to_owned(), unit: self.price_unit, of });
        Ok(())
    }
}

/// Index of a name in a list: the exact name or, without an exact match, the only name that differs
/// in upper and lower case.
fn find<'a>(names: impl Iterator<Item = &'a String> + Clone, name: &str) -> Option<usize> {
    let exact = names.clone().position(|known| known == name);
    exact.or_else(|| {
        let is_alike = |known: &String| known.to_lowercase() == name.to_lowercase();
        let mut alike = names.enumerate().filter(|(_, known)| is_alike(known));
        let (only, _) = alike.next()?;
        alike.next().is_none().then_some(only)
    })
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
        Value::Number(literal) => literal,
        other => return other.to_string(),
    };
    let is_whole =
        literal != "-0" && (literal.parse::<u64>().is_ok() || literal.parse::<i64>().is_ok());
    match literal.parse::<f64>() {
        Ok(number) if number.is_finite() && !is_whole => spelled(number),
        _ => literal.clone(),
    }
}

/// A double in the shortest digits that identify it, with an exponent from 10^16 on and below
/// 10^-5.
fn spelled(number: f64) -> String {
    let (size, plain) = (number.abs(), number.to_string());
    match size {
        1e16.. => format!("{number:e}").replace('e', "e+"),
        _ if size > 0.0 && size < 1e-5 => format!("{number:e}"),
        _ if plain.contains('.') => plain,
        _ => plain + ".0",
    }
}

/// A list of different texts; empty if the key is missing.
pub(super) fn read_texts(object: &Value, key: &str) -> Result<Vec<String>, String> {
    object.get(key).map_or(Ok(Vec::new()), |list| different_texts(list, key))
}

fn different_texts(list: &Value, key: &str) -> Result<Vec<String>, String> {
    let list = list.as_list().ok_or_else(|| format!("{key}: expected a list of texts"))?;
    let (mut texts, mut seen) = (Vec::new(), BTreeSet::new());
    for (i, value) in list.iter().enumerate() {
        let text = value.as_text().ok_or_else(|| format!("{key}[{i}]: expected a text"))?;
        if !seen.insert(text) {
            return Err(format!("{key}[{i}]: `{}` occurs twice", shown(text)));
        }
        texts.push(text.to_owned());
    }
    Ok(texts)
}

fn read_price(value: Option<&Value>) -> Result<Decimal, String> {
    let value = value.filter(|value| **value != Value::Null).ok_or("there is no price")?;
    let price = decimal::read_below(value, MOST_PRICE).filter(|price| price.thousandths >= 0);
    price.ok_or_else(|| {
        format!(
            "the price is {}, expected a number from 0 to 2^48 - 1 (without its point) of at most three decimals",
            shown(value)
        )
    })
}

/// The decimal places of the finest number.
fn finest(decimals: &[Decimal]) -> u32 {
    decimals.iter().map(|decimal| decimal.places).max().unwrap_or(0)
}

/// Number of parts of a value of 1 with this number of decimal places, and all numbers in parts.
fn in_parts(decimals: &[Decimal], places: u32) -> (i64, Vec<i64>) {
    let unit = 10i64.pow(places);
    (unit, decimals.iter().map(|decimal| decimal.thousandths / (1000 / unit)).collect())
}

/// The unit of prices and all prices in it. The unit has the decimals of the finest price, or the
/// number of decimals that the document gives.
fn read_prices(document: &Value, prices: &[Decimal]) -> Result<(i64, Vec<i64>), String> {
    let needed = finest(prices);
    let places = document.get("decimals").map_or(Ok(needed), |value| {
        let places = value.as_literal().and_then(|literal| literal.parse().ok());
        places.filter(|places| (needed..=MOST_PLACES).contains(places)).ok_or_else(|| {
            format!("decimals: expected {needed} to {MOST_PLACES}, found {}", shown(value))
        })
    })?;
    let (unit, parts) = in_parts(prices, places);
    match parts.iter().position(|&price| price >= MOST_PRICE) {
        None => Ok((unit, parts)),
        Some(item) => Err(format!(
            "the price of item {item} is too large: it has to be below 2^48 in units of {places} decimals"
        )),
    }
}

fn read_number<'a>(
    name: &str,
    values: impl Iterator<Item = &'a Value>,
    list: &str,
) -> Result<Number, String> {
    let number = |(i, value)| {
        decimal::read(value).ok_or_else(|| {
            let (name, value) = (shown(name), shown(value));
            format!(
                "{list}[{i}]: `{name}` is {value}, expected a number below 2^32 of at most three decimals"
            )
        })
    };
    let decimals = values.enumerate().map(number).collect::<Result<Vec<_>, _>>()?;
    let (unit, of) = in_parts(&decimals, finest(&decimals));
    Ok(Number { name: name.to_owned(), unit, of })
}

/// Items as rows: codes of traits, numbers, the price.
fn read_rows(document: &Value, heroes: &[Value]) -> Result<Pool, String> {
    let trait_names = read_texts(document, "traits")?;
    let number_names = match document.get("numbers") {
        None => vec!["level".to_owned()],
        Some(_) => read_texts(document, "numbers")?,
    };
    let values = read_values(document, trait_names.len())?;
    if heroes.len() > MOST_ITEMS {
        return Err(format!("heroes: more than {MOST_ITEMS} items"));
    }
    let width = trait_names.len() + number_names.len() + 1;
    let mut rows = Vec::new();
    for (i, hero) in heroes.iter().enumerate() {
        let row = hero.as_list().filter(|row| row.len() == width);
        rows.push(row.ok_or_else(|| {
            format!("heroes[{i}]: expected {width} values: the traits, the numbers and the price")
        })?);
    }
    let column = |k: usize| rows.iter().map(move |row| &row[k]);
    let (mut traits, mut numbers, mut prices) = (Vec::new(), Vec::new(), Vec::new());
    for (k, (name, values)) in trait_names.into_iter().zip(values).enumerate() {
        let (size, mut of) = (values.len(), Vec::new());
        for (i, code) in column(k).enumerate() {
            of.push(code.as_index().filter(|&c| c < size).ok_or_else(|| {
                let (name, code) = (shown(&name), shown(code));
                format!("heroes[{i}]: `{name}` is {code}, expected a code below {size}")
            })?);
        }
        traits.push(Trait { name, values, of });
    }
    for (k, name) in (traits.len()..).zip(&number_names) {
        numbers.push(read_number(name, column(k), "heroes")?);
    }
    for (i, price) in column(width - 1).enumerate() {
        prices.push(read_price(Some(price)).map_err(|why| format!("heroes[{i}]: {why}"))?);
    }
    let (price_unit, prices) = read_prices(document, &prices)?;
    Ok(Pool { names: BTreeMap::new(), traits, numbers, prices, price_unit })
}

/// The values of each trait: given by `values`, or else their codes.
fn read_values(document: &Value, traits: usize) -> Result<Vec<Vec<String>>, String> {
    let Some(lists) = document.get("values") else {
        let sizes = read_sizes(document, traits)?.into_iter();
        let codes = |size| (0..size).map(|code: usize| code.to_string()).collect();
        return Ok(sizes.map(codes).collect());
    };
    let lists = lists.as_list().ok_or("values: expected a list of lists of texts")?;
    let mut values = Vec::new();
    for (t, list) in lists.iter().enumerate() {
        values.push(different_texts(list, &format!("values[{t}]"))?);
        if values[t].len() > MOST_VALUES {
            return Err(format!("values[{t}]: more than {MOST_VALUES} values"));
        }
    }
    if values.len() != traits {
        return Err(format!("values: {} lists for {traits} traits", values.len()));
    }
    Ok(values)
}

/// Number of values of each trait.
fn read_sizes(document: &Value, traits: usize) -> Result<Vec<usize>, String> {
    let list = document.get("sizes").and_then(Value::as_list).unwrap_or_default();
    let size = |size: &Value| size.as_index().filter(|&size| size <= MOST_VALUES);
    let sizes: Vec<usize> = list.iter().map(size).collect::<Option<_>>().unwrap_or_default();
    if sizes.len() != traits {
        return Err(format!(
            "sizes: expected how many values each of the {traits} traits has, at most {MOST_VALUES}"
        ));
    }
    Ok(sizes)
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
        for (key, value) in item.as_object().ok_or_else(|| place("expected an object".into()))? {
            if key == "name" || key == "price" {
                continue;
            }
            let column = columns.entry(key).or_default();
            if column.len() < i {
                return Err(lacks(column.len(), key));
            }
            column.push(value);
        }
        prices.push(read_price(item.get("price")).map_err(place)?);
        read_name(item, i, &mut names).map_err(place)?;
    }
    if let Some((key, column)) = columns.iter().find(|(_, column)| column.len() < items.len()) {
        return Err(lacks(column.len(), key));
    }
    let named = names.values().map(Vec::len).sum::<usize>();
    if named > 0 && named < items.len() {
        return Err("items: some have a `name` and some have none".to_owned());
    }
    let (mut traits, mut numbers) = (Vec::new(), Vec::new());
    for (key, column) in columns {
        let has_text = column.iter().any(|value| matches!(value, Value::Text(_)));
        if has_text || forced.contains(key) {
            traits.push(read_trait(key, &column)?);
        } else {
            numbers.push(read_number(key, column.into_iter(), "items")?);
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
    names: &mut BTreeMap<String, Vec<usize>>,
) -> Result<(), String> {
    let Some(name) = item.get("name") else {
        return Ok(());
    };
    let wrong = || format!("`name` is {}, expected a text", shown(name));
    let name = name.as_text().ok_or_else(wrong)?;
    names.entry(name.to_owned()).or_default().push(number);
    Ok(())
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
        let name = shown(name);
        return Err(format!("items: `{name}` has more than {MOST_VALUES} different values"));
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
