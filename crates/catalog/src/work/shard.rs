//! Parts of a work that several processes or machines share.

use std::{fmt, str::FromStr};

/// Part `k` of `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the part, from 1.
    pub k: usize,
    /// Number of parts.
    pub n: usize,
}

impl Shard {
    /// The whole.
    pub const WHOLE: Self = Self { k: 1, n: 1 };

    /// Whether the part has the item with this number, from 0.
    #[must_use]
    pub fn has(self, number: usize) -> bool {
        number % self.n + 1 == self.k
    }
}

/// Writes a shard such as `2/10`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.k, self.n)
    }
}

/// Parses a shard such as `2/10`.
impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?))) {
            Some((k, n)) if 1 <= k && k <= n => Ok(Self { k, n }),
            _ => Err("expected K/N with 1 ≤ K ≤ N, such as 2/10".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_parsed() {
        assert_eq!("2/10".parse(), Ok(Shard { k: 2, n: 10 }));
        assert_eq!(Shard { k: 2, n: 10 }.to_string(), "2/10");
        for bad in ["", "2", "0/3", "4/3", "a/b", "1/0", "-1/2"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn shards_share_all_items() {
        for number in 0..20 {
            let of = |k| Shard { k, n: 3 }.has(number);
            assert_eq!((1..=3).filter(|&k| of(k)).count(), 1, "{number}");
            assert!(Shard::WHOLE.has(number));
        }
    }
}
