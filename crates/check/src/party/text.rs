//! Texts in error messages, and unknown keys.

use crate::json::Value;
use std::fmt;

/// The beginning of a text that may be long, without control characters.
pub(super) fn shown(value: impl fmt::Display) -> String {
    let text = value.to_string();
    let start = text.chars().take(40);
    start.map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Refuses an object with an unknown key, which may be misspelt and would be ignored. Other values
/// have no keys.
pub(super) fn only_keys(value: &Value, known: &[&str]) -> Result<(), String> {
    let Value::Object(pairs) = value else {
        return Ok(());
    };
    let unknown = pairs.iter().find(|(key, _)| !known.contains(&key.as_str()));
    match unknown {
        None => Ok(()),
        Some((key, _)) => Err(format!("`{}` is unknown", shown(key))),
    }
}
