//! Walking distance: the least number of vertical moves that bring every tile into its goal row, if
//! tiles of the same goal row are equal and columns are ignored, plus the same for columns.
//!
//! For the vertical part, a board is reduced to the numbers of tiles of each goal row in each row.
//! The blank lets a tile of a neighbouring row step into its row, whichever tile of that row it is.
//! A breadth-first search computes all values (see [`table`]). The horizontal part is the value of
//! the board mirrored at the main diagonal, in the same table.
//!
//! **Incremental.** Up to N = 4 the memo contains two state numbers, and a table of transitions
//! contains the next number. For N = 5, with 65,650,495 states, the memo contains the contents of
//! the rows and of the columns. A move changes two of them, and five look-ups compute the rank
//! again.
//!
//! Consistent: a move is a step of one of the two reduced puzzles, and keeps the state of the
//! other. The estimate is at least the Manhattan distance, and in general neither above nor below
//! linear conflicts. The table for N = 5 has 33 MB and takes about twelve CPU seconds to build.
//! From N = 6 on it would be too large.
//!
//! Reference: K. Takahashi, *How to make a 15-puzzle solver* (in Japanese; translated at
//! <http://juropollo.xe0.ru/stp_wd_translation_en.htm>).

mod table;

pub(crate) use table::{MAX_TABLE_SIDE, too_large};

use super::{
    Tiles,
    board::{Board, Slide},
    manhattan::Deltas,
    shape::{MAX_CELLS, Shape},
};
use std::{array, marker::PhantomData, sync::Arc};
use table::{Ranks, Rows, Table};
use unriddle_core::{Cost, Guarantee, Heuristic, Info, Role};
use unriddle_tables::{Cache, TableError, Work};

/// The heuristic's declaration.
pub(crate) const INFO: Info = Info {
    guarantee: "consistent",
    requires: "square boards of side 2 to 5, goal blank-last or blank-first (side 5: a table of 33 MB, built once and kept in the cache)",
    reference: "K. Takahashi, How to make a 15-puzzle solver; \
                translated at http://juropollo.xe0.ru/stp_wd_translation_en.htm",
    ..Info::new(
        Role::Heuristic,
        "walking-distance",
        "Fewest vertical moves into the goal rows if columns are forgotten, plus the same for columns",
    )
};

/// Walking distance.
#[derive(Clone, Debug)]
pub struct WalkingDistance<B> {
    shape: Shape,
    ranks: Ranks,
    deltas: Deltas,
    values: Values,
    /// Goal row of every tile, and goal column.
    kind: [[u8; MAX_CELLS]; 2],
    board: PhantomData<fn() -> B>,
}

/// Entries by rank.
#[derive(Clone, Debug)]
enum Values {
    /// With transitions (16 to a rank).
    Small { entries: Vec<u8>, next: Vec<u16> },
    /// As a table of the cache.
    Large(Arc<unriddle_tables::Table>),
}

/// State of both reduced puzzles.
#[derive(Clone, Copy, Debug)]
pub struct Memo {
    /// Vertical and horizontal: the rank up to N = 4, else the contents.
    state: [u64; 2],
    entry: [u8; 2],
    manhattan: u16,
}

impl Memo {
    #[inline(always)]
    fn cost(&self) -> Cost {
        Cost::from(self.manhattan) + 2 * (Cost::from(self.entry[0]) + Cost::from(self.entry[1]))
    }
}

impl<B: Board> WalkingDistance<B> {
    /// Makes its table, or gets it from the cache (N = 5).
    ///
    /// # Errors
    /// A side of 6 or more, a board that is no square, a spiral as the goal, or the cache's table
    /// cannot be had.
    pub fn new(puzzle: &Tiles<B>, cache: &Cache) -> Result<Self, TableError> {
        let shape = puzzle.shape();
        if !puzzle.is_square_with_blank_last() {
            return Err(TableError::BadPattern(format!(
                "walking distances are made for square boards with the goal blank-last or blank-first; this board is \
                 {shape} with the goal {}: use linear-conflict",
                puzzle.convention.name()
            )));
        }
        let n = shape.rows;
        let table = Table::new(n)?;
        let large =
            if n < table::MAX_TABLE_SIDE { None } else { Some(Values::Large(cache.get(&table)?)) };
        let ranks = table.into_ranks();
        let values = match large {
            Some(values) => values,
            None => {
                let entries = ranks.entries(ranks.levels(&Work::new(1, &|_| true))?)?;
                Values::Small { entries, next: ranks.transitions() }
            }
        };
        // The blank's entry is never read.
        let goal = |tile: usize| tile.saturating_sub(1);
        let kind = [
            array::from_fn(|tile| (goal(tile) / n) as u8),
            array::from_fn(|tile| (goal(tile) % n) as u8),
        ];
        Ok(Self { shape, ranks, deltas: Deltas::new(puzzle), values, kind, board: PhantomData })
    }

