//! Goals: the board at which a solution ends.

use super::{
    board::Slide,
    shape::{MAX_CELLS, Shape},
};
use unriddle_core::words;

words! {
    /// Convention of the goal board.
    pub enum Goal {
        /// `1 2 … N−1 0`, row by row.
        BlankLast = "blank-last",
        /// `0 1 2 … N−1`, row by row.
        BlankFirst = "blank-first",
        /// The numbers along a spiral that begins in the first row; the blank is at its inner end.
        Snail = "snail",
    }
}

impl Goal {
    /// All goals, in the order of [`NAMES`](Self::NAMES).
    pub const ALL: [Self; 3] = [Self::BlankLast, Self::BlankFirst, Self::Snail];

    /// Converts cells of a board of this convention to canonical cells, and back: the map is its
    /// own inverse.
    #[must_use]
    pub fn turn(self, cells: &[u8]) -> Vec<u8> {
        let turned = |&tile: &u8| if tile == 0 { 0 } else { cells.len() as u8 - tile };
        match self {
            Self::BlankLast | Self::Snail => cells.to_vec(),
            Self::BlankFirst => cells.iter().rev().map(turned).collect(),
        }
    }

    /// A slide of this convention as a canonical slide, and back.
    pub(crate) fn turn_slide(self, slide: Slide) -> Slide {
        match self {
            Self::BlankLast | Self::Snail => slide,
            Self::BlankFirst => slide.inverse(),
        }
    }

    /// The goal of the turned board.
    pub(crate) fn canonical(self) -> Self {
        match self {
            Self::BlankLast | Self::BlankFirst => Self::BlankLast,
            Self::Snail => Self::Snail,
        }
    }

    /// The goal cell of every number; 0 is the blank.
    pub(crate) fn homes(self, shape: Shape) -> [u8; MAX_CELLS] {
        let cells = shape.cells();
        let mut homes = [0; MAX_CELLS];
        match self {
            Self::BlankLast | Self::BlankFirst => {
                let first = usize::from(self == Self::BlankLast);
                for cell in 0..cells {
                    homes[(cell + first) % cells] = cell as u8;
                }
            }
            Self::Snail => {
                for (place, cell) in spiral(shape).into_iter().enumerate() {
                    homes[(place + 1) % cells] = cell as u8;
                }
            }
        }
        homes
    }

    /// The numbers of the goal board in reading order.
    pub(crate) fn cells(self, shape: Shape) -> Vec<u8> {
        let mut cells = vec![0; shape.cells()];
        for (number, &home) in self.homes(shape).iter().enumerate().take(shape.cells()) {
            cells[usize::from(home)] = number as u8;
        }
        cells
    }
}

/// The cells along the spiral: right along the first row, then clockwise inwards.
fn spiral(shape: Shape) -> Vec<usize> {
    let mut cells = Vec::new();
    let (mut top, mut bottom, mut left, mut right) = (0, shape.rows, 0, shape.columns);
    while top < bottom && left < right {
        let mut push = |row: usize, column: usize| cells.push(row * shape.columns + column);
        (left..right).for_each(|column| push(top, column));
        (top + 1..bottom).for_each(|row| push(row, right - 1));
        if bottom - top > 1 {
            (left..right - 1).rev().for_each(|column| push(bottom - 1, column));
        }
        if right - left > 1 {
            (top + 1..bottom - 1).rev().for_each(|row| push(row, left));
        }
        (top, bottom, left, right) = (top + 1, bottom - 1, left + 1, right - 1);
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_written_as_their_names_say() {
        let cells = |goal: Goal, rows, columns| goal.cells(Shape { rows, columns });
        assert_eq!(cells(Goal::BlankLast, 2, 3), [1, 2, 3, 4, 5, 0]);
        assert_eq!(cells(Goal::BlankFirst, 2, 3), [0, 1, 2, 3, 4, 5]);
        assert_eq!(cells(Goal::Snail, 2, 2), [1, 2, 0, 3]);
        assert_eq!(cells(Goal::Snail, 2, 3), [1, 2, 3, 0, 5, 4]);
        assert_eq!(cells(Goal::Snail, 3, 3), [1, 2, 3, 8, 0, 4, 7, 6, 5]);
        assert_eq!(cells(Goal::Snail, 3, 2), [1, 2, 0, 3, 5, 4]);
        assert_eq!(
            cells(Goal::Snail, 4, 4),
            [1, 2, 3, 4, 12, 13, 14, 5, 11, 0, 15, 6, 10, 9, 8, 7]
        );
        assert_eq!(cells(Goal::Snail, 3, 5), [1, 2, 3, 4, 5, 12, 13, 14, 0, 6, 11, 10, 9, 8, 7]);
    }

    #[test]
    fn homes_are_the_cells_of_the_goal() {
        for goal in Goal::ALL {
            for cells in 4..=MAX_CELLS {
                for shape in Shape::of_cells(cells) {
                    let (board, homes) = (goal.cells(shape), goal.homes(shape));
                    for (cell, &number) in board.iter().enumerate() {
                        assert_eq!(usize::from(homes[usize::from(number)]), cell);
                    }
                    assert_eq!(goal.turn(&board), goal.canonical().cells(shape));
                    assert_eq!(goal.turn(&goal.turn(&board)), board);
                }
            }
        }
    }
}
