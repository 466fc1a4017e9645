//! Ranks of subsets and of placements.
//!
//! A *placement* puts k distinguishable pieces on different cells. There are two numberings. The
//! search reads tables by [`Placements`] (lexicographic: neighbouring cells of the last pieces are
//! neighbouring entries). The builder works on blocks of one *subset* of occupied cells
//! ([`Subsets`]) times the k! orders of the pieces on it ([`Orders`]), where a move is the same for
//! a whole block.

use std::iter;

/// Largest number of cells.
pub const MAX_CELLS: usize = 64;
/// Largest number of pieces: an order's rank fits 16 bits.
pub const MAX_PIECES: usize = 8;

/// The factorial k! for k ≤ 12.
#[must_use]
pub const fn factorial(k: usize) -> usize {
    let (mut product, mut i) = (1, 2);
    while i <= k {
        product *= i;
        i += 1;
    }
    product
}

/// The subsets of `k` out of `cells` cells as bit masks, ranked in colexicographic order.
#[derive(Clone, Debug)]
pub struct Subsets {
    cells: usize,
    k: usize,
    /// Bits of a mask per lookup.
    width: u32,
    /// Parts of the rank, indexed by chunk, by number of bits in lower chunks, and by the chunk's
    /// bits.
    parts: Vec<Vec<Vec<u32>>>,
}

impl Subsets {
    /// Prepares ranking; `k ≤ 8`, `cells ≤ 64`, and at most 2^32 subsets, which excludes eight of
    /// 64 cells only.
    #[must_use]
    pub fn new(cells: usize, k: usize) -> Self {
        let chunks = cells.div_ceil(13).max(1);
        let width = cells.div_ceil(chunks) as u32;
        let part = |chunk: usize, below: usize, bits: u64| {
            let set = (0..width).filter(|b| bits >> b & 1 == 1);
            let sum = (below + 1..).zip(set).fold(0_u64, |sum, (count, b)| {
                let cell = chunk * width as usize + b as usize;
                // Parts of masks with more than k bits are never read.
                sum.saturating_add(binomial(cell, count.min(k + 1)))
            });
            u32::try_from(sum).unwrap_or(u32::MAX)
        };
        let parts_of = |chunk| {
            let parts = |below| (0..1 << width).map(|bits| part(chunk, below, bits)).collect();
            (0..=k).map(parts).collect()
        };
        Self { cells, k, width, parts: (0..chunks).map(parts_of).collect() }
    }

    /// Number of subsets.
    #[must_use]
    pub fn count(&self) -> usize {
        binomial(self.cells, self.k) as usize
    }

    /// The rank of a mask of exactly k bits.
    #[must_use]
    #[inline]
    pub fn rank(&self, mask: u64) -> usize {
        let (mut rest, mut below, mut rank) = (mask, 0, 0);
        let low = (1u64 << self.width) - 1;
        for part in &self.parts {
            let bits = rest & low;
            rank += part[below][bits as usize] as usize;
            below += bits.count_ones() as usize;
            rest >>= self.width;
        }
        rank
    }

    /// All masks in the order of their ranks.
    #[must_use]
    pub fn masks(&self) -> Vec<u64> {
        // Gosper's next mask with the same number of bits; the next of an empty mask is not used.
        let next = |&mask: &u64| {
            let lowest = mask & mask.wrapping_neg();
            let ripple = mask.checked_add(lowest)?;
            Some(ripple | (((mask ^ ripple) >> 2) / lowest.max(1)))
        };
        iter::successors(Some((1 << self.k) - 1), next).take(self.count()).collect()
    }
}

/// The binomial coefficient, saturating.
#[must_use]
pub fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    (0..k.min(n - k)).fold(1u128, |c, i| c * (n - i) as u128 / (i + 1) as u128) as u64
}

/// The k! orders of k pieces on k occupied cells, lexicographic. Digit t of the rank is the number
/// of cells below piece t's cell that no earlier piece occupies.
#[derive(Clone, Copy, Debug)]
pub struct Orders {
    k: usize,
}

