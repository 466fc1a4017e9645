//! Comparison of some entries of a stored table of cosets with the rules.
//!
//! A table does not contain the distances of marked cosets, so that the marks of neighbours prove
//! little. Three rules are compared:
//!
//! 1. Cosets at most two moves from the solved cube are known. Their words have the distances that
//!    follow from them, and no other word has such a distance.
//! 2. A sequence of random moves leads to cosets that are at most as far away as it is long. They
//!    are marked, and the distances of their words are no greater.
//! 3. A word has a distance within the depth if and only if one of its cosets is marked.
//!
//! A distance that is too great, or a mark that is missing, would make the search miss solutions.
//! Wrong marks beside right ones are not noticed: they only weaken the bound.

use super::{
    super::{
        coset::Cosets,
        node::{Map, TURNS},
        pipeline::{bit, least},
    },
    Near,
};
use crate::{Cube, pieces::SOLVED};
use std::{collections::hash_map::RandomState, hash::BuildHasher as _, sync::Arc};
use unriddle_core::Rng;

/// Greatest distance of cosets that are enumerated.
const AROUND: u8 = 2;
/// Number of sequences of random moves.
const WALKS: usize = 16;
/// Number of random words.
const SPOTS: usize = 256;

/// Cosets of a word.
const WORD: u64 = 64;

/// Compares some entries. The first difference is returned as a clause.
pub(super) fn check(near: Near, packed: &[u8]) -> Result<(), String> {
    let table = Entries::new(near, packed);
    let around = table.around();
    table.check_around(&around)?;
    let mut rng = Rng::new(RandomState::new().hash_one(packed.len()));
    (0..WALKS).try_for_each(|_| table.check_walk(&mut rng))?;
    (0..SPOTS).try_for_each(|_| table.check_word(&around, rng.below(near.words())))
}

/// A table whose entries are compared.
struct Entries<'t> {
    near: Near,
    packed: &'t [u8],
    cosets: Arc<Cosets>,
    turns: Vec<Map>,
}

impl<'t> Entries<'t> {
    fn new(near: Near, packed: &'t [u8]) -> Self {
        let turns = Cube::<3>::new(SOLVED, near.metric).turns();
        let turns = turns.map(|turn| TURNS[usize::from(turn.0)]).collect();
        Self { near, packed, cosets: Cosets::of(near.size), turns }
    }

    /// Whether a coset is marked, and the distance of its word.
    fn entry(&self, index: u64) -> (bool, u8) {
        (bit(self.packed, index) == 1, least(self.packed, self.near.bits(), index))
    }

    /// All words with a coset near the solved cube, and their distances, in ascending order.
    fn around(&self) -> Vec<(u64, u8)> {
        let mut all = Vec::new();
        let mut layer = vec![Map::of(&SOLVED)];
        for distance in 0..=AROUND {
            all.extend(layer.iter().map(|map| (self.cosets.index(0, map) / WORD, distance)));
            if distance < AROUND {
                layer = (layer.iter())
                    .flat_map(|map| self.turns.iter().map(|turn| map.then(turn)))
                    .collect();
            }
        }
        all.sort_unstable();
        all.dedup_by_key(|&mut (word, _)| word);
        all
    }

    fn check_around(&self, around: &[(u64, u8)]) -> Result<(), String> {
        for &(word, distance) in around {
            let (_, found) = self.entry(word * WORD);
            if found != distance {
                return Err(format!("word {word} has distance {found} instead of {distance}"));
            }
        }
        Ok(())
    }

    fn check_walk(&self, rng: &mut Rng) -> Result<(), String> {
        let mut map = Map::of(&SOLVED);
        for moves in 0..=self.near.depth() {
            let index = self.cosets.index(0, &map);
            let (is_marked, distance) = self.entry(index);
            if !is_marked || distance > moves {
                let marked = if is_marked { "is marked" } else { "is not marked" };
                return Err(format!(
                    "coset {index} {marked}, its word has distance {distance}, and {moves} moves lead to it"
                ));
            }
            map = map.then(&self.turns[rng.below(self.turns.len() as u64) as usize]);
        }
        Ok(())
    }

    fn check_word(&self, around: &[(u64, u8)], word: u64) -> Result<(), String> {
        let first = word * WORD;
        let (_, distance) = self.entry(first);
        let bytes = &self.packed[(first / 8) as usize..][..(WORD / 8) as usize];
        let is_marked = bytes.iter().any(|&byte| byte != 0);
        let is_around = around.binary_search_by_key(&word, |&(word, _)| word).is_ok();
        let depth = self.near.depth();
        if distance > depth + 1
            || is_marked != (distance <= depth)
            || is_around != (distance <= AROUND)
        {
            let marked = if is_marked { "a marked coset" } else { "no marked coset" };
            return Err(format!("word {word} has distance {distance} and {marked}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, solvers::optimal::size::Size};
    use unriddle_tables::{Build as _, Work};

    #[test]
    fn raised_and_lowered_entries_are_noticed() {
        let near = Near { metric: Metric::Half, size: Size::Small };
        let mut packed = near.build(&Work::new(2, &|_| true)).unwrap();
        for _ in 0..20 {
            assert_eq!(check(near, &packed), Ok(()));
        }
        let table = Entries::new(near, &packed);
        let around = table.around();
        for word in (0..near.words()).step_by(97) {
            assert_eq!(table.check_word(&around, word), Ok(()));
        }
        let bits = near.bits();
        let nibbles =
            |change: fn(u8) -> u8| move |byte: u8| change(byte & 15) | change(byte >> 4) << 4;
        let mut refuses = |from: usize, change: &dyn Fn(u8) -> u8, what: &str| {
            let kept = packed[from..].to_vec();
            let end = if from == 0 { bits } else { packed.len() };
            packed[from..end].iter_mut().for_each(|byte| *byte = change(*byte));
            let answer = check(near, &packed);
            packed[from..].copy_from_slice(&kept);
            assert!(answer.is_err(), "{what}");
        };
        refuses(bits, &nibbles(|least| (least + 1).min(15)), "raised distances");
        refuses(
            bits,
            &nibbles(|least| if least > 3 { least + 1 } else { least }),
            "far ones raised",
        );
        refuses(bits, &nibbles(|least| least.saturating_sub(1)), "lowered distances");
        refuses(bits, &nibbles(|least| least.min(2)), "distances of two moves or less");
        refuses(0, &|_| 0, "no marks");
        refuses(0, &|byte| byte & 0x55, "half of the marks");
        refuses(0, &|_| 0xff, "all marks");
    }
}
