//! Reading pools of items from JSON.
//!
//! There are two layouts. In *rows*, a hero is a list of the codes of its traits, its numbers and
//! its price:
//!
//! ```json
//! {"traits": ["race", "religion"], "sizes": [12, 40], "numbers": ["level"],
//!  "heroes": [[3, 17, 84, 1200]]}
//! ```
//!
//! Values are given by their codes, or by the names in `"values": [["human", "dwarf"], ["sun",
//! "moon"]]`, which replaces `sizes`.
//!
//! In *objects*, an item gives its properties by name: texts are traits, and numbers are numbers
//! unless `traits` lists them. A key with a few texts among numbers is a mistake unless `traits`
//! lists it:
//!
//! ```json
//! {"items": [{"name": "Aria", "race": "elf", "level": 84, "price": 1200}]}
//! ```
//!
//! Either may come with a formation (`nodes`, `edges`) and the steps of its link table (`"synergy":
//! {"thr": [0.3, 1, 1.6], "score": [3, 6, 9, 10]}`). All mistakes are reported at once.

pub use super::errors::{Location, ReadError};
use super::{
    decimal::Decimal,
    errors::Errors,
    formation::Formation,
    items::{Items, MOST_ITEMS, Number, Trait},
    json::object,
    prices::{self, Column, DECIMALS, Prices, Unpriced},
    synergy::Step,
};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The content of a file of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Its name; empty if it has none.
    pub name: String,
    /// The items.
    pub items: Items,
    /// The formation that it suggests.
    pub formation: Option<Formation>,
    /// The steps of its link table.
    pub steps: Option<Vec<Step>>,
    /// Items that cannot be chosen because they have no price. A puzzle may own them.
    pub unpriced: Vec<u32>,
}

/// Reads a pool.
///
/// # Errors
/// All mistakes of it.
pub fn pool(text: &str) -> Result<Pool, Vec<ReadError>> {
    let mut errors = Errors::default();
    let file = object(text, &mut errors).and_then(|mut file| {
        let column = prices::column_of(file.get("puzzle"), &mut errors)?;
        prices::rename(&mut file, &column, &mut errors)?;
        Some(file)
    });
    file.and_then(|file| pool_of(&file, Unpriced::Refuse, &mut errors))
        .ok_or_else(|| errors.into_list("the document"))
}

/// The pool that an object describes; `None` if something is wrong with it.
pub(super) fn pool_of(
    file: &Map<String, Value>,
    unpriced: Unpriced,
    errors: &mut Errors,
) -> Option<Pool> {
    let before = errors.count();
    let found = match (file.get("heroes"), file.get("items")) {
        (Some(Value::Array(heroes)), None) => rows(file, heroes, unpriced, errors),
        (None, Some(Value::Array(items))) => objects(file, items, unpriced, errors),
        _ => errors.refuse("the file", "expected either `heroes` or `items`, a list of items"),
    };
    let formation = formation(file, errors);
    let steps = steps(file, errors);
    let name = file.get("name").and_then(Value::as_str).unwrap_or("").to_owned();
    let (items, unpriced) = found.filter(|_| errors.count() == before)?;
    errors.tell_all("items", items.problems());
    (errors.count() == before).then_some(Pool { name, items, formation, steps, unpriced })
}

/// The index of a node in a file: its number, or a text of `names`.
pub(super) fn index(value: &Value, names: &[String]) -> Option<usize> {
    match value {
        Value::String(name) => names.iter().position(|known| known == name),
        _ => value.as_u64().map(|index| index as usize),
    }
}

/// The list of texts of a key; empty if the key is missing.
fn texts(file: &Map<String, Value>, key: &str, errors: &mut Errors) -> Vec<String> {
    file.get(key).map_or_else(Vec::new, |list| names(list, key, errors))
}

/// Texts, none of which may occur twice.
fn names(list: &Value, place: &str, errors: &mut Errors) -> Vec<String> {
    let Some(list) = list.as_array() else {
        errors.tell(place, "expected a list of texts");
        return Vec::new();
    };
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    for (i, value) in list.iter().enumerate() {
        match value.as_str() {
            Some(text) if !known.insert(text) => {
                errors.tell(format!("{place}[{i}]"), format!("`{text}` occurs twice"));
            }
            Some(text) => found.push(text.to_owned()),
            None => errors.tell(format!("{place}[{i}]"), "expected a text"),
        }
    }
    found
}

