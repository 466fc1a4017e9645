//! Numbers as people write them in specs and declarations, stored as written and read exactly.

/// Number as it was written: sign, digits, fraction, exponent, suffix `k`, `M` or `G` (10³, 10⁶,
/// 10⁹).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    text: String,
    negative: bool,
    /// Significant digits without leading or trailing zeros; empty for 0.
    digits: String,
    /// The value is `0.digits`·10^`point`: the decimal point follows `point` digits.
    point: i64,
}

/// Reason why a number is not an integer of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotInteger {
    /// It is below zero.
    Negative,
    /// It has a fraction.
    Fraction,
    /// It is above 2⁶⁴ − 1.
    TooLarge,
}

/// Exponents are clipped to this size, beyond every representable number.
const MAX_EXPONENT: i64 = 1_000_000;

impl Number {
    /// Reads a text that is a single number; `None` if the text is not a number.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (negative, rest) = signed(text);
        let (whole, mut rest) = leading_digits(rest)?;
        let mut fraction = "";
        if let Some(after) = rest.strip_prefix('.') {
            (fraction, rest) = leading_digits(after)?;
        }
        let mut exponent = 0;
        if let Some(after) = rest.strip_prefix(['e', 'E']) {
            let (minus, after) = signed(after);
            let (digits, after) = leading_digits(after)?;
            let size = digits.parse::<i64>().unwrap_or(MAX_EXPONENT).min(MAX_EXPONENT);
            exponent = if minus { -size } else { size };
            rest = after;
        }
        exponent += match rest {
            "" => 0,
            "k" => 3,
            "M" => 6,
            "G" => 9,
            _ => return None,
        };
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0');
        let zeros = all.len() - significant.len();
        Some(Self {
            text: text.to_owned(),
            negative,
            digits: significant.trim_end_matches('0').to_owned(),
            point: whole.len() as i64 - zeros as i64 + exponent,
        })
    }

    /// The text of the number as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Value as an integer (`1.5k` is 1500).
    ///
    /// # Errors
    /// [`NotInteger`] with the reason.
    pub fn integer(&self) -> Result<u64, NotInteger> {
        if self.digits.is_empty() {
            return Ok(0);
        }
        if self.negative {
            return Err(NotInteger::Negative);
        }
        let zeros = self.point - self.digits.len() as i64;
        if zeros < 0 {
            return Err(NotInteger::Fraction);
        }
        if self.point > 20 {
            return Err(NotInteger::TooLarge);
        }
        let text = format!("{}{}", self.digits, "0".repeat(zeros as usize));
        text.parse().map_err(|_| NotInteger::TooLarge)
    }

    /// Value, correctly rounded; `None` if it exceeds the largest double-precision number.
    #[must_use]
    pub fn real(&self) -> Option<f64> {
        if self.digits.is_empty() {
            return Some(0.0);
        }
        let sign = if self.negative { "-" } else { "" };
        let text = format!("{sign}0.{}e{}", self.digits, self.point);
        text.parse().ok().filter(|value: &f64| value.is_finite())
    }
}

/// Whether a text begins with a minus, and the text behind its sign.
fn signed(text: &str) -> (bool, &str) {
    let negative = text.starts_with('-');
    (negative, text.strip_prefix(['-', '+']).unwrap_or(text))
}

/// Reads at least one digit. Returns the digits and the rest of the text.
fn leading_digits(text: &str) -> Option<(&str, &str)> {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    (end > 0).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(text: &str) -> Option<Result<u64, NotInteger>> {
        Number::read(text).map(|n| n.integer())
    }

    #[test]
    fn integers_are_exact() {
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("007", 7),
            ("+12", 12),
            ("10k", 10_000),
            ("1.5k", 1_500),
            ("2M", 2_000_000),
            ("4G", 4_000_000_000),
            ("1e6", 1_000_000),
            ("1.25E2", 125),
            ("1200e-2", 12),
            ("0.001k", 1),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(integer(text), Some(Ok(value)), "{text}");
        }
        assert_eq!(integer("-1"), Some(Err(NotInteger::Negative)));
        assert_eq!(integer("1.5"), Some(Err(NotInteger::Fraction)));
        assert_eq!(integer("1e-9"), Some(Err(NotInteger::Fraction)));
        for text in ["18446744073709551616", "1e20", "99999999999G", "1e99999999999999999999"] {
            assert_eq!(integer(text), Some(Err(NotInteger::TooLarge)), "{text}");
        }
    }

    #[test]
    fn reals_are_correctly_rounded() {
        for (text, value) in [
            ("0.6", 0.6),
            ("-0.25", -0.25),
            ("4.31", 4.31),
            ("1e-3", 1e-3),
            ("1.5k", 1500.0),
            ("0e9", 0.0),
            ("123456789.123456789", 123_456_789.123_456_79),
            ("1e-99999", 0.0),
        ] {
            assert_eq!(Number::read(text).and_then(|n| n.real()), Some(value), "{text}");
        }
        assert_eq!(Number::read("1e999").and_then(|n| n.real()), None);
    }

    #[test]
    fn everything_else_is_no_number() {
        for text in [
            "", "-", "+", ".", ".5", "5.", "1e", "1e+", "1K", "1kk", "7-8", "0x10", "1_000", "inf",
            "nan", "١",
        ] {
            assert_eq!(Number::read(text), None, "{text}");
        }
    }
}
