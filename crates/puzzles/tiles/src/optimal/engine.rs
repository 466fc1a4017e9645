//! Depth-first search with a bound, many positions at a time.

use super::{
    node::{LOOKUPS, MOST_MOVES, Node},
    setup::{Setup, cells_of},
};
use crate::Slide;
use unriddle_core::{Quota, Stats};
use unriddle_tables::table::prefetch;

/// Positions that are expanded together.
const BATCH: usize = 24;

/// Off the board.
const NO_CELL: u8 = u8::MAX;

/// End of a slice.
pub(super) enum Slice {
    /// The quota is used up.
    Paused,
    /// Everything within the bound is explored.
    Done,
    Goal(Vec<Slide>),
}

/// A move of a position of the batch.
#[derive(Clone, Copy)]
struct Candidate {
    node: u32,
    /// Index of the position in the batch.
    index: u32,
    number: u8,
    /// The cell that the tile leaves, and the one it goes to.
    from: u8,
    to: u8,
    goal: u8,
    pruning: u32,
    lookups: u32,
    /// Look-ups of views without a gap.
    tight: u32,
    /// The look-ups whose bit is known, and these bits.
    known: u32,
    bits: u32,
    is_away: bool,
    /// Its look-ups after the first one.
    rest: (u32, u32),
    first: u32,
}

/// A look-up of a candidate.
#[derive(Clone, Copy)]
struct Reading {
    candidate: u32,
    lookup: u32,
    mask: u32,
    order: u16,
    blank: u8,
    rank: u32,
    at: u64,
}

const NO_READING: u32 = u32::MAX;

#[derive(Default)]
pub(super) struct Engine {
    nodes: Vec<Node>,
    free: Vec<u32>,
    stack: Vec<u32>,
    batch: Vec<u32>,
    /// Positions of the batch that are expanded, and their children.
    done: usize,
    fresh: Vec<u32>,
    candidates: Vec<Candidate>,
    readings: Vec<Reading>,
}

impl Engine {
    /// Begins the tree of a start within a bound, whose gaps are set.
    pub(super) fn begin(&mut self, start: Node) {
        self.nodes.clear();
        self.free.clear();
        self.stack.clear();
        self.batch.clear();
        self.fresh.clear();
        self.done = 0;
        self.nodes.push(start);
        self.stack.push(0);
    }

    pub(super) fn bytes(&self) -> u64 {
        let numbers = self.stack.capacity() + self.free.capacity() + self.fresh.capacity();
        (self.nodes.capacity() * size_of::<Node>() + numbers * size_of::<u32>()) as u64
    }

    /// Explores until the quota is used up, a goal is found or nothing is left. The next call
    /// continues a batch that a quota divides, so that the order of positions does not depend on
    /// quotas.
    pub(super) fn run(&mut self, setup: &Setup, quota: &Quota, stats: &mut Stats) -> Slice {
        loop {
            if self.done == self.batch.len() {
                self.stack.append(&mut self.fresh);
                let first = self.stack.len() - self.stack.len().min(BATCH);
                self.batch.clear();
                self.batch.extend(self.stack.drain(first..));
                self.done = 0;
                if self.batch.is_empty() {
                    return Slice::Done;
                }
            }
            if quota.is_used_up(stats) {
                return Slice::Paused;
            }
            let most = usize::try_from(quota.expanded - stats.expanded).unwrap_or(usize::MAX);
            let end = self.done + most.min(self.batch.len() - self.done);
            if let Some(moves) = self.expand(setup, end, stats) {
                return Slice::Goal(moves);
            }
        }
    }

    /// Expands all open positions as one batch. Returns the moves to a goal, if there is one.
    pub(super) fn layer(&mut self, setup: &Setup, stats: &mut Stats) -> Option<Vec<Slide>> {
        self.batch.clear();
        self.batch.append(&mut self.stack);
        self.done = 0;
        let goal = self.expand(setup, self.batch.len(), stats);
        self.stack.append(&mut self.fresh);
        goal
    }

