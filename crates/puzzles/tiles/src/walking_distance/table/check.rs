//! Comparison of some entries of a stored table with the rules.
//!
//! The goal has the walking distance 0. A step changes the distance by one, and from every other
//! state a step leads nearer. Raised or lowered entries contradict their neighbours.

use super::{Cursor, Ranks, Rows};
use std::{collections::hash_map::RandomState, hash::BuildHasher as _};
use unriddle_core::Rng;
use unriddle_tables::Table;

/// Number of states that are compared.
const SPOTS: u64 = 256;

/// Compares random entries.
pub(super) fn check(ranks: &Ranks, table: &Table) -> Result<(), String> {
    let goal = table.get(ranks.rank(&ranks.goal()));
    if goal != 0 {
        return Err(format!("the goal has the entry {goal}"));
    }
    let (mut rng, mut cursor) =
        (Rng::new(RandomState::new().hash_one(ranks.count())), Cursor::new(ranks));
    (0..SPOTS).try_for_each(|_| {
        let rank = rng.below(ranks.count().into()) as u32;
        check_state(ranks, table, rank, &cursor.seek(rank))
    })
}

/// Compares the distance of a state with the distances after a step.
fn check_state(ranks: &Ranks, table: &Table, rank: u32, rows: &Rows) -> Result<(), String> {
    let distance_of =
        |rank, rows: &Rows| u32::from(ranks.distance(rows)) + 2 * u32::from(table.get(rank));
    let distance = distance_of(rank, rows);
    let (mut is_near, mut far) = (distance == 0, None);
    ranks.successors(rows, |_, _, after| {
        let next = distance_of(ranks.rank(&after), &after);
        is_near |= next < distance;
        far = far.or(Some(next).filter(|next| next.abs_diff(distance) != 1));
    });
    match (far, is_near) {
        (Some(next), _) => {
            Err(format!("rank {rank} has distance {distance}, and its neighbour distance {next}"))
        }
        (None, false) => {
            Err(format!("no step leads nearer from rank {rank} of distance {distance}"))
        }
        (None, true) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Table as Walking, *};
    use unriddle_tables::{Build as _, Width, Work};

    /// A table with changed entries.
    fn table(walking: &Walking, change: impl Fn(u8) -> u8) -> Table {
        let mut bytes = walking.build(&Work::new(1, &|_| true)).unwrap();
        for byte in &mut bytes {
            *byte = change(*byte & 15) | change(*byte >> 4) << 4;
        }
        Table::from_packed(&bytes, walking.entries(), Width::Nibble).unwrap()
    }

    /// Number of states that contradict their neighbours.
    fn contradictions(ranks: &Ranks, table: &Table) -> u32 {
        let mut cursor = Cursor::new(ranks);
        let is_wrong = |&rank: &u32| check_state(ranks, table, rank, &cursor.seek(rank)).is_err();
        (0..ranks.count()).filter(is_wrong).count() as u32
    }

    #[test]
    fn tables_agree_with_the_rules() {
        for side in 2..=4 {
            let walking = Walking::new(side).unwrap();
            let table = table(&walking, |entry| entry);
            assert_eq!(walking.check(&table), Ok(()), "{side}");
            assert_eq!(contradictions(&walking.into_ranks(), &table), 0, "{side}");
        }
    }

    #[test]
    fn raised_and_lowered_entries_are_noticed() {
        let walking = Walking::new(4).unwrap();
        let changes: [fn(u8) -> u8; 4] = [
            |entry| (entry + 1).min(15),
            |entry| if entry == 0 { 0 } else { (entry + 1).min(15) },
            |entry| entry.saturating_sub(1),
            |_| 0,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let table = table(&walking, change);
            assert!(walking.check(&table).is_err(), "{number}");
            // The probability that 256 random states agree is negligible.
            let wrong = contradictions(&walking.clone().into_ranks(), &table);
            assert!(number == 0 || wrong > 24_964 / 10, "{number}: {wrong}");
        }
    }
}
