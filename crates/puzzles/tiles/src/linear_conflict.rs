//! Linear conflicts: Manhattan distance plus two moves for every tile that must leave its line.
//!
//! Tiles in their goal row (or column) but in the wrong order must pass each other. One tile of
//! every such pair has to leave the line and to come back, two moves that the Manhattan distance
//! does not count. The least number of tiles that must leave a line is the number of tiles outside
//! a longest increasing subsequence of goal positions.
//!
//! **Incremental.** A slide along a row cannot change the order within that row. It changes the
//! conflicts of at most one line, the goal column of the moved tile, and only if the tile enters or
//! leaves this column. (The same holds for slides along columns.) The line is read from the board
//! as a key of a digit per cell: the goal position of a tile of this line, counted from 1, or 0 for
//! all other contents. The moved tile changes one digit. Up to N = 6 a table contains the conflicts
//! of all keys. For larger sides, the subsequence is computed in O(N).
//!
//! Consistent: a slide changes the sum by exactly one. A tile that enters its goal column decreases
//! the Manhattan distance by one and adds at most one conflict (two moves). A tile that leaves it
//! does the opposite. Any other slide changes only the Manhattan distance.
//!
//! Reference: Hansson, Mayer and Yung 1992 (Information Sciences 63).

use super::{
    Tiles,
    board::{Board, MAX_CELLS, MAX_SIDE, Slide, boxed},
    manhattan::{Deltas, manhattan},
};
use std::marker::PhantomData;
use unriddle_core::{Cost, Guarantee, Heuristic, Info, Role};

/// The heuristic's declaration.
pub(crate) const INFO: Info = Info {
    guarantee: "consistent",
    requires: "tiles",
    reference: "Hansson, Mayer and Yung 1992, Criticizing solutions to relaxed models yields powerful \
                admissible heuristics, Information Sciences 63",
    ..Info::new(
        Role::Heuristic,
        "linear-conflict",
        "Manhattan distance plus two moves for every tile that must leave its goal row or column to let others pass",
    )
};

/// Manhattan distance and linear conflicts.
#[derive(Clone, Debug)]
pub struct LinearConflict<B> {
    deltas: Deltas,
    /// Goal row of every tile, and goal column.
    home: [[u8; MAX_CELLS]; 2],
    /// Digit of every tile in the key of a row, and of a column: 0 in all but its goal line.
    digit: [[[u8; MAX_CELLS]; MAX_SIDE]; 2],
    /// Change of the key of the moved tile's goal line, by slide, blank's cell and tile. 0 if the
    /// tile neither enters nor leaves this line.
    change: Box<[[u32; MAX_CELLS]; 4 * MAX_CELLS]>,
    /// Conflicts by key, up to [`TABLED`].
    conflicts: Vec<u8>,
    board: PhantomData<fn() -> B>,
}

/// Largest side whose keys have a table.
const TABLED: usize = 6;

/// Bits of a key's digit.
const fn bits(n: usize) -> u32 {
    if n < 8 { 3 } else { 4 }
}

/// Number of tiles that must leave a line: the tiles outside a longest increasing subsequence of
/// the digits.
fn conflicts(n: usize, key: u32) -> u8 {
    // Bit d is set if some increasing subsequence ends in d, has as many digits as there are set
    // bits up to d, and no subsequence of this length ends lower (patience sorting; the digits are
    // distinct).
    let (mut ends, mut count) = (0u32, 0);
    for i in 0..n as u32 {
        let digit = key >> (i * bits(n)) & ((1 << bits(n)) - 1);
        if digit != 0 {
            let above = ends >> digit << digit;
            ends = ends & !(above & above.wrapping_neg()) | 1 << digit;
            count += 1;
        }
    }
    count - ends.count_ones() as u8
}

impl<B: Board> Default for LinearConflict<B> {
    fn default() -> Self {
        let n = B::N;
        let mut home = [[0; MAX_CELLS]; 2];
        let mut digit = [[[0; MAX_CELLS]; MAX_SIDE]; 2];
        for tile in 1..n * n {
            let (row, column) = ((tile - 1) / n, (tile - 1) % n);
            home[0][tile] = row as u8;
            home[1][tile] = column as u8;
            digit[0][row][tile] = column as u8 + 1;
            digit[1][column][tile] = row as u8 + 1;
        }
        let mut change = boxed([0; MAX_CELLS]);
        for (slide, blank, from) in Slide::everywhere(n) {
            // A horizontal slide can change the tile's goal column, a vertical one its goal row.
            let is_column = !slide.is_vertical();
            let [line, place] = [home[usize::from(is_column)], home[usize::from(!is_column)]];
            let (places, cell) = if is_column {
                ([from % n, blank % n], blank / n)
            } else {
                ([from / n, blank / n], blank % n)
            };
            for tile in (1..n * n).filter(|&tile| places.contains(&line[tile].into())) {
                let digit = u32::from(place[tile]) + 1;
                change[slide.row(blank)][tile] = digit << (bits(n) * cell as u32);
            }
        }
        let keys = if n <= TABLED { 1 << (bits(n) * n as u32) } else { 0 };
        Self {
            deltas: Deltas::new(n),
            home,
            digit,
            change,
            conflicts: (0..keys).map(|key| conflicts(n, key)).collect(),
            board: PhantomData,
        }
    }
}

impl<B: Board> LinearConflict<B> {
    /// Conflicts of a key.
    #[inline(always)]
    fn count(&self, key: u32) -> i32 {
        if B::N <= TABLED {
            // Keys have N digits, and so has the table.
            i32::from(self.conflicts[key as usize & (self.conflicts.len() - 1)])
        } else {
            i32::from(conflicts(B::N, key))
        }
    }

