//! Automatic moves home, and why the safe ones lose no solution.
//!
//! Rule: R. Horne's, of Microsoft's program, in its simplest form. A card on which no card of the
//! table fits can only be in the way: remove it from any solution from then on, and every move
//! stays possible, with one more free cell.

use crate::{Card, FreeCell, Move, Table, card::Cards};

/// Rule of automatic moves home, which are free moves within a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Autoplay {
    /// Every card that can.
    Max,
    /// A card on which no other card of the table could be built: both cards of the other colour
    /// that fit are home. Nothing is lost: any solution without the move becomes one with it that
    /// is no longer.
    Safe,
}

impl Autoplay {
    /// Whether a card goes home by itself, given that it can go.
    #[inline(always)]
    pub(super) fn plays(self, card: Card, home: [u8; 4]) -> bool {
        let (suit, below) = (usize::from(card.suit()), card.rank() - 1);
        self == Self::Max || below == 0 || (home[suit ^ 1] >= below && home[suit ^ 3] >= below)
    }

    /// Plays the automatic moves home and passes each card to the callback.
    pub(super) fn close(
        self,
        puzzle: &FreeCell,
        mut table: Table,
        told: impl FnMut(Move),
    ) -> Table {
        let choose = |table: &Table| {
            Cards(puzzle.homeward(table)).find(|&card| self.plays(card, table.home))
        };
        puzzle.play_home(&mut table, choose, told);
        table
    }
}
