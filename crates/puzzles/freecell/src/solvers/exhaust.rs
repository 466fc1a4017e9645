//! The exhaustive search: every position that single cards can reach, the most promising first.
//!
//! It ends with a solution or with a proof of unsolvability. The proof is sound: positions are
//! distinguished by their exact keys, and only two kinds of moves are omitted. Moves of sequences
//! are made of moves of single cards, and where a card is safe at home it goes there at once and
//! nothing else is tried (module [`fast`](super::fast) explains why no solution is lost).
//!
//! Memory: 64 bytes a position, 4 to 16 for the index, 12 for each move that is open. The
//! impossible deals below a million have 8,000 to 95,000 positions.
//!
//! Reference: T. Paul and M. Helmert, "Optimal Solitaire Game Solutions Using A* Search and
//! Deadlock Analysis", SoCS 2016 (the atomic moves); the safe moves home are Keller's and Horne's.

use super::fast::Fast;
use crate::{FreeCell, Move};
use unriddle_core::{Info, Observer, Progress, Quota, Role, Search, Solution, Stats};

/// Declaration for the catalogue.
pub const INFO: Info = Info {
    name: "fc-exhaust",
    role: Role::Search,
    version: 1,
    summary: "FreeCell: all positions, most promising first; atomic moves, safe foundation moves forced",
    guarantee: "complete: it solves or proves unsolvable, as far as memory goes; solutions are not optimal",
    requires: "the puzzle freecell",
    reference: "Paul and Helmert 2016 (atomic moves); safe moves home: Keller, Horne",
    parameters: &[],
};

/// The exhaustive search.
pub struct Exhaust<'a>(Fast<'a>);

impl<'a> Exhaust<'a> {
    /// A search that has not begun.
    #[must_use]
    pub fn new(puzzle: &'a FreeCell) -> Self {
        Self(Fast::with_slices(puzzle, Vec::new()))
    }
}

impl Search for Exhaust<'_> {
    type Action = Move;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Progress<Move> {
        self.0.advance(quota, observer)
    }

    fn stats(&self) -> Stats {
        self.0.stats()
    }

    fn best(&self) -> Option<&Solution<Move>> {
        self.0.best()
    }

    fn bound(&self) -> Option<i64> {
        self.0.bound()
    }
}
