//! The shape of a board: its size, its buttons, and which lights a press toggles.

use unriddle_core::words;

/// Most rows, and most columns.
pub const SIDE: usize = 200;

/// Most lights of a board whose presses do not have the shape [`Reach::Plus`].
pub const OTHER: usize = 4_096;

/// Most lights, and most buttons, of a board that lists the lights of each button.
pub const LISTED: usize = 1_024;

words! {
    /// The lights that a press toggles.
    pub enum Reach {
        /// The pressed light and the four beside it.
        Plus = "plus",
        /// The four lights beside the pressed one.
        Sides = "sides",
        /// The pressed light and the four that touch its corners.
        X = "x",
        /// The four lights that touch the corners of the pressed one.
        Corners = "corners",
        /// The pressed light and the eight around it.
        King = "king",
        /// The eight lights around the pressed one.
        Ring = "ring",
        /// The row and the column of the pressed light.
        Cross = "cross",
    }
}

impl Reach {
    /// All, in the order of their words.
    pub const ALL: [Self; 7] =
        [Self::Plus, Self::Sides, Self::X, Self::Corners, Self::King, Self::Ring, Self::Cross];

    /// Whether a press spares the pressed light.
    const fn spares(self) -> bool {
        matches!(self, Self::Sides | Self::Corners | Self::Ring)
    }

    /// Whether a press toggles a light at a distance of rows and columns, at most one each.
    const fn has(self, rows: usize, columns: usize) -> bool {
        let distance = rows + columns;
        match self {
            Self::Plus => distance <= 1,
            Self::Sides => distance == 1,
            Self::X => distance != 1,
            Self::Corners => distance == 2,
            Self::King => true,
            Self::Ring => distance > 0,
            Self::Cross => rows == 0 || columns == 0,
        }
    }
}

/// Rows and columns of a board, with or without joined edges, and its buttons.
///
/// A press toggles a *set* of lights, such as the pressed light and its neighbours. On a torus a
/// light at an edge also has a neighbour at the opposite edge. Across fewer than three rows or
/// columns this adds nothing: the neighbour over the edge is the light itself, or is already a
/// neighbour.
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
    /// The lights of a press; `None` if every button has lights of its own.
    pub(crate) reach: Option<Reach>,
    /// Number of buttons.
    buttons: usize,
    /// The lights of each button, if they are at most five; otherwise `wide` has them.
    toggles: Box<[Toggle]>,
    wide: Box<[Box<[u16]>]>,
    /// Largest number of lights of a button; five for the usual presses, also on narrow boards.
    most: usize,
}

/// For each cell, the lights that a press toggles, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Toggle {
    cells: [u16; 5],
    count: u8,
}

impl Shape {
    /// The shape of a size with the usual presses; `None` without rows or columns, or with more
    /// than [`SIDE`] of either.
    #[must_use]
    pub fn new(rows: usize, columns: usize, torus: bool) -> Option<Self> {
        Self::reaching(rows, columns, torus, Reach::Plus)
    }

    /// The shape of a size whose presses toggle other lights; `None` for a size beyond
    /// [`SIDE`] or, with other presses than the usual ones, beyond [`OTHER`] lights.
    #[must_use]
    pub fn reaching(rows: usize, columns: usize, torus: bool, reach: Reach) -> Option<Self> {
        let fits = [rows, columns].iter().all(|side| (1..=SIDE).contains(side))
            && (reach == Reach::Plus || rows * columns <= OTHER);
        if !fits {
            return None;
        }
        let toggled = |cell| toggled(rows, columns, torus, reach, cell);
        Some(Self::with(rows, columns, torus, Some(reach), (0..rows * columns).map(toggled)))
    }

