//! The same for whole runs: the fewest runs that break all circles, where a sequence moves at once.

use super::relations::{HIGHER, Net};
use crate::freecell::{
    FreeCell, Table,
    card::{Cards, DECK},
};

/// The relation among the runs of a position: the maximal ordered sequences that lie on other cards.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    /// The cards of each run.
    cards: [u64; DECK],
    /// The cards that go home only after a card beneath the run.
    after: [u64; DECK],
    len: usize,
}

impl Runs {
    /// The relation of a position.
    #[must_use]
    #[inline]
    pub fn of(puzzle: &FreeCell, table: &Table) -> Self {
        let mut runs = Self {
            cards: [0; DECK],
            after: [0; DECK],
            len: 0,
        };
        for top in Cards(table.tops()) {
            // What lies beneath adds to what all runs above it wait for.
            let first = runs.len;
            let (mut card, mut cards, mut before) = (top, 0, 0);
            loop {
                cards |= card.bit();
                before |= HIGHER[card.index()];
                let Some(below) = puzzle.beneath(table.key(), card) else {
                    break;
                };
                if !puzzle.is_ordered(table.key(), card) {
                    let Some(place) = runs.cards.get_mut(runs.len) else {
                        break;
                    };
                    *place = cards;
                    // For now what this run itself makes wait.
                    runs.after[runs.len] = before;
                    runs.len += 1;
                    (cards, before) = (0, 0);
                }
                card = below;
            }
            for run in (first..runs.len).rev() {
                let own = runs.after[run];
                runs.after[run] = before;
                before |= own;
            }
        }
        runs
    }

    /// The fewest runs that break all cycles, given that there are at least `least`.
    #[must_use]
    #[inline]
    pub fn minimum(&self, least: u32) -> u32 {
        let mut left = if self.len < 64 {
            (1u64 << self.len) - 1
        } else {
            u64::MAX
        };
        let mut forced = 0;
        let mut alive = u64::MAX;
        // A run that waits for itself must move; one that nothing waits for, or that waits for nothing,
        // is on no cycle.
        loop {
            let (mut kept, mut cards, mut reached) = (left, 0, 0);
            for run in Cards(left) {
                let (own, after) = (self.cards[run.index()], self.after[run.index()]);
                if own & after != 0 {
                    forced += 1;
                    kept ^= run.bit();
                } else if after & alive == 0 {
                    kept ^= run.bit();
                } else {
                    cards |= own;
                    reached |= after;
                }
            }
            for run in Cards(kept) {
                if self.cards[run.index()] & reached == 0 {
                    kept ^= run.bit();
                    cards ^= self.cards[run.index()];
                }
            }
            if kept == left && cards == alive {
                break;
            }
            (left, alive) = (kept, cards);
        }
        if left == 0 {
            return forced.max(least);
        }
        let mut net = Net {
            after: [0; DECK],
            before: [0; DECK],
        };
        for run in Cards(left) {
            let mut after = 0;
            for other in Cards(left) {
                if self.after[run.index()] & self.cards[other.index()] != 0 {
                    after |= other.bit();
                    net.before[other.index()] |= run.bit();
                }
            }
            net.after[run.index()] = after;
        }
        let mut most = least.max(forced + 1);
        loop {
            let mut tried = net;
            if tried.within(left, (most - forced) as i32) {
                return most;
            }
            most += 1;
        }
    }
}
