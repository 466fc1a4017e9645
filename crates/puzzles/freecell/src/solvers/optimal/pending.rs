//! Cards go into cells as late as possible.
//!
//! Let a shortest solution lay card c from column K into a cell, and let j be the first later move
//! that takes a card from K or puts one onto K. If c moved before j it could have moved straight
//! from K, one move shorter; so c stays in its cell until j. Nothing between needs K, and so c's
//! move can be put off to right before j. Postponing all such moves as far as possible gives a
//! solution of the same length in which every move into a cell from K is followed by a move that
//! touches K, or by digging in another column: j may join two columns, and then cards are laid off
//! both before it. One of the two orders is enough: first the column onto which j moves, then the
//! one from which it does.
//!
//! So after a move into a cell a position is [`Pending`]: only moves that touch K are allowed, or
//! moves into cells from one other column that uncover, before the cells run out, a card that j can
//! lay onto K. The last card of a column goes into a cell only if no other column is empty, because
//! one empty column is as good as another.
//!
//! Safe cards still go home at once: a move into a cell makes only the card beneath it safe, and
//! that card's move home then is the j of the move. (Elsewhere a card may become safe earlier or
//! later by the delay, which changes when it goes home, not the number of moves.)
//!
//! With sequences the same holds: with c still on K there is one more free cell, and K is not an
//! empty column either way. But the last card of K, once in a cell, leaves an empty column that
//! helps all sequences to move, so that such a move is not put off, and is allowed beside other
//! empty columns. A sequence touches the column from which it comes by its top card. The cards that
//! j lays onto K may be a sequence, so that beneath the cards that go into cells more cards of one
//! run may be on the card that fits.
//!
//! A position may be reached on two paths of the same length with different restrictions: then the
//! moves of both are allowed ([`Pending::joined`]). A shorter path overrules a longer one: the
//! prefix of a shortest solution is a shortest path to its position, so that moves allowed only by
//! longer paths are not needed. Without restrictions on the start, some shortest solution is never
//! cut off.

use crate::{Card, FreeCell, Move, Table, To};

/// No restriction by this card.
const ANY: u8 = u8::MAX;
/// The column that was dug is empty.
const EMPTY: u8 = u8::MAX - 1;

/// Restriction of the next moves: the last card of the dug column, and of the other column being
/// dug.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pending {
    onto: u8,
    from: u8,
}

impl Pending {
    /// All moves are allowed.
    pub(crate) const NONE: Self = Self { onto: ANY, from: ANY };

    /// Restriction that allows the moves of both.
    #[inline]
    pub(crate) fn joined(self, other: Self) -> Self {
        if self == other { self } else { Self::NONE }
    }

    /// The restriction after a move that plays no safe card, or plays some (`settled`); `None` if
    /// the move is not allowed.
    #[inline]
    pub(crate) fn after(
        self,
        puzzle: &FreeCell,
        sequences: bool,
        table: &Table,
        Move { card, to }: Move,
        settled: bool,
    ) -> Option<Self> {
        let number = card.index() as u8;
        if to != To::Cell {
            if self.onto == ANY {
                return Some(Self::NONE);
            }
            let lies_on = match to {
                To::Empty => EMPTY,
                _ => to.onto(card).map_or(ANY, |onto| onto.index() as u8),
            };
            let top = match sequences && table.cells & card.bit() == 0 {
                true => puzzle.upwards(table, card).last().unwrap_or(card).index() as u8,
                false => number,
            };
            let allowed = match (self.onto, self.from) {
                (onto, ANY) => top == onto || lies_on == onto,
                (onto, from) => top == from && lies_on == onto,
            };
            return allowed.then_some(Self::NONE);
        }
        let below = puzzle.beneath(&table.key, card);
        let digs_on = self.onto == ANY || self.from == ANY && self.onto == number;
        if below.is_none() && sequences {
            // An empty column helps all sequences to move.
            return digs_on.then_some(Self::NONE);
        }
        if below.is_none() && puzzle.empty_columns(table) > 0 {
            return None;
        }
        let below = below.map_or(EMPTY, |below| below.index() as u8);
        if digs_on {
            // Digging in one column.
            return Some(if settled { Self::NONE } else { Self { onto: below, from: ANY } });
        }
        // Digging in the second.
        let allowed = !settled
            && (self.from == ANY || self.from == number)
            && reaches(puzzle, sequences, table, card, self.onto);
        allowed.then_some(Self { onto: self.onto, from: below })
    }
}

/// Whether beneath the last card of a column there is one to lay onto `onto`, and cells enough for
/// all above it that do not move with it.
#[inline]
fn reaches(puzzle: &FreeCell, sequences: bool, table: &Table, top: Card, onto: u8) -> bool {
    let mut card = top;
    let mut cells = puzzle.free_cells(table);
    loop {
        if cells > 0 {
            cells -= 1;
        } else if !sequences || !puzzle.is_ordered(&table.key, card) {
            return false;
        }
        match puzzle.beneath(&table.key, card) {
            None => return false,
            Some(below) if onto == EMPTY || below.fits(Card::from_index(usize::from(onto))) => {
                return true;
            }
            Some(below) => card = below,
        }
    }
}
