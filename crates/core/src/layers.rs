//! Score puzzles whose states come in layers, and estimates of what a state may still earn.

use crate::puzzle::{Puzzle, ScorePuzzle};

/// Every action leads to a lower layer: of a puzzle in which things only ever disappear, how many are left.
pub trait Layered: ScorePuzzle {
    /// The layer of a state; less than that of the state before.
    fn layer(&self, state: &Self::State) -> usize;

    /// Appends all legal actions with the states that they lead to.
    fn successors(&self, state: &Self::State, out: &mut Vec<(Self::Action, Self::State)>) {
        for action in self.actions(state) {
            out.push((action, self.apply(state, action)));
        }
    }
}

/// An estimate of the reward (terminal bonus included) that can still be earned from a state; unlike an
/// [`UpperBound`](crate::UpperBound) it promises nothing.
pub trait StateValue<P: Puzzle>: Send + Sync + 'static {
    /// The estimate.
    fn value(&self, puzzle: &P, state: &P::State) -> f32;
}

/// States with more legal actions are better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mobility;

impl<P: Puzzle> StateValue<P> for Mobility {
    fn value(&self, puzzle: &P, state: &P::State) -> f32 {
        puzzle.actions(state).count() as f32
    }
}
