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
//! as a digit per cell: the goal position of a tile of this line, counted from 1, or 0 for all other
//! contents. On the squares of side 3 to 6 the digits are a key, of which the moved tile changes one
//! digit, and a table contains the conflicts of all keys. On other boards the subsequence is
//! computed in the time of the line's length.
//!
//! Consistent: a slide changes the sum by exactly one. A tile that enters its goal column decreases
//! the Manhattan distance by one and adds at most one conflict (two moves). A tile that leaves it
//! does the opposite. Any other slide changes only the Manhattan distance.
//!
//! Reference: Hansson, Mayer and Yung 1992 (Information Sciences 63).

use super::{
    Tiles,
    board::{Board, Slide, boxed},
    manhattan::Deltas,
    shape::{MAX_CELLS, MAX_SIDE, Shape},
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
    shape: Shape,
    /// Goal row of every tile, and goal column; 255 for the blank.
    home: [[u8; MAX_CELLS]; 2],
    /// The tiles that enter or leave their goal line, as a bit set by slide and blank's cell.
    crossing: Box<[u64; 4 * MAX_CELLS]>,
    keys: Keys,
    board: PhantomData<fn() -> B>,
}

/// Tables by keys of lines, which boards of any shape do not use.
#[derive(Clone, Debug)]
struct Keys {
    /// Digit of every tile in the key of a row, and of a column: 0 in all but its goal line.
    digit: [[[u8; MAX_CELLS]; MAX_SIDE]; 2],
    /// Change of the key of the moved tile's goal line, by slide, blank's cell and tile. 0 if the
    /// tile neither enters nor leaves this line.
    change: Box<[[u32; MAX_CELLS]; 4 * MAX_CELLS]>,
    /// Conflicts by key.
    conflicts: Vec<u8>,
}

/// Bits of a key's digit.
const BITS: u32 = 3;
const DIGIT: u32 = (1 << BITS) - 1;

/// Number of tiles that must leave a line: the tiles outside a longest increasing subsequence of
/// the digits. Digits are below 64 and, except 0, distinct.
#[inline(always)]
fn conflicts(digits: impl Iterator<Item = u8>) -> u32 {
    // Bit d is set if some increasing subsequence ends in d, has as many digits as there are set
    // bits up to d, and no subsequence of this length ends lower (patience sorting).
    let (mut ends, mut count) = (0u64, 0);
    for digit in digits.filter(|&digit| digit != 0) {
        let above = ends >> digit << digit;
        ends = ends & !(above & above.wrapping_neg()) | 1 << digit;
        count += 1;
    }
    count - ends.count_ones()
}

impl Keys {
    /// The tables of a square; without one, empty tables.
    fn new(side: Option<usize>, home: &[[u8; MAX_CELLS]; 2]) -> Self {
        let n = side.unwrap_or(0);
        let cells = n * n;
        let mut digit = [[[0; MAX_CELLS]; MAX_SIDE]; 2];
        for tile in 1..cells {
            let [row, column] = [home[0][tile], home[1][tile]];
            digit[0][usize::from(row)][tile] = column + 1;
            digit[1][usize::from(column)][tile] = row + 1;
        }
        let mut change = boxed([0; MAX_CELLS]);
        for (slide, blank, from) in Slide::everywhere(Shape::square(n)) {
            // A horizontal slide can change the tile's goal column, a vertical one its goal row.
            let is_column = !slide.is_vertical();
            let [line, place] = [home[usize::from(is_column)], home[usize::from(!is_column)]];
            let (places, cell) = if is_column {
                ([from % n, blank % n], blank / n)
            } else {
                ([from / n, blank / n], blank % n)
            };
            for tile in (1..cells).filter(|&tile| places.contains(&line[tile].into())) {
                let digit = u32::from(place[tile]) + 1;
                change[slide.row(blank)][tile] = digit << (BITS * cell as u32);
            }
        }
        let digits = |key: u32| (0..n as u32).map(move |i| (key >> (i * BITS) & DIGIT) as u8);
        let keys = 0..side.map_or(0, |n| 1u32 << (BITS * n as u32));
        Self { digit, change, conflicts: keys.map(|key| conflicts(digits(key)) as u8).collect() }
    }

