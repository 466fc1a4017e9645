//! Prices in cells, some with a comma between thousands.
//!
//! `1,234.50` and `1,234,567` can be read in one way only, but `1,234` may also be a decimal
//! written with a comma. It is read as a thousand where another price of the table shows which of
//! the two signs is which, and refused otherwise.

use crate::{
    decimal::{Decimal, MOST_PLACES},
    prices::price,
};
use serde_json::Value;

/// Convention of commas and points in a table's prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Convention {
    /// Whether some price shows that a comma separates thousands, or that decimals have a point.
    is_known: bool,
}

impl Convention {
    /// The convention of the prices in a column.
    pub(super) fn of<'a>(cells: impl Iterator<Item = &'a str>) -> Self {
        Self { is_known: cells.into_iter().any(shows_signs) }
    }

    /// The price in a cell, as a value of a document and as a decimal, and the number of decimals
    /// in the cell.
    ///
    /// # Errors
    /// The reason why the cell is not a valid price.
    pub(super) fn price(self, cell: &str) -> Result<(Value, Decimal, usize), String> {
        let plain = if cell.contains(',') {
            match groups(cell) {
                None => {
                    return Err(format!(
                        "the price is {cell}, expected decimals with a point and no comma, such as 12.50"
                    ));
                }
                Some(1) if !self.is_known && !cell.contains('.') => {
                    return Err(format!(
                        "the price {cell} is {} or {}: write it without a comma",
                        cell.replace(',', ""),
                        cell.replace(',', "."),
                    ));
                }
                Some(_) => cell.replace(',', ""),
            }
        } else {
            cell.to_owned()
        };
        let shown = match serde_json::from_str::<serde_json::Number>(&plain) {
            Ok(_) => plain.clone(),
            Err(_) => Value::from(cell).to_string(),
        };
        let decimal = price(&shown)?;
        let written = match plain.split_once('.') {
            Some((_, part)) if !part.contains(['e', 'E']) => part.len(),
            _ => 0,
        };
        let value = serde_json::from_str(&plain).unwrap_or_default();
        Ok((value, decimal, written.clamp(decimal.places(), MOST_PLACES)))
    }
}

/// Number of commas between groups of three digits; `None` if a comma is elsewhere.
fn groups(cell: &str) -> Option<usize> {
    let whole = cell.split_once('.').map_or(cell, |(whole, _)| whole);
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let mut parts = digits.split(',');
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let first = parts.next()?;
    let is_head = (1..=3).contains(&first.len()) && is_digits(first);
    let rest: Vec<&str> = parts.collect();
    let in_threes = rest.iter().all(|part| part.len() == 3 && is_digits(part));
    (is_head && in_threes && !cell[whole.len()..].contains(',')).then_some(rest.len())
}

/// Whether a price shows that a comma separates thousands, or that decimals have a point.
fn shows_signs(cell: &str) -> bool {
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
        let convention = Convention::of(cells.iter().copied());
        let one =
            |cell: &&str| convention.price(cell).map(|(v, _, places)| (v.to_string(), places));
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
