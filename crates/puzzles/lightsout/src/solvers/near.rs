//! Good solutions, and bounds, where the null space is too large to be enumerated.
//!
//! All solutions that differ from the best known one by sums of a few random quiet patterns are
//! weighed at once by a [table](super::table), and the best of them becomes the known one: a
//! descent whose neighbourhood has 2^12 solutions. The lower bound is the sum of the least weights
//! of parts of the board that have few patterns each.

use super::table::Table;
use crate::algebra::{Algebra, Part, Row, STEPS, by_steps, gathered, join};
use unriddle_core::Rng;

/// Number of random patterns of a neighbourhood.
const PATTERNS: usize = 12;

/// Maximum number of patterns of a part for bounds.
const BOUNDED: usize = 20;

/// A search for a solution with few presses near the best known one.
pub(crate) struct Near {
    rng: Rng,
    /// Number of attempts since the last success.
    pub(crate) failed: u64,
}

impl Near {
    pub(crate) fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed), failed: 0 }
    }

    /// Bytes of an attempt.
    pub(crate) fn bytes(algebra: &Algebra) -> u64 {
        // Cells with their patterns, the patterns, and the table.
        (8 * algebra.shape.buttons() + PATTERNS * algebra.pattern_bytes()) as u64
            + Table::<i32>::bytes(PATTERNS)
    }

    /// Tries to improve the solution. Returns whether it succeeded.
    pub(crate) fn attempt(&mut self, algebra: &Algebra, presses: &mut [Row]) -> bool {
        let patterns = (0..PATTERNS).map(|_| {
            let mut sum = vec![Row::default(); presses.len()];
            for pattern in &algebra.quiet {
                if self.rng.next_u64() >> 63 == 1 {
                    join(&mut sum, pattern);
                }
            }
            sum
        });
        let patterns: Vec<_> = patterns.collect();
        let cells = gathered(&patterns, &algebra.class(1, 0, 0));
        let part = Part { patterns, cells };
        let table = Table::<i32>::new(&part, presses).finished();
        let (least, at, _) = table.least();
        let is_better = least < table.weights[0];
        self.failed = if is_better { 0 } else { self.failed + 1 };
        for (i, pattern) in part.patterns.iter().enumerate() {
            if is_better && at >> i & 1 == 1 {
                join(presses, pattern);
            }
        }
        is_better
    }
}

/// Bytes of a bound by parts.
pub(crate) fn bound_bytes(algebra: &Algebra) -> u64 {
    Table::<i16>::bytes(BOUNDED) + (algebra.nullity() * algebra.pattern_bytes()) as u64
}

/// The sum of the least presses of every part of the board.
pub(crate) fn bound(algebra: &Algebra, presses: &[Row]) -> i64 {
    let parts = STEPS.into_iter().find_map(|step| by_steps(algebra, step, BOUNDED));
    let least = |part: &Part| i64::from(Table::<i16>::new(part, presses).finished().least().0);
    parts.iter().flatten().map(least).sum()
}
