//! Two independent moves are made in one order.
//!
//! Let m be the last move of a path to a position s, from a position p, and n a next move. If n is
//! possible in p, and m after it, both orders lead to the same position t in the same number of
//! moves. Then n is omitted in s if its card has a smaller number than the card of m: t is reached
//! through the position q that n leads to from p. There m may be omitted in its turn, after another
//! move that led to q; but then t is reached by that move last, which is larger than m, and so at
//! the end by a move that is not omitted. The positions on this path have at most the f of t, since
//! the estimate is consistent.
//!
//! The moves are single cards onto a card or into an empty column; m may also go home. A move into
//! a cell restricts the next moves in a way of its own ([`Pending`]), and p must be without such a
//! restriction. No card goes home by itself after m or n: n uncovers no card that comes next on its
//! foundation.

use super::pending::Pending;
use crate::{Card, FreeCell, Move, Table, To};

/// No move, or no card.
const NONE: u8 = u8::MAX;
/// The card was a whole column.
const COLUMN: u8 = u8::MAX - 1;

/// The last move, as far as it decides which moves may follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Last {
    /// The card that moved.
    card: u8,
    /// The card from which it moved; [`NONE`] in a cell, [`COLUMN`] at the end of a column.
    left: u8,
}

impl Last {
    /// All moves may follow.
    pub(crate) const NONE: Self = Self { card: NONE, left: NONE };

    /// The move of a single card in a position with a restriction. `settled`: whether cards go home
    /// by themselves after it.
    #[inline]
    pub(crate) fn of(
        puzzle: &FreeCell,
        table: &Table,
        pending: Pending,
        Move { card, to }: Move,
        settled: bool,
    ) -> Self {
        if to == To::Cell || settled || pending != Pending::NONE {
            return Self::NONE;
        }
        let left = match is_in_cell(table, card) {
            true => NONE,
            false => puzzle.beneath(&table.key, card).map_or(COLUMN, number),
        };
        Self { card: number(card), left }
    }

    /// Whether a move of a single card is omitted after this one, which led to the position.
    #[inline]
    pub(crate) fn omits(self, puzzle: &FreeCell, table: &Table, Move { card, to }: Move) -> bool {
        let index = number(card);
        if self.card == NONE || index >= self.card || index == self.left {
            return false;
        }
        let is_independent = match to.onto(card).map(number) {
            Some(onto) => onto != self.left && onto != self.card,
            None => to == To::Empty && puzzle.empty_columns(table) > u32::from(self.left == COLUMN),
        };
        let uncovers_next = || {
            let left = puzzle.beneath(&table.key, card);
            left.is_some_and(|left| puzzle.next_home(table) & left.bit() != 0)
        };
        is_independent && (is_in_cell(table, card) || !uncovers_next())
    }
}

#[inline]
fn number(card: Card) -> u8 {
    card.index() as u8
}

#[inline]
fn is_in_cell(table: &Table, card: Card) -> bool {
    table.cells & card.bit() != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        solvers::optimal::moves::{settle, steps},
        tests::varied,
    };
    use unriddle_core::{Puzzle, Rng};

    /// The position after a move, and the number of cards that go home by themselves.
    fn after(puzzle: &FreeCell, table: &Table, action: Move) -> (Table, u32) {
        let mut table = puzzle.apply(table, action);
        let count = settle(puzzle, &mut table, |_| {});
        (table, count)
    }

    #[test]
    fn an_omitted_move_leads_to_a_position_of_the_other_order() {
        let mut omitted = 0;
        for seed in 0..60 {
            let puzzle = varied(seed);
            let mut rng = Rng::new(seed);
            let mut table = puzzle.initial_state();
            settle(&puzzle, &mut table, |_| {});
            for _ in 0..30 {
                let moves: Vec<Move> = steps(&puzzle, false, &table).collect();
                for &first in &moves {
                    let (there, settled) = after(&puzzle, &table, first);
                    let last = Last::of(&puzzle, &table, Pending::NONE, first, settled > 0);
                    for second in steps(&puzzle, false, &there) {
                        if !last.omits(&puzzle, &there, second) {
                            continue;
                        }
                        omitted += 1;
                        let what = format!("seed {seed}: {first:?}, {second:?}");
                        assert!(second.card.index() < first.card.index(), "{what}");
                        assert!(moves.contains(&second), "{what}");
                        let (other, settled) = after(&puzzle, &table, second);
                        assert_eq!(settled, 0, "{what}");
                        assert!(steps(&puzzle, false, &other).any(|m| m == first), "{what}");
                        let one = after(&puzzle, &there, second);
                        let two = after(&puzzle, &other, first);
                        assert_eq!((one.0.key, one.1), (two.0.key, two.1), "{what}");
                    }
                }
                if moves.is_empty() {
                    break;
                }
                table = after(&puzzle, &table, moves[rng.below(moves.len() as u64) as usize]).0;
            }
        }
        assert!(omitted > 1000, "{omitted}");
    }
}
