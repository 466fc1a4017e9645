//! The builder's view of a pattern's space: blocks and the edges between them.
//!
//! A *block* is a set of occupied cells together with a connected region of free cells that
//! contains the blank. It represents the k! orders of the tiles on the occupied cells. A move
//! slides a tile from an occupied cell to a neighbouring free cell of the blank's region. The move
//! takes all orders of a block to the orders of a single other block, and permutes all orders in
//! the same way. A horizontal move passes no other cell in reading order and keeps the order.

use super::Pattern;
use crate::{board::Slide, shape::Shape};
use unriddle_tables::{
    file::TableError,
    rank::{Orders, Subsets},
};

/// An edge into a block: the source block in the low 24 bits, the kind of move in the high 8.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge(u32);

const BLOCK_BITS: u32 = 24;

impl Edge {
    pub(super) fn source(self) -> usize {
        (self.0 & ((1 << BLOCK_BITS) - 1)) as usize
    }
    /// Index into [`Blocks::kinds`]; 0 leaves the order as it is.
    pub(super) fn kind(self) -> usize {
        (self.0 >> BLOCK_BITS) as usize
    }
}

/// Kind of move, by its effect on the rank of an order: indices into [`Blocks::tables`].
#[derive(Clone, Copy, Default)]
pub(super) struct Kind {
    pub(super) forward: usize,
    pub(super) backward: usize,
}

/// Blocks, edges and kinds of moves of a pattern.
pub(super) struct Blocks {
    pub(super) subsets: Subsets,
    /// First block of every subset, and the number of blocks.
    pub(super) first: Vec<u32>,
    /// First incoming edge of every block, and the number of edges.
    pub(super) edge_start: Vec<u32>,
    pub(super) edges: Vec<Edge>,
    pub(super) kinds: Vec<Kind>,
    /// By position before and position after (`before · k + after`): the new rank for each old
    /// rank. Empty if no move has these positions.
    pub(super) tables: Vec<Vec<u16>>,
    /// Block of the goal.
    pub(super) goal: usize,
}

/// The cells next to every cell, as masks.
pub(super) fn neighbours(side: usize) -> Vec<u64> {
    let mut near = vec![0; side * side];
    for (_, cell, other) in Slide::everywhere(Shape::square(side)) {
        near[cell] |= 1 << other;
    }
    near
}

/// The cells of a mask, lowest first.
pub(super) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}

/// Cells below a cell.
fn below(cell: usize) -> u64 {
    (1u64 << cell) - 1
}

/// The connected regions of the free cells, in the order of their lowest cells.
pub(super) fn connected(near: &[u64], mut free: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let mut region = free & free.wrapping_neg();
        loop {
            let grown = bits(region).fold(region, |m, c| m | near[c] & free);
            if grown == region {
                break;
            }
            region = grown;
        }
        free &= !region;
        (region != 0).then_some(region)
    })
}

impl Blocks {
    pub(super) fn new(pattern: &Pattern) -> Result<Self, TableError> {
        let cells = pattern.side * pattern.side;
        let k = pattern.goals.len();
        let all = if cells == 64 { u64::MAX } else { (1u64 << cells) - 1 };
        let near = neighbours(pattern.side);
        let subsets = Subsets::new(cells, k);
        let masks = subsets.masks();

        let mut first = Vec::with_capacity(masks.len() + 1);
        let mut regions: Vec<u64> = Vec::with_capacity(masks.len());
        for &mask in &masks {
            first.push(regions.len() as u32);
            regions.extend(connected(&near, all & !mask));
        }
        first.push(regions.len() as u32);
        if regions.len() >= 1 << BLOCK_BITS {
            return Err(TableError::BadPattern(format!(
                "{} blocks; the builder handles up to 2^{BLOCK_BITS}",
                regions.len()
            )));
        }

        let block_of = |mask: u64, blank: usize| {
            let subset = subsets.rank(mask);
            let range = first[subset] as usize..first[subset + 1] as usize;
            range.start
                + regions[range].iter().position(|r| r >> blank & 1 == 1).unwrap_or_default()
        };

        // Kinds of moves by (position before, position after) among the occupied cells. 0 = no
        // change.
        let mut kind_of = vec![0usize; k * k];
        let mut kinds = vec![Kind::default()];
        let mut edge_start = Vec::with_capacity(regions.len() + 1);
        let mut edges = Vec::new();
        for (subset, &mask) in masks.iter().enumerate() {
            for &region in &regions[first[subset] as usize..first[subset + 1] as usize] {
                edge_start.push(edges.len() as u32);
                // A tile now on `to` came from the free cell `from`, where the blank is now.
                for to in bits(mask) {
                    for from in bits(near[to] & region) {
                        let source = mask ^ 1 << to | 1 << from;
                        let before = (source & below(from)).count_ones() as usize;
                        let after = (mask & below(to)).count_ones() as usize;
                        let place = before * k + after;
                        if before != after && kind_of[place] == 0 {
                            kind_of[place] = kinds.len();
                            kinds.push(Kind { forward: place, backward: after * k + before });
                        }
                        // 0 for equal positions.
                        let kind = kind_of[place];
                        let block = block_of(source, to) as u32;
                        edges.push(Edge(block | (kind as u32) << BLOCK_BITS));
                    }
                }
            }
        }
        edge_start.push(edges.len() as u32);
        let tables = order_tables(k, &kind_of);
        let goal = block_of(pattern.goals.iter().fold(0, |m, &c| m | 1 << c), pattern.blank);
        Ok(Self { subsets, first, edge_start, edges, kinds, tables, goal })
    }

    /// Number of blocks.
    pub(super) fn len(&self) -> usize {
        self.edge_start.len() - 1
    }
}

/// By kind of move, `before · k + after`: the rank of every order after the tile on the `before`-th
/// occupied cell has become the one on the `after`-th.
fn order_tables(k: usize, kind_of: &[usize]) -> Vec<Vec<u16>> {
    let orders = Orders::new(k);
    let all: Vec<Vec<usize>> = (0..orders.count()).map(|rank| orders.unrank(rank)).collect();
    let mut moved = vec![0; k];
    (0..k * k)
        .map(|move_| {
            let (before, after) = (move_ / k, move_ % k);
            if kind_of[before * k + after] == 0 && kind_of[after * k + before] == 0 {
                return Vec::new();
            }
            let rank = |place: &Vec<usize>| {
                for (m, &p) in moved.iter_mut().zip(place) {
                    // Taken out and put back in: those between close up.
                    let gap = p - usize::from(p > before);
                    *m = if p == before { after } else { gap + usize::from(gap >= after) };
                }
                orders.rank(&moved) as u16
            };
            all.iter().map(rank).collect()
        })
        .collect()
}
