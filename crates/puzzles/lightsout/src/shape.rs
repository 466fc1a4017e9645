//! The shape of a board: its size, whether it is a torus, and which lights a press toggles.

/// Most rows, and most columns.
pub const SIDE: usize = 200;

/// Rows and columns of a board, with or without joined edges.
///
/// A press toggles a *set* of lights: the pressed light and its neighbours. On a torus a light at
/// an edge also has a neighbour at the opposite edge. Across fewer than three rows or columns this
/// adds nothing: the neighbour over the edge is the light itself, or is already a neighbour.
///
/// ```
/// use unriddle_lightsout::Shape;
///
/// let flat = Shape::new(2, 3, false).expect("within bounds");
/// assert_eq!(flat.toggled(0), [0, 1, 3]);
/// let torus = Shape::new(2, 3, true).expect("within bounds");
/// assert_eq!(torus.toggled(0), [0, 1, 2, 3]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of rows.
    pub(crate) rows: usize,
    /// Number of columns.
    pub(crate) columns: usize,
    /// Whether opposite edges are joined.
    pub(crate) torus: bool,
    toggles: Box<[Toggle]>,
}

/// For each cell, the lights that a press toggles, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Toggle {
    cells: [u16; 5],
    count: u8,
}

impl Shape {
    /// The shape of a size; `None` without rows or columns, or with more than [`SIDE`] of either.
    #[must_use]
    pub fn new(rows: usize, columns: usize, torus: bool) -> Option<Self> {
        if ![rows, columns].iter().all(|side| (1..=SIDE).contains(side)) {
            return None;
        }
        let mut shape = Self { rows, columns, torus, toggles: Box::default() };
        shape.toggles = (0..shape.cells()).map(|cell| shape.toggle(cell)).collect();
        Some(shape)
    }

    fn toggle(&self, cell: usize) -> Toggle {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let beside = |at: usize, side: usize| {
            let [before, after] = if self.torus {
                [Some((at + side - 1) % side), Some((at + 1) % side)]
            } else {
                [at.checked_sub(1), Some(at + 1).filter(|&at| at < side)]
            };
            [before, after].into_iter().flatten()
        };
        let mut cells = vec![cell];
        cells.extend(beside(row, self.rows).map(|row| row * self.columns + column));
        cells.extend(beside(column, self.columns).map(|column| row * self.columns + column));
        cells.sort_unstable();
        cells.dedup();
        let mut toggle = Toggle { count: cells.len() as u8, ..Toggle::default() };
        for (place, &cell) in toggle.cells.iter_mut().zip(&cells) {
            // At most 40,000 cells.
            *place = cell as u16;
        }
        toggle
    }

    /// Number of cells. They are numbered row by row from the top left.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// The lights that a press of a cell toggles, in order.
    ///
    /// # Panics
    /// There is no such cell.
    #[must_use]
    pub fn toggled(&self, cell: usize) -> &[u16] {
        let toggle = &self.toggles[cell];
        &toggle.cells[..usize::from(toggle.count)]
    }
}