    /// The key of a row or column.
    #[inline(always)]
    fn key(&self, board: &B, line: usize, is_column: bool) -> u32 {
        let (first, step) = if is_column { (line, B::N) } else { (line * B::N, 1) };
        let digit = &self.digit[usize::from(is_column)][line & (MAX_SIDE - 1)];
        (0..B::N).fold(0, |key, i| {
            let tile = board.tile(first + i * step) & (MAX_CELLS - 1);
            key | u32::from(digit[tile]) << (bits(B::N) * i as u32)
        })
    }
}

impl<B: Board> Heuristic<Tiles<B>> for LinearConflict<B> {
    type Memo = Cost;

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    fn root(&self, _: &Tiles<B>, board: &B) -> Option<(Cost, Cost)> {
        let lines = (0..B::N).flat_map(|line| [(line, false), (line, true)]);
        let conflicts: i32 =
            lines.map(|(line, is_column)| self.count(self.key(board, line, is_column))).sum();
        let h = manhattan(board) + 2 * conflicts as Cost;
        Some((h, h))
    }

    #[inline(always)]
    fn child(
        &self,
        _: &Tiles<B>,
        parent: &B,
        memo: &Cost,
        slide: Slide,
        _: &B,
    ) -> Option<(Cost, Cost)> {
        let (blank, tile) = (parent.blank(), parent.moved(slide) & (MAX_CELLS - 1));
        let mut h = memo.wrapping_add_signed(self.deltas.get(slide, blank, tile));
        let change = self.change[slide.row(blank)][tile];
        if change != 0 {
            let is_column = !slide.is_vertical();
            let line = usize::from(self.home[usize::from(is_column)][tile]);
            let key = self.key(parent, line, is_column);
            let more = self.count(key ^ change) - self.count(key);
            h = h.wrapping_add_signed(2 * more);
        }
        Some((h, h))
    }

    fn bytes(&self) -> u64 {
        (self.conflicts.len() + size_of_val(&*self.change)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Goal;
    use crate::{Board2, Board3, Board4, Board5, Board6, Board7, Board8};
    use unriddle_core::{Puzzle, Rng};

    /// Fewest tiles to remove from a line, by trying all subsets.
    fn naive(digits: &[u32]) -> u32 {
        (0..1u32 << digits.len())
            .filter(|kept| {
                let rest: Vec<u32> = (0..digits.len())
                    .filter(|&i| kept >> i & 1 == 1)
                    .map(|i| digits[i])
                    .filter(|&d| d != 0)
                    .collect();
                rest.is_sorted()
            })
            .map(|kept| {
                let is_removed = |&i: &usize| kept >> i & 1 == 0 && digits[i] != 0;
                (0..digits.len()).filter(is_removed).count() as u32
            })
            .min()
            .unwrap()
    }

    #[test]
    fn conflicts_of_a_line_are_exact() {
        let mut rng = Rng::new(3);
        for _ in 0..3000 {
            let n = 2 + rng.below(7) as usize;
            let mut digits: Vec<u32> = (1..=n as u32).collect();
            rng.shuffle(&mut digits);
            for digit in &mut digits {
                *digit *= rng.below(4).min(1) as u32;
            }
            let key = (0..n).fold(0, |key, i| key | digits[i] << (bits(n) * i as u32));
            assert_eq!(u32::from(conflicts(n, key)), naive(&digits), "{digits:?}");
        }
    }

    /// A full recount on plain cells.
    fn plain<B: Board>(board: &B) -> u32 {
        let (n, cells) = (B::N, board.cells());
        let mut sum = manhattan(board);
        for line in 0..n {
            let row = (0..n).map(|i| (cells[line * n + i], true));
            let column = (0..n).map(|i| (cells[i * n + line], false));
            for side in [row.collect::<Vec<_>>(), column.collect()] {
                let digits: Vec<u32> = side
                    .iter()
                    .map(|&(tile, is_row)| match usize::from(tile) {
                        0 => 0,
                        t if is_row && (t - 1) / n == line => ((t - 1) % n) as u32 + 1,
                        t if !is_row && (t - 1) % n == line => ((t - 1) / n) as u32 + 1,
                        _ => 0,
                    })
                    .collect();
                sum += 2 * naive(&digits);
            }
        }
        sum
    }

    fn walk<B: Board>() {
        let conflict = LinearConflict::<B>::default();
        crate::walk::walk(&conflict, PartialEq::eq, |step, board: &B, h| {
            if step % 20 == 0 {
                assert_eq!(h, plain(board));
            }
        });
    }

    #[test]
    fn incremental_is_full() {
        walk::<Board2>();
        walk::<Board3>();
        walk::<Board4>();
        walk::<Board5>();
        walk::<Board6>();
        walk::<Board7>();
        walk::<Board8>();
    }

    /// Two and three tiles in reversed order.
    #[test]
    fn known_boards() {
        let h = |cells: &[u8; 9]| {
            let puzzle = Tiles::<Board3>::new(cells, Goal::BlankLast);
            let h = LinearConflict::default().root(&puzzle, &puzzle.initial_state());
            h.unwrap().0
        };
        assert_eq!(h(&[2, 1, 3, 4, 5, 6, 7, 8, 0]), 4);
        assert_eq!(h(&[3, 2, 1, 4, 5, 6, 7, 8, 0]), 8);
    }
}
