//! Reads a designer's puzzle: the requirements of a team of a pool.
//!
//! ```json
//! {"synergy": {"at_least": 0.9},
//!  "requirements": [
//!    {"average": "level", "at_least": 75},
//!    {"distinct": "religion", "at_least": 8},
//!    {"same": "religion", "at_most": 2},
//!    {"count": {"race": ["elf", "dwarf"]}, "exactly": 3}],
//!  "fixed": [{"item": "Aria", "node": "GK"}, {"item": 17}],
//!  "excluded": [4, "Borin"], "owned": [5]}
//! ```
//!
//! Amounts are `sum`, `average` and `rating` of a number or of `price`, `count` of values of a
//! trait, and `distinct` and `same` values of a trait; bounds are `at_least`, `at_most` and
//! `exactly`. An item is given by its number, or by a name that no other item has, and owned items
//! cost nothing. A weighted sum (`objective`), or the most or least of a number, may replace the
//! price. A formation (`nodes`, `edges`), the steps of the link table (`thr`,
//! `score` of `synergy`) and the traits that it compares (`traits` of `synergy`, by default all)
//! replace the pool's. Points may depend on an item's position (`positions`), and matrices
//! (`affinity`, `places`, `flows`) may replace the whole table.

use super::{
    Party,
    decimal::Decimal,
    errors::{Errors, ReadError},
    items::Items,
    json::object,
    matrices, objective, positions,
    prices::{self, PRICE},
    read::{Pool, formation, index, steps},
    requirement::{Amount, Requirement},
    synergy::{LinkTable, STEPS, Synergy},
};
use serde_json::{Map, Value};

/// Keys of a puzzle's file, besides `$schema`.
const KEYS: &str =
    "name, nodes, edges, synergy, requirements, fixed, excluded, owned, objective, price_column";

/// Keys of its synergy, besides [`BOUNDS`].
const SYNERGY_KEYS: [&str; 8] =
    ["traits", "thr", "score", "positions", "whole", "flows", "affinity", "places"];

/// Keys of the bounds of an amount.
pub(super) const BOUNDS: [&str; 3] = ["at_least", "at_most", "exactly"];

/// Reads the puzzle that is to be solved with a pool.
///
/// # Errors
/// All mistakes of it, and all that does not fit the pool.
pub fn party(pool: Pool, text: &str) -> Result<Party, Vec<ReadError>> {
    let mut errors = Errors::default();
    let file = object(text, &mut errors).and_then(|mut file| {
        objective::weigh(&mut file, &mut errors)?;
        Some(file)
    });
    file.and_then(|file| party_of(pool, &file, &mut errors))
        .ok_or_else(|| errors.into_list("the document"))
}