/// The items of rows, and the indices of items that cannot be chosen because they have no price.
fn rows(
    file: &Map<String, Value>,
    heroes: &[Value],
    unpriced: Unpriced,
    errors: &mut Errors,
) -> Option<(Items, Vec<u32>)> {
    let names = texts(file, "traits", errors);
    let numbers = file.contains_key("numbers").then(|| texts(file, "numbers", errors));
    let numbers = numbers.unwrap_or_else(|| vec!["level".to_owned()]);
    let values = values(file, names.len(), errors)?;
    if heroes.len() > MOST_ITEMS {
        return errors.refuse("heroes", format!("more than {MOST_ITEMS} items"));
    }
    let wide = names.len() + numbers.len() + 1;
    let mut codes = vec![Vec::with_capacity(heroes.len()); names.len()];
    let mut decimals = vec![Vec::with_capacity(heroes.len()); numbers.len()];
    let mut prices = Prices::new(unpriced, heroes.len());
    for (i, hero) in heroes.iter().enumerate() {
        let place = || Location::from(format!("heroes[{i}]"));
        let Some(row) = hero.as_array().filter(|row| row.len() == wide) else {
            let (traits, numbers) = (names.join(", "), numbers.join(", "));
            errors.tell(place(), format!("expected {wide} numbers: {traits}, {numbers}, price"));
            continue;
        };
        for (t, code) in row[..names.len()].iter().enumerate() {
            let (name, most) = (&names[t], values[t].len());
            let known = code.as_u64().filter(|&code| code < most as u64).map(|code| code as u16);
            let why = || format!("`{name}` is {code}, expected 0 to {}", most.saturating_sub(1));
            codes[t].extend(known.or_else(|| errors.refuse(place(), why())));
        }
        for (n, number) in row[names.len()..wide - 1].iter().enumerate() {
            let why = || format!("`{}` is {number}, expected a number", numbers[n]);
            decimals[n].extend(Decimal::of(number).or_else(|| errors.refuse(place(), why())));
        }
        prices.read(Some(&row[wide - 1]), &place, errors);
    }
    let Column { prices, places, excluded } = prices.column(file.get(DECIMALS), errors)?;
    let traits = names.into_iter().zip(codes).zip(values);
    let traits = traits.map(|((name, codes), values)| Trait { name, values, codes }).collect();
    let numbers = numbers.into_iter().zip(&decimals);
    let numbers = numbers.map(|(name, column)| number(name, column)).collect();
    Some((Items { names: Vec::new(), traits, numbers, prices, price_places: places }, excluded))
}

/// For each trait, the values that the codes of rows represent.
fn values(
    file: &Map<String, Value>,
    traits: usize,
    errors: &mut Errors,
) -> Option<Vec<Vec<String>>> {
    const MOST: u64 = 1 << 16;
    let found: Vec<Vec<String>> = match (file.get("values"), file.get("sizes")) {
        (Some(Value::Array(lists)), _) => {
            let before = errors.count();
            let list = |(t, list)| names(list, &format!("values[{t}]"), errors);
            let lists = lists.iter().enumerate().map(list).collect();
            if errors.count() > before {
                return None;
            }
            lists
        }
        (Some(_), _) => return errors.refuse("values", "expected a list of lists of texts"),
        (None, Some(Value::Array(sizes))) => {
            let codes = |size: &Value| -> Option<Vec<String>> {
                let size = size.as_u64().filter(|&size| size <= MOST)?;
                Some((0..size).map(|code| code.to_string()).collect())
            };
            sizes.iter().map(codes).collect::<Option<_>>().unwrap_or_default()
        }
        _ => Vec::new(),
    };
    if found.len() == traits && found.iter().all(|values| values.len() as u64 <= MOST) {
        return Some(found);
    }
    let why = format!("expected how many values each of the {traits} traits has, at most 65,536");
    errors.refuse("sizes", why)
}

