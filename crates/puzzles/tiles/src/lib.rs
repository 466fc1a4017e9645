//! Sliding tiles: the 8-puzzle, the 15-puzzle and all other boards of up to 64 cells.
//!
//! The aim is the goal board in the fewest moves. There are three conventions of the goal: blank
//! last (`1 2 … N−1 0`, DeepCubeA), blank first (`0 1 … N−1`, Korf), and a spiral. Rotating the
//! board by 180° and renumbering tile `t` as `N − t` maps the second to the first. All computations
//! use the first, so that both share heuristics and tables; only texts differ.
//!
//! References: Korf 1985 (Artificial Intelligence 27); Korf and Felner 2002 (Artificial
//! Intelligence 134).
//!
//! # Speed
//!
//! - *Boards* (`board`) of the 8-, 15- and 24-puzzle are the sequence of tiles without the blank,
//!   in 64 bits for the 15-puzzle. A horizontal move leaves the sequence unchanged, and a vertical
//!   move rotates four nibbles, without a branch.
//! - *Pattern databases* ([`pdb`]): a move changes the rank of a placement by a sum that is read
//!   from a table of pairs of tiles. The ranks of the board and of its mirror image are both
//!   updated. Entries are half the difference to the Manhattan distance, in 4 bits: the tables of
//!   the 7-8 partition take 275 MiB.
//! - *Builder* ([`sliding`]): breadth-first search on bit sets, one block per set of occupied
//!   cells and region of the blank. A horizontal move is a word-wise OR of two blocks.

#![forbid(unsafe_code)]

mod block_tables;
mod board;
mod draw;
pub mod family;
mod forms;
pub mod generate;
mod goal;
mod inverse;
mod linear_conflict;
mod manhattan;
mod notation;
pub mod optimal;
pub mod parse;
mod partition;
pub mod pdb;
mod shape;
pub mod sliding;
mod split;
mod touch;
#[cfg(test)]
mod walk;
mod walking_distance;

pub use board::{AnyBoard, Board, Board3, Board4, Board5, Board6, Slide};
#[cfg(not(test))]
pub use family::FAMILY;
pub use goal::Goal;
pub use linear_conflict::LinearConflict;
pub use manhattan::Manhattan;
pub use partition::Partition;
pub use pdb::Pdb;
pub use shape::Shape;
pub use walking_distance::WalkingDistance;

use block_tables::BlockTables;
use inverse::InverseProblem;
use shape::MAX_CELLS;
use unriddle_core::{
    Backward, Cost, Features, GoalPuzzle, Info, Learnable, Linear, Options, Purpose, Puzzle,
    Reversible, Rng, Role, Rows, options, rows,
};
use unriddle_tables::{Cache, TableError};

/// The puzzle's declaration.
pub const INFO: Info = Info {
    reference: "Korf 1985, Depth-first iterative-deepening, Artificial Intelligence 27; \
                Johnson and Story 1879, Notes on the \"15\" puzzle, American Journal of Mathematics 2",
    parameters: TilesConfig::PARAMETERS,
    ..Info::new(
        Role::Puzzle,
        "tiles",
        "Sliding tiles such as the 15-puzzle, of up to 64 cells: bring all tiles home in the fewest moves",
    )
};

options! {
    /// Goal of the puzzle.
    #[derive(Copy, Eq)]
    pub struct TilesConfig of INFO {
        goal: Goal = "blank-last",
            "goal: rows with the blank last or first, or a spiral",
            "`blank-last` is 1 2 … N−1 0 row by row, `blank-first` is 0 1 … N−1, and `snail` is the spiral 1 2 3 / 8 0 4 / 7 6 5 on any board: clockwise inwards, the blank at the inner end.";
    }
}

/// An instance of sliding tiles on boards `B`, turned so that the blank's home is not the first
/// cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles<B> {
    start: B,
    goal: B,
    shape: Shape,
    convention: Goal,
    /// The possible slides by the blank's cell; boards of one shape have a constant.
    possible: [u8; MAX_CELLS],
    /// The tables that the input of networks reads, if it is the second one.
    blocks: Option<&'static BlockTables>,
}

/// Function that maps slides of an equivalent instance back.
type Back = Box<dyn Fn(&[Slide]) -> Vec<Slide> + Send + Sync>;

