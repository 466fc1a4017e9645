//! Classes of positions: all pegs but the goal's are alike, so positions that differ only in the
//! order of these pegs have the same distance to the goal.
//!
//! Disks are written from the largest one down: 0 for the goal's peg, and the other pegs by the
//! order of their first disks, 1, 2 and so on. Each class has one such word. The words are numbered
//! without gaps, and the goal has the number 0. On four pegs there are six times fewer classes than
//! positions, and on nine pegs up to 40,320 times fewer.

use crate::{MOST, PEGS};

/// Label of a peg that no disk has been seen on.
const NEW: u8 = u8::MAX;

/// Numbers of the classes of some disks.
#[derive(Clone, Debug)]
pub struct Classes {
    pegs: usize,
    disks: usize,
    /// `ways[r][m]`: number of words of `r` disks, where the larger disks use `m` pegs besides the
    /// goal's.
    ways: Vec<[u64; PEGS]>,
}

impl Classes {
    /// The classes of `disks` disks on `pegs` pegs; both are clamped to the limits of the puzzle.
    #[must_use]
    pub fn new(pegs: u8, disks: usize) -> Self {
        let (pegs, disks) = (usize::from(pegs).clamp(3, PEGS), disks.min(MOST));
        let mut ways = vec![[1; PEGS]];
        for r in 1..=disks {
            let smaller: [u64; PEGS] = ways[r - 1];
            let of = |m: usize| {
                let new = if m + 1 < pegs { smaller[m + 1] } else { 0 };
                // At most 9^20 words, which 64 bits hold.
                (m as u64 + 1) * smaller[m] + new
            };
            let mut row = [0; PEGS];
            for (m, entry) in row.iter_mut().enumerate().take(pegs) {
                *entry = of(m);
            }
            ways.push(row);
        }
        Self { pegs, disks, ways }
    }

    /// The number of disks.
    #[must_use]
    pub fn disks(&self) -> usize {
        self.disks
    }

    /// The number of classes.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.ways[self.disks][0]
    }

    /// The number of the class of a position: the peg of each disk from the smallest one. If the
    /// list is shorter, the largest disks are on the goal's peg.
    #[inline]
    #[must_use]
    pub fn rank(&self, at: &[u8]) -> u64 {
        let mut labels = [NEW; PEGS];
        labels[self.pegs - 1] = 0;
        let (mut used, mut rank) = (0, 0);
        for (ways, &peg) in self.ways.iter().zip(at).rev() {
            let label = &mut labels[usize::from(peg)];
            if *label == NEW {
                rank += (used as u64 + 1) * ways[used];
                used += 1;
                *label = used as u8;
            } else {
                rank += u64::from(*label) * ways[used];
            }
        }
        rank
    }

    /// Writes a position of a class: the peg of each disk, where the goal's peg is the last one.
    #[inline]
    pub fn unrank(&self, mut rank: u64, at: &mut [u8; MOST]) {
        let goal = (self.pegs - 1) as u8;
        let mut used = 0;
        for r in (0..self.disks).rev() {
            let ways = self.ways[r][used];
            let mut label = 0;
            while label <= used && rank >= ways {
                rank -= ways;
                label += 1;
            }
            used = used.max(label);
            at[r] = if label == 0 { goal } else { label as u8 - 1 };
        }
    }

    /// Calls `visit` with the class of every neighbour of a position of a class.
    #[inline]
    pub fn neighbours(&self, at: &mut [u8; MOST], mut visit: impl FnMut(u64)) {
        let mut tops = [u8::MAX; PEGS];
        for (disk, &peg) in at[..self.disks].iter().enumerate().rev() {
            tops[usize::from(peg)] = disk as u8;
        }
        let goal = self.pegs - 1;
        // Empty pegs other than the goal's lead to the same class.
        let first = (0..goal).find(|&peg| tops[peg] == u8::MAX);
        for from in 0..self.pegs {
            let top = tops[from];
            if top == u8::MAX {
                continue;
            }
            for (to, &below) in tops[..self.pegs].iter().enumerate() {
                let is_copy = below == u8::MAX && to != goal && Some(to) != first;
                if top < below && !is_copy {
                    at[usize::from(top)] = to as u8;
                    visit(self.rank(&at[..self.disks]));
                }
            }
            at[usize::from(top)] = from as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Positions have the same number if and only if an order of the pegs makes them equal, and all
    /// numbers below the count are used.
    #[test]
    fn classes_are_numbered_without_gaps() {
        for (pegs, disks) in [(3, 4), (4, 5), (5, 4), (9, 3)] {
            let classes = Classes::new(pegs, disks);
            let mut words: HashMap<Vec<u8>, u64> = HashMap::new();
            let all = u64::from(pegs).pow(disks as u32);
            for code in 0..all {
                let mut rest = code;
                let at: Vec<u8> = (0..disks)
                    .map(|_| {
                        let peg = (rest % u64::from(pegs)) as u8;
                        rest /= u64::from(pegs);
                        peg
                    })
                    .collect();
                let mut known = vec![pegs - 1];
                let word = at.iter().rev().map(|peg| {
                    let label = known.iter().position(|other| other == peg);
                    label.unwrap_or_else(|| {
                        known.push(*peg);
                        known.len() - 1
                    }) as u8
                });
                let word: Vec<u8> = word.collect();
                let rank = classes.rank(&at);
                assert!(rank < classes.count());
                assert_eq!(*words.entry(word).or_insert(rank), rank);
                let mut again = [0; MOST];
                classes.unrank(rank, &mut again);
                assert_eq!(classes.rank(&again[..disks]), rank);
            }
            assert_eq!(words.len() as u64, classes.count(), "{pegs} pegs, {disks} disks");
            assert_eq!(classes.rank(&vec![pegs - 1; disks]), 0);
        }
    }

    /// The numbers of the largest puzzles fit.
    #[test]
    fn twenty_disks_have_numbers() {
        for pegs in 3..=PEGS as u8 {
            let classes = Classes::new(pegs, MOST);
            let mut at = [0; MOST];
            classes.unrank(classes.count() - 1, &mut at);
            assert_eq!(classes.rank(&at), classes.count() - 1);
        }
    }
}
