//! The exhaustive search: every position that single cards can reach, the most promising first.
//!
//! It ends with a solution or with a proof of unsolvability. The proof is sound: positions are
//! distinguished by their exact keys, and only two kinds of moves are omitted. Moves of sequences
//! are made of moves of single cards, and where a card is safe at home it goes there at once and
//! nothing else is tried (module `exact::position` explains why no solution is lost).
//!
//! Memory: 64 bytes a position, 4 to 16 for the index, 12 for each move that is open. The
//! impossible deals below a million have 8,000 to 95,000 positions.
//!
//! Reference: T. Paul and M. Helmert, "Optimal Solitaire Game Solutions Using A* Search and
//! Deadlock Analysis", SoCS 2016 (the atomic moves); the safe moves home are Keller's and Horne's.

use super::fast::Fast;
use crate::FreeCell;
use unriddle_core::{Info, Role};

/// Declaration for the catalogue.
pub const INFO: Info = Info {
    guarantee: "complete: it solves or proves unsolvable, as far as memory goes; solutions are not optimal",
    requires: "the puzzle freecell",
    reference: "Paul and Helmert 2016 (atomic moves); safe moves home: Keller, Horne",
    ..Info::new(
        Role::Search,
        "fc-exhaust",
        "FreeCell: all positions, most promising first; atomic moves, safe foundation moves forced",
    )
};

/// An exhaustive search that has not begun.
#[must_use]
pub fn search(puzzle: &FreeCell) -> Fast<'_> {
    Fast::with_slices(puzzle, Vec::new())
}
