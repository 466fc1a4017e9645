//! Zero-aware pattern databases: entries depend on the blank's region, and have one bit each.
//!
//! The value of a placement in a *region* is the least number of moves of the pattern's tiles that
//! bring them home while the blank begins in this region and ends at its goal cell. Only moves of
//! the pattern's tiles change the placement or the region, and each changes the value by one. So
//! *e = (value − Manhattan distance) / 2* changes by 0 or −1 when a tile moves away from its goal
//! cell, and by 0 or 1 when it moves towards it: the parity of e is enough to follow the value
//! along a path, and to find the value of a placement by descending to the goal.
//!
//! Entries are in blocks of one set of cells and one region (see [`super::blocks`]).

use super::{
    Pattern,
    blocks::{connected, neighbours},
    build::build_parities,
};
use crate::shape::MAX_CELLS;
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};
use unriddle_tables::{
    Work,
    cache::Build,
    file::TableError,
    rank::{Subsets, binomial, factorial},
    table::Width,
};

/// Builder of the parities of a pattern.
pub(crate) struct Parities(pub(crate) Pattern);

impl Parities {
    /// Number of regions of all sets of cells. The process keeps it: all patterns of a search have
    /// the same one.
    fn blocks(&self) -> u64 {
        static KNOWN: Mutex<BTreeMap<(usize, usize), u64>> = Mutex::new(BTreeMap::new());
        let (side, tiles) = (self.0.side, self.0.goals.len());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry((side, tiles)).or_insert_with(|| {
            let (near, all) = (neighbours(side), (1_u64 << (side * side)) - 1);
            let masks = Subsets::new(side * side, tiles).masks();
            masks.iter().map(|mask| connected(&near, all & !mask).count() as u64).sum()
        })
    }
}

impl Build for Parities {
    fn key(&self) -> String {
        format!("parities of {}", self.0.key())
    }

    fn file_stem(&self) -> String {
        format!("parities-{}", self.0.file_stem())
    }

    fn entries(&self) -> u64 {
        self.blocks() * factorial(self.0.goals.len()).div_ceil(64) as u64 * 8
    }

    /// A byte has the bits of eight orders.
    fn width(&self) -> Width {
        Width::Byte
    }

    fn peak(&self) -> u64 {
        // Three bit sets of the search, the parities, the bits of distances, and the edges.
        self.bytes() * 6
    }

    fn build(&self, work: &Work<'_>) -> Result<Vec<u8>, TableError> {
        build_parities(&self.0, work)
    }
}

/// Bits of a word of [`Regions`]: the first block.
const FIRST: u32 = 20;
/// Bits of an index of a region.
const INDEX: u32 = 2;
/// Most cells outside of the main region in a word.
const OUTSIDE: usize = 8;
/// Most cells of a board.
const MOST_CELLS: usize = 25;
/// Low cells of a set.
const LOW: usize = 13;
/// Mark of a word that cannot hold all of them.
const SLOW: u64 = 1 << 63;

/// The numbers of blocks by sets of cells and the blank's cell: a word for each set, which has its
/// first block, the index of its largest region, the cells outside of that, and their regions.
pub(crate) struct Regions {
    /// Parts of the rank of a set, by its low cells, and by their number and the other cells.
    low: Vec<u32>,
    high: Vec<[u32; 1 << (MOST_CELLS - LOW)]>,
    cells: u32,
    words: Vec<u64>,
    /// The index of the region of each cell, for sets whose words cannot hold them.
    slow: BTreeMap<usize, [u8; MAX_CELLS]>,
}

impl Regions {
    /// The regions of all sets of `tiles` cells of a board with at most 25 cells.
    pub(crate) fn new(side: usize, tiles: usize) -> Self {
        let cells = side * side;
        let (near, all) = (neighbours(side), (1_u64 << cells) - 1);
        let subsets = Subsets::new(cells, tiles);
        let (mut words, mut slow, mut first) = (Vec::new(), BTreeMap::new(), 0);
        for (rank, mask) in subsets.masks().into_iter().enumerate() {
            let regions: Vec<u64> = connected(&near, all & !mask).collect();
            let size = |index: &usize| regions[*index].count_ones();
            let main = (0..regions.len()).max_by_key(size).unwrap_or_default();
            let index = |cell: usize| regions.iter().position(|region| region >> cell & 1 == 1);
            let outside = regions.iter().fold(0, |all, region| all | region) & !regions[main];
            let places = INDEX * outside.count_ones();
            let mut word = first | (main as u64 & 3) << FIRST | outside << (FIRST + INDEX);
            if regions.len() > 1 << INDEX || outside.count_ones() as usize > OUTSIDE {
                word |= SLOW;
                let of_cells = std::array::from_fn(|cell| index(cell).unwrap_or_default() as u8);
                slow.insert(rank, of_cells);
            } else {
                let mut at = FIRST + INDEX + cells as u32;
                for cell in super::blocks::bits(outside) {
                    word |= (index(cell).unwrap_or_default() as u64) << at;
                    at += INDEX;
                }
                debug_assert!(places + FIRST + INDEX + cells as u32 <= 63);
            }
            words.push(word);
            first += regions.len() as u64;
        }
        // The rank of the i-th cell counts the sets of i + 1 lower cells.
        let part = |mask: usize, shift: usize, below: usize| {
            let cells = super::blocks::bits(mask as u64).enumerate();
            cells.map(|(i, cell)| binomial(cell + shift, below + i + 1) as u32).sum()
        };
        let low = (0..1 << LOW).map(|mask| part(mask, 0, 0)).collect();
        let high = (0..=tiles).map(|below| std::array::from_fn(|mask| part(mask, LOW, below)));
        Self { low, high: high.collect(), cells: cells as u32, words, slow }
    }

