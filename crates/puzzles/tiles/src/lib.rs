//! Sliding tiles: the (N² − 1)-puzzle for N = 2…8.
//!
//! The aim is the goal board in the fewest moves. There are two conventions of the goal, blank last
//! (`1 2 … N²−1 0`, DeepCubeA) and blank first (`0 1 … N²−1`, Korf). Rotating the board by 180° and
//! renumbering tile `t` as `N² − t` maps one to the other. All computations use the first
//! ([`Goal::BlankLast`], *canonical*), so that both share heuristics and tables; only texts differ.
//!
//! References: Korf 1985 (Artificial Intelligence 27); Korf and Felner 2002 (Artificial
//! Intelligence 134).
//!
//! # Speed
//!
//! - *Boards* (`board`) are the sequence of tiles without the blank, in 64 bits for the
//!   15-puzzle. A horizontal move leaves the sequence unchanged, and a vertical move rotates four
//!   nibbles, without a branch.
//! - *Pattern databases* ([`pdb`]): a move changes the rank of a placement by a sum that is read
//!   from a table of pairs of tiles. The ranks of the board and of its mirror image are both
//!   updated. Entries are half the difference to the Manhattan distance, in 4 bits: the tables of
//!   the 7-8 partition take 275 MiB.
//! - *Builder* ([`sliding`]): breadth-first search on bit sets, one block per set of occupied
//!   cells and region of the blank. A horizontal move is a word-wise OR of two blocks.

#![forbid(unsafe_code)]

mod board;
mod draw;
pub mod family;
pub mod generate;
mod linear_conflict;
mod manhattan;
mod notation;
pub mod parse;
mod partition;
pub mod pdb;
pub mod sliding;
#[cfg(test)]
mod walk;
mod walking_distance;

pub use board::{Board, Board2, Board3, Board4, Board5, Board6, Board7, Board8, Slide};
#[cfg(not(test))]
pub use family::FAMILY;
pub use linear_conflict::LinearConflict;
pub use manhattan::Manhattan;
pub use partition::Partition;
pub use pdb::Pdb;
pub use walking_distance::WalkingDistance;

use board::{MAX_CELLS, distance, mirrored, mirrored_tile, possible};
use unriddle_core::{
    Backward, Cost, Features, GoalPuzzle, Info, Learnable, Linear, Options, Purpose, Puzzle,
    Reversible, Rng, Role, options, words,
};

/// The puzzle's declaration.
pub const INFO: Info = Info {
    reference: "Korf 1985, Depth-first iterative-deepening, Artificial Intelligence 27; \
                Johnson and Story 1879, Notes on the \"15\" puzzle, American Journal of Mathematics 2",
    parameters: TilesConfig::PARAMETERS,
    ..Info::new(
        Role::Puzzle,
        "tiles",
        "The (N² − 1)-puzzle on a square board of side 2 to 8: bring all tiles home in the fewest moves",
    )
};

options! {
    /// Size and goal of the puzzle.
    #[derive(Copy, Eq)]
    pub struct TilesConfig of INFO {
        goal: Goal = "blank-last", "where the blank is in the goal: 1 2 … N²−1 0 or 0 1 … N²−1";
    }
}

words! {
    /// Convention of the goal board.
    pub enum Goal {
        /// `1 2 … N²−1 0`.
        BlankLast = "blank-last",
        /// `0 1 2 … N²−1`.
        BlankFirst = "blank-first",
    }
}

impl Goal {
    /// Converts cells of a board of this convention to canonical cells, and back: the map is its
    /// own inverse.
    #[must_use]
    pub fn turn(self, cells: &[u8]) -> Vec<u8> {
        let turned = |&tile: &u8| if tile == 0 { 0 } else { cells.len() as u8 - tile };
        match self {
            Self::BlankLast => cells.to_vec(),
            Self::BlankFirst => cells.iter().rev().map(turned).collect(),
        }
    }

    /// A slide of this convention as a canonical slide, and back.
    fn turn_slide(self, slide: Slide) -> Slide {
        match self {
            Self::BlankLast => slide,
            Self::BlankFirst => slide.inverse(),
        }
    }

    /// The goal cell of a tile or the blank, 0, on a board of `cells` cells.
    fn home(self, tile: u8, cells: usize) -> usize {
        match (self, tile) {
            (Self::BlankFirst, tile) => tile.into(),
            (Self::BlankLast, 0) => cells - 1,
            (Self::BlankLast, tile) => usize::from(tile) - 1,
        }
    }
}

