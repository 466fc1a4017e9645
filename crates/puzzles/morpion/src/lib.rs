//! Morpion Solitaire: points on squared paper, and lines of five points in a row.
//!
//! A move adds a point and a line of five neighbouring points through it, horizontal, vertical or
//! diagonal; the other four points must exist. Two lines of the same direction share no point (5D,
//! disjoint) or no segment (5T, touching: an end point may belong to both). The score is the number
//! of moves. Points at the start are a Greek cross of 36, or any that a text shows.
//!
//! Paper has no edge, a [`State`] has one: 32×32 cells, the cross in the middle, so that 11 rows or
//! columns are free on each side of it. The longest known games leave most of them empty. A line
//! beyond the edge is not a legal move.
//!
//! A move is a word, `x,y` with the column and the row of the new point, counted from 0 at the top
//! left of the 32×32 cells, then the direction of the line (`-`, `|`, `\`, `/`) and the offset of
//! its middle from the new point: `+2`, `+1`, `0`, `-1` or `-2` steps to the right, of a vertical
//! line downwards. These are the moves of Pentasol files, written without brackets and blanks. The
//! module `records` reads records of whole games, and writes them.
//!
//! References: E. D. Demaine, M. L. Demaine, A. Langerman and S. Langerman, "Morpion Solitaire",
//! Theory of Computing Systems 39, 2006; C. Boyer, morpionsolitaire.com.
//!
//! ```
//! use unriddle_core::{Notation, Puzzle};
//! use unriddle_morpion::{Morpion, Rule};
//!
//! let puzzle = Morpion::parse("oooo.", Rule::Disjoint)?;
//! let moves = puzzle.parse_solution("17,15--2")?;
//! let last = puzzle.apply(&puzzle.initial_state(), moves[0]);
//! assert!(puzzle.actions(&last).next().is_none());
//! # Ok::<(), unriddle_core::ParseError>(())
//! ```

#![forbid(unsafe_code)]

pub mod family;
mod notation;
mod records;
mod touch;

#[cfg(not(test))]
pub use family::FAMILY;

use unriddle_core::playout::{Coded, MenuOf};
use unriddle_core::{Layered, Puzzle, ScorePuzzle, words};

/// Columns, and rows.
pub const SIDE: usize = 32;

/// Points of a line.
const LENGTH: i32 = 5;

/// A step to the right along a line of each direction, of a vertical one downwards: columns and
/// rows.
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A bit for each cell: rows from the top, columns from the lowest bit.
pub type Cells = [u32; SIDE];

words! {
    /// Rule of overlaps: the points that lines of the same direction may share.
    pub enum Rule {
        /// No point.
        Disjoint = "5d",
        /// An end point, but no segment.
        Touching = "5t",
    }
}

/// A column and a row.
type Cell = (i32, i32);

/// The points, and the points or segments used by lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    points: Cells,
    /// For each direction the points of its lines (5D) or their segments (5T).
    taken: [Cells; STEPS.len()],
}

/// A line, and which of its points is the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    direction: u8,
    /// Row and column of its left end, or of its upper end if it is vertical.
    y: u8,
    x: u8,
    /// The new point, counted from that end.
    index: u8,
}

impl Line {
    /// The line that begins at a cell; `None` if it leaves the board.
    fn new(direction: usize, (x, y): Cell) -> Option<Self> {
        let line = Self { direction: direction as u8, y: y as u8, x: x as u8, index: 0 };
        let is_inside = |(x, y): Cell| ((x | y) as usize) < SIDE;
        (is_inside((x, y)) && is_inside(line.at(LENGTH - 1))).then_some(line)
    }

    /// A point of the line, counted from its left or upper end.
    fn at(self, index: i32) -> Cell {
        let (dx, dy) = STEPS[usize::from(self.direction)];
        let (x, y) = (i32::from(self.x), i32::from(self.y));
        (x + dx * index, y + dy * index)
    }

    /// The points or segments that the line uses: five points, or four segments, each at its left
    /// or upper end.
    fn span(self, rule: Rule) -> impl Iterator<Item = Cell> {
        (0..LENGTH - rule as i32).map(move |i| self.at(i))
    }

    /// The new point.
    fn point(self) -> Cell {
        self.at(self.index.into())
    }
}

/// All cells, row by row.
fn cells() -> impl Iterator<Item = Cell> {
    (0..(SIDE * SIDE) as i32).map(|i| (i % SIDE as i32, i / SIDE as i32))
}

/// Whether the bit of a cell is set.
fn has(cells: &Cells, (x, y): Cell) -> bool {
    cells[y as usize] >> x & 1 == 1
}

impl State {
    /// Whether a line overlaps another line of its direction.
    fn is_taken(&self, line: Line, rule: Rule) -> bool {
        let taken = &self.taken[usize::from(line.direction)];
        line.span(rule).any(|at| has(taken, at))
    }