    /// The reduced puzzle's state: vertical (0) or horizontal (1).
    fn reduce(&self, board: &B, part: usize) -> Rows {
        let n = self.shape.rows;
        let mut parts = [[0; 8]; 8];
        for cell in 0..n * n {
            let tile = board.tile(cell);
            if tile != 0 {
                let line = if part == 0 { cell / n } else { cell % n };
                parts[line][usize::from(self.kind[part][tile])] += 1;
            }
        }
        let mut rows = [0; 8];
        for (content, parts) in rows.iter_mut().zip(&parts).take(n) {
            *content = self.ranks.content(parts);
        }
        rows
    }
}

impl<B: Board> Heuristic<Tiles<B>> for WalkingDistance<B> {
    type Memo = Memo;

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    fn root(&self, _: &Tiles<B>, board: &B) -> Option<(Cost, Memo)> {
        let mut memo =
            Memo { state: [0; 2], entry: [0; 2], manhattan: self.deltas.manhattan(board) as u16 };
        for part in 0..2 {
            let rows = self.reduce(board, part);
            let rank = self.ranks.rank(&rows);
            (memo.state[part], memo.entry[part]) = match &self.values {
                Values::Small { entries, .. } => (u64::from(rank), entries[rank as usize]),
                Values::Large(table) => (u64::from_le_bytes(rows), table.get(rank)),
            };
        }
        Some((memo.cost(), memo))
    }

    #[inline(always)]
    fn child(
        &self,
        _: &Tiles<B>,
        parent: &B,
        memo: &Memo,
        slide: Slide,
        _: &B,
    ) -> Option<(Cost, Memo)> {
        let (blank, tile) = (parent.blank(), parent.moved(slide) & (MAX_CELLS - 1));
        // Up and Down step vertically; Up and Left take the blank to a larger line.
        let (part, direction) = (slide as usize & 1, slide as usize >> 1);
        let kind = usize::from(self.kind[part][tile]);
        let mut memo = *memo;
        let change = self.deltas.get(slide, blank, tile);
        memo.manhattan = memo.manhattan.wrapping_add_signed(change as i16);
        let state = memo.state[part];
        (memo.state[part], memo.entry[part]) = match &self.values {
            Values::Small { entries, next } => {
                let rank = next[state as usize * 16 + direction * 8 + kind];
                (u64::from(rank), entries[usize::from(rank)])
            }
            Values::Large(table) => {
                let n = B::shape_or(self.shape).rows;
                let to = if part == 0 { blank / n } else { blank % n };
                let from = to.wrapping_add(1).wrapping_sub(2 * direction);
                let rows = self.ranks.step(&state.to_le_bytes(), from, to, kind);
                (u64::from_le_bytes(rows), table.get(self.ranks.rank(&rows)))
            }
        };
        Some((memo.cost(), memo))
    }

    fn bytes(&self) -> u64 {
        match &self.values {
            Values::Small { entries, next } => (entries.len() + 2 * next.len()) as u64,
            Values::Large(table) => table.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, with_board};
    use unriddle_tables::Policy;

    fn puzzle<B: Board>(rows: usize, columns: usize, goal: Goal) -> Tiles<B> {
        let shape = Shape { rows, columns };
        Tiles::of(shape, &goal.cells(shape), goal)
    }

    fn walk<B: Board>(side: usize) {
        let cache = Cache::new(None, 1, Policy::Reuse);
        let puzzle = puzzle::<B>(side, side, Goal::BlankLast);
        let walking = WalkingDistance::new(&puzzle, &cache).unwrap();
        crate::walk::walk(&puzzle, &walking, |a, b| a.state == b.state, |_, _: &B, _| ());
    }

    #[test]
    fn incremental_is_full() {
        for side in 2..=4 {
            with_board!(side, B => walk::<B>(side));
        }
    }

    /// Takes a while to build; the larger boards run the same code.
    #[test]
    #[ignore = "builds a table of 65,650,495 entries"]
    fn incremental_is_full_on_side_5() {
        walk::<crate::Board5>(5);
    }

    #[test]
    fn boards_without_a_table_are_refused() {
        let refused = |rows, columns, goal| {
            let cache = Cache::new(None, 1, Policy::Reuse);
            let puzzle = puzzle::<crate::AnyBoard>(rows, columns, goal);
            WalkingDistance::new(&puzzle, &cache).unwrap_err().to_string()
        };
        assert!(refused(7, 7, Goal::BlankLast).contains("sides 2 to 5"));
        assert!(refused(3, 4, Goal::BlankLast).contains("this board is 3×4"));
        assert!(refused(3, 3, Goal::Snail).contains("the goal snail"));
    }
}
