//! A pool with its puzzle in one document: the form of an instance.
//!
//! The document is the JSON object of a pool ([`read`](super::read), or [`csv`] for tables) with
//! the puzzle ([`rules`](super::rules)) under the key `puzzle`. So the text contains everything by
//! which a team is judged: records, certificates and the checker refer only to this text. The same
//! items may be read with another puzzle, which then replaces the puzzle in the document.

use super::{
    Party, csv,
    errors::{Errors, ReadError},
    generate::Kind,
    json::object,
    objective,
    prices::{self, DECIMALS, Unpriced},
    read::{Pool, pool_of},
    rules::party_of,
};
use serde_json::{Map, Value, json};
pub use unriddle_core::text::decimal;

/// The key of the puzzle.
const KEY: &str = "puzzle";
/// Error for items that a type of the paper does not suit.
const NO_SUCH_TYPE: &str = "these items cannot be of this type: it needs three traits, a number, and the race that is asked for";

/// The puzzle that replaces a document's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PuzzleSource {
    /// A puzzle type of the paper.
    Kind(Kind),
    /// The text of a file, and the file name that its errors show.
    Text {
        /// The name of the file.
        file: String,
        /// The text of the file.
        text: String,
    },
}

/// A document that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The name of the puzzle, or of the pool; empty if neither has one.
    pub name: String,
    /// The puzzle.
    pub party: Party,
    /// The document in one line, with the puzzle that was read.
    pub text: String,
}

/// Reads a document, with the puzzle `wanted` instead of its own if `wanted` is given.
///
/// # Errors
/// All mistakes of the items; without such mistakes, all mistakes of the puzzle.
pub fn document(text: &str, wanted: Option<&PuzzleSource>) -> Result<Document, Vec<ReadError>> {
    document_as(text, wanted, Unpriced::Refuse)
}

/// Reads a document in which items may lack a price. The resulting document has a price for each of
/// them and lists the excluded ones.
///
/// # Errors
/// The errors of [`document`].
pub fn document_as(
    text: &str,
    wanted: Option<&PuzzleSource>,
    unpriced: Unpriced,
) -> Result<Document, Vec<ReadError>> {
    document_priced(text, wanted, unpriced, prices::PRICE)
}

/// Reads a document in which prices have another name; the resulting document has `price`. The name
/// `price` leaves the name to the puzzle.
///
/// # Errors
/// The errors of [`document_as`].
pub fn document_priced(
    text: &str,
    wanted: Option<&PuzzleSource>,
    unpriced: Unpriced,
    column: &str,
) -> Result<Document, Vec<ReadError>> {
    let mut errors = Errors::default();
    let of_puzzle = match wanted {
        // The errors of the puzzle's text are reported where it is read.
        Some(PuzzleSource::Text { text, .. }) => {
            let puzzle = object(text, &mut Errors::default()).map(Value::Object);
            match prices::column_of(puzzle.as_ref(), &mut errors) {
                Some(column) => column,
                None => return Err(errors.into_list("the puzzle")),
            }
        }
        _ => String::new(),
    };
    let is_open = column == prices::PRICE;
    let column = if is_open { of_puzzle.as_str() } else { column };
    let file = if text.trim_start().starts_with(['{', '[']) {
        object(text, &mut errors).and_then(|mut file| {
            let own = prices::column_of(file.get(KEY), &mut errors)?;
            let column = if is_open && column.is_empty() { own.as_str() } else { column };
            prices::rename(&mut file, column, &mut errors)?;
            Some(file)
        })
    } else {
        Some(csv::items_priced(text, unpriced, column)?)
    };
    file.and_then(|file| read(file, wanted, unpriced, &mut errors))
        .ok_or_else(|| errors.into_list("the document"))
}

