//! Texts in error messages, and unknown keys.

use crate::json::Value;
use std::fmt;

/// The beginning of a text that may be long, without control characters.
pub(super) fn shown(value: impl fmt::Display) -> String {
    let text = value.to_string();
    let start = text.chars().take(40);
    start.map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Refuses an object with a key that is not in the list `known` (with commas between its entries):
/// it may be misspelt and would be ignored. Other values have no keys.
pub(super) fn only_keys(value: &Value, known: &str) -> Result<(), String> {
    let mut keys = value.as_object().unwrap_or_default().iter().map(|(key, _)| key);
    match keys.find(|key| known.split(',').all(|known| known != *key)) {
        None => Ok(()),
        Some(key) => Err(format!("`{}` is unknown", shown(key))),
    }
}
