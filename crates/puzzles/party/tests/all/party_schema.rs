//! The published schema of party puzzles against the reader: neither knows a key that the other
//! does not.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use unriddle_party::{
    Party,
    read::{Pool, ReadError, pool},
    rules::party,
};

fn schema() -> Value {
    serde_json::from_str(include_str!("../../../../../docs/party.schema.json")).unwrap()
}

/// Reads a document: the pool, and its puzzle.
fn read(document: &Value) -> Result<(Pool, Party), Vec<ReadError>> {
    let found = pool(&document.to_string())?;
    let puzzle = party(found.clone(), &document["puzzle"].to_string())?;
    Ok((found, puzzle))
}

fn examples() -> Vec<Value> {
    schema()["examples"].as_array().unwrap().clone()
}

fn keys(object: &Value) -> BTreeSet<String> {
    object.as_object().unwrap().keys().cloned().collect()
}

/// The properties of a definition; an empty name selects the document itself.
fn properties(of: &str) -> BTreeSet<String> {
    let schema = schema();
    let part = match of {
        "" => &schema,
        of => &schema["$defs"][of],
    };
    keys(&part["properties"])
}

/// The keys that the reader lists where it refuses the first example's puzzle with another one in
/// it.
fn listed(key: &str, value: &Value) -> BTreeSet<String> {
    let mut document = examples().remove(0);
    document["puzzle"][key] = value.clone();
    let reasons = read(&document).unwrap_err();
    let reason = reasons[0].reason.as_str();
    let list = reason.rsplit_once("expected ").unwrap().1;
    let list = list.trim_start_matches("one of ").split(", ");
    list.map(str::to_owned).collect()
}

#[test]
fn examples_are_read_and_have_every_key() {
    let examples = examples();
    for example in &examples {
        if let Err(errors) = read(example) {
            panic!("{example}: {errors:?}");
        }
    }
    let used = |part: &dyn Fn(&Value) -> Vec<Value>| -> BTreeSet<String> {
        let parts = examples.iter().flat_map(part);
        parts.flat_map(|part| keys(&part)).collect()
    };
    let puzzle = |example: &Value| vec![example["puzzle"].clone()];
    let requirements = |example: &Value| {
        let list = example["puzzle"]["requirements"].as_array();
        list.unwrap().clone()
    };
    let synergy = |example: &Value| vec![example["puzzle"]["synergy"].clone()];
    assert_eq!(used(&|example| vec![example.clone()]), properties(""));
    assert_eq!(used(&puzzle), properties("puzzle"));
    assert_eq!(used(&requirements), properties("requirement"));
    assert_eq!(used(&synergy), properties("synergy"));
}

#[test]
fn the_schema_has_the_keys_that_the_reader_lists() {
    let mut puzzle = properties("puzzle");
    // It is of use to editors only, and the error text does not list it.
    puzzle.remove("$schema");
    assert_eq!(listed("strange", &json!(1)), puzzle);
    let amounts = listed("requirements", &json!([{"at_least": 1}]));
    let bounds = listed("requirements", &json!([{"sum": "level"}]));
    let both: BTreeSet<String> = amounts.union(&bounds).cloned().collect();
    assert_eq!(both, properties("requirement"));
    assert!(bounds.is_subset(&properties("synergy")));
    // One amount and at least one bound.
    let schema = schema();
    let required = |of: &str| -> BTreeSet<String> {
        let list = schema["$defs"]["requirement"][of].as_array().unwrap();
        list.iter().map(|one| one["required"][0].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(required("oneOf"), amounts);
    assert_eq!(required("anyOf"), bounds);
}

/// Whatever key is removed from an example, the example is refused or reads differently.
#[test]
fn no_key_is_idle() {
    /// The documents without one of the keys of `object`; `whole` builds a document around the
    /// object.
    fn without(object: &Value, whole: &dyn Fn(Value) -> Value) -> Vec<(String, Value)> {
        let drop = |key: &String| {
            let mut less: Map<String, Value> = object.as_object().unwrap().clone();
            less.remove(key);
            (key.clone(), whole(Value::Object(less)))
        };
        keys(object).iter().map(drop).collect()
    }
    for example in examples() {
        let before = read(&example).ok();
        let within = |path: &'static str| {
            let example = example.clone();
            move |part: Value| {
                let mut document = example.clone();
                *document.pointer_mut(path).unwrap() = part;
                document
            }
        };
        let mut fewer = without(&example, &|document| document);
        for path in ["/puzzle", "/puzzle/synergy", "/puzzle/requirements/0"] {
            fewer.extend(without(example.pointer(path).unwrap(), &within(path)));
        }
        for (key, document) in fewer {
            let is_for_people =
                key == "$schema" || key == "name" && document["puzzle"].get("name").is_none();
            assert!(is_for_people || read(&document).ok() != before, "{key}");
        }
    }
}

/// Bounds of the schema are the reader's.
#[test]
fn limits_are_the_readers() {
    let price = |price: u64| json!({"items": [{"price": price}]}).to_string();
    let most = schema()["$defs"]["price"]["maximum"].as_u64().unwrap();
    assert!(pool(&price(most)).is_ok());
    assert!(pool(&price(most + 1)).is_err());
    let decimals = |places: u64| json!({"items": [], "decimals": places}).to_string();
    let most = schema()["properties"]["decimals"]["maximum"].as_u64().unwrap();
    assert!(pool(&decimals(most)).is_ok());
    assert!(pool(&decimals(most + 1)).is_err());
    let nodes = |count: u64| {
        let names: Vec<String> = (0..count).map(|n| n.to_string()).collect();
        json!({"items": [], "nodes": names}).to_string()
    };
    let most = schema()["$defs"]["nodes"]["maxItems"].as_u64().unwrap();
    assert!(pool(&nodes(most)).is_ok());
    assert!(pool(&nodes(most + 1)).is_err());
    let sizes = |size: u64| json!({"heroes": [], "traits": ["race"], "sizes": [size]}).to_string();
    let most = schema()["properties"]["sizes"]["items"]["maximum"].as_u64().unwrap();
    assert!(pool(&sizes(most)).is_ok());
    assert!(pool(&sizes(most + 1)).is_err());
    let steps =
        |score: u64| json!({"items": [], "synergy": {"thr": [1], "score": [0, score]}}).to_string();
    let most = schema()["$defs"]["steps"]["items"]["maximum"].as_u64().unwrap();
    assert!(pool(&steps(most)).is_ok());
    assert!(pool(&steps(most + 1)).is_err());
}