fn read(
    mut file: Map<String, Value>,
    wanted: Option<&PuzzleSource>,
    unpriced: Unpriced,
    errors: &mut Errors,
) -> Option<Document> {
    let pool = pool_of(&file, unpriced, errors)?;
    let without_price = pool.unpriced.clone();
    let from = errors.count();
    let (own, outer) = match wanted {
        None => (file.get(KEY).cloned(), format!("{KEY}.")),
        Some(PuzzleSource::Text { file, text }) => {
            let outer = format!("{file}, ");
            let read = object(text, errors).map(Value::Object);
            within(&outer, from, errors);
            (read, outer)
        }
        Some(PuzzleSource::Kind(kind)) => {
            let file = kind.file(&pool.items);
            (file.or_else(|| errors.refuse(KEY, NO_SUCH_TYPE)), format!("{KEY}."))
        }
    };
    let Some(Value::Object(mut puzzle)) = own else {
        if errors.count() == 0 {
            errors.tell(KEY, "expected the puzzle, an object such as {\"requirements\": []}");
        }
        return None;
    };
    puzzle.remove("price_column");
    if objective::weigh(&mut puzzle, errors).is_none() {
        within(&outer, from, errors);
        return None;
    }
    let name = |map: &Map<String, Value>| Some(map.get("name")?.as_str()?.to_owned());
    let name = name(&puzzle).or_else(|| name(&file)).unwrap_or_default();
    let party = party_of(pool, &puzzle, errors);
    within(&outer, from, errors);
    let party = party?;
    if unpriced != Unpriced::Refuse {
        prices::fill(&mut file);
    }
    let mut excluded = without_price;
    excluded.retain(|&item| !party.allowed[item as usize]);
    // A puzzle that was read has a list there.
    if !excluded.is_empty()
        && let Value::Array(list) = puzzle.entry("excluded").or_insert_with(|| json!([]))
    {
        list.extend(excluded.into_iter().map(Value::from));
    }
    file.insert(KEY.to_owned(), Value::Object(puzzle));
    Some(Document { name, party, text: Value::Object(file).to_string() })
}

/// Prefixes the positions of the errors from the number `from` on with `outer`.
fn within(outer: &str, from: usize, errors: &mut Errors) {
    for error in errors.since(from) {
        error.place = format!("{outer}{}", error.place).into();
    }
}

