//! Optional abilities of a puzzle. An algorithm names those it needs in its bounds.

use crate::{
    puzzle::{GoalPuzzle, Puzzle},
    rng::Rng,
};
use thiserror::Error;

/// Every action can be undone by one action.
pub trait Reversible: Puzzle {
    /// The action that leads back from `apply(s, action)` to `s`.
    fn inverse(&self, action: Self::Action) -> Self::Action;
}

/// The state space can be walked against its arrows.
pub trait Backward: GoalPuzzle {
    /// Calls `visit(t, a)` for every state `t` and action `a` with `apply(t, a) = state`.
    fn predecessors(&self, state: &Self::State, visit: &mut dyn FnMut(Self::State, Self::Action));

    /// A step of a random walk back: one of the predecessors with the action that leads on from it,
    /// each as likely as any other. The one that takes `last`, the step before, back is left out.
    /// `None` if there is no other.
    fn step_back(
        &self,
        state: &Self::State,
        last: Option<Self::Action>,
        rng: &mut Rng,
    ) -> Option<(Self::State, Self::Action)> {
        let mut before = Vec::new();
        self.predecessors(state, &mut |other, action| {
            // The state that we come from is a predecessor, too.
            if last.is_none_or(|last| !self.is_inverse(action, last)) {
                before.push((other, action));
            }
        });
        let chosen = rng.below(before.len() as u64) as usize;
        before.into_iter().nth(chosen)
    }

    /// All goal states, or a representative few where they are too many to list (the puzzle's
    /// documentation says which).
    fn goal_states(&self) -> Vec<Self::State>;
}

/// States have consecutive numbers.
pub trait Ranked: Puzzle {
    /// How many ranks there are.
    fn ranks(&self) -> u64;
    /// The rank of a state, below [`ranks`](Self::ranks).
    fn rank(&self, state: &Self::State) -> u64;
    /// The state of a rank; `None` where the rank is out of range or belongs to no legal state.
    fn unrank(&self, rank: u64) -> Option<Self::State>;
}

/// The state space has symmetries that keep distances to the goal.
///
/// After canonicalising, actions no longer refer to the original state: a path of representatives is
/// rebuilt by replay, looking at each step for an action whose result has the next representative.
pub trait Symmetric: Puzzle {
    /// The representative of the state's orbit: equal for two states exactly if they are symmetric.
    fn canonical(&self, state: &Self::State) -> Self::State;
}

/// The input of a network as *active indices* of one-hot groups, never as a dense vector.
pub trait Features: Puzzle {
    /// Length of the one-hot vector.
    fn feature_len(&self) -> usize;

    /// Calls `sink` with every active index of `state`, each below [`feature_len`](Self::feature_len).
    fn active(&self, state: &Self::State, sink: &mut dyn FnMut(u32));

    /// Calls `sink(index, true)` for every index that becomes active by `action`, and
    /// `sink(index, false)` for every one that ceases to be, so that first-layer sums can be
    /// updated. The default compares the active indices of the two states.
    fn delta(&self, state: &Self::State, action: Self::Action, sink: &mut dyn FnMut(u32, bool)) {
        let active = |state: &Self::State| {
            let mut indices = Vec::new();
            self.active(state, &mut |index| indices.push(index));
            indices
        };
        let (before, after) = (active(state), active(&self.apply(state, action)));
        let gone = before.iter().filter(|index| !after.contains(index));
        gone.for_each(|&index| sink(index, false));
        let come = after.iter().filter(|index| !before.contains(index));
        come.for_each(|&index| sink(index, true));
    }
}

/// Why a text was refused, and where.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// 1-based line.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl ParseError {
    /// An error at a 1-based line and column.
    #[must_use]
    pub fn at(line: usize, column: usize, message: impl Into<String>) -> Self {
        Self {
            line,
            column,
            message: message.into(),
        }
    }
}

/// The puzzle's text of states and solutions.
pub trait Notation: Puzzle {
    /// The state as one line (or more) that the puzzle's loader reads back.
    fn state_text(&self, state: &Self::State) -> String;

    /// A sequence of actions from the start, in the puzzle's standard notation.
    fn solution_text(&self, actions: &[Self::Action]) -> String;

    /// The solution that the text of a solution stands for, where the notation leaves actions out and may
    /// so come to others; `None` if it is the same.
    fn as_written(&self, actions: &[Self::Action]) -> Option<Vec<Self::Action>> {
        let _ = actions;
        None
    }

    /// Reads a sequence of actions from the start back; every action is legal where it stands.
    ///
    /// # Errors
    /// Says where the first unreadable or illegal action stands.
    fn parse_solution(&self, text: &str) -> Result<Vec<Self::Action>, ParseError>;
}
