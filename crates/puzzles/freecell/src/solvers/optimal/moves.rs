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

use crate::{
    Actions, FreeCell, Move, Table,
    card::{self, Cards},
};
use unriddle_core::Puzzle;

/// The moves of a position: the puzzle's moves with sequences, or moves of single cards.
#[inline]
pub(crate) fn steps(puzzle: &FreeCell, sequences: bool, table: &Table) -> Actions {
    if sequences {
        return puzzle.actions(table);
    }
    let (tops, ends) = (table.tops, table.tops | table.cells);
    let mut empty = 0;
    if puzzle.empty_columns(table) > 0 {
        // A card that is a whole column stays where it is.
        let alone = Cards(tops).filter(|&top| puzzle.beneath(&table.key, top).is_none());
        empty = alone.fold(ends, |set, top| set & !top.bit());
    }
    Actions {
        sets: [
            puzzle.homeward(table),
            ends & card::fit_first(tops),
            ends & card::fit_second(tops),
            empty,
            if puzzle.free_cells(table) > 0 { tops } else { 0 },
        ],
        at: 0,
    }
}

/// Plays home all cards that can be played at once, calls `played` for each, and returns their
/// number.
#[inline]
pub(crate) fn settle(puzzle: &FreeCell, table: &mut Table, mut played: impl FnMut(Move)) -> u32 {
    let safe = |table: &Table| {
        let home = table.home;
        Cards(puzzle.homeward(table)).find(|card| {
            let (rank, suit) = (card.rank(), usize::from(card.suit()));
            home[suit ^ 1] + 2 >= rank && home[suit ^ 3] + 2 >= rank && home[suit ^ 2] + 3 >= rank
        })
    };
    let mut count = 0;
    puzzle.play_home(table, safe, |action| {
        played(action);
        count += 1;
    });
    count
}
