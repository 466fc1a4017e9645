//! Breadth-first search over a pattern's space, backwards from the goal, in bit sets.
//!
//! Every block (see [`super::blocks`]) has a bit set of its k! orders for the visited states, and
//! another for the states of the last level. In each level, every block *pulls* from its sources.
//! For a horizontal move, this is a word-wise OR. For a vertical move, it is done bit by bit
//! through a table of orders, from the side that has fewer bits (new states of the source, or
//! states that are still missing here). Each thread owns whole subsets of cells, so threads share
//! no written data and the result does not depend on their number.
//!
//! The first level that reaches an order in any region is its value. At the end, the values less
//! the Manhattan distance are brought into lexicographic order of placements, in 4 bits.

use super::{
    Pattern,
    blocks::{Blocks, bits},
};
use crate::shape::Shape;
use std::{
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering},
};
use unriddle_core::parallel::{map, try_map};
use unriddle_tables::{
    Work,
    file::TableError,
    rank::{MAX_PIECES, Orders, Placements, Subsets, factorial},
};

/// A level that no order has: not reached yet.
const UNREACHED: u8 = u8::MAX;
/// Largest stored entry.
const CAP: u8 = 15;
/// Pieces of work per level and thread: enough for an even load.
const PIECES: usize = 64;

/// The data that a thread owns while it processes a range of subsets.
struct Piece<'a> {
    subsets: Range<usize>,
    visited: &'a mut [u64],
    next: &'a mut [u64],
    next_count: &'a mut [u32],
    missing: &'a mut [u32],
    levels: &'a mut [u8],
}

/// A visit of a level: its number, the bit sets of its states, and their number in each block.
type Visit<'a> = dyn FnMut(u8, &[u64], &[u32]) + 'a;

/// The search's bit sets, `words` words per block.
struct Sets {
    words: usize,
    orders: usize,
    visited: Vec<u64>,
    frontier: Vec<u64>,
    next: Vec<u64>,
    frontier_count: Vec<u32>,
    next_count: Vec<u32>,
    /// Orders of each block not visited yet.
    missing: Vec<u32>,
    /// Value by subset and order; empty where it is not wanted.
    levels: Vec<u8>,
}

pub(super) fn build(pattern: &Pattern, work: &Work<'_>) -> Result<Vec<u8>, TableError> {
    let blocks = Blocks::new(pattern)?;
    let orders = factorial(pattern.goals.len());
    let subsets = blocks.subsets.count();
    let mut sets = Sets::new(&blocks, orders, subsets * orders);
    let goal_subset = blocks.first.partition_point(|&f| f as usize <= blocks.goal) - 1;
    sets.levels[goal_subset * orders] = 0;
    // The conversion at the end takes about a fifth of the time.
    let states = (blocks.len() * orders) as u64;
    let total = states + states / 4;
    sets.run(&blocks, work, total, &mut |_, _, _| {})?;
    let levels = std::mem::take(&mut sets.levels);
    drop(sets);
    let done = |part: u64| work.goes_on(states + part, total);
    convert(pattern, &blocks, &levels, work.threads, states / 4, &done)
}

/// A bit for every block and order: the parity of *(value − Manhattan distance) / 2*, where the
/// value depends on the region of the blank. The bits of a block begin at a new word.
pub(super) fn build_parities(pattern: &Pattern, work: &Work<'_>) -> Result<Vec<u8>, TableError> {
    let blocks = Blocks::new(pattern)?;
    let orders = factorial(pattern.goals.len());
    let mut sets = Sets::new(&blocks, orders, 0);
    let words = sets.words;
    let halves = distance_halves(pattern, &blocks.subsets.masks(), words);
    let mut subset_of = Vec::with_capacity(blocks.len());
    for (subset, range) in blocks.first.windows(2).enumerate() {
        subset_of.extend((range[0]..range[1]).map(|_| subset));
    }
    let mut parities = vec![0_u64; blocks.len() * words];
    let total = (blocks.len() * orders) as u64;
    sets.run(&blocks, work, total, &mut |level, new, counts| {
        let flip = if level & 2 == 0 { 0 } else { u64::MAX };
        for (block, _) in counts.iter().enumerate().filter(|(_, count)| **count != 0) {
            for word in 0..words {
                let halves = halves[subset_of[block] * words + word];
                parities[block * words + word] |= new[block * words + word] & (halves ^ flip);
            }
        }
    })?;
    Ok(parities.into_iter().flat_map(u64::to_le_bytes).collect())
}