impl Orders {
    /// Orders of `k ≤ 8` pieces.
    #[must_use]
    pub fn new(k: usize) -> Self {
        debug_assert!(k <= MAX_PIECES);
        Self { k }
    }

    /// Number of orders: k!.
    #[must_use]
    pub fn count(self) -> usize {
        factorial(self.k)
    }

    /// The rank of the order with piece t on the `place[t]`-th occupied cell. For a shorter list
    /// (the first pieces only), the first rank that begins with it.
    #[must_use]
    pub fn rank(self, place: &[usize]) -> usize {
        let (mut rank, mut taken) = (0, 0u32);
        for (t, &p) in place.iter().enumerate() {
            let digit = p - (taken & ((1 << p) - 1)).count_ones() as usize;
            rank = rank * (self.k - t) + digit;
            taken |= 1 << p;
        }
        rank * factorial(self.k - place.len())
    }

    /// The occupied cells of the pieces, for a rank.
    #[must_use]
    pub fn unrank(self, rank: usize) -> Vec<usize> {
        unrank(self.k, (0..self.k).rev().map(|left| factorial(left) as u64), rank as u64)
    }
}

/// The placements of `k` pieces on `cells` cells in lexicographic order. Digit t is the number of
/// cells below piece t's cell that no earlier piece occupies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placements {
    cells: usize,
    weights: Vec<u64>,
}

impl Placements {
    /// Placements of `k ≤ cells` pieces.
    #[must_use]
    pub fn new(cells: usize, k: usize) -> Self {
        let mut weights = vec![1; k];
        for t in (0..k.saturating_sub(1)).rev() {
            weights[t] = weights[t + 1] * (cells - t - 1) as u64;
        }
        Self { cells, weights }
    }

    /// Number of placements.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.weights.first().map_or(1, |w| w * self.cells as u64)
    }

    /// Growth of the rank per unit of each digit.
    #[must_use]
    pub fn weights(&self) -> &[u64] {
        &self.weights
    }

    /// The rank of the placement with piece t on `cell[t]`.
    #[must_use]
    pub fn rank(&self, cell: &[usize]) -> u64 {
        let mut used = 0u64;
        let mut rank = 0;
        for (&c, weight) in cell.iter().zip(&self.weights) {
            let below = (used & ((1u64 << c) - 1)).count_ones();
            rank += (c as u64 - u64::from(below)) * weight;
            used |= 1 << c;
        }
        rank
    }

    /// The cells of a rank below [`count`](Self::count).
    #[must_use]
    pub fn unrank(&self, rank: u64) -> Vec<usize> {
        unrank(self.cells, self.weights.iter().copied(), rank)
    }
}

/// The cells of the pieces, from a rank and the weights of its digits.
fn unrank(cells: usize, weights: impl Iterator<Item = u64>, mut rank: u64) -> Vec<usize> {
    let mut free: Vec<usize> = (0..cells).collect();
    let cell = |weight| {
        let digit = rank / weight;
        rank %= weight;
        free.remove(digit as usize)
    };
    weights.map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_numbered_in_order() {
        for (cells, k) in [(4, 0), (4, 2), (9, 3), (16, 8), (25, 3), (36, 3), (49, 2), (64, 2)] {
            let subsets = Subsets::new(cells, k);
            for (i, mask) in subsets.masks().into_iter().enumerate() {
                assert_eq!((subsets.rank(mask), mask.count_ones() as usize), (i, k));
            }
        }
    }

    #[test]
    fn orders_and_placements_are_bijections() {
        for k in 0..=6 {
            let orders = Orders::new(k);
            for rank in 0..orders.count() {
                assert_eq!(orders.rank(&orders.unrank(rank)), rank);
            }
        }
        for (cells, k) in [(4, 3), (6, 6), (9, 4), (12, 3), (64, 2)] {
            let placements = Placements::new(cells, k);
            for rank in 0..placements.count() {
                assert_eq!(placements.rank(&placements.unrank(rank)), rank);
            }
        }
        assert_eq!(Placements::new(16, 8).count(), 518_918_400);
    }
}