/// The cells of the goal of a shape, or of the square of a side, with the blank last.
#[must_use]
pub fn goal_cells(shape: impl Into<Shape>) -> Vec<u8> {
    Goal::BlankLast.cells(shape.into())
}

impl<B: Board> Tiles<B> {
    /// An instance on a square from cells in a convention. The cells are a solvable permutation
    /// (see [`parse`](parse::parse)); this is not checked again.
    #[must_use]
    pub fn new(cells: &[u8], convention: Goal) -> Self {
        Self::of(Shape::square(cells.len().isqrt()), cells, convention)
    }

    /// The same on a board of a shape.
    #[must_use]
    pub fn of(shape: Shape, cells: &[u8], convention: Goal) -> Self {
        let shape = B::shape_or(shape);
        Self {
            start: B::pack(&convention.turn(cells), shape.columns),
            goal: B::pack(&convention.canonical().cells(shape), shape.columns),
            shape,
            convention,
            possible: shape.all_possible(),
            blocks: None,
        }
    }

    /// Shape of the board.
    #[inline(always)]
    #[must_use]
    pub fn shape(&self) -> Shape {
        B::shape_or(self.shape)
    }

    /// Whether the board is a square whose goal, once turned, has the blank last.
    pub(crate) fn is_square_with_blank_last(&self) -> bool {
        self.shape().is_square() && self.convention.canonical() == Goal::BlankLast
    }

    /// The goal cell of every tile of the turned board.
    fn homes(&self) -> [u8; MAX_CELLS] {
        self.convention.canonical().homes(self.shape())
    }

    /// Number of inputs for the content of the cells.
    fn cell_inputs(&self) -> usize {
        self.shape().cells().pow(2)
    }

    /// The numbers of a turned board in reading order.
    fn cells(&self, board: &B) -> Vec<u8> {
        (0..self.shape().cells()).map(|cell| board.tile(cell) as u8).collect()
    }

    /// The instance with another board and goal, both turned.
    fn between(&self, start: &[u8], goal: &[u8]) -> Self {
        let columns = self.shape().columns;
        Self { start: B::pack(start, columns), goal: B::pack(goal, columns), ..*self }
    }

    /// Instances whose solutions, mapped back, are solutions of this one: its inverse problem, and
    /// on squares its mirror image and the inverse problem of this. They are instances with the
    /// same shape, whose goals are at most a few moves beside the goal of this one.
    pub(crate) fn equivalents(&self) -> Vec<(Self, Back)> {
        let shape = self.shape();
        if self.convention.canonical() != Goal::BlankLast {
            return Vec::new();
        }
        let inverse = |puzzle: &Self| {
            let inverse = InverseProblem::new(shape, &puzzle.start)?;
            let view = puzzle.between(&inverse.start, &inverse.goal);
            Some((view, move |slides: &[Slide]| inverse.back(slides)))
        };
        let mut views: Vec<(Self, Back)> = Vec::new();
        if let Some((view, back)) = inverse(self) {
            views.push((view, Box::new(back)));
        }
        if shape.is_square() {
            let image = mirror_image(shape, &self.cells(&self.start));
            let image = Self { start: B::pack(&image, shape.columns), ..*self };
            let back = |slides: &[Slide]| slides.iter().map(|slide| slide.mirrored()).collect();
            views.push((image, Box::new(back)));
            if let Some((view, of_image)) = inverse(&image) {
                views.push((view, Box::new(move |slides| back(&of_image(slides)))));
            }
        }
        views
    }

    /// Opens or builds the tables that an input of networks reads.
    ///
    /// # Errors
    /// A board without blocks, or a table that cannot be opened or built.
    pub(crate) fn open_tables(&self, input: usize, cache: &Cache) -> Result<(), TableError> {
        if input == 0 {
            return Ok(());
        }
        let side = if self.is_square_with_blank_last() { self.shape().rows } else { 0 };
        BlockTables::open(side, cache).map(drop)
    }

    /// Whether the blank is an odd number of moves away from the first cell.
    fn is_aside(board: &B) -> bool {
        let (blank, columns) = (board.blank(), board.columns());
        (blank / columns + blank % columns) % 2 == 1
    }