    /// Conflicts of a key.
    #[inline(always)]
    fn count(&self, key: u32) -> i32 {
        // Keys have N digits, and so has the table.
        i32::from(self.conflicts[key as usize & (self.conflicts.len() - 1)])
    }
}

impl<B: Board> LinearConflict<B> {
    /// The conflicts with the goal of an instance.
    #[must_use]
    pub fn new(puzzle: &Tiles<B>) -> Self {
        let (shape, homes) = (puzzle.shape(), puzzle.homes());
        let mut home = [[u8::MAX; MAX_CELLS]; 2];
        for tile in 1..shape.cells() {
            let cell = usize::from(homes[tile]);
            home[0][tile] = (cell / shape.columns) as u8;
            home[1][tile] = (cell % shape.columns) as u8;
        }
        let mut crossing = boxed(0);
        for (slide, blank, from) in Slide::everywhere(shape) {
            let line = |cell: usize| {
                if slide.is_vertical() { cell / shape.columns } else { cell % shape.columns }
            };
            let home = &home[usize::from(!slide.is_vertical())];
            for (tile, &home) in home.iter().enumerate().take(shape.cells()).skip(1) {
                let crosses = [line(from), line(blank)].contains(&home.into());
                crossing[slide.row(blank)] |= u64::from(crosses) << tile;
            }
        }
        let keys = Keys::new(B::SIDE, &home);
        Self { deltas: Deltas::new(puzzle), shape, home, crossing, keys, board: PhantomData }
    }

    /// The cells of a row or column.
    #[inline(always)]
    fn cells(&self, line: usize, is_column: bool) -> impl Iterator<Item = usize> + use<B> {
        let Shape { rows, columns } = B::shape_or(self.shape);
        let (first, step, count) =
            if is_column { (line, columns, rows) } else { (line * columns, 1, columns) };
        (0..count).map(move |i| first + i * step)
    }

    /// The key of a row or column.
    #[inline(always)]
    fn key(&self, board: &B, line: usize, is_column: bool) -> u32 {
        let digit = &self.keys.digit[usize::from(is_column)][line & (MAX_SIDE - 1)];
        (0..).zip(self.cells(line, is_column)).fold(0, |key, (i, cell)| {
            let tile = board.tile(cell) & (MAX_CELLS - 1);
            key | u32::from(digit[tile]) << (BITS * i)
        })
    }

    /// Conflicts of a row or column.
    #[inline(always)]
    fn of_line(&self, board: &B, line: usize, is_column: bool) -> i32 {
        if B::SIDE.is_some() {
            return self.keys.count(self.key(board, line, is_column));
        }
        let (home, place) =
            (&self.home[usize::from(is_column)], &self.home[usize::from(!is_column)]);
        let digits = self.cells(line, is_column).map(|cell| {
            let tile = board.tile(cell) & (MAX_CELLS - 1);
            if usize::from(home[tile]) == line { place[tile] + 1 } else { 0 }
        });
        conflicts(digits) as i32
    }
}

impl<B: Board> Heuristic<Tiles<B>> for LinearConflict<B> {
    type Memo = Cost;

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    fn root(&self, _: &Tiles<B>, board: &B) -> Option<(Cost, Cost)> {
        let Shape { rows, columns } = B::shape_or(self.shape);
        let lines = (0..rows).map(|row| (row, false)).chain((0..columns).map(|c| (c, true)));
        let conflicts: i32 =
            lines.map(|(line, is_column)| self.of_line(board, line, is_column)).sum();
        let h = self.deltas.manhattan(board) + 2 * conflicts as Cost;
        Some((h, h))
    }

