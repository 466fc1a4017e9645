//! Shapes of boards: rows and columns, and the arithmetic of cells.

use std::fmt;

/// Largest side of a square board.
pub(crate) const MAX_SIDE: usize = 8;
/// Largest number of cells.
pub(crate) const MAX_CELLS: usize = MAX_SIDE * MAX_SIDE;
/// Largest number of rows or columns.
pub(crate) const MAX_LINES: usize = MAX_CELLS / 2;

/// Rows and columns of a board.
///
/// ```
/// use unriddle_tiles::Shape;
///
/// let shape = Shape::new(3, 4).expect("rows and columns of at least 2, at most 64 cells");
/// assert_eq!((shape.cells(), shape.to_string()), (12, "3×4".to_owned()));
/// assert!(Shape::new(1, 4).is_none() && Shape::new(8, 9).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

impl Shape {
    /// The shape of a board: at least two rows and columns, and at most 64 cells.
    #[must_use]
    pub const fn new(rows: usize, columns: usize) -> Option<Self> {
        if rows < 2 || columns < 2 || rows > MAX_LINES || columns > MAX_LINES {
            return None;
        }
        if rows * columns > MAX_CELLS { None } else { Some(Self { rows, columns }) }
    }

    /// The square of a side of 2 to 8.
    #[must_use]
    pub const fn square(side: usize) -> Self {
        Self { rows: side, columns: side }
    }

    /// The shapes with a number of cells, from few rows to many.
    pub(crate) fn of_cells(cells: usize) -> impl Iterator<Item = Self> {
        let divisors = (2..=cells).filter(move |rows| cells.is_multiple_of(*rows));
        divisors.filter_map(move |rows| Self::new(rows, cells / rows))
    }

    /// Number of cells.
    #[must_use]
    pub const fn cells(self) -> usize {
        self.rows * self.columns
    }

    /// Whether it is a square.
    #[must_use]
    pub const fn is_square(self) -> bool {
        self.rows == self.columns
    }

    /// Rows exchanged with columns.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self { rows: self.columns, columns: self.rows }
    }

    /// The cell of the transposed board that corresponds to a cell.
    pub(crate) const fn mirrored(self, cell: usize) -> usize {
        cell % self.columns * self.rows + cell / self.columns
    }

    /// Manhattan distance of two cells.
    pub(crate) const fn distance(self, a: usize, b: usize) -> u32 {
        let rows = (a / self.columns).abs_diff(b / self.columns);
        (rows + (a % self.columns).abs_diff(b % self.columns)) as u32
    }

    /// The slides that are possible with the blank at a cell, as bits `1 << slide`.
    pub(crate) const fn possible(self, blank: usize) -> u8 {
        let (row, column) = (blank / self.columns, blank % self.columns);
        (row + 1 < self.rows) as u8
            | ((column + 1 < self.columns) as u8) << 1
            | ((row > 0) as u8) << 2
            | ((column > 0) as u8) << 3
    }

    /// The possible slides of every cell of the blank.
    pub(crate) const fn all_possible(self) -> [u8; MAX_CELLS] {
        let mut masks = [0; MAX_CELLS];
        let mut cell = 0;
        while cell < self.cells() {
            masks[cell] = self.possible(cell);
            cell += 1;
        }
        masks
    }
}

/// Squares by their side.
impl From<usize> for Shape {
    fn from(side: usize) -> Self {
        Self::square(side)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.rows, self.columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_a_number_of_cells() {
        let names = |cells| Shape::of_cells(cells).map(|s| s.to_string()).collect::<Vec<_>>();
        assert_eq!(names(12), ["2×6", "3×4", "4×3", "6×2"]);
        assert_eq!(names(4), ["2×2"]);
        assert_eq!(names(7), [""; 0]);
        assert_eq!(names(64).len(), 5);
    }

    #[test]
    fn cells_are_mirrored_to_the_transposed_board() {
        let shape = Shape { rows: 2, columns: 3 };
        let mirrored: Vec<usize> = (0..6).map(|cell| shape.mirrored(cell)).collect();
        assert_eq!(mirrored, [0, 2, 4, 1, 3, 5]);
        assert!((0..6).all(|cell| shape.transposed().mirrored(shape.mirrored(cell)) == cell));
    }
}
