//! Decimal numbers of few decimal places, without rounding.

use crate::json::Value;

/// Most decimal places.
const MOST_PLACES: u32 = 3;

/// Bound on the digits of a number, read without the point. It keeps all amounts of a team far from
/// overflow.
pub(super) const MOST_DIGITS: i64 = 1 << 32;

/// A number of at most three decimal places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) thousandths: i64,
    /// Number of decimal places that it needs.
    pub(super) places: u32,
}

/// Reads a value of a document as a decimal. `None` if it is not a number, is too large, or has too
/// many decimal places.
pub(super) fn read(value: &Value) -> Option<Decimal> {
    read_below(value, MOST_DIGITS)
}

/// The same, with another bound on the digits, at most 2^50.
pub(super) fn read_below(value: &Value, most: i64) -> Option<Decimal> {
    let literal = value.as_literal()?;
    let (mantissa, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
    let positive = mantissa.trim_start_matches('-');
    let (whole, part) = positive.split_once('.').unwrap_or((positive, ""));
    let digits = format!("{whole}{part}");
    let digits = digits.trim_start_matches('0');
    let without_zeros = digits.trim_end_matches('0');
    if without_zeros.is_empty() {
        return Some(Decimal { thousandths: 0, places: 0 });
    }
    // The number is its digits without zeros at either end, times this power of ten.
    let zeros = digits.len() - without_zeros.len();
    let power = exponent.parse::<i64>().ok()?;
    let power = power.checked_add(zeros as i64 - part.len() as i64)?;
    // Seventeen digits exceed every bound.
    if power < -i64::from(MOST_PLACES) || power > 16 || without_zeros.len() > 16 {
        return None;
    }
    let places = u32::try_from(-power).unwrap_or(0);
    let tens = u32::try_from(power).unwrap_or(0);
    let digits = without_zeros.parse::<i64>().ok()?.checked_mul(10i64.pow(tens))?;
    if digits >= most {
        return None;
    }
    let sign = if mantissa == positive { 1 } else { -1 };
    Some(Decimal { thousandths: sign * digits * 10i64.pow(MOST_PLACES - places), places })
}

/// The first three decimal places of a fraction, followed by `…` if there are more.
pub(super) fn text(numerator: i128, denominator: i128) -> String {
    let sign = if numerator < 0 { "-" } else { "" };
    let thousandths = 1000 * numerator.abs() / denominator;
    let digits = format!("{sign}{}.{:03}", thousandths / 1000, thousandths % 1000);
    if thousandths * denominator == 1000 * numerator.abs() {
        digits.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        digits + "…"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(literal: &str) -> Option<(i64, u32)> {
        read(&Value::Number(literal.to_owned())).map(|d| (d.thousandths, d.places))
    }

    #[test]
    fn numbers_are_read_exactly() {
        for (literal, thousandths, places) in [
            ("0", 0, 0),
            ("-0.000", 0, 0),
            ("0e999999999999999999999", 0, 0),
            ("84", 84_000, 0),
            ("100", 100_000, 0),
            ("84.10", 84_100, 1),
            ("-70.125", -70_125, 3),
            ("0.005", 5, 3),
            ("0.0500", 50, 2),
            ("1e3", 1_000_000, 0),
            ("1.5E+2", 150_000, 0),
            ("12500e-4", 1250, 2),
            ("0.00005e2", 5, 3),
            ("4294967295", 4_294_967_295_000, 0),
            ("4294967.295", 4_294_967_295, 3),
            ("4e9", 4_000_000_000_000, 0),
        ] {
            assert_eq!(decimal(literal), Some((thousandths, places)), "{literal}");
        }
        for literal in [
            "0.0001",
            "1e-4",
            "4294967296",
            "-4294967296",
            "4294967.296",
            "1e10",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "1e9223372036854775807",
            "0.1e-9223372036854775808",
            "123456789012345678901234567890",
        ] {
            assert_eq!(decimal(literal), None, "{literal}");
        }
        assert_eq!(read(&Value::Text("1".to_owned())), None);
        let price = |literal: &str| read_below(&Value::Number(literal.to_owned()), 1 << 48);
        let price = |literal: &str| price(literal).map(|d| (d.thousandths, d.places));
        assert_eq!(price("281474976710.655"), Some((281_474_976_710_655, 3)));
        assert_eq!(price("281474976710655"), Some((281_474_976_710_655_000, 0)));
        for literal in ["281474976710656", "281474976710.656", "1e15", "99999999999999999e16"] {
            assert_eq!(price(literal), None, "{literal}");
        }
    }

    #[test]
    fn fractions_are_shown_with_three_decimals() {
        assert_eq!(text(0, 7), "0");
        assert_eq!(text(79_000, 100_000), "0.79");
        assert_eq!(text(-3, 2), "-1.5");
        assert_eq!(text(240, 3), "80");
        assert_eq!(text(915, 11), "83.181…");
        assert_eq!(text(-1, 3000), "-0.000…");
    }
}