/// The puzzle that an object describes, whose objective has weights; `None` if something is wrong
/// with it.
pub(super) fn party_of(
    pool: Pool,
    file: &Map<String, Value>,
    errors: &mut Errors,
) -> Option<Party> {
    let before = errors.count();
    let known = |key: &str| key == "$schema" || KEYS.split(", ").any(|known| known == key);
    for key in file.keys().filter(|key| !known(key)) {
        errors.tell(key.as_str(), format!("expected one of {KEYS}"));
    }
    let own = formation(file, errors);
    let steps = steps(file, errors).or(pool.steps);
    let (mut items, unpriced) = (pool.items, pool.unpriced);
    let owned = items_of(file, "owned", &items, errors);
    let spent = prices::spent(file, &mut items, &owned, errors);
    let places = match own.or(pool.formation) {
        None => errors.refuse("nodes", "neither the puzzle nor the items have a formation"),
        Some(formation) => {
            let (many, nodes) = (items.len(), formation.nodes());
            if many < nodes {
                errors.tell("nodes", format!("{many} items cannot fill {nodes} nodes"));
            }
            let none = Map::new();
            let synergy = file.get("synergy").and_then(Value::as_object).unwrap_or(&none);
            if matrices::has_matrices(synergy, errors) {
                let found = matrices::matrices(synergy, &items, formation, errors);
                found.map(|(formation, matrices)| (formation, Synergy::Matrices(matrices)))
            } else {
                let compared = compared(file, &items, errors);
                let steps = steps.unwrap_or_else(|| STEPS.to_vec());
                let positions = positions::positions(synergy, &items, &formation, errors);
                let table = LinkTable::new(&formation, compared, &steps, positions);
                Some((formation, Synergy::Links(table)))
            }
        }
    };
    let (nodes, whole) =
        places.as_ref().map_or((1, 1), |(f, synergy)| (f.nodes() as i64, synergy.whole()));
    let reader = Reader { items: &items, nodes };
    let mut requirements = Vec::new();
    if file.get("synergy").is_some_and(|value| !value.is_object()) {
        errors.tell("synergy", "expected an object such as {\"at_least\": 0.8}");
    }
    if let Some(Value::Object(synergy)) = file.get("synergy") {
        let known = [&BOUNDS[..], &SYNERGY_KEYS].concat().join(", ");
        errors.check_keys(synergy, &known, "synergy");
        let (at_least, at_most) = bounds(synergy, "synergy", whole, &Decimal::of, errors);
        if at_least.is_some() || at_most.is_some() {
            let (text, amount) = (spelled("synergy", synergy), Amount::Synergy);
            requirements.push(Requirement { text, amount, unit: whole, at_least, at_most });
        }
    }
    for (i, value) in list(file, "requirements", errors).iter().enumerate() {
        requirements.extend(reader.requirement(value, &format!("requirements[{i}]"), errors));
    }
    let mut excluded = items_of(file, "excluded", &items, errors);
    let costs = objective::costs(file, &items, &owned, errors);
    let mut fixed = Vec::new();
    for (i, value) in list(file, "fixed", errors).iter().enumerate() {
        let place = format!("fixed[{i}]");
        let item = value.get("item").unwrap_or(value);
        if let Some(object) = value.as_object() {
            errors.check_keys(object, "item, node", &place);
        }
        let Some(item) = item_of(item, &items, &place, errors) else {
            continue;
        };
        let node = match (value.get("node"), &places) {
            (Some(node), Some((formation, _))) => {
                let found = index(node, formation.names()).filter(|&n| n < formation.nodes());
                let why = || format!("there is no node {node}");
                found.or_else(|| errors.refuse(place.as_str(), why()))
            }
            _ => None,
        };
        if fixed.iter().any(|&(other, _)| other == item) {
            errors.tell(place, format!("item {item} is fixed twice"));
        } else if node.is_some() && fixed.iter().any(|&(_, other)| other == node) {
            errors.tell(place, "two items are fixed on this node");
        } else if unpriced.binary_search(&item).is_ok() && !owned.contains(&item) {
            let item = items.label(item);
            errors.tell(place, format!("item {item} is fixed, but it has no price"));
        } else if excluded.contains(&item) {
            errors.tell(place, format!("item {item} is fixed and excluded"));
        }
        fixed.push((item, node));
    }
    // An owned item costs nothing, so that it needs no price.
    excluded.extend(unpriced.iter().filter(|item| !owned.contains(item)));
    let (formation, synergy) = places.filter(|_| errors.count() == before)?;
    let unit = objective::unit(file);
    let mut party =
        Party { costs, fixed, unit, spent, ..Party::new(items, formation, synergy, requirements) };
    for item in excluded {
        party.allowed[item as usize] = false;
    }
    Some(party)
}

/// The list of a key; empty if the key is missing.
fn list<'a>(file: &'a Map<String, Value>, key: &str, errors: &mut Errors) -> &'a [Value] {
    match file.get(key) {
        None => &[],
        Some(Value::Array(list)) => list,
        Some(_) => {
            errors.tell(key, "expected a list");
            &[]
        }
    }
}

/// The items of a list.
pub(super) fn items_of(
    file: &Map<String, Value>,
    key: &str,
    items: &Items,
    errors: &mut Errors,
) -> Vec<u32> {
    let values = list(file, key, errors);
    let one = |(i, value)| item_of(value, items, &format!("{key}[{i}]"), errors);
    values.iter().enumerate().filter_map(one).collect()
}

/// The item of a number, or of a name that no other item has.
pub(super) fn item_of(
    value: &Value,
    items: &Items,
    place: &str,
    errors: &mut Errors,
) -> Option<u32> {
    const SHOWN: usize = 5;
    let many = items.len();
    let found = match value {
        Value::String(name) => {
            let named: Vec<u32> = items.named(name).take(SHOWN + 1).collect();
            if named.len() > 1 {
                let shown: Vec<String> = named.iter().take(SHOWN).map(u32::to_string).collect();
                let more = if named.len() > SHOWN { " and others" } else { "" };
                let (name, shown) = (Value::from(name.as_str()), shown.join(", "));
                let why = format!(
                    "{name} is the name of the items {shown}{more}: write the number of one of them, \
                     which counts from 0"
                );
                return errors.refuse(place, why);
            }
            named.first().copied()
        }
        _ => value.as_u64().filter(|&item| item < many as u64).map(|item| item as u32),
    };
    let why = || format!("there is no item {value}, only 0 to {}", many.saturating_sub(1));
    found.or_else(|| errors.refuse(place, why()))
}