    const POSSIBLE: [u8; MAX_CELLS] = match B::SIDE {
        Some(side) => Shape::square(side).all_possible(),
        None => [0; MAX_CELLS],
    };
}

/// The slides of a position that are still to be tried, as a bit set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slides(u8);

impl Iterator for Slides {
    type Item = Slide;
    #[inline(always)]
    fn next(&mut self) -> Option<Slide> {
        if self.0 == 0 {
            return None;
        }
        let slide = Slide::ALL[self.0.trailing_zeros() as usize & 3];
        self.0 &= self.0 - 1;
        Some(slide)
    }
}

impl<B: Board> Puzzle for Tiles<B> {
    type State = B;
    type Action = Slide;
    type Actions = Slides;

    fn initial_state(&self) -> B {
        self.start
    }
    #[inline(always)]
    fn actions(&self, state: &B) -> Slides {
        let possible = if B::SIDE.is_some() { &Self::POSSIBLE } else { &self.possible };
        Slides(possible[state.blank() & (MAX_CELLS - 1)])
    }
    #[inline(always)]
    fn actions_after(&self, state: &B, last: Slide) -> Slides {
        Slides(self.actions(state).0 & !(1 << last.inverse() as u8))
    }
    #[inline(always)]
    fn apply(&self, state: &B, slide: Slide) -> B {
        state.slide(slide)
    }
    #[inline(always)]
    fn is_inverse(&self, last: Slide, next: Slide) -> bool {
        next.undoes(last)
    }
    /// The goal, and the blank led from there to every other cell.
    fn generic_states(&self) -> Vec<B> {
        let Shape { rows, columns } = self.shape();
        let mut known = vec![None; rows * columns];
        let mut open = vec![self.goal];
        while let Some(state) = open.pop() {
            let known = &mut known[state.blank()];
            if known.is_none() {
                *known = Some(state);
                open.extend(self.actions(&state).map(|slide| state.slide(slide)));
            }
        }
        known.into_iter().collect::<Option<_>>().unwrap_or_default()
    }
    fn legality_class(&self, state: &B) -> usize {
        state.blank()
    }
    #[inline(always)]
    fn action_code(&self, slide: Slide) -> u8 {
        slide as u8
    }
}

impl<B: Board> GoalPuzzle for Tiles<B> {
    #[inline(always)]
    fn is_goal(&self, state: &B) -> bool {
        *state == self.goal
    }
    #[inline(always)]
    fn action_cost(&self, _: &B, _: Slide) -> Cost {
        1
    }
}

impl<B: Board> Reversible for Tiles<B> {
    fn inverse(&self, slide: Slide) -> Slide {
        slide.inverse()
    }
}

impl<B: Board> Backward for Tiles<B> {
    fn predecessors(&self, state: &B, visit: &mut dyn FnMut(B, Slide)) {
        for slide in self.actions(state) {
            visit(state.slide(slide), slide.inverse());
        }
    }
    /// Without boards that are not taken.
    fn step_back(&self, state: &B, last: Option<Slide>, rng: &mut Rng) -> Option<(B, Slide)> {
        // The same action leads back there.
        let Slides(mut slides) = self.actions(state);
        if let Some(last) = last {
            slides &= !(1 << last as u8);
        }
        let chosen = rng.below(u64::from(slides.count_ones())) as usize;
        let slide = Slides(slides).nth(chosen)?;
        Some((state.slide(slide), slide.inverse()))
    }
    fn goal_states(&self) -> Vec<B> {
        vec![self.goal]
    }
}

