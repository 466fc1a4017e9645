//! A solution with moves of sequences, carried out card by card.
//!
//! The upper cards of a sequence wait in cells and, where these are too few, in empty columns that
//! are filled by the help of the others; of all ways to divide the cards the one with the fewest
//! moves is taken ([`single_moves`](measures::single_moves)).

use crate::{Card, FreeCell, Move, To, measures};
use unriddle_core::Puzzle;

/// The single-card moves of a solution; `None` if it is illegal.
pub(crate) fn singles(puzzle: &FreeCell, actions: &[Move]) -> Option<Vec<Move>> {
    let mut table = puzzle.initial_state();
    let mut moves = Vec::new();
    for &action in actions {
        // From the deepest card to the top one.
        let cards: Vec<Card> = match action.to != To::Home && table.cells & action.card.bit() == 0 {
            true => puzzle.upwards(&table, action.card).collect(),
            false => vec![action.card],
        };
        let into_empty = u32::from(action.to == To::Empty && cards.len() > 1);
        let empty = puzzle.empty_columns(&table).checked_sub(into_empty)?;
        let free = puzzle.free_cells(&table) as usize;
        carry(&cards, action.to, free, empty as usize, &mut moves)?;
        table = puzzle.apply(&table, action);
    }
    Some(moves)
}

/// Carries an ordered sequence, its deepest card first.
fn carry(cards: &[Card], to: To, free: usize, empty: usize, moves: &mut Vec<Move>) -> Option<()> {
    let (&deepest, above) = cards.split_first()?;
    if above.len() <= free {
        let up = above.iter().rev();
        moves.extend(up.map(|&card| Move { card, to: To::Cell }));
        moves.push(Move { card: deepest, to });
        for pair in cards.windows(2) {
            moves.push(Move { card: pair[1], to: To::between(pair[1], pair[0])? });
        }
        return Some(());
    }
    let empty = empty.checked_sub(1)?;
    let cost = |count| measures::single_moves(count, free, empty);
    let split = (1..cards.len())
        .filter_map(|lower| Some((2 * cost(cards.len() - lower)? + cost(lower)?, lower)))
        .min()?
        .1;
    let (lower, upper) = cards.split_at(split);
    carry(upper, To::Empty, free, empty, moves)?;
    carry(lower, to, free, empty, moves)?;
    let back = To::between(*upper.first()?, *lower.last()?)?;
    carry(upper, back, free, empty, moves)
}