/// By subset and order, bit 1 of the Manhattan distance, which has the parity of the value.
fn distance_halves(pattern: &Pattern, masks: &[u64], words: usize) -> Vec<u64> {
    let (k, shape) = (pattern.goals.len(), Shape::square(pattern.side));
    let orders = Orders::new(k);
    let places: Vec<Vec<usize>> = (0..orders.count()).map(|rank| orders.unrank(rank)).collect();
    let mut halves = vec![0_u64; masks.len() * words];
    for (&mask, halves) in masks.iter().zip(halves.chunks_exact_mut(words)) {
        let cells: Vec<usize> = bits(mask).collect();
        let distances: Vec<Vec<u32>> = (pattern.goals.iter())
            .map(|&goal| cells.iter().map(|&cell| shape.distance(goal, cell)).collect())
            .collect();
        for (rank, places) in places.iter().enumerate() {
            let distance: u32 = distances.iter().zip(places).map(|(of, &place)| of[place]).sum();
            halves[rank / 64] |= u64::from(distance >> 1 & 1) << (rank % 64);
        }
    }
    halves
}

impl Sets {
    /// The goal, at which the tiles are in the order of their goal cells: rank 0.
    fn new(blocks: &Blocks, orders: usize, levels: usize) -> Self {
        let words = orders.div_ceil(64);
        let size = blocks.len() * words;
        let mut sets = Self {
            words,
            orders,
            visited: vec![0; size],
            frontier: vec![0; size],
            next: vec![0; size],
            frontier_count: vec![0; blocks.len()],
            next_count: vec![0; blocks.len()],
            missing: vec![orders as u32; blocks.len()],
            levels: vec![UNREACHED; levels],
        };
        sets.visited[blocks.goal * words] = 1;
        sets.frontier[blocks.goal * words] = 1;
        sets.frontier_count[blocks.goal] = 1;
        sets.missing[blocks.goal] -= 1;
        sets
    }

    /// Visits all states, level by level. `visit` gets each level with its states, as bit sets of
    /// the blocks, and their number in each block.
    fn run(
        &mut self,
        blocks: &Blocks,
        work: &Work<'_>,
        total: u64,
        visit: &mut Visit<'_>,
    ) -> Result<(), TableError> {
        let mut reached = 1;
        for level in 1..UNREACHED {
            if !work.goes_on(reached, total) {
                return Err(TableError::Cancelled);
            }
            let new = self.level(blocks, level, work.threads);
            if new == 0 {
                return Ok(());
            }
            reached += new;
            visit(level, &self.next, &self.next_count);
            std::mem::swap(&mut self.frontier, &mut self.next);
            std::mem::swap(&mut self.frontier_count, &mut self.next_count);
        }
        Err(TableError::BadPattern("a value of 255 or more".into()))
    }
}