/// A group of inputs per cell, one-hot over the content of the cell including the blank (DeepCubeA:
/// 16 × 16 inputs for the 15-puzzle). The input `blocks` has a further group for each block of
/// 2 × 2 tiles of the goal, one-hot over the entry of its pattern database.
impl<B: Board> Features for Tiles<B> {
    fn feature_len(&self) -> usize {
        self.cell_inputs() + self.blocks.map_or(0, |blocks| blocks.len() * block_tables::ENTRIES)
    }
    fn active(&self, state: &B, sink: &mut dyn FnMut(u32)) {
        let cells = self.shape().cells();
        for cell in 0..cells {
            sink((cell * cells + state.tile(cell)) as u32);
        }
        if let Some(blocks) = self.blocks {
            blocks.each(state).for_each(|index| sink((self.cell_inputs() + index) as u32));
        }
    }
    fn append_active(&self, state: &B, to: &mut Vec<u32>) {
        let cells = self.shape().cells();
        to.extend((0..cells).map(|cell| (cell * cells + state.tile(cell)) as u32));
        if let Some(blocks) = self.blocks {
            let first = self.cell_inputs();
            to.extend(blocks.each(state).map(|index| (first + index) as u32));
        }
    }
    fn delta(&self, state: &B, slide: Slide, sink: &mut dyn FnMut(u32, bool)) {
        let cells = self.shape().cells();
        let to = state.blank();
        let from = to.wrapping_add_signed(slide.blank_step(state.columns()));
        let tile = state.moved(slide);
        let index = |cell: usize, tile: usize| (cell * cells + tile) as u32;
        sink(index(to, 0), false);
        sink(index(from, tile), false);
        sink(index(to, tile), true);
        sink(index(from, 0), true);
        if let Some(blocks) = self.blocks {
            blocks.changes(state, [tile, from, to], |[old, new]| {
                sink((self.cell_inputs() + old) as u32, false);
                sink((self.cell_inputs() + new) as u32, true);
            });
        }
    }
}

/// A byte for each cell of the turned board, in reading order: its tile, 0 for the blank.
impl<B: Board> Rows for Tiles<B> {
    fn state_of_row(&self, row: &[u8]) -> Result<B, String> {
        rows::each_once(row)?;
        Ok(B::pack(row, self.shape().columns))
    }

    #[inline]
    fn expand_row(&self, row: &[u8], mut children: rows::Children<'_>) -> Result<(), String> {
        rows::each_once(row)?;
        let blank = row.iter().position(|&tile| tile == 0).unwrap_or_default();
        for slide in Slide::ALL {
            if self.possible[blank] >> slide as u8 & 1 == 1 {
                let from = blank.wrapping_add_signed(slide.blank_step(self.shape().columns));
                let child = children.add(slide as usize, 1);
                child.copy_from_slice(row);
                child.swap(blank, from);
            }
        }
        Ok(())
    }

    #[inline]
    fn write_row(&self, board: &B, row: &mut [u8]) {
        for (cell, byte) in row.iter_mut().enumerate() {
            *byte = board.tile(cell) as u8;
        }
    }
}

impl<B: Board> Learnable for Tiles<B> {
    const INPUTS: &'static [&'static str] = &["cells", "blocks"];

    /// Boards without blocks, and those whose tables find no memory, are seen by their cells.
    fn seen_by(&self, input: usize) -> Self {
        let blocks = match input {
            1 if self.is_square_with_blank_last() => BlockTables::known(self.shape().rows),
            _ => None,
        };
        Self { blocks, ..*self }
    }
    fn input(&self) -> usize {
        self.blocks.is_some().into()
    }

    fn begins_with(&self) -> Option<usize> {
        self.blocks.is_some().then_some(0)
    }

    /// Instances with the goal blank-first are turned, and so belong to the goal blank-last.
    fn purpose(&self) -> Purpose {
        let Shape { rows, columns } = self.shape();
        Purpose {
            puzzle: INFO.name.to_owned(),
            size: if rows == columns { rows.to_string() } else { format!("{rows}x{columns}") },
            goal: self.convention.canonical().name().to_owned(),
        }
    }
    fn groups(&self) -> usize {
        self.shape().cells() + self.blocks.map_or(0, BlockTables::len)
    }
    fn begun_at(&self, state: B) -> Self {
        Self { start: state, ..*self }
    }
    fn action_count(&self) -> usize {
        Slide::ALL.len()
    }
    fn action_number(&self, slide: Slide) -> usize {
        slide as usize
    }
    fn images(&self) -> Vec<Vec<u32>> {
        if !self.is_square_with_blank_last() {
            return Vec::new();
        }
        let mut image = mirrored_features(self.shape().rows);
        let blocks = self.blocks.into_iter().flat_map(BlockTables::image);
        image.extend(blocks.map(|index| (self.cell_inputs() + index) as u32));
        vec![image]
    }
    fn parity(&self) -> Option<fn(&B) -> bool> {
        // Every move takes the blank to a neighbouring cell.
        Some(if Self::is_aside(&self.goal) {
            |board: &B| !Self::is_aside(board)
        } else {
            Self::is_aside
        })
    }
    fn linear(&self) -> Vec<Linear> {
        let cells = self.shape().cells();
        let (shape, homes) = (self.shape(), self.homes());
        let weight = |index: usize| match index % cells {
            0 => 0.0,
            tile => shape.distance(homes[tile].into(), index / cells) as f32,
        };
        let mut weights: Vec<f32> = (0..cells * cells).map(weight).collect();
        weights.resize(self.feature_len(), 0.0);
        vec![Linear { name: manhattan::INFO.name, weights }]
    }
}

