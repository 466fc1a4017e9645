//! Prices in cells, some with a comma between thousands.
//!
//! `1,234.50` and `1,234,567` can be read in one way only, but `1,234` may also be a decimal
//! written with a comma. It is read as a thousand where another price of the table shows which of
//! the two signs is which, and refused otherwise.

use crate::{
    decimal::{Decimal, MOST_PLACES},
    prices::price,
};
use serde_json::{Number, Value};

/// The price in a cell, as a value of a document and as a decimal, and the number of decimals in
/// the cell. With `signs` some price of the table [shows](shows_signs) the meaning of commas.
///
/// # Errors
/// The reason why the cell is not a valid price.
pub(super) fn price_in(cell: &str, signs: bool) -> Result<(Value, Decimal, usize), String> {
    let plain = cell.replace(',', "");
    match groups(cell) {
        _ if plain == cell => {}
        None => {
            return Err(format!(
                "the price is {cell}, expected decimals with a point and no comma, such as 12.50"
            ));
        }
        Some(1) if !signs && !cell.contains('.') => {
            let decimal = cell.replace(',', ".");
            return Err(format!(
                "the price {cell} is {plain} or {decimal}: write it without a comma"
            ));
        }
        Some(_) => {}
    }
    let value = serde_json::from_str::<Number>(&plain).map(Value::Number);
    let shown = if value.is_ok() { plain.clone() } else { Value::from(cell).to_string() };
    let decimal = price(&shown)?;
    let written = match plain.split_once('.') {
        Some((_, part)) if !part.contains(['e', 'E']) => part.len(),
        _ => 0,
    };
    Ok((value.unwrap_or_default(), decimal, written.clamp(decimal.places, MOST_PLACES)))
}

/// Number of commas between groups of three digits; `None` if a comma is elsewhere.
fn groups(cell: &str) -> Option<usize> {
    let whole = cell.split_once('.').map_or(cell, |(whole, _)| whole);
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let mut parts = digits.split(',');
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_head = parts.next().is_some_and(|part| (1..=3).contains(&part.len()) && is_digits(part));
    let in_threes = parts.all(|part| part.len() == 3 && is_digits(part));
    let commas = digits.matches(',').count();
    (is_head && in_threes && !cell[whole.len()..].contains(',')).then_some(commas)
}

/// Whether a price shows that a comma separates thousands, or that decimals have a point.
pub(super) fn shows_signs(cell: &str) -> bool {
    match (groups(cell), cell.split_once('.')) {
        (Some(0), Some((_, part))) => part.len() != 3,
        (Some(commas), part) => commas > 1 || (commas == 1 && part.is_some()),
        (None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(cells: &[&str]) -> Vec<Result<(String, usize), String>> {
        let signs = cells.iter().any(|cell| shows_signs(cell));
        let one = |cell: &&str| price_in(cell, signs).map(|(v, _, places)| (v.to_string(), places));
        cells.iter().map(one).collect()
    }

    #[test]
    fn thousands_are_read_where_they_are_unambiguous() {
        let ok = |text: &str, places| Ok((text.to_owned(), places));
        assert_eq!(
            read(&["1,234.50", "1,234", "7", "0.125"]),
            [ok("1234.5", 2), ok("1234", 0), ok("7", 0), ok("0.125", 3)]
        );
        assert_eq!(read(&["1,234", "1,234,567"]), [ok("1234", 0), ok("1234567", 0)]);
        assert_eq!(read(&["1,234", "12.50"]), [ok("1234", 0), ok("12.5", 2)]);
        let told = "the price 1,234 is 1234 or 1.234: write it without a comma";
        assert_eq!(read(&["1,234", "7"])[0], Err(told.to_owned()));
        assert_eq!(read(&["1,234", "7.125"])[0], Err(told.to_owned()));
        for wrong in
            ["12,50", "1.234,50", "1,23,456", "1234,567", ",123", "1,2x4", "1,234,", "-,123"]
        {
            let told = read(&[wrong])[0].clone().unwrap_err();
            assert!(told.contains("no comma, such as 12.50"), "{wrong}: {told}");
        }
        for wrong in ["x", "+1", "5.", "1.23456", "-1,234.50", "1e300", "\"1\""] {
            assert!(read(&[wrong])[0].is_err(), "{wrong}");
        }
        assert_eq!(read(&["12.5000"]), [ok("12.5", 3)]);
    }
}