/// The traits that the link table compares.
fn compared(file: &Map<String, Value>, items: &Items, errors: &mut Errors) -> Vec<usize> {
    let named = file.get("synergy").and_then(|synergy| synergy.get("traits"));
    let Some(named) = named else {
        return (0..items.traits.len()).collect();
    };
    if !named.is_array() {
        errors.tell("synergy", "expected `traits`, a list of texts");
    }
    let mut found = Vec::new();
    for name in named.as_array().into_iter().flatten() {
        match name.as_str().and_then(|name| items.find_trait(name)) {
            Some(t) if !found.contains(&t) => found.push(t),
            Some(_) => errors.tell("synergy", format!("{name} occurs twice in `traits`")),
            None => errors.tell("synergy", unknown(name, items)),
        }
    }
    found
}

fn unknown(name: &Value, items: &Items) -> String {
    let known = [items.trait_names(), items.number_names()].concat();
    format!("there is no trait {name}, only {}", known.join(", "))
}

/// The bounds of a requirement whose amounts are in units of 1 / `parts`. A bound between two parts
/// is rounded to the side where it is as strict.
fn bounds(
    object: &Map<String, Value>,
    place: &str,
    parts: i64,
    read: &dyn Fn(&Value) -> Option<Decimal>,
    errors: &mut Errors,
) -> (Option<i64>, Option<i64>) {
    let mut bound = |key: &str, up: bool| {
        let value = object.get(key)?;
        let why = || format!("`{key}` is {value}, expected a number");
        let decimal = read(value).or_else(|| errors.refuse(place, why()))?;
        let (whole, part) = decimal.times(parts);
        let rounded = if up { -(-whole).div_euclid(part) } else { whole.div_euclid(part) };
        i64::try_from(rounded).ok()
    };
    let exactly = (bound("exactly", true), bound("exactly", false));
    let (least, most) = (bound("at_least", true), bound("at_most", false));
    let both = (least.max(exactly.0), most.into_iter().chain(exactly.1).min());
    if let (Some(least), Some(most)) = both
        && least > most
    {
        errors.tell(place, "no amount is within these bounds");
    }
    both
}

/// A requirement in words.
fn spelled(amount: &str, object: &Map<String, Value>) -> String {
    let bound = |key: &str| Some(format!("{} {}", key.replace('_', " "), object.get(key)?));
    let bounds: Vec<String> = BOUNDS.into_iter().filter_map(bound).collect();
    format!("{amount} {}", bounds.join(", "))
}

/// The pool and formation to which requirements refer.
struct Reader<'a> {
    items: &'a Items,
    nodes: i64,
}