impl Sets {
    /// Computes a level of the search. Returns the number of new states.
    fn level(&mut self, blocks: &Blocks, level: u8, threads: usize) -> u64 {
        let subsets = blocks.first.len() - 1;
        let share = subsets.div_ceil(PIECES * threads.max(1)).max(1);
        let (words, orders) = (self.words, self.orders);
        let (mut visited, mut next) = (&mut self.visited[..], &mut self.next[..]);
        let (mut next_count, mut missing) = (&mut self.next_count[..], &mut self.missing[..]);
        let mut levels = &mut self.levels[..];
        let mut pieces = Vec::with_capacity(subsets / share + 1);
        for start in (0..subsets).step_by(share) {
            let end = (start + share).min(subsets);
            let count = (blocks.first[end] - blocks.first[start]) as usize;
            pieces.push(Piece {
                subsets: start..end,
                visited: visited.split_off_mut(..count * words).unwrap_or_default(),
                next: next.split_off_mut(..count * words).unwrap_or_default(),
                next_count: next_count.split_off_mut(..count).unwrap_or_default(),
                missing: missing.split_off_mut(..count).unwrap_or_default(),
                levels: levels.split_off_mut(..(end - start) * orders).unwrap_or_default(),
            });
        }
        let (frontier, frontier_count) = (&self.frontier[..], &self.frontier_count[..]);
        let found = map(pieces, threads, |mut piece| {
            piece.pull(blocks, level, words, orders, frontier, frontier_count)
        });
        found.into_iter().sum()
    }
}

impl Piece<'_> {
    fn pull(
        &mut self,
        blocks: &Blocks,
        level: u8,
        words: usize,
        orders: usize,
        frontier: &[u64],
        frontier_count: &[u32],
    ) -> u64 {
        let first = blocks.first[self.subsets.start] as usize;
        let mut total = 0;
        for subset in self.subsets.clone() {
            let own = blocks.first[subset] as usize..blocks.first[subset + 1] as usize;
            for block in own.clone() {
                let local = block - first;
                // These words hold the states of two levels ago, if any.
                let stale = std::mem::take(&mut self.next_count[local]) != 0;
                let next = &mut self.next[local * words..(local + 1) * words];
                if stale {
                    next.fill(0);
                }
                if self.missing[local] == 0 {
                    continue;
                }
                let visited = &self.visited[local * words..(local + 1) * words];
                let missing = self.missing[local];
                let edges =
                    blocks.edge_start[block] as usize..blocks.edge_start[block + 1] as usize;
                let mut touched = false;
                for edge in &blocks.edges[edges] {
                    let source = edge.source();
                    if frontier_count[source] == 0 {
                        continue;
                    }
                    touched = true;
                    let from = &frontier[source * words..(source + 1) * words];
                    if edge.kind() == 0 {
                        for (n, f) in next.iter_mut().zip(from) {
                            *n |= f;
                        }
                    } else {
                        let kind = blocks.kinds[edge.kind()];
                        if frontier_count[source] <= missing {
                            scatter(from, next, &blocks.tables[kind.forward]);
                        } else {
                            gather(from, next, visited, &blocks.tables[kind.backward], orders);
                        }
                    }
                }
                if !touched {
                    continue;
                }
                // A state that another region of the same subset has reached has its value already.
                let mut new = 0;
                for w in 0..words {
                    let here = self.next[local * words + w] & !self.visited[local * words + w];
                    self.next[local * words + w] = here;
                    if here == 0 {
                        continue;
                    }
                    new += here.count_ones();
                    let seen =
                        own.clone().fold(0, |s, b| s | self.visited[(b - first) * words + w]);
                    self.visited[local * words + w] |= here;
                    if self.levels.is_empty() {
                        continue;
                    }
                    let base = (subset - self.subsets.start) * orders + w * 64;
                    let mut fresh = here & !seen;
                    while fresh != 0 {
                        self.levels[base + fresh.trailing_zeros() as usize] = level;
                        fresh &= fresh - 1;
                    }
                }
                self.next_count[local] = new;
                self.missing[local] -= new;
                total += u64::from(new);
            }
        }
        total
    }
}

/// Every bit of `from`, moved through `table`, into `to`.
#[inline]
fn scatter(from: &[u64], to: &mut [u64], table: &[u16]) {
    for (word, table) in from.iter().zip(table.chunks(64)) {
        let mut bits = *word;
        while bits != 0 {
            let target = table[bits.trailing_zeros() as usize];
            to[usize::from(target >> 6)] |= 1 << (target & 63);
            bits &= bits - 1;
        }
    }
}