/// A board with the blank last, mirrored at the main diagonal of the board, which exchanges rows
/// with columns. Its distance to the goal is the same, since mirroring maps the goal to the goal
/// that the mirrored shape has.
fn mirror_image(shape: Shape, cells: &[u8]) -> Vec<u8> {
    let turned = shape.transposed();
    let tile = |cell: usize| match usize::from(cells[turned.mirrored(cell)]) {
        0 => 0,
        tile => shape.mirrored(tile - 1) as u8 + 1,
    };
    (0..cells.len()).map(tile).collect()
}

/// For every active index of side `n`, the index with the same meaning in the board mirrored at the
/// main diagonal. The mirrored board has the same distance to the goal with the blank last, since
/// this goal is its own mirror image.
#[must_use]
pub fn mirrored_features(n: usize) -> Vec<u32> {
    let (shape, cells) = (Shape::square(n), n * n);
    let tile = |tile: usize| tile.checked_sub(1).map_or(0, |home| shape.mirrored(home) + 1);
    let image = |index| shape.mirrored(index / cells) * cells + tile(index % cells);
    (0..cells * cells).map(|index| image(index) as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::with_board;

    /// The specialised steps back equal the general ones for the same random numbers.
    #[test]
    fn a_step_back_goes_to_any_predecessor_but_the_last() {
        fn steps<B: Board>(shape: Shape, goal: Goal) {
            let puzzle = Tiles::<B>::of(shape, &goal.cells(shape), goal);
            let (mut one, mut other) = (Rng::new(1), Rng::new(1));
            let (mut state, mut last) = (puzzle.goal_states()[0], None);
            for _ in 0..200 {
                let mut before = Vec::new();
                puzzle.predecessors(&state, &mut |other, action| {
                    if last.is_none_or(|last: Slide| !puzzle.is_inverse(action, last)) {
                        before.push((other, action));
                    }
                });
                let expected = before[other.below(before.len() as u64) as usize];
                let step = puzzle.step_back(&state, last, &mut one).unwrap();
                assert_eq!(step, expected);
                assert_eq!(puzzle.apply(&step.0, step.1), state);
                (state, last) = (step.0, Some(step.1));
            }
        }
        for side in 2..=8 {
            with_board!(side, B => steps::<B>(Shape::square(side), Goal::BlankLast));
        }
        for goal in Goal::ALL {
            steps::<AnyBoard>(Shape { rows: 3, columns: 5 }, goal);
        }
    }

    /// Every move changes whether the distance is odd, and the goal is at distance 0.
    #[test]
    fn parity_is_even_at_the_goal_and_changes_with_every_move() {
        for shape in (4..=MAX_CELLS).flat_map(Shape::of_cells) {
            for goal in Goal::ALL {
                let puzzle = Tiles::<AnyBoard>::of(shape, &goal.cells(shape), goal);
                let is_odd = puzzle.parity().unwrap();
                let mut state = puzzle.initial_state();
                assert!(puzzle.is_goal(&state) && !is_odd(&state), "{shape} {goal:?}");
                let mut rng = Rng::new(9);
                for step in 1..50 {
                    let slides: Vec<Slide> = puzzle.actions(&state).collect();
                    let slide = slides[rng.below(slides.len() as u64) as usize];
                    state = puzzle.apply(&state, slide);
                    assert_eq!(is_odd(&state), step % 2 == 1);
                }
            }
        }
    }
}