impl Reader<'_> {
    /// The trait of a name.
    fn trait_of(&self, name: &Value, place: &str, errors: &mut Errors) -> Option<usize> {
        let found = name.as_str().and_then(|name| self.items.find_trait(name));
        found.or_else(|| errors.refuse(place, unknown(name, self.items)))
    }

    fn requirement(&self, value: &Value, place: &str, errors: &mut Errors) -> Option<Requirement> {
        let Some(object) = value.as_object() else {
            return errors.refuse(place, "expected an object");
        };
        let amounts = ["sum", "average", "rating", "count", "distinct", "same"];
        let named: Vec<&str> =
            amounts.into_iter().filter(|key| object.contains_key(*key)).collect();
        let &[kind] = named.as_slice() else {
            return errors.refuse(place, format!("expected one of {}", amounts.join(", ")));
        };
        let bounded = BOUNDS.join(", ");
        errors.check_keys(object, &format!("{kind}, {bounded}"), place);
        if !BOUNDS.iter().any(|key| object.contains_key(*key)) {
            errors.tell(place, format!("no bound, expected {bounded}"));
        }
        let of = &object[kind];
        let (amount, unit) = match kind {
            "count" => (self.count(of, place, errors)?, 1),
            "distinct" => (Amount::Distinct(self.trait_of(of, place, errors)?), 1),
            "same" => (Amount::Same(self.trait_of(of, place, errors)?), 1),
            _ => {
                let n = of.as_str().and_then(|name| self.items.find_number(name));
                let why = || unknown(of, self.items).replace("trait", "numeric attribute");
                let n = n.or_else(|| errors.refuse(place, why()))?;
                let unit = 10i64.pow(self.items.numbers[n].places);
                match kind {
                    "sum" => (Amount::Sum(n), unit),
                    "average" => (Amount::Sum(n), unit * self.nodes),
                    _ => (Amount::Rating(n), unit),
                }
            }
        };
        let is_price = |of: &str| of.to_lowercase() == PRICE;
        // A team's price is larger than a number.
        let read = match of.as_str().is_some_and(is_price) {
            true => prices::budget,
            false => Decimal::of,
        };
        let (at_least, at_most) = bounds(object, place, unit, &read, errors);
        let of = of.as_str().map_or_else(|| of.to_string(), str::to_owned);
        let text = spelled(&format!("{kind} of {of}"), object);
        Some(Requirement { text, amount, unit, at_least, at_most })
    }

    /// `{"race": "elf"}` or `{"race": ["elf", "dwarf"]}`.
    fn count(&self, of: &Value, place: &str, errors: &mut Errors) -> Option<Amount> {
        let one = of.as_object().filter(|of| of.len() == 1);
        let Some((name, wanted)) = one.and_then(|of| of.iter().next()) else {
            let such_as = "{\"race\": \"elf\"}";
            return errors
                .refuse(place, format!("expected a trait and its values, such as {such_as}"));
        };
        let t = self.trait_of(&Value::from(name.as_str()), place, errors)?;
        let values = &self.items.traits[t];
        let mut flags = vec![false; values.values.len()];
        let wanted = wanted.as_array().map_or(std::slice::from_ref(wanted), Vec::as_slice);
        for value in wanted {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            match values.code(&text) {
                Some(code) => flags[usize::from(code)] = true,
                None => errors.tell(place, format!("`{name}` is never {value}")),
            }
        }
        Some(Amount::Count(t, flags))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::pool;

    const POOL: &str = r#"{"nodes": ["a", "b"], "edges": [[0, 1]], "traits": ["race", "nation"], "sizes": [2, 9],
        "heroes": [[1, 8, 84, 1200], [0, 3, 70.5, 7], [1, 1, 10, 2]]}"#;

    #[test]
    fn requirements_are_read_in_the_units_of_their_amounts() {
        let text = r#"{"synergy": {"at_least": 0.8, "traits": ["nation"]}, "requirements": [
            {"average": "level", "at_least": 80.33}, {"rating": "level", "at_most": 90},
            {"count": {"race": [1]}, "exactly": 1}, {"same": "nation", "at_most": 1}],
            "fixed": [{"item": 2, "node": "b"}, 1], "excluded": [0], "owned": [1]}"#;
        let party = party(pool(POOL).unwrap(), text).unwrap();
        let found: Vec<_> =
            party.requirements.iter().map(|r| (r.text.as_str(), r.at_least, r.at_most)).collect();
        assert_eq!(
            found,
            [
                ("synergy at least 0.8", Some(80_000), None),
                ("average of level at least 80.33", Some(1607), None),
                ("rating of level at most 90", None, Some(900)),
                ("count of {\"race\":[1]} exactly 1", Some(1), Some(1)),
                ("same of nation at most 1", None, Some(1)),
            ]
        );
        assert_eq!(party.synergy.traits(), [1]);
        assert_eq!(party.costs, [1200, 0, 2]);
        assert_eq!(party.allowed, [false, true, true]);
        assert_eq!(party.fixed, [(2, Some(1)), (1, None)]);
    }

    #[test]
    fn all_errors_are_reported_at_once() {
        let text = r#"{"requirement": [], "requirements": [{"sum": "levle", "at_least": 1}, {"same": "race"},
            {"count": {"race": 7}, "at_least": 1}, {"distinct": "nation", "at_least": 3, "at_most": 2},
            {"at_least": 2}], "fixed": [{"item": 9}, {"item": 1, "node": "z"}, 1], "excluded": [1]}"#;
        let told = party(pool(POOL).unwrap(), text).unwrap_err();
        let told: Vec<String> = told.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "requirement: expected one of name, nodes, edges, synergy, requirements, fixed, excluded, owned, objective, price_column",
                "requirements[0]: there is no numeric attribute \"levle\", only race, nation, level",
                "requirements[1]: no bound, expected at_least, at_most, exactly",
                "requirements[2]: `race` is never 7",
                "requirements[3]: no amount is within these bounds",
                "requirements[4]: expected one of sum, average, rating, count, distinct, same",
                "fixed[0]: there is no item 9, only 0 to 2",
                "fixed[1]: there is no node \"z\"",
                "fixed[1]: item 1 is fixed and excluded",
                "fixed[2]: item 1 is fixed twice",
            ]
        );
    }
}