/// The items of objects, and the indices of items that cannot be chosen because they have no price.
fn objects<'v>(
    file: &Map<String, Value>,
    items: &'v [Value],
    unpriced: Unpriced,
    errors: &mut Errors,
) -> Option<(Items, Vec<u32>)> {
    if items.len() > MOST_ITEMS {
        return errors.refuse("items", format!("more than {MOST_ITEMS} items"));
    }
    let object = |(i, item): (usize, &'v Value)| {
        item.as_object().or_else(|| errors.refuse(format!("items[{i}]"), "expected an object"))
    };
    let objects: Vec<&Map<String, Value>> = items.iter().enumerate().filter_map(object).collect();
    // A key that has a text for more than a few items is a trait. Counts how many of each key's
    // values are texts, and how many are not.
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let forced = texts(file, "traits", errors);
    for (key, value) in objects.iter().flat_map(|object| object.iter()) {
        let (texts, others) = counts.entry(key).or_default();
        *if value.is_string() { texts } else { others } += 1;
    }
    counts.retain(|&key, _| !["name", "price"].contains(&key));
    let is_trait = |(key, (texts, others)): &(&str, (usize, usize))| {
        forced.iter().any(|name| name == key) || (*texts > 0 && !are_mistakes(*texts, *others))
    };
    let (discrete, numeric): (Vec<_>, Vec<_>) = counts.into_iter().partition(is_trait);
    // The values of a key, each with the index of its object.
    let mut column = |key: &str, kind: &str| -> Vec<(usize, &'v Value)> {
        let value = |(i, object): (usize, &&'v Map<String, Value>)| {
            let why = || format!("no `{key}`, expected a {kind}");
            let value = object.get(key);
            value.or_else(|| errors.refuse(format!("items[{i}]"), why())).map(|value| (i, value))
        };
        objects.iter().enumerate().filter_map(value).collect()
    };
    let mut traits = Vec::new();
    for (key, _) in discrete {
        let (mut values, mut known) = (Vec::new(), HashMap::new());
        let code = |(_, value): (usize, &Value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            *known.entry(text.clone()).or_insert_with(|| {
                values.push(text);
                (values.len() - 1) as u16
            })
        };
        let codes = column(key, "text").into_iter().map(code).collect();
        traits.push(Trait { name: key.to_owned(), values, codes });
    }
    let numeric = numeric.into_iter().map(|(key, _)| (key, column(key, "number")));
    let numeric: Vec<(&str, Vec<(usize, &Value)>)> = numeric.collect();
    let numbers = numeric.into_iter().map(|(key, values)| {
        let decimal = |(i, value): (usize, &Value)| {
            let declared = match value {
                Value::String(_) => " as for other items; list it in `traits` if it is one",
                _ => "",
            };
            let why = || format!("`{key}` is {value}, expected a number{declared}");
            Decimal::of(value).or_else(|| errors.refuse(format!("items[{i}]"), why()))
        };
        let decimals: Vec<Decimal> = values.into_iter().filter_map(decimal).collect();
        number(key.to_owned(), &decimals)
    });
    let numbers: Vec<Number> = numbers.collect();
    let unpriced_at_all = |object: &&Map<String, Value>| !object.contains_key("price");
    if unpriced == Unpriced::Refuse && !objects.is_empty() && objects.iter().all(unpriced_at_all) {
        let names: Vec<&str> = numbers.iter().map(|number| number.name.as_str()).collect();
        return errors
            .refuse("items", format!("no item has a `price`; {}", prices::other_columns(&names)));
    }
    let (mut names, mut prices) = (Vec::new(), Prices::new(unpriced, objects.len()));
    for (i, object) in objects.iter().enumerate() {
        let place = || Location::from(format!("items[{i}]"));
        prices.read(object.get("price"), &place, errors);
        match object.get("name") {
            None => {}
            Some(Value::String(name)) => names.push(name.clone()),
            Some(name) => errors.tell(place(), format!("`name` is {name}, expected a text")),
        }
    }
    if !names.is_empty() && names.len() != objects.len() {
        errors.tell("items", "some items have a `name` and some have none");
    }
    for t in traits.iter().filter(|t| t.values.len() > 1 << 16) {
        errors.tell(t.name.as_str(), "more than 65,536 different values");
    }
    let Column { prices, places, excluded } = prices.column(file.get(DECIMALS), errors)?;
    Some((Items { names, traits, numbers, prices, price_places: places }, excluded))
}

/// Whether the `others`, the cells of a column that are not a number, are so rare that they look
/// like mistakes: one, or up to a quarter of all, and fewer than the numbers.
pub(super) fn are_mistakes(others: usize, numbers: usize) -> bool {
    (1..numbers).contains(&others) && others <= ((others + numbers) / 4).max(1)
}