    /// The rank of a set of cells.
    #[inline(always)]
    pub(crate) fn rank(&self, mask: u32) -> usize {
        let low = mask as usize & ((1 << LOW) - 1);
        (self.low[low] + self.high[low.count_ones() as usize][mask as usize >> LOW]) as usize
    }

    /// The words of all sets, by rank.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The block of a set with this rank and word, and the region of this cell.
    #[inline(always)]
    pub(crate) fn block(&self, rank: usize, word: u64, blank: usize) -> usize {
        let first = (word & ((1 << FIRST) - 1)) as usize;
        if word & SLOW != 0 {
            return first + usize::from(self.slow[&rank][blank]);
        }
        let outside = word >> (FIRST + INDEX) & ((1 << self.cells) - 1);
        let before = (outside & ((1 << blank) - 1)).count_ones();
        let other = word >> (FIRST + INDEX + self.cells + INDEX * before);
        let is_outside = outside >> blank & 1 == 1;
        let index = if is_outside { other } else { word >> FIRST };
        first + (index & ((1 << INDEX) - 1)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{super::blocks::Blocks, *};
    use crate::shape::Shape;
    use unriddle_tables::rank::Orders;

    /// Values by the cells of the tiles and the blank: slides of the pattern's tiles count, and the
    /// blank is free to go where no tile of the pattern is.
    fn values(pattern: &Pattern) -> BTreeMap<(Vec<usize>, usize), u32> {
        let near = neighbours(pattern.side);
        let goal = (pattern.goals.clone(), pattern.blank);
        let mut values = BTreeMap::from([(goal.clone(), 0)]);
        let mut open = std::collections::VecDeque::from([(goal, 0)]);
        while let Some((state, value)) = open.pop_front() {
            if values[&state] < value {
                continue;
            }
            let (tiles, blank) = state;
            for to in super::super::blocks::bits(near[blank]) {
                let mut tiles = tiles.clone();
                let moved = tiles.iter_mut().find(|cell| **cell == to);
                let more = u32::from(moved.is_some());
                moved.into_iter().for_each(|cell| *cell = blank);
                let next = (tiles, to);
                if values.get(&next).is_none_or(|&known| known > value + more) {
                    values.insert(next.clone(), value + more);
                    match more {
                        0 => open.push_front((next, value)),
                        _ => open.push_back((next, value + 1)),
                    }
                }
            }
        }
        values
    }

    #[test]
    fn parities_agree_with_values() {
        for goals in [vec![0, 1, 4], vec![1, 2, 3, 5, 7], vec![6, 7, 3, 4]] {
            let pattern = Pattern::new(3, &goals, 8).unwrap();
            let packed = build_parities(&pattern, &Work::new(2, &|_| true)).unwrap();
            let regions = Regions::new(3, goals.len());
            assert_eq!(packed.len() as u64, Parities(pattern.clone()).entries());
            let (orders, shape) = (Orders::new(goals.len()), Shape::square(3));
            let bits = orders.count().next_multiple_of(64);
            for ((tiles, blank), value) in values(&pattern) {
                let mask = tiles.iter().fold(0_u32, |all, cell| all | 1 << cell);
                let place = |cell: &usize| (mask & ((1 << cell) - 1)).count_ones() as usize;
                let places: Vec<usize> = tiles.iter().map(place).collect();
                let rank = regions.rank(mask);
                let block = regions.block(rank, regions.words()[rank], blank);
                let at = block * bits + orders.rank(&places);
                let of = tiles.iter().zip(&pattern.goals);
                let distance: u32 = of.map(|(cell, goal)| shape.distance(*goal, *cell)).sum();
                let parity = u32::from(packed[at / 8] >> (at % 8) & 1);
                assert_eq!(parity, (value - distance) / 2 % 2, "{tiles:?} {blank}");
            }
        }
    }

    #[test]
    fn words_find_the_blocks_of_the_builder() {
        for (side, goals) in
            [(3, vec![0, 1, 4]), (4, vec![0, 1, 2, 5, 9]), (3, vec![1, 2, 3, 5, 7])]
        {
            let pattern = Pattern::new(side, &goals, side * side - 1).unwrap();
            let blocks = Blocks::new(&pattern).unwrap();
            let regions = Regions::new(side, goals.len());
            let (near, all) = (neighbours(side), (1_u64 << (side * side)) - 1);
            let mut number = 0;
            for mask in blocks.subsets.masks() {
                let rank = regions.rank(mask as u32);
                for region in connected(&near, all & !mask) {
                    for cell in super::super::blocks::bits(region) {
                        assert_eq!(regions.block(rank, regions.words()[rank], cell), number);
                    }
                    number += 1;
                }
            }
            assert_eq!((number, number as u64), (blocks.len(), Parities(pattern).blocks()));
        }
    }
}
