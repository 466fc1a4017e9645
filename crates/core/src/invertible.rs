//! Puzzles whose states have inverses at the same distance from the goal.

use crate::{
    ability::Reversible,
    puzzle::{GoalPuzzle, Puzzle},
};

/// Ability: every state has an inverse at the same distance from the goal. A path to the goal from
/// a state is, in reverse order and with inverse actions, a path to the goal from its inverse.
///
/// Examples are puzzles whose states are elements of a group, whose goal is the identity, and whose
/// actions multiply from one side: turns of a cube, flips of a stack. All actions have the same
/// cost.
///
/// ```
/// # use unriddle_core::{GoalPuzzle, Puzzle, Reversible};
/// # unriddle_core::toy!(Dial);
/// # impl unriddle_core::GoalPuzzle for Dial {
/// #     fn is_goal(&self, mark: &u8) -> bool {
/// #         *mark == 0
/// #     }
/// # }
/// # impl unriddle_core::Reversible for Dial {
/// #     fn inverse(&self, turn: u8) -> u8 {
/// #         7 - turn
/// #     }
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

    /// The representative of all states that symmetries and inverses of the puzzle map to each
    /// other: equal for all of them. They have the same distance from the goal.
    fn folded(&self, state: &Self::State) -> Self::State {
        self.inverted(state).min(*state)
    }

    /// Identifier of the puzzle's states, actions and goal, different for each puzzle.
    fn space(&self) -> String;
}

/// Functions of [`Invertible`] as values, for code that is also compiled for puzzles without
/// inverses.
pub struct Inverses<P: Puzzle> {
    /// The inverse of a state.
    pub inverted: fn(&P, &P::State) -> P::State,
    /// The action that undoes an action.
    pub inverse: fn(&P, P::Action) -> P::Action,
    /// The representative of a class of symmetric and inverse states.
    pub folded: fn(&P, &P::State) -> P::State,
    /// Identifier of the puzzle's states, actions and goal.
    pub space: fn(&P) -> String,
}

impl<P: Invertible> Inverses<P> {
    /// The functions of the puzzle `P`.
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

/// Step of a path between nodes that represent a state and its inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InverseStep<A> {
    /// The applied action.
    pub action: A,
    /// Whether the action was applied to the inverse of the previous node's state.
    pub of_inverse: bool,
    /// Whether the node's state is the inverse of the action's result.
    pub is_inverted: bool,
}

impl<P: Puzzle> Inverses<P> {
    /// Extends `path`, which leads to the goal from the state after `step`, to a path from the
    /// state before `step`.
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
