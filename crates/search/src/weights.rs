//! Weights of g and h: exact fractions, and a count of g + h over the open nodes.

use crate::memory::{Bytes, Full, reserve};

/// A fraction p/q close to `x` ≥ 0, exact for numbers of up to three decimals.
pub(crate) fn fraction(x: f64) -> (u64, u64) {
    // Continued fraction; p/q are the convergents.
    let (mut p, mut q, mut p0, mut q0) = (1u64, 0u64, 0u64, 1u64);
    let mut rest = x;
    loop {
        let whole = rest.floor();
        let (p1, q1) = (whole as u64 * p + p0, whole as u64 * q + q0);
        if q1 > 1000 {
            return (p, q);
        }
        (p0, q0, p, q) = (p, q, p1, q1);
        if (x - p as f64 / q as f64).abs() < 1e-9 {
            return (p, q);
        }
        rest = 1.0 / (rest - whole);
    }
}

/// Numbers of open nodes by their sum g + h. The minimum is a lower bound of the optimum if the
/// open list has another order.
///
/// Sums more than [`Tally::WIDTH`] above the start's are counted as that limit, and sums below the
/// start's as the start's, which keeps the minimum a lower bound.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    counts: Vec<u32>,
    base: u64,
    /// All smaller slots are unused.
    low: usize,
}

impl Bytes for Tally {
    fn bytes(&self) -> u64 {
        self.counts.bytes()
    }
}

impl Tally {
    const WIDTH: usize = 1 << 14;

    /// Allocates all of its memory, once.
    pub(crate) fn reserve(&mut self, room: u64) -> Result<(), Full> {
        let more = Self::WIDTH - self.counts.len();
        reserve(&mut self.counts, more, room)?;
        self.counts.resize(Self::WIDTH, 0);
        Ok(())
    }

    /// Sets the sum of the start, before anything is counted.
    pub(crate) fn start_at(&mut self, sum: u64) {
        self.base = sum;
    }

    #[inline]
    fn slot(&self, sum: u64) -> usize {
        sum.saturating_sub(self.base).min(Self::WIDTH as u64 - 1) as usize
    }

    #[inline]
    pub(crate) fn add(&mut self, sum: u64) {
        let slot = self.slot(sum);
        self.counts[slot] += 1;
        self.low = self.low.min(slot);
    }

    #[inline]
    pub(crate) fn remove(&mut self, sum: u64) {
        let slot = self.slot(sum);
        self.counts[slot] -= 1;
    }

    /// The smallest sum; `None` if nothing is counted.
    pub(crate) fn least(&mut self) -> Option<u64> {
        while *self.counts.get(self.low)? == 0 {
            self.low += 1;
        }
        Some(self.base + self.low as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        let known = [
            (0.0, (0, 1)),
            (1.0, (1, 1)),
            (0.6, (3, 5)),
            (0.2, (1, 5)),
            (1.5, (3, 2)),
            (2.717, (2717, 1000)),
            (99.999, (99_999, 1000)),
            (100.0, (100, 1)),
        ];
        for (x, fraction_of_x) in known {
            assert_eq!(fraction(x), fraction_of_x, "{x}");
        }
        for i in 0..=100_000u32 {
            let x = f64::from(i) / 100_000.0;
            let (p, q) = fraction(x);
            assert!(q <= 1000 && p <= q && (p as f64 / q as f64 - x).abs() < 1e-3, "{x}: {p}/{q}");
        }
    }

    #[test]
    fn the_least_sum_is_kept() {
        let mut tally = Tally::default();
        assert!(tally.reserve(10).is_err());
        tally.reserve(u64::MAX).unwrap();
        tally.start_at(5);
        assert_eq!(tally.least(), None);
        for sum in [9, 7, 7, 1 << 40] {
            tally.add(sum);
        }
        assert_eq!(tally.least(), Some(7));
        tally.remove(7);
        tally.remove(7);
        assert_eq!(tally.least(), Some(9));
        // Smaller than the start's: an inconsistent estimate.
        tally.add(2);
        assert_eq!(tally.least(), Some(5));
        tally.remove(2);
        tally.remove(9);
        assert_eq!(tally.least(), Some(5 + Tally::WIDTH as u64 - 1));
    }
}
