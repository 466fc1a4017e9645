//! Moves of single cards or of sequences, and the moves home that can be played at once.
//!
//! A card c of rank r is *safe* if it comes next on its foundation, both suits of the other colour
//! are home up to rank r − 2 at least, and the other suit of its own colour up to r − 3. Then some
//! shortest solution plays c home now. Take any shortest solution and play c home first, without
//! all its other moves of c. A card that it lays onto c is a card d of rank r − 1 and the other
//! colour: d can go home instead, and its later moves, at least its move home, are omitted. A card
//! that it lays onto such a d is the card e of rank r − 2 in the other suit of c's colour (c's own
//! suit is home that far), which can go home instead likewise. A card that it would lay onto such
//! an e has rank r − 3 and is home. All else stays as it was with fewer cards in the way: cells,
//! columns and cards that were free are free still, and every foundation is at least as high. Only
//! the move of c was added, and at least one move of c was omitted.
//!
//! With sequences the same holds. No card is on c now, and the cards laid onto c are d, or d with e
//! on it, or e on a d that is there: above e and in c's suit all cards are home. Such a move is
//! replaced by moves home, e before d, which are omitted later; any other sequence is moved without
//! the cards among c, d, e that are home, all of them at its end, or not at all if no card remains.
//! Shorter sequences need no more cells and empty columns, and there are no fewer. The moves home
//! are as many as before, and no other move is new.
//!
//! Moves home never change f (see [`cycles`](crate::cycles)), so that positions with
//! a safe card need not be kept: a search sees only *settled* positions.

use crate::{Card, Cards, FreeCell, Move, Table, To, card};
use unriddle_core::Puzzle;

/// All moves, one set of cards for each destination.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    sets: [(To, u64); 5],
}

impl Steps {
    /// The moves of a position: the puzzle's moves with sequences, or moves of single cards.
    #[inline]
    pub(crate) fn of(puzzle: &FreeCell, sequences: bool, table: &Table) -> Self {
        if !sequences {
            return Self::singles(puzzle, table);
        }
        let actions = puzzle.actions(table);
        let all = [To::Home, To::First, To::Second, To::Empty, To::Cell];
        Self { sets: all.map(|to| (to, actions.set(to))) }
    }

    #[inline]
    fn singles(puzzle: &FreeCell, table: &Table) -> Self {
        let (tops, ends) = (table.tops(), table.tops() | table.cells());
        let empty = if puzzle.empty_columns(table) > 0 {
            // A card that is a whole column stays where it is.
            let mut alone = 0;
            for top in Cards(tops) {
                if puzzle.beneath(table.key(), top).is_none() {
                    alone |= top.bit();
                }
            }
            ends & !alone
        } else {
            0
        };
        let cell = if puzzle.free_cells(table) > 0 { tops } else { 0 };
        Self {
            sets: [
                (To::Home, puzzle.next_home(table) & ends),
                (To::First, ends & card::fit_first(tops)),
                (To::Second, ends & card::fit_second(tops)),
                (To::Empty, empty),
                (To::Cell, cell),
            ],
        }
    }

    /// The moves one by one.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = Move> {
        self.sets.into_iter().flat_map(|(to, set)| Cards(set).map(move |card| Move { card, to }))
    }
}

/// A card that can be played home at once.
#[inline]
fn safe(puzzle: &FreeCell, table: &Table) -> Option<Card> {
    let home = table.home();
    Cards(puzzle.next_home(table) & (table.tops() | table.cells())).find(|card| {
        let (rank, suit) = (card.rank(), usize::from(card.suit()));
        home[suit ^ 1] + 2 >= rank && home[suit ^ 3] + 2 >= rank && home[suit ^ 2] + 3 >= rank
    })
}

/// Plays all safe cards home, calls `played` for each, and returns their number.
#[inline]
pub(crate) fn settle(puzzle: &FreeCell, table: &mut Table, mut played: impl FnMut(Move)) -> u32 {
    let mut count = 0;
    while let Some(card) = safe(puzzle, table) {
        let home = Move { card, to: To::Home };
        *table = puzzle.apply(table, home);
        played(home);
        count += 1;
    }
    count
}