    /// The shape of a size, given the lights of each button; `None` without buttons, with more than
    /// [`LISTED`] of them or as many lights, or if a light is not on the board.
    #[must_use]
    pub fn listing(rows: usize, columns: usize, buttons: &[Vec<u16>]) -> Option<Self> {
        let lights = rows.checked_mul(columns)?;
        let fits = [lights, buttons.len()].iter().all(|count| (1..=LISTED).contains(count))
            && rows <= SIDE
            && columns <= SIDE
            && buttons.iter().flatten().all(|&light| usize::from(light) < lights);
        let sorted = |cells: &Vec<u16>| {
            let mut cells = cells.clone();
            cells.sort_unstable();
            cells.dedup();
            cells
        };
        fits.then(|| Self::with(rows, columns, false, None, buttons.iter().map(sorted)))
    }

    fn with(
        rows: usize,
        columns: usize,
        torus: bool,
        reach: Option<Reach>,
        toggled: impl Iterator<Item = Vec<u16>>,
    ) -> Self {
        let is_usual = reach == Some(Reach::Plus);
        let mut most = if is_usual { 5 } else { 0 };
        let (mut toggles, mut wide): (Vec<Toggle>, Vec<Box<[u16]>>) = Default::default();
        for cells in toggled {
            most = most.max(cells.len());
            if is_usual {
                let mut toggle = Toggle { count: cells.len() as u8, ..Toggle::default() };
                toggle.cells[..cells.len()].copy_from_slice(&cells);
                toggles.push(toggle);
            } else {
                wide.push(cells.into());
            }
        }
        let buttons = toggles.len().max(wide.len());
        let (toggles, wide) = (toggles.into(), wide.into());
        Self { rows, columns, torus, reach, buttons, toggles, wide, most }
    }

    /// Number of lights. They are numbered row by row from the top left.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Number of buttons. Where there are as many as lights, each is at the light of its number.
    #[must_use]
    pub fn buttons(&self) -> usize {
        self.buttons
    }

    /// Rows and columns of the buttons: the rows and columns of the lights, or a single row of
    /// buttons if there are not as many.
    pub(crate) fn button_grid(&self) -> (usize, usize) {
        if self.buttons == self.cells() { (self.rows, self.columns) } else { (1, self.buttons) }
    }

    /// Largest number of lights that a press may toggle, at least 1.
    pub(crate) fn most(&self) -> u32 {
        // At most 40,000.
        self.most.max(1) as u32
    }

    /// The lights that a press of a button toggles, in order.
    ///
    /// # Panics
    /// There is no such button.
    #[must_use]
    #[inline]
    pub fn toggled(&self, button: usize) -> &[u16] {
        if let Some(cells) = self.wide.get(button) {
            return cells;
        }
        let toggle = &self.toggles[button];
        &toggle.cells[..usize::from(toggle.count)]
    }
}

/// The lights that a press of a cell toggles, in order.
fn toggled(rows: usize, columns: usize, torus: bool, reach: Reach, cell: usize) -> Vec<u16> {
    let (row, column) = (cell / columns, cell % columns);
    let mut cells: Vec<usize> = Vec::new();
    if reach == Reach::Cross {
        cells.extend((0..columns).map(|column| row * columns + column));
        cells.extend((0..rows).map(|row| row * columns + column));
    }
    // The lines at a distance of at most one, with the distances.
    let near = |at: usize, side: usize| {
        let [before, after] = if torus {
            [Some((at + side - 1) % side), Some((at + 1) % side)]
        } else {
            [at.checked_sub(1), Some(at + 1).filter(|&at| at < side)]
        };
        [Some((at, 0)), before.map(|at| (at, 1)), after.map(|at| (at, 1))].into_iter().flatten()
    };
    for (row, down) in near(row, rows) {
        for (column, _) in near(column, columns).filter(|&(_, right)| reach.has(down, right)) {
            cells.push(row * columns + column);
        }
    }
    cells.sort_unstable();
    cells.dedup();
    // At most 40,000 cells.
    cells.into_iter().filter(|&at| at != cell || !reach.spares()).map(|cell| cell as u16).collect()
}