    /// The open positions, in their order.
    pub(super) fn open(&self) -> impl DoubleEndedIterator<Item = &Node> {
        self.stack.iter().map(|&id| &self.nodes[id as usize])
    }

    /// Expands the batch's positions up to `end`. Returns the moves to a goal, if there is one.
    fn expand(&mut self, setup: &Setup, end: usize, stats: &mut Stats) -> Option<Vec<Slide>> {
        self.gather(setup, end);
        self.read_first(setup);
        self.read_rest(setup);
        let goal = self.children(setup, end);
        // Positions behind the parent of a goal are not counted.
        let (expanded, generated) = match &goal {
            Some((at, _)) => {
                let index = self.candidates[*at].index;
                (index as usize + 1 - self.done, at + 1)
            }
            None => (end - self.done, self.candidates.len()),
        };
        stats.expanded += expanded as u64;
        stats.generated += generated as u64;
        stats.evaluated += generated as u64;
        self.done = end;
        goal.map(|(_, moves)| moves)
    }

    /// All moves that the automaton allows of the batch's positions up to `end`.
    fn gather(&mut self, setup: &Setup, end: usize) {
        self.candidates.clear();
        for index in self.done..end {
            let id = self.batch[index];
            let node = &self.nodes[id as usize];
            let tight = setup.views.iter().zip(&node.gaps);
            let tight = tight.fold(0, |all, (view, &gap)| all | if gap == 0 { *view } else { 0 });
            for (number, &from) in setup.moves[usize::from(node.blank)].iter().enumerate() {
                if from == NO_CELL {
                    continue;
                }
                let Some(pruning) = setup.automaton.next(node.pruning, number) else { continue };
                let goal = node.cells[usize::from(from)];
                let distances = &setup.distances[usize::from(goal)];
                let lookups = setup.of_tile[usize::from(goal)];
                self.candidates.push(Candidate {
                    node: id,
                    index: index as u32,
                    number: number as u8,
                    from,
                    to: node.blank,
                    goal,
                    pruning,
                    lookups,
                    tight: tight & lookups,
                    known: 0,
                    bits: 0,
                    is_away: distances[usize::from(node.blank)] > distances[usize::from(from)],
                    rest: (0, 0),
                    first: NO_READING,
                });
            }
        }
    }

    /// Adds a look-up of a candidate.
    #[inline(always)]
    fn add(&mut self, setup: &Setup, at: usize, lookup: usize) {
        let candidate = &self.candidates[at];
        let node = &self.nodes[candidate.node as usize];
        let (mut from, mut to) = (candidate.from, candidate.to);
        if setup.lookups[lookup].is_mirrored {
            from = setup.mirrored[usize::from(from)];
            to = setup.mirrored[usize::from(to)];
        }
        let mask = node.masks[lookup % LOOKUPS];
        let before = (mask & ((1 << from) - 1)).count_ones();
        let mask = mask ^ 1 << from ^ 1 << to;
        let after = (mask & ((1 << to) - 1)).count_ones();
        let order = setup.shifted(before, after, node.orders[lookup % LOOKUPS]);
        let rank = setup.regions.rank(mask) as u32;
        prefetch(setup.regions.words(), rank as usize);
        let (candidate, lookup) = (at as u32, lookup as u32);
        self.readings.push(Reading { candidate, lookup, mask, order, blank: from, rank, at: 0 });
    }

    /// Reads the bits of the readings from the `first` on.
    fn read(&mut self, setup: &Setup, first: usize) {
        for reading in &mut self.readings[first..] {
            let rank = reading.rank as usize;
            let word = setup.regions.words()[rank];
            let block = setup.regions.block(rank, word, reading.blank.into());
            reading.at = Setup::bit(block, reading.order) as u64;
            let table = setup.lookups[reading.lookup as usize].table.packed();
            prefetch(table, (reading.at / 8) as usize);
        }
        for reading in &self.readings[first..] {
            let table = setup.lookups[reading.lookup as usize].table.packed();
            let bit = table[(reading.at / 8) as usize] >> (reading.at % 8) & 1;
            let candidate = &mut self.candidates[reading.candidate as usize];
            candidate.bits |= u32::from(bit) << reading.lookup;
            candidate.known |= 1 << reading.lookup;
        }
    }

