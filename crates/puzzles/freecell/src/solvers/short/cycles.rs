//! Cycles of runs that block each other, which raise the lower bound above the number of forced
//! runs.
//!
//! Let no run be forced by itself. A run that is never moved goes home card by card from its
//! column, and all of it before any card beneath it. Run A *blocks* run B if beneath A there is a
//! card of a suit of which B holds a higher card: all of A goes home before that card, which goes
//! home before the card of B. If runs block each other in a cycle, none of them moved, some card
//! would have to go home before itself: one run of every cycle must be moved. Cycles that share no
//! run need different moves.
//!
//! Counted are disjoint cycles, shortest first, so that the count is a lower bound of the smallest
//! set of runs that hits all cycles (Paul and Helmert's hitting set, over runs instead of cards,
//! because a sequence moves as one).
//!
//! Complexity: linear in the runs that are not forced, at most 32, by sets of runs for each rank
//! and suit.

use std::iter;

/// Ranks by suit.
pub(super) type Ranks = [u8; 4];

/// No card of any suit, where the lowest rank is asked for.
pub(super) const NO_RANK: Ranks = [15; 4];
/// More runs than can be on a table; those beyond are left out.
const MOST: usize = 32;

/// A run that is not forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The lowest ranks beneath it.
    pub(super) low: Ranks,
    /// The highest ranks in it, 0 for none.
    pub(super) top: Ranks,
}

/// By rank and suit: a set of runs.
type Sets = [[u32; 4]; 16];

/// Runs that are not forced, of one state.
pub(super) struct Runs {
    runs: [Run; MOST],
    len: usize,
}

impl Runs {
    pub(super) fn new() -> Self {
        let run = Run { low: NO_RANK, top: [0; 4] };
        Self { runs: [run; MOST], len: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    pub(super) fn add(&mut self, run: Run) {
        if let Some(place) = self.runs.get_mut(self.len) {
            *place = run;
            self.len += 1;
        }
    }

    /// Number of disjoint cycles found.
    pub(super) fn cycles(&self) -> u32 {
        let runs = &self.runs[..self.len.min(MOST)];
        // For each rank and suit: the runs whose highest card is higher, and the runs with a lower
        // card beneath.
        let (mut higher, mut lower): (Sets, Sets) = ([[0; 4]; 16], [[0; 4]; 16]);
        for (i, run) in runs.iter().enumerate() {
            for suit in 0..4 {
                higher[usize::from(run.top[suit].wrapping_sub(1)) & 15][suit] |= 1 << i;
                lower[usize::from(run.low[suit] + 1) & 15][suit] |= 1 << i;
            }
        }
        // No card at all: such a run is blocked by none, and blocks none in that suit.
        higher[15] = [0; 4];
        lower[0] = [0; 4];
        accumulate(higher.iter_mut().rev());
        accumulate(lower.iter_mut());
        let (mut out, mut into) = ([0u32; MOST], [0u32; MOST]);
        for (i, run) in runs.iter().enumerate() {
            for suit in 0..4 {
                out[i] |= higher[usize::from(run.low[suit]) & 15][suit];
                into[i] |= lower[usize::from(run.top[suit]) & 15][suit];
            }
        }
        let mut left = ((1u64 << runs.len()) - 1) as u32;
        let mut count = 0;
        // Cycles of two, as many as a greedy matching finds.
        let mut rest = left;
        while rest != 0 {
            let i = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let partners = out[i] & into[i] & left & rest;
            if partners != 0 {
                let j = partners.trailing_zeros();
                left &= !(1 << i | 1 << j);
                rest &= left;
                count += 1;
            }
        }
        // Longer cycles: runs that block no run, or are not blocked, are on no cycle.
        loop {
            let before = left;
            for i in members(left) {
                if out[i] & left == 0 || into[i] & left == 0 {
                    left &= !(1 << i);
                }
            }
            if left == before {
                if left == 0 {
                    return count;
                }
                left &= !shortest(&out, left);
                count += 1;
            }
        }
    }
}

/// The runs of a set.
#[inline(always)]
fn members(mut set: u32) -> impl Iterator<Item = usize> {
    iter::from_fn(move || {
        let run = (set != 0).then_some(set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(run)
    })
}

/// Adds to the sets of each rank the sets of all ranks before it.
#[inline(always)]
fn accumulate<'a>(ranks: impl Iterator<Item = &'a mut [u32; 4]>) {
    let mut all = [0; 4];
    for sets in ranks {
        for (all, set) in all.iter_mut().zip(sets) {
            *all |= *set;
            *set = *all;
        }
    }
}

/// The runs of a shortest cycle through the first run that is in one; every run left blocks
/// another.
#[cold]
fn shortest(out: &[u32; MOST], left: u32) -> u32 {
    for start in members(left) {
        // Breadth first from the start; `from` is the run by which a run was reached.
        let mut from = [MOST; MOST];
        let (mut seen, mut wave) = (0u32, 1u32 << start);
        while wave != 0 && seen >> start & 1 == 0 {
            let mut next = 0;
            for i in members(wave) {
                let reached = out[i] & left & !seen & !next;
                next |= reached;
                members(reached).for_each(|run| from[run] = i);
            }
            seen |= next;
            wave = next;
        }
        if seen >> start & 1 != 0 {
            let (mut cycle, mut at) = (1u32 << start, from[start]);
            while at < MOST && cycle >> at & 1 == 0 {
                cycle |= 1 << at;
                at = from[at];
            }
            return cycle;
        }
    }
    left
}
