//! Lights Out: pressing a light toggles it and its neighbours, and all lights are to go off.
//!
//! A state has a bit for each light, row by row, in `W` words. Boards of up to 256 lights are
//! walked by every search (`W` = 1, 2 or 4, chosen by the loader); larger ones, up to 200×200, have
//! states of 5,000 bytes, which the generic searches refuse, and are left to the exact solver.
//!
//! A press may toggle other lights than the pressed one and its neighbours ([`Reach`]), and a text
//! may list the lights of each button.
//!
//! Presses commute and undo themselves, so that a solution is a set of cells and a board a system
//! of linear equations over GF(2): [`algebra`] solves it, and [`solvers`] find the fewest presses
//! among all solutions. The rules here use neither.
//!
//! ```
//! use unriddle_core::{GoalPuzzle, Notation, Puzzle};
//! use unriddle_lightsout::Lights;
//!
//! let puzzle = Lights::<1>::parse("110/100/000", false)?;
//! let presses = puzzle.parse_solution("0,0")?;
//! let last = puzzle.apply(&puzzle.initial_state(), presses[0]);
//! assert!(puzzle.is_goal(&last));
//! # Ok::<(), unriddle_core::ParseError>(())
//! ```
//!
//! # Speed
//!
//! The equations of one row are chased through the board and brought into echelon form once for
//! each shape ([`algebra`]). The fewest presses among 2^k solutions follow from tables of 2^(k/2)
//! weights, made by a Walsh-Hadamard transform, of classes of cells that quiet patterns change
//! independently ([`solvers`]).

#![forbid(unsafe_code)]

pub mod algebra;
mod draw;
pub mod family;
mod learn;
mod notation;
mod picture;
mod shape;
pub mod solvers;
mod symmetry;
#[cfg(test)]
mod tests;
mod touch;
mod variety;

#[cfg(not(test))]
pub use family::FAMILY;
pub use shape::{LISTED, OTHER, Reach, SIDE, Shape};

use std::sync::Arc;
use unriddle_core::{Backward, Cost, GoalPuzzle, Puzzle, Reversible, Rng};

/// Words of a state of any board: 200 × 200 bits.
pub const WORDS: usize = (SIDE * SIDE).div_ceil(64);

/// The button that is pressed, numbered row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Press(pub u16);

/// All buttons of a board, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presses {
    next: u16,
    end: u16,
}

impl Iterator for Presses {
    type Item = Press;

    #[inline]
    fn next(&mut self) -> Option<Press> {
        let press = (self.next < self.end).then_some(Press(self.next))?;
        self.next += 1;
        Some(press)
    }

    fn nth(&mut self, n: usize) -> Option<Press> {
        let skipped = usize::from(self.end - self.next).min(n);
        // At most as many as are left.
        self.next += skipped as u16;
        self.next()
    }
}

/// An instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lights<const W: usize> {
    shape: Arc<Shape>,
    start: [u64; W],
    /// Whether the input of networks is the presses that chase the lights to the last row and the
    /// lights that remain there ([`Lights::chased`]); otherwise it is the lights.
    is_chased: bool,
}

impl<const W: usize> Lights<W> {
    /// The board with the lights for which `is_on` returns true; `None` if the shape has more cells
    /// than a state has bits.
    #[must_use]
    pub fn new(shape: Shape, mut is_on: impl FnMut(usize) -> bool) -> Option<Self> {
        let cells = shape.cells();
        if cells > 64 * W {
            return None;
        }
        let mut start = [0; W];
        for cell in (0..cells).filter(|&cell| is_on(cell)) {
            flip(&mut start, cell);
        }
        Some(Self { shape: Arc::new(shape), start, is_chased: false })
    }

    /// Its size, and whether it is a torus.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The bits of its start, row by row.
    #[must_use]
    pub fn start(&self) -> &[u64; W] {
        &self.start
    }
}

/// Whether the light of a cell is on.
fn is_on<const W: usize>(state: &[u64; W], cell: usize) -> bool {
    state[cell / 64] >> (cell % 64) & 1 == 1
}

fn flip<const W: usize>(state: &mut [u64; W], cell: usize) {
    state[cell / 64] ^= 1 << (cell % 64);
}

impl<const W: usize> Puzzle for Lights<W> {
    type State = [u64; W];
    type Action = Press;
    type Actions = Presses;

    fn initial_state(&self) -> [u64; W] {
        self.start
    }

    fn actions(&self, _: &[u64; W]) -> Presses {
        // At most 40,000.
        Presses { next: 0, end: self.shape.buttons() as u16 }
    }

    fn apply(&self, state: &[u64; W], press: Press) -> [u64; W] {
        let mut after = *state;
        for &cell in self.shape.toggled(press.0.into()) {
            flip(&mut after, cell.into());
        }
        after
    }

    fn is_inverse(&self, last: Press, next: Press) -> bool {
        last == next
    }

    /// Keeps the ascending order of two presses.
    fn commutes_after(&self, last: Press, next: Press) -> bool {
        next < last
    }
}

impl<const W: usize> GoalPuzzle for Lights<W> {
    fn is_goal(&self, state: &[u64; W]) -> bool {
        state.iter().all(|&word| word == 0)
    }
}

impl<const W: usize> Reversible for Lights<W> {
    fn inverse(&self, press: Press) -> Press {
        press
    }
}

impl<const W: usize> Backward for Lights<W> {
    fn predecessors(&self, state: &[u64; W], visit: &mut dyn FnMut([u64; W], Press)) {
        for press in self.actions(state) {
            visit(self.apply(state, press), press);
        }
    }

    fn step_back(
        &self,
        state: &[u64; W],
        last: Option<Press>,
        rng: &mut Rng,
    ) -> Option<([u64; W], Press)> {
        let others = self.shape.buttons() - usize::from(last.is_some());
        if others == 0 {
            return None;
        }
        // At most 40,000; those from the last one on move up by one.
        let mut press = Press(rng.below(others as u64) as u16);
        if last.is_some_and(|last| press >= last) {
            press.0 += 1;
        }
        Some((self.apply(state, press), press))
    }

    fn goal_states(&self) -> Vec<[u64; W]> {
        vec![[0; W]]
    }
}

/// A fifth of the lit cells, rounded up: a press toggles at most five lights. Where presses have
/// other shapes, their largest number of lights replaces the five.
#[must_use]
pub fn fifth<const W: usize>(puzzle: &Lights<W>, state: &[u64; W]) -> Option<Cost> {
    let lit: u32 = state.iter().map(|word| word.count_ones()).sum();
    Some(match puzzle.shape.most() {
        // A constant divisor is a multiplication.
        5 => lit.div_ceil(5),
        most => lit.div_ceil(most),
    })
}