    /// The legal move whose line begins at a cell.
    fn legal(&self, direction: usize, start: Cell, rule: Rule) -> Option<Line> {
        let line = Line::new(direction, start)?;
        let mut missing = (0..LENGTH).filter(|&i| !has(&self.points, line.at(i)));
        let index = missing.next()? as u8;
        let is_legal = missing.next().is_none() && !self.is_taken(line, rule);
        is_legal.then_some(Line { index, ..line })
    }

    /// Draws a line and the new point.
    fn draw(&mut self, line: Line, rule: Rule) {
        let (x, y) = line.point();
        self.points[y as usize] |= 1 << x;
        for (x, y) in line.span(rule) {
            self.taken[usize::from(line.direction)][y as usize] |= 1 << x;
        }
    }

    /// The points, row by row.
    fn all_points(&self) -> impl Iterator<Item = Cell> {
        cells().filter(|&at| has(&self.points, at))
    }

    /// The lines that are drawn, in order.
    fn lines(mut self, rule: Rule) -> Vec<Line> {
        let mut lines = Vec::new();
        for (direction, &(_, dy)) in STEPS.iter().enumerate() {
            let taken = &mut self.taken[direction];
            for (x, y) in cells() {
                // The left end of a line that rises comes first from below.
                let start = (x, if dy < 0 { SIDE as i32 - 1 - y } else { y });
                let line = Line::new(direction, start).filter(|_| has(taken, start));
                for (x, y) in line.iter().flat_map(|line| line.span(rule)) {
                    taken[y as usize] &= !(1 << x);
                }
                lines.extend(line);
            }
        }
        lines.sort_unstable();
        lines
    }
}

/// An instance: the initial points and the rule of overlaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Morpion {
    start: State,
    rule: Rule,
}

/// The legal moves of a state: by direction, then by the row and the column where the line begins.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    state: State,
    rule: Rule,
    /// Direction and row that come next.
    next: usize,
    /// Columns of the row before where lines begin that are still to be tried.
    starts: u32,
}

impl Iterator for Moves {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        loop {
            while self.starts == 0 {
                let (direction, y) = (self.next / SIDE, self.next % SIDE);
                let &(dx, dy) = STEPS.get(direction)?;
                // Columns where lines with all points begin, and columns where lines with one
                // missing point begin. A line that leaves the board is refused later, so bits
                // beyond an edge do not matter.
                let (mut all, mut one) = (u32::MAX, 0);
                for i in 0..LENGTH {
                    let row = self.state.points[(y as i32 + dy * i) as usize % SIDE] >> (dx * i);
                    one = one & row | all & !row;
                    all &= row;
                }
                self.starts = one;
                self.next += 1;
            }
            let (direction, y) = ((self.next - 1) / SIDE, (self.next - 1) % SIDE);
            let start = (self.starts.trailing_zeros() as i32, y as i32);
            self.starts &= self.starts - 1;
            if let Some(line) = self.state.legal(direction, start, self.rule) {
                return Some(line);
            }
        }
    }
}

impl Puzzle for Morpion {
    type State = State;
    type Action = Line;
    type Actions = Moves;

    fn initial_state(&self) -> State {
        self.start
    }

    fn actions(&self, state: &State) -> Moves {
        Moves { state: *state, rule: self.rule, next: 0, starts: 0 }
    }

    fn apply(&self, state: &State, line: Line) -> State {
        let mut after = *state;
        after.draw(line, self.rule);
        after
    }
}

/// A move is worth 1.
impl ScorePuzzle for Morpion {}

/// The number of cells without a point decreases.
impl Layered for Morpion {
    fn layer(&self, state: &State) -> usize {
        SIDE * SIDE - state.all_points().count()
    }
}

/// A move stays legal until its point is filled or a line of its direction overlaps it, and all
/// moves that a new point enables contain that point. Only these moves are examined.
impl Coded for Morpion {
    type Shape = ();

    /// The line and which of its points is new.
    fn code(&self, _: &State, line: Line) -> u64 {
        u32::from_le_bytes([line.x, line.y, line.direction, line.index]).into()
    }

    fn follow(&self, menu: &mut MenuOf<Self>, choice: usize) {
        let played = menu.entries[menu.live[choice] as usize].action;
        let (x, y) = played.point();
        menu.state.draw(played, self.rule);
        let (state, entries) = (menu.state, &menu.entries);
        menu.live.retain(|&id| {
            let line = entries[id as usize].action;
            line.point() != (x, y) && !state.is_taken(line, self.rule)
        });
        for (direction, (dx, dy)) in STEPS.iter().enumerate() {
            for i in 0..LENGTH {
                let legal = state.legal(direction, (x - dx * i, y - dy * i), self.rule);
                if let Some(action) = legal {
                    menu.push(self.entry(&state, action));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
