//! Cards go into cells as late as possible.
//!
//! Let a shortest solution lay card c from column K into a cell, and let j be the first later move that
//! takes a card from K or puts one onto K. If c moved before j it could have moved straight from K, one
//! move shorter; so c stays in its cell until j. Nothing between needs K, and so c's move can be put off
//! to right before j. Putting all such moves off as far as they go gives a solution of the same length in
//! which every move into a cell from K is followed by a move that touches K, or by digging in another
//! column: j may join two columns, and then cards are laid off both before it. Of the two orders one is
//! enough: first the column onto which j moves, then the one from which it does.
//!
//! So after a move into a cell a position is [`Pending`]: only moves that touch K are allowed, or moves
//! into cells from one other column that come down, before the cells run out, to a card that j can lay
//! onto K. The last card of a column goes into a cell only if no other column is empty, because one empty
//! column is as good as another.
//!
//! Safe cards still go home at once: a move into a cell makes only the card beneath it safe, and that
//! card's move home then is the j of the move. (Elsewhere a card may become safe earlier or later by the
//! delay, which changes when it goes home, not the number of moves.)
//!
//! A position may be reached on two paths of the same length with different restrictions: then the moves
//! of both are allowed ([`Pending::joined`]). A shorter path overrules a longer one: the prefix of a
//! shortest solution is a shortest path to its position, so that what only longer paths allow is not
//! needed. Without restrictions on the start, some shortest solution is never cut off.

use unriddle_puzzles::freecell::{Card, FreeCell, Move, Table, To};

/// No restriction by this card.
const ANY: u8 = u8::MAX;
/// The column that was dug is empty.
const EMPTY: u8 = u8::MAX - 1;

/// Which moves may follow: the last cards of the dug column, and of the other one that is being dug.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pending {
    onto: u8,
    from: u8,
}

impl Pending {
    /// All moves are allowed.
    pub(crate) const NONE: Self = Self {
        onto: ANY,
        from: ANY,
    };

    /// What allows the moves of both.
    #[inline]
    pub(crate) fn joined(self, other: Self) -> Self {
        if self == other { self } else { Self::NONE }
    }

    /// The restriction after a move that plays no safe card, or plays some (`settled`); `None` if the
    /// move is not allowed.
    #[inline]
    pub(crate) fn after(
        self,
        puzzle: &FreeCell,
        table: &Table,
        Move { card, to }: Move,
        settled: bool,
    ) -> Option<Self> {
        let number = card.index() as u8;
        if to != To::Cell {
            let lies_on = match to {
                To::Empty => EMPTY,
                _ => to.onto(card).map_or(ANY, |onto| onto.index() as u8),
            };
            let allowed = match (self.onto, self.from) {
                (ANY, _) => true,
                (onto, ANY) => number == onto || lies_on == onto,
                (onto, from) => number == from && lies_on == onto,
            };
            return allowed.then_some(Self::NONE);
        }
        let below = puzzle.beneath(table.key(), card);
        if below.is_none() && puzzle.empty_columns(table) > 0 {
            return None;
        }
        let below = below.map_or(EMPTY, |below| below.index() as u8);
        if self.onto == ANY || self.from == ANY && self.onto == number {
            // Digging in one column.
            return Some(if settled {
                Self::NONE
            } else {
                Self {
                    onto: below,
                    from: ANY,
                }
            });
        }
        // Digging in the second.
        let allowed = !settled
            && (self.from == ANY || self.from == number)
            && reaches(puzzle, table, card, self.onto);
        allowed.then_some(Self {
            onto: self.onto,
            from: below,
        })
    }
}

/// Whether beneath the last card of a column there is one to lay onto `onto`, and cells enough for all
/// above it.
#[inline]
fn reaches(puzzle: &FreeCell, table: &Table, top: Card, onto: u8) -> bool {
    let mut card = top;
    for _ in 0..puzzle.free_cells(table) {
        match puzzle.beneath(table.key(), card) {
            None => return false,
            Some(below) if onto == EMPTY || below.fits(Card::from_index(usize::from(onto))) => {
                return true;
            }
            Some(below) => card = below,
        }
    }
    false
}
