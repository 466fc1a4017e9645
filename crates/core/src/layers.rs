//! Score puzzles whose states come in layers, and estimates of what a state may still earn.

use crate::puzzle::{Puzzle, ScorePuzzle};

/// Every action leads to a lower layer: of a puzzle in which things only ever disappear, how many are left.
///
/// ```
/// # use unriddle_core::{Numbers, Puzzle};
/// # struct Stairs(u8);
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { self.0 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// # use unriddle_core::{Score, ScorePuzzle};
/// # impl ScorePuzzle for Stairs {
/// #     fn reward(&self, stair: &u8, steps: u8) -> Score { Score::from(stair % 3) * Score::from(steps) }
/// # }
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
///
/// ```
/// # use unriddle_core::{Numbers, Puzzle};
/// # struct Stairs(u8);
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { self.0 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// # use unriddle_core::{Score, ScorePuzzle};
/// # impl ScorePuzzle for Stairs {
/// #     fn reward(&self, stair: &u8, steps: u8) -> Score { Score::from(stair % 3) * Score::from(steps) }
/// # }
/// use unriddle_core::StateValue;
///
/// /// The more stairs are left, the more is to be found on them.
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

/// States with more legal actions are better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mobility;

impl<P: Puzzle> StateValue<P> for Mobility {
    fn value(&self, puzzle: &P, state: &P::State) -> f32 {
        puzzle.actions(state).count() as f32
    }
}
