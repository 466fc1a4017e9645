//! JSON documents in which no key of an object occurs twice.
//!
//! JSON readers keep any one value of a repeated key, so that two programs may read two different
//! puzzles.

use super::{
    errors::{Errors, Location},
    items::MOST_ITEMS,
    items::plain,
};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::{cell::Cell, fmt};

/// Most letters of a key that a message shows.
const SHOWN: usize = 40;

/// Most objects of a document: its items, and as many for the puzzle. An object takes much more
/// memory than its text.
const MOST_OBJECTS: usize = 2 * MOST_ITEMS;

/// Reader of a value without repeated keys.
#[derive(Clone, Copy)]
struct Unique<'c> {
    /// Number of objects so far.
    objects: &'c Cell<usize>,
    most: usize,
}

impl<'de> DeserializeSeed<'de> for Unique<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(self)? {
            values.push(value);
        }
        values.shrink_to_fit();
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        self.objects.set(self.objects.get() + 1);
        if self.objects.get() > self.most {
            return Err(A::Error::custom(format!("more than {} objects", self.most)));
        }
        let mut map = Map::new();
        while let Some(key) = object.next_key::<String>()? {
            if map.contains_key(&key) {
                let key: String = plain(&key).chars().take(SHOWN).collect();
                let why = format!("the key `{key}` occurs twice in its object: remove one of them");
                return Err(A::Error::custom(why));
            }
            let value = object.next_value_seed(self)?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

/// Parses a text with at most `most` objects.
fn value(text: &str, most: usize) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Unique { objects: &Cell::new(0), most }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Parses a text that is an object.
pub(super) fn object(text: &str, errors: &mut Errors) -> Option<Map<String, Value>> {
    match value(text, MOST_OBJECTS) {
        Ok(Value::Object(object)) => Some(object),
        Ok(_) => errors.refuse("the file", "expected an object"),
        Err(e) => {
            // The message ends with the position.
            let reason = e.to_string();
            let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(why, _)| why);
            errors.refuse(Location::Text(e.line().max(1), e.column().max(1)), reason)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Map<String, Value>, String> {
        let mut errors = Errors::default();
        object(text, &mut errors).ok_or_else(|| errors.into_list("the document")[0].to_string())
    }

    #[test]
    fn repeated_keys_are_refused_with_their_position() {
        for (text, place) in [
            (r#"{"a": 1, "a": 1}"#, "line 1, column 12: the key `a` occurs twice"),
            ("{\"x\": [1, {\"b\": 1,\n\"b\": 2}]}", "line 2, column 3: the key `b` occurs twice"),
            (r#"{"a": 1, "\u0061": 2}"#, "line 1, column 17: the key `a` occurs twice"),
        ] {
            let told = read(text).unwrap_err();
            assert!(told.starts_with(place), "{text}: {told}");
        }
        assert!(read(r#"{"a": {"b": 1}, "b": {"b": 1}}"#).is_ok());
    }

    #[test]
    fn objects_beyond_the_limit_are_refused() {
        let text = "{\"a\": [{}, {},\n{}]}";
        assert!(value(text, 4).is_ok());
        let error = value(text, 3).unwrap_err();
        assert_eq!(error.line(), 2);
        assert!(error.to_string().starts_with("more than 3 objects"), "{error}");
    }

    /// Other texts are read as any JSON reader reads them.
    #[test]
    fn values_are_as_usual() {
        let text = r#"{"a": [null, true, -1, 18446744073709551615, 2.279012170860525e+274, -0.0, "\u00e9"], "b": {}}"#;
        let usual: Value = serde_json::from_str(text).unwrap();
        assert_eq!(Value::Object(read(text).unwrap()), usual);
        assert_eq!(read("[]").unwrap_err(), "the file: expected an object");
        assert!(read("{").unwrap_err().starts_with("line 1, column 1: EOF"));
        assert!(read(&"[".repeat(10_000)).is_err());
    }
}
