//! Limits that a number of estimates of all ranks do not exceed.

use unriddle_core::ranks::Ranks;

/// Counters of a digit of 16 bits.
const DIGITS: usize = 1 << 16;

/// Digits of an estimate and a hash.
const MOST: usize = 6;

/// Upper limit of estimates and hashes: the first digits, of 16 bits each, of the bits of the
/// estimate and of the hash. It holds all that begin with no larger digits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Limit {
    digits: Vec<u16>,
    is_all: bool,
}

/// A digit of an estimate and a hash.
fn digit(key: u32, hash: u64, number: usize) -> u16 {
    match number {
        0 => (key >> 16) as u16,
        1 => key as u16,
        _ => (hash >> (16 * (5 - number))) as u16,
    }
}

impl Limit {
    /// The limit that holds everything.
    pub(super) fn all() -> Self {
        Self { digits: Vec::new(), is_all: true }
    }

    pub(super) fn is_all(&self) -> bool {
        self.is_all
    }

    /// Whether the next digit is one of the hash.
    pub(super) fn needs_hash(&self) -> bool {
        self.digits.len() >= 2
    }

    /// Whether an estimate has the first digits of the limit.
    pub(super) fn begins_with_key(&self, key: u32) -> bool {
        self.digits.iter().take(2).enumerate().all(|(n, &of)| digit(key, 0, n) == of)
    }

    /// Whether an estimate is held with any hash. The limit without digits holds nothing.
    pub(super) fn holds_key(&self, key: u32) -> bool {
        let known = self.digits.len().min(2);
        let key = (0..known).map(|n| digit(key, 0, n));
        let order = key.cmp(self.digits[..known].iter().copied());
        self.is_all || known > 0 && (order.is_lt() || order.is_eq() && self.digits.len() <= 2)
    }

    /// Whether an estimate is held with some hash.
    pub(super) fn may_hold(&self, key: u32) -> bool {
        let known = self.digits.len().min(2);
        let key = (0..known).map(|n| digit(key, 0, n));
        self.is_all || known > 0 && key.cmp(self.digits[..known].iter().copied()).is_le()
    }

    /// Whether an estimate and a hash are held.
    pub(super) fn holds(&self, key: u32, hash: u64) -> bool {
        let digits = (0..self.digits.len()).map(|n| digit(key, hash, n));
        self.is_all || !self.digits.is_empty() && digits.cmp(self.digits.iter().copied()).is_le()
    }

    /// Counts the next digit of an estimate and a hash that begin with the digits of the limit.
    pub(super) fn count(&self, key: u32, hash: u64, counts: &mut [u64]) {
        let number = self.digits.len();
        if (0..number).all(|n| digit(key, hash, n) == self.digits[n]) {
            counts[usize::from(digit(key, hash, number))] += 1;
        }
    }
}

/// The limit that holds at least `target` values of all ranks, and at most `most` unless the values
/// are equal. `count` counts the next digit of the values of this rank that begin with a limit. All
/// ranks call it together, with at least `target` values.
pub(super) fn global_limit(
    ranks: &dyn Ranks,
    target: u64,
    most: u64,
    count: &mut dyn FnMut(&Limit, &mut [u64]),
) -> Limit {
    let mut limit = Limit::default();
    // Values that the digits before the last one hold.
    let mut held = 0;
    while limit.digits.len() < MOST {
        let mut counts = vec![0; DIGITS];
        count(&limit, &mut counts);
        ranks.sum(&mut counts);
        let mut last = 0;
        while last < DIGITS - 1 && held + counts[last] < target {
            held += counts[last];
            last += 1;
        }
        limit.digits.push(last as u16);
        if held + counts[last] <= most {
            break;
        }
    }
    limit
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::{Rng, ranks::threads};

    #[test]
    fn a_limit_holds_as_many_values_as_a_sort() {
        let mut rng = Rng::new(1);
        for size in [1, 3] {
            for _ in 0..20 {
                let mut value = |_| {
                    let key = (rng.below(4) as f32).to_bits();
                    (key, u64::from(rng.below(50) as u32) << (16 * rng.below(4)))
                };
                let all: Vec<(u32, u64)> = (0..200).map(&mut value).collect();
                let mut sorted = all.clone();
                sorted.sort_unstable();
                for target in [1, 60, 150, 200] {
                    let limits = threads(size, |ranks| {
                        let mine = || all.iter().skip(ranks.rank()).step_by(size);
                        let target = target as u64;
                        global_limit(ranks, target, target, &mut |limit, counts| {
                            mine().for_each(|&(key, hash)| limit.count(key, hash, counts));
                        })
                    });
                    for limit in limits {
                        let held = sorted.iter().filter(|&&(key, hash)| limit.holds(key, hash));
                        let last = sorted[target - 1];
                        assert_eq!(held.count(), sorted.iter().filter(|&&v| v <= last).count());
                        for &(key, hash) in &all {
                            assert!(limit.may_hold(key) || !limit.holds(key, hash));
                            assert!(!limit.holds_key(key) || limit.holds(key, hash));
                        }
                    }
                }
            }
        }
    }
}