/// An instance of the (N² − 1)-puzzle on boards `B`, in canonical orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles<B> {
    start: B,
    goal: B,
    convention: Goal,
}

/// The cells of the canonical goal of side `n`.
#[must_use]
pub fn goal_cells(n: usize) -> Vec<u8> {
    (1..(n * n) as u8).chain([0]).collect()
}

impl<B: Board> Tiles<B> {
    /// An instance from cells in a convention. The cells are a solvable permutation (see
    /// [`parse`](parse::parse)); this is not checked again.
    #[must_use]
    pub fn new(cells: &[u8], convention: Goal) -> Self {
        Self {
            start: B::pack(&convention.turn(cells)),
            goal: B::pack(&goal_cells(B::N)),
            convention,
        }
    }

    /// Whether a board's distance from the goal is odd: every move brings the blank to a
    /// neighbouring cell, and its home, in the corner, is an even number of cells away from the
    /// first.
    fn is_odd(board: &B) -> bool {
        distance(B::N, board.blank(), 0) % 2 == 1
    }

    const POSSIBLE: [u8; MAX_CELLS] = {
        let mut masks = [0; MAX_CELLS];
        let mut cell = 0;
        while cell < B::N * B::N {
            masks[cell] = possible(B::N, cell);
            cell += 1;
        }
        masks
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
        Slides(Self::POSSIBLE[state.blank() & (MAX_CELLS - 1)])
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
        next == last.inverse()
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
/// 16 × 16 inputs for the 15-puzzle).
impl<B: Board> Features for Tiles<B> {
    fn feature_len(&self) -> usize {
        (B::N * B::N).pow(2)
    }
    fn active(&self, state: &B, sink: &mut dyn FnMut(u32)) {
        let cells = B::N * B::N;
        for cell in 0..cells {
            sink((cell * cells + state.tile(cell)) as u32);
        }
    }
    fn delta(&self, state: &B, slide: Slide, sink: &mut dyn FnMut(u32, bool)) {
        let cells = B::N * B::N;
        let to = state.blank();
        let from = to.wrapping_add_signed(slide.blank_step(B::N));
        let tile = state.moved(slide);
        let index = |cell: usize, tile: usize| (cell * cells + tile) as u32;
        sink(index(to, 0), false);
        sink(index(from, tile), false);
        sink(index(to, tile), true);
        sink(index(from, 0), true);
    }
}

impl<B: Board> Learnable for Tiles<B> {
    /// Instances keep the blank last, in whichever convention they are written.
    fn purpose(&self) -> Purpose {
        Purpose {
            puzzle: INFO.name.to_owned(),
            size: B::N.to_string(),
            goal: Goal::NAMES[0].to_owned(),
        }
    }
    fn groups(&self) -> usize {
        B::N * B::N
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
        vec![mirrored_features(B::N)]
    }
    fn parity(&self) -> Option<fn(&B) -> bool> {
        Some(Self::is_odd)
    }
    fn linear(&self) -> Vec<Linear> {
        let cells = B::N * B::N;
        let weight = |index: usize| {
            let home = (index % cells).checked_sub(1);
            home.map_or(0.0, |home| distance(B::N, home, index / cells) as f32)
        };
        let weights = (0..cells * cells).map(weight).collect();
        vec![Linear { name: manhattan::INFO.name, weights }]
    }
}

/// For every active index of side `n`, the index with the same meaning in the board mirrored at the
/// main diagonal. The mirrored board has the same distance to the goal with the blank last, since
/// this goal is its own mirror image.
#[must_use]
pub fn mirrored_features(n: usize) -> Vec<u32> {
    let cells = n * n;
    let image = |index| mirrored(n, index / cells) * cells + mirrored_tile(n, index % cells);
    (0..cells * cells).map(|index| image(index) as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::with_board;

    /// The specialised steps back equal the general ones for the same random numbers.
    #[test]
    fn a_step_back_goes_to_any_predecessor_but_the_last() {
        fn steps<B: Board>() {
            let puzzle = Tiles::<B>::new(&goal_cells(B::N), Goal::BlankLast);
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
            with_board!(side, B => steps::<B>());
        }
    }
}