/// The document of a pool and the text of a puzzle's file. If that text is invalid, the document
/// has no puzzle.
#[must_use]
pub fn written(pool: &Pool, puzzle: &str) -> String {
    let items = &pool.items;
    let number = |value: i64, places: u32| {
        serde_json::from_str(&decimal(value, places)).unwrap_or(Value::Null)
    };
    let heroes: Vec<Value> = (0..items.len())
        .map(|item| {
            let codes = items.traits.iter().map(|t| json!(t.codes[item]));
            let numbers = items.numbers.iter().map(|n| number(n.values[item], n.places));
            let price = number(items.prices[item], items.price_places);
            Value::Array(codes.chain(numbers).chain([price]).collect())
        })
        .collect();
    let values: Vec<&[String]> = items.traits.iter().map(|t| t.values.as_slice()).collect();
    let (traits, numbers) = (items.trait_names(), items.number_names());
    let mut file = json!({
        "name": pool.name, "traits": traits, "values": values, "numbers": numbers, "heroes": heroes,
    });
    if items.price_places > 0 {
        file[DECIMALS] = json!(items.price_places);
    }
    if let Some(formation) = &pool.formation {
        file["nodes"] = json!(formation.names());
        file["edges"] = json!(formation.links());
    }
    if let Some(steps) = &pool.steps {
        let parts = |parts: u32| f64::from(parts) / 1000.0;
        let from: Vec<f64> = steps.iter().skip(1).map(|step| parts(step.from)).collect();
        let score: Vec<f64> = steps.iter().map(|step| parts(step.points)).collect();
        file["synergy"] = json!({"thr": from, "score": score});
    }
    file[KEY] = serde_json::from_str(puzzle).unwrap_or(Value::Null);
    file.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{World, world};
    use unriddle_core::Rng;

    #[test]
    fn a_document_is_read_back_as_it_was_written() {
        let pool = world(&World { heroes: 50, ..World::default() }, &mut Rng::new(1));
        for kind in ["type1", "type2", "type3", "type3(elf=2)"] {
            let kind = Kind::of(kind).unwrap();
            let text = written(&pool, &kind.text(&pool.items).unwrap());
            let read = document(&text, None).unwrap();
            assert_eq!(read.party.items, pool.items);
            assert_eq!(read.name, "fantasy");
            assert_eq!(document(&read.text, None).unwrap(), read);
            let other = document(&text, Some(&PuzzleSource::Kind(Kind::Two))).unwrap();
            assert_eq!(other.party.requirements.len(), 5);
            assert_eq!(document(&other.text, None).unwrap(), other);
        }
        for name in ["type4", "type3(elf)", "type3(elf=x)", ""] {
            assert_eq!(Kind::of(name), None, "{name}");
        }
    }

    /// A value of a trait may be any number; the document that is passed on has the same one.
    #[test]
    fn long_numbers_stay_as_they_are() {
        let text = r#"{"traits": ["x"], "items": [{"x": 2.279012170860525e+274, "price": 1},
            {"x": -2.920504813106569e-196, "price": 2}], "puzzle": {"nodes": ["a"]}}"#;
        let read = document(text, None).unwrap();
        assert_eq!(document(&read.text, None).unwrap(), read);
    }

    /// Prices keep the decimals of their table, and the document contains their number.
    #[test]
    fn decimal_prices_are_read_back() {
        let wanted =
            PuzzleSource::Text { file: String::new(), text: r#"{"nodes": ["a"]}"#.to_owned() };
        let read = document("race\tPRICE\nelf\t12.50\norc\t3\n", Some(&wanted)).unwrap();
        assert_eq!((read.party.items.price_places, &read.party.costs[..]), (2, &[1250, 300][..]));
        assert!(read.text.contains("\"decimals\":2"), "{}", read.text);
        assert_eq!(document(&read.text, None).unwrap(), read);
        let pool = Pool {
            name: String::new(),
            items: read.party.items.clone(),
            formation: None,
            steps: None,
            unpriced: Vec::new(),
        };
        let again = document(&written(&pool, r#"{"nodes": ["a"]}"#), None).unwrap();
        assert_eq!(again.party.items, read.party.items);
    }

    /// An item without a price is refused, excluded, or free; the document records which.
    #[test]
    fn items_without_a_price_are_excluded_or_free() {
        let json = r#"{"items": [{"name": "a", "price": 1}, {"name": "b"}, {"name": "c", "price": null}],
            "puzzle": {"nodes": ["x"], "excluded": ["a"], "owned": ["c"]}}"#;
        let rows = r#"{"traits": [], "numbers": [], "sizes": [], "heroes": [[1], [null], [null]],
            "puzzle": {"nodes": ["x"], "excluded": [0], "owned": [2]}}"#;
        for text in [json, rows] {
            let told = document(text, None).unwrap_err();
            let told = told[0].to_string();
            assert!(told.contains("[1]: 2 items have no price: "), "{told}");
            let read = document_as(text, None, Unpriced::Exclude).unwrap();
            assert_eq!(read.party.allowed, [false, false, true]);
            assert_eq!(read.party.costs, [1, 0, 0]);
            assert_eq!(document(&read.text, None).unwrap(), read);
            let read = document_as(text, None, Unpriced::Zero).unwrap();
            assert_eq!(read.party.allowed, [false, true, true]);
            assert_eq!(document(&read.text, None).unwrap(), read);
        }
        let fixed = json.replace("\"owned\": [\"c\"]", "\"fixed\": [\"b\"]");
        let told = document_as(&fixed, None, Unpriced::Exclude).unwrap_err();
        assert_eq!(
            told[0].to_string(),
            "puzzle.fixed[0]: item 1 (b) is fixed, but it has no price"
        );
    }

    #[test]
    fn documents_without_a_puzzle_are_refused() {
        let told = |text: &str, wanted: Option<&PuzzleSource>| {
            document(text, wanted).unwrap_err()[0].to_string()
        };
        let items = r#"{"nodes": ["a"], "edges": [], "items": [{"price": 3}]}"#;
        let expected = "puzzle: expected the puzzle, an object such as {\"requirements\": []}";
        assert_eq!(told(items, None), expected);
        assert_eq!(told(&items.replacen('{', "{\"puzzle\": 7, ", 1), None), expected);
        let type1 = PuzzleSource::Kind(Kind::One);
        assert!(told(items, Some(&type1)).starts_with("puzzle: these items cannot"));
        let file =
            |text: &str| PuzzleSource::Text { file: "a.json".to_owned(), text: text.to_owned() };
        assert!(told(items, Some(&file("{]"))).starts_with("a.json, line 1, column 2: "));
        let expected = "a.json, requirements: expected a list";
        assert_eq!(told(items, Some(&file("{\"requirements\": 7}"))), expected);
        let own = items.replacen('{', "{\"puzzle\": {\"requirements\": 7}, ", 1);
        assert_eq!(told(&own, None), "puzzle.requirements: expected a list");
    }
}
