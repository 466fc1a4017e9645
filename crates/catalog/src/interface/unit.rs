//! Unit of a value that is a decimal part of its puzzle's unit, or another unit.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, str::FromStr};
use unriddle_core::text::decimal;

/// Most decimals: a value of this many still has a digit before the point.
const MOST_DECIMALS: u32 = 18;

/// A decimal part of a unit, such as a hundredth of a coin: `0.01 coins`; or a whole unit that is
/// not its puzzle's usual one, such as `points`. Values stay whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    decimals: u32,
    of: String,
}

impl Unit {
    /// The part of `of` (a plural such as `coins`) that makes `decimals` decimals; `None` where
    /// values are whole.
    #[must_use]
    pub fn parts(decimals: u32, of: &str) -> Option<Self> {
        (1..=MOST_DECIMALS).contains(&decimals).then(|| Self { decimals, of: of.to_owned() })
    }

    /// The unit of which values count parts of `decimals` decimals, or whole ones without decimals:
    /// a unit that is not its puzzle's usual one. `None` with too many decimals.
    #[must_use]
    pub fn other(decimals: u32, of: &str) -> Option<Self> {
        (decimals <= MOST_DECIMALS).then(|| Self { decimals, of: of.to_owned() })
    }

    /// Name of the whole unit: a plural such as `coins`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.of
    }

    /// Number of decimals of a value in the whole unit.
    #[must_use]
    pub fn decimals(&self) -> u32 {
        self.decimals
    }

    /// A value in the whole unit, without the unit's name.
    #[must_use]
    pub fn text(&self, value: i64) -> String {
        decimal(value, self.decimals)
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decimals {
            0 => f.write_str(&self.of),
            _ => write!(f, "{} {}", self.text(1), self.of),
        }
    }
}

impl FromStr for Unit {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if !text.is_empty() && text.chars().all(|sign| sign.is_alphabetic() || sign == ' ') {
            return Ok(Self { decimals: 0, of: text.to_owned() });
        }
        let read = || {
            let (part, of) = text.split_once(' ')?;
            let zeros = part.strip_prefix("0.")?.strip_suffix('1')?;
            let is_plain = zeros.bytes().all(|byte| byte == b'0');
            let decimals = u32::try_from(zeros.len()).ok()? + 1;
            Self::parts(decimals, of).filter(|_| is_plain)
        };
        read().ok_or_else(|| format!("expected a unit such as \"0.01 coins\", found \"{text}\""))
    }
}

impl Serialize for Unit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Unit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_as_they_are_written() {
        let cents = Unit::parts(2, "coins").unwrap();
        assert_eq!(cents.to_string(), "0.01 coins");
        assert_eq!("0.01 coins".parse(), Ok(cents.clone()));
        assert_eq!(cents.text(-1250), "-12.50");
        assert_eq!(Unit::parts(0, "coins"), None);
        let points = Unit::other(0, "points").unwrap();
        assert_eq!(points.to_string(), "points");
        assert_eq!("points".parse(), Ok(points.clone()));
        assert_eq!((points.text(-12), points.name()), ("-12".to_owned(), "points"));
        assert_eq!(Unit::other(2, "points").unwrap().to_string(), "0.01 points");
        for wrong in
            ["", "1 coins", "0.02 coins", "0.x1 coins", "0.01", "0.0000000000000000001 coins"]
        {
            assert!(wrong.parse::<Unit>().is_err(), "{wrong}");
        }
    }
}
