//! Additive pattern databases of sliding pieces on a square board.
//!
//! For a *pattern*, k of the tiles, the table contains for every placement of these k tiles the
//! least number of moves *of these tiles* that bring them home, over all positions of the blank
//! (Korf and Felner 2002). Sums over disjoint patterns are admissible. They are not consistent,
//! because the table ignores the region of the blank.
//!
//! A move changes both the table's value and the tiles' Manhattan distance by an odd number.
//! Therefore, the table stores *(value − Manhattan distance) / 2* in 4 bits, capped at 15 (a capped
//! entry is below the true value, hence admissible).

mod blocks;
mod build;
mod check;
mod parities;

pub(crate) use parities::{Parities, Regions};
use unriddle_tables::{
    Table, Work,
    cache::Build,
    file::TableError,
    rank::{MAX_CELLS, MAX_PIECES, Placements},
};

/// A pattern: tiles given by their goal cells.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    side: usize,
    goals: Vec<usize>,
    blank: usize,
}

impl Pattern {
    /// The pattern of the tiles whose goal cells are `goals` on a board of side `side` with the
    /// blank's goal cell `blank`. Tiles are ranked in the order of their goal cells.
    ///
    /// # Errors
    /// More than eight tiles, a cell off the board or twice, or a table of 2³² entries or more.
    pub fn new(side: usize, goals: &[usize], blank: usize) -> Result<Self, TableError> {
        let refused = |why| Err(TableError::BadPattern(why));
        let cells = side.saturating_mul(side);
        let mut goals = goals.to_vec();
        goals.sort_unstable();
        let distinct = goals.windows(2).all(|w| w[0] != w[1]) && !goals.contains(&blank);
        if cells > MAX_CELLS || goals.iter().any(|&c| c >= cells) || blank >= cells || !distinct {
            return refused(format!(
                "cells {goals:?} and blank {blank} are not distinct cells of a board of side {side}"
            ));
        }
        let tiles = goals.len();
        if !(1..=MAX_PIECES).contains(&tiles) {
            return refused(format!(
                "a pattern of {tiles} tiles; tables are built for 1 to {MAX_PIECES}"
            ));
        }
        let pattern = Self { side, goals, blank };
        match pattern.entries() {
            count if count >= 1 << 32 => refused(format!(
                "a pattern of {tiles} tiles on {cells} cells has {count} placements; tables hold fewer than 2^32"
            )),
            _ => Ok(pattern),
        }
    }

    /// The numbering of its placements.
    fn placements(&self) -> Placements {
        Placements::new(self.side * self.side, self.goals.len())
    }

    /// Its goal cells as text. Tiles are ranked in this order.
    fn goal_list(&self, separator: &str) -> String {
        let goals: Vec<String> = self.goals.iter().map(usize::to_string).collect();
        goals.join(separator)
    }
}

impl Build for Pattern {
    fn key(&self) -> String {
        format!("sliding side={} goals={} blank={}", self.side, self.goal_list(","), self.blank)
    }

    fn file_stem(&self) -> String {
        format!("sliding{}-b{}-{}", self.side, self.blank, self.goal_list("_"))
    }

    fn entries(&self) -> u64 {
        self.placements().count()
    }

    fn build(&self, work: &Work<'_>) -> Result<Vec<u8>, TableError> {
        build::build(self, work)
    }

    fn check(&self, table: &Table) -> Result<(), String> {
        check::check(self, table)
    }
}