/// Sets in `to` every bit that is neither in `visited` nor in `to` and whose source (through
/// `table`) is in `from`.
#[inline]
fn gather(from: &[u64], to: &mut [u64], visited: &[u64], table: &[u16], orders: usize) {
    for (w, (word, table)) in to.iter_mut().zip(table.chunks(64)).enumerate() {
        let valid = if (w + 1) * 64 <= orders { u64::MAX } else { (1 << (orders % 64)) - 1 };
        let mut bits = valid & !visited[w] & !*word;
        while bits != 0 {
            let bit = bits.trailing_zeros();
            let source = table[bit as usize];
            *word |= (from[usize::from(source >> 6)] >> (source & 63) & 1) << bit;
            bits &= bits - 1;
        }
    }
}

/// Converts values by (subset, order) to 4-bit entries by placement.
///
/// The cells of the first tiles (the *prefix*) divide the table into pieces that fit the cache. For
/// a prefix and a set of cells of the other tiles (the *tail*), the values of all orders of the
/// tail are adjacent. The entry of an order is a sum of a term per tile, less a constant of the
/// order.
fn convert(
    pattern: &Pattern,
    blocks: &Blocks,
    levels: &[u8],
    threads: usize,
    weight: u64,
    done: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Vec<u8>, TableError> {
    let k = pattern.goals.len();
    let placements = pattern.placements();
    let entries = usize::try_from(placements.count())
        .map_err(|_| TableError::BadPattern("a table larger than the address space".into()))?;
    let mut table = vec![0u8; entries.div_ceil(2)];
    // A tail of two or more tiles has an even number of placements, since this is a product of two
    // successive numbers. So no byte belongs to two pieces.
    let fits = |&f: &usize| f == 0 || placements.weights()[f - 1] as usize <= PIECE;
    let fixed = (0..=k.saturating_sub(2)).find(fits).unwrap_or(k.saturating_sub(2));
    let piece = if fixed == 0 { entries } else { placements.weights()[fixed - 1] as usize };
    let converter = Converter::new(pattern, blocks, levels, fixed);
    let prefixes = Placements::new(converter.cells, fixed);
    let pieces = table.chunks_mut(piece.div_ceil(2)).enumerate();
    let (count, finished) = (pieces.len(), AtomicUsize::new(0));
    try_map(pieces, threads, |(i, out)| {
        converter.fill(&prefixes.unrank(i as u64), out);
        let n = finished.fetch_add(1, Ordering::Relaxed) + 1;
        if n.is_multiple_of(16) && !done(weight * n as u64 / count as u64) {
            return Err(TableError::Cancelled);
        }
        Ok(())
    })?;
    Ok(table)
}

/// Entries of a piece that is converted at a time.
const PIECE: usize = 1 << 18;

struct Converter<'a> {
    pattern: &'a Pattern,
    blocks: &'a Blocks,
    levels: &'a [u8],
    cells: usize,
    /// Weights of the tail's tiles in the placement's rank.
    weights: Vec<u64>,
    /// Positions of the tail's tiles by rank of their order, and the constant that is subtracted
    /// from the rank.
    orders: Vec<([u8; MAX_PIECES], u64)>,
    /// Sets of tail cells, as masks over the cells that the prefix leaves free.
    tails: Vec<u64>,
}

impl<'a> Converter<'a> {
    fn new(pattern: &'a Pattern, blocks: &'a Blocks, levels: &'a [u8], fixed: usize) -> Self {
        let cells = pattern.side * pattern.side;
        let tail = pattern.goals.len() - fixed;
        let weights = pattern.placements().weights()[fixed..].to_vec();
        let orders = (0..factorial(tail))
            .map(|rank| {
                let mut places = [0; MAX_PIECES];
                let mut off = 0;
                for (t, p) in Orders::new(tail).unrank(rank).into_iter().enumerate() {
                    places[t] = p as u8;
                    off += weights[t] * places[..t].iter().filter(|&&q| q < p as u8).count() as u64;
                }
                (places, off)
            })
            .collect();
        let tails = Subsets::new(cells - fixed, tail).masks();
        Self { pattern, blocks, levels, cells, weights, orders, tails }
    }

