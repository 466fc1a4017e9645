//! The weights of all patterns of a part at once, by a Walsh-Hadamard transform.
//!
//! Let a board's solution have the bit s_j at cell j, and let g_j be the patterns of the basis that
//! have the cell. By the sum of the patterns a, the cell becomes s_j + ⟨a, g_j⟩, and the number of
//! ones is
//!
//! ```text
//! w(a) = (n − Σ_j (−1)^(s_j + ⟨a, g_j⟩)) / 2 = (n − F̂(a)) / 2
//! with F(g) = Σ (−1)^s_j over all j with g_j = g,
//! ```
//!
//! where F̂ is the transform of F. It takes k additions for each of the 2^k weights, several in one
//! instruction, where Gray's code takes a sum and a count of ones for each word of a pattern.

use crate::algebra::{Part, Row, has};
use std::ops::{Add, Sub};

/// Number type of the weights.
///
/// A sum has at most as many terms as the part has cells, and the type can represent that number:
/// nothing overflows.
pub(crate) trait Count:
    Copy + Default + Ord + Into<i32> + Add<Output = Self> + Sub<Output = Self>
{
    fn of(number: i32) -> Self;
}

impl Count for i16 {
    fn of(number: i32) -> Self {
        number as Self
    }
}

impl Count for i32 {
    fn of(number: i32) -> Self {
        number
    }
}

/// Number of levels of the transform that are computed block by block, so that a block stays in the
/// cache.
const BLOCK: usize = 13;

/// The weights of all patterns of a part. `T` can represent its number of cells.
pub(crate) struct Table<T> {
    /// First the signed counts, then their transform, finally the weights.
    pub(crate) weights: Vec<T>,
    /// Number of completed levels of the transform.
    done: usize,
    rank: usize,
    cells: i32,
}

impl<T: Count> Table<T> {
    /// Bytes of a table of a rank.
    pub(crate) fn bytes(rank: usize) -> u64 {
        (size_of::<T>() as u64) << rank
    }

    /// A table to be [finished](Self::work).
    pub(crate) fn new(part: &Part, presses: &[Row]) -> Self {
        let rank = part.rank();
        let mut weights = vec![T::default(); 1 << rank];
        for &(place, patterns) in &part.cells {
            let weight = &mut weights[patterns as usize];
            let sign = T::of(1 - 2 * i32::from(has(presses, place)));
            *weight = *weight + sign;
        }
        // At most 40,000.
        let cells = part.cells.len() as i32;
        Self { weights, done: 0, rank, cells }
    }

    /// Performs some of the work. Returns whether the table is finished.
    pub(crate) fn work(&mut self) -> bool {
        if self.done == 0 {
            let levels = self.rank.min(BLOCK);
            for block in self.weights.chunks_exact_mut(1 << levels) {
                (0..levels).for_each(|level| transform(block, level));
            }
            self.done = levels;
        } else if self.done < self.rank {
            transform(&mut self.weights, self.done);
            self.done += 1;
        }
        if self.done == self.rank {
            let cells = T::of(self.cells);
            for weight in &mut self.weights {
                // The numerators are even, and no weight exceeds the number of cells.
                *weight = T::of((cells - *weight).into() / 2);
            }
            self.rank = 0;
            self.done = usize::MAX;
        }
        self.done == usize::MAX
    }

    /// The finished table.
    pub(crate) fn finished(mut self) -> Self {
        while !self.work() {}
        self
    }

    /// The least weight, the first pattern with it, and the number of patterns with it.
    pub(crate) fn least(&self) -> (i32, usize, u64) {
        let (mut least, mut at, mut count) = (T::of(i16::MAX.into()), 0, 0);
        for (i, &weight) in self.weights.iter().enumerate() {
            if i == 0 || weight < least {
                (least, at, count) = (weight, i, 1);
            } else if weight == least {
                count += 1;
            }
        }
        (least.into(), at, count)
    }
}

/// A level of the transform: sums and differences of numbers whose indices differ in one bit.
fn transform<T: Count>(numbers: &mut [T], level: usize) {
    let half = 1 << level;
    for pair in numbers.chunks_exact_mut(2 * half) {
        let (low, high) = pair.split_at_mut(half);
        for (low, high) in low.iter_mut().zip(high) {
            (*low, *high) = (*low + *high, *low - *high);
        }
    }
}