    /// Look-ups that rise.
    #[inline(always)]
    fn rises(&self, candidate: &Candidate) -> u32 {
        let away = if candidate.is_away { u32::MAX } else { 0 };
        (candidate.bits ^ self.nodes[candidate.node as usize].bits ^ away) & candidate.known
    }

    /// Reads one look-up of each candidate that may cut it.
    fn read_first(&mut self, setup: &Setup) {
        self.readings.clear();
        for at in 0..self.candidates.len() {
            let tight = self.candidates[at].tight;
            if tight != 0 {
                self.candidates[at].first = self.readings.len() as u32;
                self.add(setup, at, tight.trailing_zeros() as usize);
            }
        }
        self.read(setup, 0);
    }

    /// Reads all other look-ups of the candidates that are left.
    fn read_rest(&mut self, setup: &Setup) {
        let first = self.readings.len();
        for at in 0..self.candidates.len() {
            let candidate = self.candidates[at];
            if self.rises(&candidate) & candidate.tight != 0 {
                continue;
            }
            let begin = self.readings.len() as u32;
            for lookup in cells_of(candidate.lookups & !candidate.known) {
                self.add(setup, at, lookup);
            }
            self.candidates[at].rest = (begin, self.readings.len() as u32);
        }
        self.read(setup, first);
    }

    /// Makes the positions within the bound, and frees the batch's positions up to `end`. Returns
    /// the candidate of a goal and the moves to it, if there is one.
    fn children(&mut self, setup: &Setup, end: usize) -> Option<(usize, Vec<Slide>)> {
        // Their memory is used again only when all of their children are made.
        let kept = self.free.len();
        self.free.extend(&self.batch[self.done..end]);
        let mut spare = kept;
        for at in 0..self.candidates.len() {
            let candidate = self.candidates[at];
            let rises = self.rises(&candidate);
            if candidate.known != candidate.lookups || rises & candidate.tight != 0 {
                continue;
            }
            let mut gaps = self.nodes[candidate.node as usize].gaps;
            for (gap, view) in gaps.iter_mut().zip(&setup.views) {
                *gap -= i8::from(rises & view != 0);
            }
            if gaps.iter().fold(0, |all, gap| all | gap) < 0 {
                continue;
            }
            let id = if spare > 0 {
                spare -= 1;
                let id = self.free[spare];
                self.nodes[id as usize] = self.nodes[candidate.node as usize];
                id
            } else {
                self.nodes.push(self.nodes[candidate.node as usize]);
                self.nodes.len() as u32 - 1
            };
            let node = &mut self.nodes[id as usize];
            node.gaps = gaps;
            let readings = candidate.rest.0..candidate.rest.1;
            let first = (candidate.first != NO_READING).then_some(candidate.first);
            for reading in first.into_iter().chain(readings) {
                let Reading { lookup, mask, order, .. } = self.readings[reading as usize];
                node.masks[lookup as usize % LOOKUPS] = mask;
                node.orders[lookup as usize % LOOKUPS] = order;
            }
            node.bits = node.bits & !candidate.known | candidate.bits;
            node.cells[usize::from(candidate.to)] = candidate.goal;
            node.cells[usize::from(candidate.from)] = super::partitions::BLANK as u8;
            node.blank = candidate.from;
            node.distance = if candidate.is_away { node.distance + 1 } else { node.distance - 1 };
            node.pruning = candidate.pruning;
            node.append(candidate.number);
            if node.distance == 0 {
                return Some((at, node.numbers().map(slide).collect()));
            }
            if usize::from(node.moves) < MOST_MOVES {
                self.fresh.push(id);
            }
        }
        self.free.drain(spare..kept);
        None
    }
}

/// The slide of a move of the blank.
pub(super) fn slide(number: u8) -> Slide {
    // The tile goes where the blank was.
    [Slide::Left, Slide::Right, Slide::Up, Slide::Down][usize::from(number & 3)]
}
