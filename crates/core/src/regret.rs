//! A score puzzle as a goal puzzle.
//!
//! Given an upper bound `U` of the reward that can still be earned, the *regret* of an action is
//! the part of the bound that it gives up: `cost(s, a, t) = U(s) − reward(s, a) − U(t)`, with the
//! terminal bonus instead of `U(t)` if `t` is terminal. No regret is negative exactly if `U` is
//! consistent. The regrets of a path add up to `U(start) − score`, so that a cheapest path is one
//! of highest score, and A* or IDA* with a [`Blind`](crate::Blind) heuristic is a branch and bound
//! with bound `U`.

use crate::{
    error::SearchError,
    outcome::Solution,
    puzzle::{Cost, GoalPuzzle, Puzzle, Score, ScorePuzzle},
};
use std::sync::OnceLock;

/// An upper bound of the reward (terminal bonus included) that can still be earned from a state.
///
/// ```
/// # use unriddle_core::{Puzzle, Score, ScorePuzzle};
/// # unriddle_core::toy!(Stairs: ScorePuzzle);
/// use unriddle_core::{GoalPuzzle, Regret, UpperBound};
///
/// /// At most 2 for each stair.
/// struct TwoEach;
///
/// impl UpperBound<Stairs> for TwoEach {
///     fn upper(&self, _: &Stairs, stair: &u8) -> Score {
///         2 * Score::from(*stair)
///     }
/// }
///
/// // From stair 5 two steps earn 4, and the bound falls by 4: no regret.
/// let regret = Regret::new(Stairs(5), TwoEach);
/// assert_eq!(regret.action_cost(&5, 2), 0);
/// ```
pub trait UpperBound<P: ScorePuzzle>: Send + Sync + 'static {
    /// Bound of a state that is not terminal.
    fn upper(&self, puzzle: &P, state: &P::State) -> Score;
}

impl<P: ScorePuzzle, U: UpperBound<P> + ?Sized> UpperBound<P> for Box<U> {
    fn upper(&self, puzzle: &P, state: &P::State) -> Score {
        (**self).upper(puzzle, state)
    }
}

/// Goal puzzle of a score puzzle with an upper bound: lose as little of the bound as possible.
#[derive(Debug)]
pub struct Regret<P, U> {
    puzzle: P,
    upper: U,
    fault: OnceLock<SearchError>,
}

impl<P: ScorePuzzle, U: UpperBound<P>> Regret<P, U> {
    /// Wraps a puzzle.
    pub fn new(puzzle: P, upper: U) -> Self {
        Self { puzzle, upper, fault: OnceLock::new() }
    }

    /// The score puzzle.
    pub fn inner(&self) -> &P {
        &self.puzzle
    }

    /// The score of a total regret from the start.
    pub fn score(&self, cost: i64) -> Score {
        self.value(&self.puzzle.initial_state()).saturating_sub(cost)
    }

    /// The path of these actions, which must be legal, with the action of the least regret added
    /// again and again until a terminal state; the value is the regret of all.
    pub fn complete(&self, mut actions: Vec<P::Action>) -> Solution<P::Action> {
        let mut state = self.initial_state();
        let mut value = 0;
        let mut take = |state: &mut P::State, action| {
            value += i64::from(self.action_cost(state, action));
            *state = self.apply(state, action);
        };
        actions.iter().for_each(|&action| take(&mut state, action));
        while !self.is_goal(&state) {
            let regret = |action: &P::Action| self.action_cost(&state, *action);
            let Some(action) = self.actions(&state).min_by_key(regret) else { break };
            actions.push(action);
            take(&mut state, action);
        }
        Solution { actions, value }
    }

    /// Bound of any state: exact for a terminal state.
    fn value(&self, state: &P::State) -> Score {
        if self.puzzle.is_terminal(state) {
            self.puzzle.terminal_bonus(state)
        } else {
            self.upper.upper(&self.puzzle, state)
        }
    }
}

impl<P: ScorePuzzle, U: UpperBound<P>> Puzzle for Regret<P, U> {
    type State = P::State;
    type Action = P::Action;
    type Actions = P::Actions;

    fn initial_state(&self) -> P::State {
        self.puzzle.initial_state()
    }
    fn actions(&self, state: &P::State) -> P::Actions {
        self.puzzle.actions(state)
    }
    fn apply(&self, state: &P::State, action: P::Action) -> P::State {
        self.puzzle.apply(state, action)
    }
    // `is_inverse` and `commutes_after` of a score puzzle concern states and not the rewards on the
    // way, so they are not passed on.
}

impl<P: ScorePuzzle, U: UpperBound<P>> GoalPuzzle for Regret<P, U> {
    fn is_goal(&self, state: &P::State) -> bool {
        self.puzzle.is_terminal(state)
    }

    fn action_cost(&self, state: &P::State, action: P::Action) -> Cost {
        let before = self.value(state);
        let reward = self.puzzle.reward(state, action);
        let after = self.value(&self.puzzle.apply(state, action));
        let regret = i128::from(before) - i128::from(reward) - i128::from(after);
        Cost::try_from(regret).unwrap_or_else(|_| {
            // The first fault is kept; the driver ends the run with it.
            let _ = self.fault.set(match regret < 0 {
                true => SearchError::InconsistentBound { before, reward, after },
                false => SearchError::TooLarge(format!(
                    "an action gives up {regret} of the upper bound, and searches count up to {}",
                    Cost::MAX
                )),
            });
            0
        })
    }

    fn fault(&self) -> Option<SearchError> {
        self.fault.get().cloned()
    }
}