    #[inline(always)]
    fn child(
        &self,
        _: &Tiles<B>,
        parent: &B,
        memo: &Cost,
        slide: Slide,
        child: &B,
    ) -> Option<(Cost, Cost)> {
        let (blank, tile) = (parent.blank(), parent.moved(slide) & (MAX_CELLS - 1));
        let mut h = memo.wrapping_add_signed(self.deltas.get(slide, blank, tile));
        let is_column = !slide.is_vertical();
        let line = || usize::from(self.home[usize::from(is_column)][tile]);
        if B::SIDE.is_some() {
            let change = self.keys.change[slide.row(blank)][tile];
            if change != 0 {
                let line = line();
                let key = self.key(parent, line, is_column);
                let more = self.keys.count(key ^ change) - self.keys.count(key);
                h = h.wrapping_add_signed(2 * more);
            }
        } else if self.crossing[slide.row(blank)] >> tile & 1 == 1 {
            let line = line();
            let before = self.of_line(parent, line, is_column);
            h = h.wrapping_add_signed(2 * (self.of_line(child, line, is_column) - before));
        }
        Some((h, h))
    }

    fn bytes(&self) -> u64 {
        let tables = size_of_val(&*self.keys.change) + size_of_val(&*self.crossing);
        (self.keys.conflicts.len() + tables) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyBoard, Board3, Goal, with_board};
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
            let n = 2 + rng.below(7) as u32;
            let mut digits: Vec<u32> = (1..=n).collect();
            rng.shuffle(&mut digits);
            for digit in &mut digits {
                *digit *= rng.below(4).min(1) as u32;
            }
            let found = conflicts(digits.iter().map(|&digit| digit as u8));
            assert_eq!(found, naive(&digits), "{digits:?}");
        }
    }

    /// A full recount on plain cells.
    fn plain<B: Board>(puzzle: &Tiles<B>, board: &B) -> u32 {
        let (Shape { rows, columns }, homes) = (puzzle.shape(), puzzle.homes());
        let home = |tile: usize| usize::from(homes[tile]);
        let mut sum = Deltas::new(puzzle).manhattan(board);
        let row = |line: usize| (0..columns).map(move |i| line * columns + i).collect();
        let column = |line: usize| (0..rows).map(move |i| i * columns + line).collect();
        let lines: Vec<Vec<usize>> = (0..rows).map(row).chain((0..columns).map(column)).collect();
        for cells in lines {
            let digit = |&cell: &usize| match board.tile(cell) {
                0 => 0,
                tile => cells.iter().position(|&c| c == home(tile)).map_or(0, |i| i as u32 + 1),
            };
            sum += 2 * naive(&cells.iter().map(digit).collect::<Vec<u32>>());
        }
        sum
    }

    fn walk<B: Board>(shape: Shape, goal: Goal) {
        let puzzle = Tiles::<B>::of(shape, &goal.cells(shape), goal);
        let conflict = LinearConflict::new(&puzzle);
        crate::walk::walk(&puzzle, &conflict, PartialEq::eq, |step, board: &B, h| {
            if step % 40 == 0 {
                assert_eq!(h, plain(&puzzle, board));
            }
        });
    }

    #[test]
    fn incremental_is_full() {
        for side in 2..=8 {
            with_board!(side, B => walk::<B>(Shape::square(side), Goal::BlankLast));
        }
        for goal in [Goal::BlankLast, Goal::Snail] {
            for (rows, columns) in [(2, 2), (2, 5), (3, 3), (4, 3), (7, 7), (8, 6), (2, 9)] {
                walk::<AnyBoard>(Shape { rows, columns }, goal);
            }
        }
    }

    /// Two and three tiles in reversed order.
    #[test]
    fn known_boards() {
        let h = |cells: &[u8; 9]| {
            let puzzle = Tiles::<Board3>::new(cells, Goal::BlankLast);
            let h = LinearConflict::new(&puzzle).root(&puzzle, &puzzle.initial_state());
            h.unwrap().0
        };
        assert_eq!(h(&[2, 1, 3, 4, 5, 6, 7, 8, 0]), 4);
        assert_eq!(h(&[3, 2, 1, 4, 5, 6, 7, 8, 0]), 8);
    }
}