    /// Writes the entries of all placements that begin with the prefix's cells.
    fn fill(&self, prefix: &[usize], out: &mut [u8]) {
        let (k, fixed) = (self.pattern.goals.len(), prefix.len());
        let goals = &self.pattern.goals;
        let taken = prefix.iter().fold(0u64, |m, &c| m | 1 << c);
        let free: Vec<usize> = (0..self.cells).filter(|&c| taken >> c & 1 == 0).collect();
        let shape = Shape::square(self.pattern.side);
        let distance = |t: usize, cell| u64::from(shape.distance(goals[t], cell));
        let base: u64 = prefix.iter().enumerate().map(|(t, &c)| distance(t, c)).sum();
        let terms: Vec<Vec<u64>> = (fixed..k)
            .map(|t| {
                let term = |(i, &c): (usize, &usize)| {
                    self.weights[t - fixed] * i as u64 + (distance(t, c) << SHIFT)
                };
                free.iter().enumerate().map(term).collect()
            })
            .collect();
        // The loop over all placements is unrolled over the tail's tiles.
        let fill_tail = match k - fixed {
            1 => Self::fill_tail::<1>,
            2 => Self::fill_tail::<2>,
            3 => Self::fill_tail::<3>,
            4 => Self::fill_tail::<4>,
            5 => Self::fill_tail::<5>,
            6 => Self::fill_tail::<6>,
            7 => Self::fill_tail::<7>,
            _ => Self::fill_tail::<8>,
        };
        fill_tail(self, prefix, &free, &terms, base, out);
    }

    /// Writes the entries of a prefix, whose tiles have the sum of Manhattan distances `base`.
    /// `free` contains the other cells. `terms` contains the summands of rank and distance, by tile
    /// of the tail and by free cell.
    fn fill_tail<const T: usize>(
        &self,
        prefix: &[usize],
        free: &[usize],
        terms: &[Vec<u64>],
        base: u64,
        out: &mut [u8],
    ) {
        // A byte per entry first: read-modify-write of half bytes in random order stalls the CPU.
        let mut scratch = vec![0u8; out.len() * 2];
        let taken = prefix.iter().fold(0u64, |mask, &cell| mask | 1 << cell);
        let k = prefix.len() + T;
        let mut here = [[0u64; 8]; T];
        for &tail in &self.tails {
            let mut mask = taken;
            for (place, i) in bits(tail).enumerate() {
                mask |= 1 << free[i];
                for (here, terms) in here.iter_mut().zip(terms) {
                    here[place] = terms[i];
                }
            }
            let mut places = [0; MAX_PIECES];
            for (place, &cell) in places.iter_mut().zip(prefix) {
                *place = (mask & ((1u64 << cell) - 1)).count_ones() as usize;
            }
            let first = self.blocks.subsets.rank(mask) * factorial(k)
                + Orders::new(k).rank(&places[..prefix.len()]);
            let levels = &self.levels[first..first + self.orders.len()];
            for (&level, (places, off)) in levels.iter().zip(&self.orders) {
                let mut sum = base << SHIFT;
                for t in 0..T {
                    sum += here[t][usize::from(places[t] & 7)];
                }
                let (distance, index) = ((sum >> SHIFT) as u8, (sum & ((1 << SHIFT) - 1)) - off);
                let entry = (level.saturating_sub(distance) / 2).min(CAP);
                scratch[index as usize] = entry;
            }
        }
        for (out, pair) in out.iter_mut().zip(scratch.as_chunks::<2>().0) {
            *out = pair[0] | pair[1] << 4;
        }
    }
}

/// A tile's Manhattan distance is stored in the bits above its part of the rank.
const SHIFT: u32 = 40;
