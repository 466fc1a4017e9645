//! Comparison of some entries of a stored table with the rules.
//!
//! A placement is brought home by a move of one of its tiles first, so that one of the placements
//! after such a move has a value smaller by one or more. A table with raised entries has placements
//! without one.

use super::Pattern;
use crate::shape::Shape;
use std::{collections::hash_map::RandomState, hash::BuildHasher as _};
use unriddle_core::Rng;
use unriddle_tables::{Table, cache::Build as _};

/// Number of placements that are compared.
const SPOTS: u64 = 256;
/// Entry of values that are too large to be stored, and of placements that no move brings home.
const CAP: u8 = 15;

/// Compares random entries.
pub(super) fn check(pattern: &Pattern, table: &Table) -> Result<(), String> {
    let goal = table.nibble(pattern.placements().rank(&pattern.goals));
    if goal != 0 {
        return Err(format!("the goal has the entry {goal}"));
    }
    let mut rng = Rng::new(RandomState::new().hash_one(pattern));
    (0..SPOTS).try_for_each(|_| check_rank(pattern, table, rng.below(pattern.entries())))
}

/// Compares the entry of a placement with the entries after a move.
fn check_rank(pattern: &Pattern, table: &Table, rank: u64) -> Result<(), String> {
    let (placements, side) = (pattern.placements(), pattern.side);
    let (mut cells, shape) = (placements.unrank(rank), Shape::square(side));
    let value_of = |cells: &[usize]| {
        let entry = table.nibble(placements.rank(cells));
        let homes = cells.iter().zip(&pattern.goals);
        let moves: u32 = homes.map(|(&cell, &goal)| shape.distance(cell, goal)).sum();
        (entry < CAP).then(|| moves + 2 * u32::from(entry))
    };
    let Some(value) = value_of(&cells).filter(|_| cells != pattern.goals) else { return Ok(()) };
    for tile in 0..cells.len() {
        let cell = cells[tile];
        let (row, column) = (cell / side, cell % side);
        let beside = [
            (row > 0).then(|| cell - side),
            (row + 1 < side).then_some(cell + side),
            (column > 0).then(|| cell - 1),
            (column + 1 < side).then_some(cell + 1),
        ];
        for next in beside.into_iter().flatten() {
            if cells.contains(&next) {
                continue;
            }
            cells[tile] = next;
            if value_of(&cells).is_some_and(|after| after < value) {
                return Ok(());
            }
        }
        cells[tile] = cell;
    }
    Err(format!("placement {rank} has the value {value}, but no move leads to a smaller one"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_tables::{Width, Work};

    fn table(pattern: &Pattern, change: impl Fn(u8) -> u8) -> Table {
        let mut bytes = pattern.build(&Work::new(1, &|_| true)).unwrap();
        bytes.iter_mut().for_each(|byte| *byte = change(*byte));
        Table::from_packed(&bytes, pattern.entries(), Width::Nibble).unwrap()
    }

    #[test]
    fn tables_agree_with_the_rules() {
        let patterns = [
            (2, vec![0], 3),
            (2, vec![0, 1], 3),
            (2, vec![0, 1, 2], 3),
            (3, vec![1, 2, 3, 4], 0),
            (3, vec![0, 2, 4, 6, 7], 8),
            (3, vec![0, 1, 2, 3, 4, 5, 6, 7], 8),
            (4, vec![0, 5, 9], 15),
            (4, vec![1, 4, 5, 8], 0),
            (5, vec![0, 12, 18], 24),
        ];
        for (side, goals, blank) in patterns {
            let pattern = Pattern::new(side, &goals, blank).unwrap();
            let table = table(&pattern, |byte| byte);
            for rank in 0..pattern.entries() {
                assert_eq!(check_rank(&pattern, &table, rank), Ok(()), "{pattern:?}");
            }
            assert_eq!(check(&pattern, &table), Ok(()), "{pattern:?}");
        }
    }

    #[test]
    fn raised_entries_are_noticed() {
        let pattern = Pattern::new(3, &[0, 1, 2, 3], 8).unwrap();
        let table = table(&pattern, |byte| match byte % 4 {
            0 => ((byte & 15) + 2).min(15) | byte & 0xf0,
            _ => byte,
        });
        assert!(check(&pattern, &table).is_err());
    }
}