/// A column of decimals in the units of the finest one.
fn number(name: String, column: &[Decimal]) -> Number {
    let places = column.iter().map(|d| d.places).max().unwrap_or(0);
    let values = column.iter().map(|d| d.scaled(places)).collect();
    Number { name, places: places as u32, values }
}

/// The formation of a file.
pub(super) fn formation(file: &Map<String, Value>, errors: &mut Errors) -> Option<Formation> {
    if !file.contains_key("nodes") && !file.contains_key("edges") {
        return None;
    }
    let before = errors.count();
    let names = texts(file, "nodes", errors);
    let mut links = Vec::new();
    let edges = file.get("edges").and_then(Value::as_array);
    if edges.is_none() && file.contains_key("edges") {
        errors.tell("edges", "expected a list of links, such as [[0, 1]]");
    }
    for (i, edge) in edges.into_iter().flatten().enumerate() {
        let link = match edge.as_array().map(Vec::as_slice) {
            Some([a, b]) => index(a, &names).zip(index(b, &names)),
            _ => None,
        };
        let why = || format!("{edge} is not a pair of nodes");
        links.extend(link.or_else(|| errors.refuse(format!("edges[{i}]"), why())));
    }
    if errors.count() > before {
        return None;
    }
    Formation::new(names, &links).map_err(|problems| errors.tell_all("edges", problems)).ok()
}

