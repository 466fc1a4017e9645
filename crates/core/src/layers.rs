//! Score puzzles whose states have layers, and estimates of the reward that a state may still earn.

use crate::puzzle::{Puzzle, ScorePuzzle};

/// Ability: every action leads to a lower layer. In a puzzle whose pieces only disappear, the layer
/// is the number of pieces left.
///
/// ```
/// # use unriddle_core::{Puzzle, Score, ScorePuzzle};
/// # unriddle_core::toy!(Stairs: ScorePuzzle);
/// use unriddle_core::Layered;
///
/// // Every step leads further down.
/// impl Layered for Stairs {
///     fn layer(&self, stair: &u8) -> usize {
///         usize::from(*stair)
///     }
/// }
///
/// let mut below = Vec::new();
/// Stairs(5).successors(&4, &mut below);
/// assert_eq!(below, [(1, 3), (2, 2)]);
/// ```
pub trait Layered: ScorePuzzle {
    /// Layer of a state; every action leads to a smaller number.
    fn layer(&self, state: &Self::State) -> usize;

    /// Appends all legal actions with their resulting states.
    fn successors(&self, state: &Self::State, out: &mut Vec<(Self::Action, Self::State)>) {
        for action in self.actions(state) {
            out.push((action, self.apply(state, action)));
        }
    }
}

/// Estimate of the reward (terminal bonus included) that can still be earned from a state. Unlike
/// an [`UpperBound`](crate::UpperBound) it has no guarantee.
///
/// ```
/// # use unriddle_core::{Puzzle, Score, ScorePuzzle};
/// # unriddle_core::toy!(Stairs: ScorePuzzle);
/// use unriddle_core::StateValue;
///
/// /// More stairs left promise more reward.
/// struct Left;
///
/// impl StateValue<Stairs> for Left {
///     fn value(&self, _: &Stairs, stair: &u8) -> f32 {
///         f32::from(*stair)
///     }
/// }
///
/// assert!(Left.value(&Stairs(5), &5) > Left.value(&Stairs(5), &3));
/// ```
pub trait StateValue<P: Puzzle>: Send + Sync + 'static {
    /// The estimate.
    fn value(&self, puzzle: &P, state: &P::State) -> f32;
}

/// Estimate by the number of legal actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mobility;

impl<P: Puzzle> StateValue<P> for Mobility {
    fn value(&self, puzzle: &P, state: &P::State) -> f32 {
        puzzle.actions(state).count() as f32
    }
}
