//! Decimal numbers of files, read without rounding.

use serde_json::{Number, Value};

/// Most decimal places of a number or a price.
pub(super) const MOST_PLACES: usize = 3;

/// Limit of a number's digits, read without the decimal point, so that no sum or rating of a team
/// overflows.
const MOST_DIGITS: i64 = 1 << 32;

/// A decimal number: its digits without the point, and the number of decimal places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) digits: i64,
    pub(super) places: usize,
}

impl Decimal {
    /// A number of a document. `None` if the value is not a number, is too large or has too many
    /// decimals.
    pub(super) fn of(value: &Value) -> Option<Self> {
        Self::read(&value.as_number()?.to_string(), MOST_DIGITS)
    }

    /// A text that is a number of JSON, in digits below `most`. Zeros at the end of its decimals do
    /// not count.
    pub(super) fn read(text: &str, most: i64) -> Option<Self> {
        let number: Number = serde_json::from_str(text).ok()?;
        // An exponent is resolved by the parser; everything else is taken from the text itself,
        // which a double might round.
        let resolved = text.contains(['e', 'E']).then(|| number.to_string());
        let text = resolved.as_deref().unwrap_or(text);
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let part = part.trim_end_matches('0');
        if part.len() > MOST_PLACES {
            return None;
        }
        let digits: i64 = format!("{whole}{part}").parse().ok()?;
        (digits.abs() < most).then_some(Self { digits, places: part.len() })
    }

    /// The product with `factor`, as a numerator and a denominator.
    pub(super) fn times(self, factor: i64) -> (i128, i128) {
        let whole = i128::from(self.digits) * i128::from(factor);
        (whole, 10i128.pow(self.places as u32))
    }

    /// The number in units of 10^−`places`; `places` must be at least its own.
    pub(super) fn scaled(self, places: usize) -> i64 {
        self.digits * 10i64.pow((places - self.places) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_exactly() {
        let read = |text| Decimal::read(text, 1 << 48).map(|d| (d.digits, d.places));
        for (text, digits, places) in [
            ("12.50", 125, 1),
            ("-0.050", -5, 2),
            ("-0.0", 0, 0),
            ("1e3", 1000, 0),
            ("281474976710.655", 281_474_976_710_655, 3),
        ] {
            assert_eq!(read(text), Some((digits, places)), "{text}");
        }
        for text in [
            "",
            "x",
            "+1",
            ".5",
            "5.",
            "007",
            "1,5",
            "0.1234",
            "1e-4",
            "1e300",
            "281474976710656",
            "281474976710.656",
            "2814749767106.5500000000000001",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(
            Decimal::of(&Value::from(4_294_967_295u64)).map(|d| d.scaled(1)),
            Some(42_949_672_950)
        );
        assert_eq!(Decimal::of(&Value::from(4_294_967_296u64)), None);
    }
}