/// The steps of a file's link table.
pub(super) fn steps(file: &Map<String, Value>, errors: &mut Errors) -> Option<Vec<Step>> {
    let synergy = file.get("synergy")?;
    if synergy.get("thr").is_none() && synergy.get("score").is_none() {
        return None;
    }
    let thousandths = |key: &str| -> Option<Vec<u32>> {
        let one = |value: &Value| {
            u32::try_from(Decimal::of(value)?.scaled(3)).ok().filter(|&scaled| scaled <= 1_000_000)
        };
        synergy.get(key)?.as_array()?.iter().map(one).collect()
    };
    match (thousandths("thr"), thousandths("score")) {
        (Some(from), Some(points))
            if points.len() == from.len() + 1 && from.is_sorted() && points.is_sorted() =>
        {
            let steps = std::iter::once(0).chain(from).zip(points);
            Some(steps.map(|(from, points)| Step { from, points }).collect())
        }
        _ => errors.refuse(
            "synergy",
            "expected `thr`, ascending means, and `score`, ascending points below the first and from each on, in at most three decimals",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synergy::STEPS;

    #[test]
    fn both_layouts_are_read() {
        let rows = r#"{"name": "w", "nodes": ["a", "b"], "edges": [[0, 1]], "traits": ["race", "nation"],
            "sizes": [2, 9], "heroes": [[1, 8, 84, 1200], [0, 3, 70.5, 0]],
            "synergy": {"thr": [0.3, 1.0, 1.6], "score": [3, 6, 9, 10]}}"#;
        let found = pool(rows).unwrap();
        assert_eq!(found.name, "w");
        assert_eq!(found.items.traits[1].codes, [8, 3]);
        assert_eq!(found.items.numbers[0].name, "level");
        assert_eq!(found.items.numbers[0].places, 1);
        assert_eq!(found.items.numbers[0].values, [840, 705]);
        assert_eq!(found.items.prices, [1200, 0]);
        assert_eq!(found.steps.unwrap(), STEPS);
        assert_eq!(found.formation.unwrap().links(), [(0, 1)]);

        let objects = r#"{"traits": ["guild"], "items": [
            {"name": "Aria", "race": "elf", "guild": 7, "level": 84, "price": 1200},
            {"name": "Borin", "race": "dwarf", "guild": 7, "level": 60.25, "price": 10}]}"#;
        let items = pool(objects).unwrap().items;
        assert_eq!(items.names, ["Aria", "Borin"]);
        assert_eq!(items.traits[0].name, "guild");
        assert_eq!(items.traits[0].codes, [0, 0]);
        assert_eq!(items.traits[1].code("dwarf"), Some(1));
        assert_eq!(items.numbers[0].values, [8400, 6025]);
    }

    #[test]
    fn all_errors_are_reported_at_once() {
        let told = |text: &str| -> Vec<String> {
            let errors = pool(text).unwrap_err();
            errors.iter().map(ToString::to_string).collect()
        };
        assert_eq!(
            told(
                r#"{"nodes": ["a", "b"], "edges": [[0, 2], [0, "c"]], "traits": ["race"], "sizes": [2],
                "heroes": [[2, 84, 5], [1, "x", -5], [1, 84], [1, 84, null]], "synergy": {"thr": [2, 1]}}"#
            ),
            [
                "heroes[0]: `race` is 2, expected 0 to 1",
                "heroes[1]: `level` is \"x\", expected a number",
                "heroes[1]: the price -5 is negative",
                "heroes[2]: expected 3 numbers: race, level, price",
                "heroes[3]: there is no price; `party(unpriced=exclude)` leaves such items out, \
                 `party(unpriced=zero)` makes them free",
                "edges[1]: [0,\"c\"] is not a pair of nodes",
                "synergy: expected `thr`, ascending means, and `score`, ascending points below the first and from each \
                 on, in at most three decimals",
            ]
        );
        assert_eq!(
            told(r#"{"items": [{"race": "elf", "price": "1.5"}, {"level": 3, "price": 1}, 7]}"#),
            [
                "items[2]: expected an object",
                "items[1]: no `race`, expected a text",
                "items[0]: no `level`, expected a number",
                "items[0]: the price is \"1.5\", expected a number such as 12 or 12.50, below 2^48 without \
                 its point and with at most 3 decimals",
            ]
        );
        let prices = |decimals: &str, prices: &str| {
            let mut text =
                format!(r#"{{"traits": [], "sizes": [], "numbers": [], {decimals} "heroes": ["#);
            for (i, price) in prices.split(' ').enumerate() {
                text += &format!("{}[{price}]", if i > 0 { ", " } else { "" });
            }
            text + "]}"
        };
        let read = |decimals: &str, of: &str| pool(&prices(decimals, of)).unwrap().items;
        let cents = read("", "1.25 3 0.5");
        assert_eq!((cents.prices, cents.price_places), (vec![125, 300, 50], 2));
        let mills = read(r#""decimals": 3,"#, "1.25 3");
        assert_eq!((mills.prices, mills.price_places), (vec![1250, 3000], 3));
        for (decimals, of, reason) in [
            (
                r#""decimals": 1,"#,
                "1.25",
                "decimals: 1 is out of range: the prices have 2 decimals, and at most 3 are possible",
            ),
            (
                r#""decimals": 4,"#,
                "1",
                "decimals: 4 is out of range: the prices have 0 decimals, and at most 3 are possible",
            ),
            (r#""decimals": "x","#, "1", "decimals: expected a number from 0 to 3, found \"x\""),
            (
                "",
                "281474976710655 0.5",
                "items: item 0: the price is too large: it has to be below 2^48 in units of 1 decimals",
            ),
        ] {
            assert_eq!(told(&prices(decimals, of)), [reason]);
        }
        let many = ["null"; 12].join(" ");
        assert!(
            told(&prices("", &many))[0]
                .starts_with("heroes[0]: 12 items have no price: heroes[0], heroes[1], "),
        );
        assert!(
            told(&prices("", &many))[0].contains("heroes[9] and 2 more; `party(unpriced=exclude)`")
        );
        let slip = |traits: &str| {
            let items = r#"[{"level": 84, "price": 1}, {"level": "6o", "price": 1}, {"level": 7, "price": 1}]"#;
            format!(r#"{{{traits}"items": {items}}}"#)
        };
        assert_eq!(
            told(&slip("")),
            [
                "items[1]: `level` is \"6o\", expected a number as for other items; list it in `traits` if it is one"
            ]
        );
        assert!(pool(&slip(r#""traits": ["level"], "#)).is_ok());
        let twice = r#"{"items": [{"name": "a", "price": 1}, {"name": "a", "price": 2}]}"#;
        assert_eq!(pool(twice).unwrap().items.names, ["a", "a"]);
        let twice = r#"{"items": [], "items": []}"#;
        assert!(told(twice)[0].starts_with("line 1, column 21: the key `items` occurs twice"));
        assert_eq!(told("[]"), ["the file: expected an object"]);
        let values = r#"{"values": 7, "heroes": [[84, 5]]}"#;
        assert_eq!(told(values), ["values: expected a list of lists of texts"]);
        assert!(told("{\"items\": [\n1,}").first().unwrap().starts_with("line 2"));
    }
}
