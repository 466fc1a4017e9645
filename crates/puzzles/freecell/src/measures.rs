//! The four lengths of a solution that are in use; figures of different measures never compare.
//!
//! | measure | counts | used by |
//! |---|---|---|
//! | M0 | every move, a sequence as one | GA-FreeCell, `fc-solve`; the lengths that Paul and Helmert list |
//! | M1 | single cards | searches by single-card moves |
//! | M2 | as M0, but cards that go home *safely* are free | FreeCell Pro, the standard notation |
//! | M3 | as M0, but all cards that go home are free | the shortest published tables |
//!
//! M1 of a sequence is the number of single-card moves that carry it through free cells and empty
//! columns. M2 lets a card go home free of charge where Horne's rule calls it safe at that moment:
//! nothing that is still in play could need it.

use super::{FreeCell, Move, Table, To, card::Card};
use unriddle_core::Puzzle;

/// Lengths of one solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// Every move, a sequence as one.
    pub m0: u64,
    /// Single cards.
    pub m1: u64,
    /// Without safe moves home.
    pub m2: u64,
    /// Without any move home.
    pub m3: u64,
}

/// Whether a card may go home without a second thought (Horne's rule): aces and twos; a card whose
/// two neighbours of the other colour one rank below are home; or, one rank deeper, with the other
/// suit of its colour not more than three behind.
#[inline]
pub(crate) fn is_safe(home: [u8; 4], card: Card) -> bool {
    let (rank, suit) = (card.rank(), card.suit());
    let at = |suit: u8| home[usize::from(suit & 3)];
    let opposite = at(suit ^ 1).min(at(suit ^ 3));
    rank <= 2 || opposite + 1 >= rank || (opposite + 2 >= rank && at(suit ^ 2) + 3 >= rank)
}

/// The fewest single-card moves that carry an ordered sequence of `count` cards through `free`
/// cells and `empty` columns (the destination not among them); `None` if that cannot be done.
pub(crate) fn single_moves(count: usize, free: usize, empty: usize) -> Option<u64> {
    if count <= free + 1 {
        return Some((2 * count).saturating_sub(1) as u64);
    }
    if empty == 0 || count > (free + 1) << empty.min(8) {
        return None;
    }
    // The upper part waits in an empty column while the rest moves; it comes and goes with the
    // other empty columns' help.
    (1..count)
        .filter_map(|upper| {
            let twice = 2 * single_moves(upper, free, empty - 1)?;
            Some(twice + single_moves(count - upper, free, empty - 1)?)
        })
        .min()
}

/// The lengths of a solution from the start.
#[must_use]
pub fn lengths(puzzle: &FreeCell, actions: &[Move]) -> Lengths {
    let mut lengths = Lengths::default();
    let mut table: Table = puzzle.initial_state();
    for &action in actions {
        let home = action.to == To::Home;
        lengths.m0 += 1;
        lengths.m2 += u64::from(!(home && is_safe(table.home, action.card)));
        lengths.m3 += u64::from(!home);
        lengths.m1 += match moved(puzzle, &table, action) {
            1 => 1,
            count => {
                let into_empty = usize::from(action.to == To::Empty);
                let empty = (puzzle.empty_columns(&table) as usize).saturating_sub(into_empty);
                let free = puzzle.free_cells(&table) as usize;
                single_moves(count, free, empty).unwrap_or(count as u64)
            }
        };
        table = puzzle.apply(&table, action);
    }
    lengths
}

/// Number of cards that an action moves.
fn moved(puzzle: &FreeCell, table: &Table, action: Move) -> usize {
    match table.cells & action.card.bit() {
        0 => puzzle.upwards(table, action.card).count(),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, parse::parse};
    use unriddle_core::Notation;

    #[test]
    fn sequences_take_single_moves() {
        // Two free cells: 1, 2 and 3 cards by the cells only.
        assert_eq!(single_moves(1, 0, 0), Some(1));
        assert_eq!(single_moves(3, 2, 0), Some(5));
        assert_eq!(single_moves(4, 2, 0), None);
        // 4 cards over an empty column: one waits there (2 moves), three use the cells (5).
        assert_eq!(single_moves(4, 2, 1), Some(7));
        assert_eq!(single_moves(6, 2, 1), Some(15));
        assert_eq!(single_moves(7, 2, 1), None);
        assert_eq!(single_moves(4, 0, 2), Some(9));
    }

    #[test]
    fn safe_cards_are_needed_by_nobody() {
        let card = |text: &str| Card::parse(text).unwrap();
        // Clubs, diamonds, spades, hearts.
        assert!(is_safe([0; 4], card("AH")) && is_safe([0; 4], card("2C")));
        assert!(!is_safe([2, 0, 0, 0], card("3C")));
        assert!(is_safe([2, 2, 0, 2], card("3C")));
        assert!(is_safe([3, 2, 1, 2], card("4C")));
        assert!(!is_safe([3, 2, 0, 2], card("4C")));
    }

    #[test]
    fn lengths_of_a_small_solution() {
        let rules = Rules { ranks: 3, ..Rules::default() };
        let layout = parse("3C 2D AC\n3H 2S AD\n3S 2H AS\n3D 2C AH", &rules).unwrap();
        let puzzle = FreeCell::new(rules, layout);
        // 2D goes into a cell first although it could go home; the aces and twos are safe, and so
        // are the threes once all twos are home.
        let actions = puzzle.parse_solution("1h 2h 3h 4h 1a ah 2h 3h 4h 1h 2h 3h 4h").unwrap();
        let expected = Lengths { m0: 13, m1: 13, m2: 1, m3: 1 };
        assert_eq!(lengths(&puzzle, &actions), expected);
    }
}
