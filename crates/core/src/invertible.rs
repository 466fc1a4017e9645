//! States that can be searched from both ends of a path at once, and exact distances near the goal.

use crate::{
    ability::Reversible,
    puzzle::{GoalPuzzle, Puzzle},
};

/// Every state has an inverse, which is as far from the goal: a path to the goal from one is that from the other, backwards
/// and with inverse actions.
///
/// So it is where states are elements of a group, the goal is its identity and an action multiplies from one side: turns of a cube,
/// flips of a stack. All actions cost the same.
///
/// ```
/// # use unriddle_core::{GoalPuzzle, Numbers, Puzzle, Reversible};
/// # /// A dial with seven marks that is turned by 1 or 6, which is 1 back.
/// # struct Dial;
/// # #[derive(Clone, Copy)]
/// # struct Turns(u8);
/// # impl Iterator for Turns {
/// #     type Item = u8;
/// #     fn next(&mut self) -> Option<u8> {
/// #         let turn = [1, 6].get(usize::from(self.0)).copied();
/// #         self.0 += 1;
/// #         turn
/// #     }
/// # }
/// # impl Puzzle for Dial {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Turns;
/// #     fn initial_state(&self) -> u8 { 3 }
/// #     fn actions(&self, _: &u8) -> Turns { Turns(0) }
/// #     fn apply(&self, mark: &u8, turn: u8) -> u8 { (mark + turn) % 7 }
/// # }
/// # impl GoalPuzzle for Dial {
/// #     fn is_goal(&self, mark: &u8) -> bool { *mark == 0 }
/// # }
/// # impl Reversible for Dial {
/// #     fn inverse(&self, turn: u8) -> u8 { 7 - turn }
/// # }
/// use unriddle_core::Invertible;
///
/// impl Invertible for Dial {
///     fn inverted(&self, mark: &u8) -> u8 {
///         (7 - mark) % 7
///     }
///     fn space(&self) -> String {
///         "dial 7".to_owned()
///     }
/// }
///
/// // From mark 2 two turns by 6 lead to 0, from its inverse two turns by 1.
/// assert_eq!(Dial.inverted(&2), 5);
/// assert_eq!(Dial.folded(&5), 2);
/// ```
pub trait Invertible: Reversible<State: Ord> + GoalPuzzle {
    /// The inverse of a state.
    fn inverted(&self, state: &Self::State) -> Self::State;

    /// One of all states that are as far by symmetries and inverses that the puzzle knows: the same for any of them.
    fn folded(&self, state: &Self::State) -> Self::State {
        self.inverted(state).min(*state)
    }

    /// A name of its states, actions and goal, which tells them from those of all other puzzles.
    fn space(&self) -> String;
}

/// What [`Invertible`] says, for code that is compiled for puzzles that are not.
pub struct Inverses<P: Puzzle> {
    /// The inverse of a state.
    pub inverted: fn(&P, &P::State) -> P::State,
    /// The action that takes an action back.
    pub inverse: fn(&P, P::Action) -> P::Action,
    /// One of all states that are as far by symmetries and inverses.
    pub folded: fn(&P, &P::State) -> P::State,
    /// A name of its states, actions and goal.
    pub space: fn(&P) -> String,
}

impl<P: Invertible> Inverses<P> {
    /// Those of a puzzle.
    #[must_use]
    pub const fn new() -> Self {
        Self { inverted: P::inverted, inverse: P::inverse, folded: P::folded, space: P::space }
    }
}

impl<P: Invertible> Default for Inverses<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Puzzle> Clone for Inverses<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Puzzle> Copy for Inverses<P> {}

/// How a state that stands for itself and its inverse came of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InverseStep<A> {
    /// What was applied.
    pub action: A,
    /// It was applied to the inverse of the other state.
    pub of_inverse: bool,
    /// The state is the inverse of what came of it.
    pub is_inverted: bool,
}

impl<P: Puzzle> Inverses<P> {
    /// Makes of a path to the goal from a state that from the state of which it came by a step.
    pub fn prepend(&self, puzzle: &P, step: &InverseStep<P::Action>, path: &mut Vec<P::Action>) {
        let turn_round = |path: &mut Vec<P::Action>| {
            path.reverse();
            for action in path {
                *action = (self.inverse)(puzzle, *action);
            }
        };
        if step.is_inverted {
            turn_round(path);
        }
        path.insert(0, step.action);
        if step.of_inverse {
            turn_round(path);
        }
    }
}
