//! Results of a run: counters, solutions, its outcome, and events during the run.

use crate::{
    budget::Limit,
    puzzle::{Cost, GoalPuzzle, Puzzle, ScorePuzzle},
};
use std::time::Duration;

/// Counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// States whose successors were generated; play-outs in Monte-Carlo searches.
    pub expanded: u64,
    /// Generated successors, including duplicates and pruned ones (but not pruned inverses); in
    /// Monte-Carlo searches also the states of play-outs.
    pub generated: u64,
    /// States that were estimated or played out.
    pub evaluated: u64,
    /// Closed states that were opened again on a cheaper path.
    pub reopened: u64,
    /// Largest accounted size of the search's own structures so far, in bytes.
    pub peak_bytes: u64,
    /// CPU time of ended helper threads, without the calling thread.
    pub helper_cpu: Duration,
}

impl Stats {
    /// Adds the counters of an earlier run. The peak is the larger of the two peaks, because memory
    /// is used again.
    #[must_use]
    pub fn after(self, before: Self) -> Self {
        Self {
            expanded: self.expanded + before.expanded,
            generated: self.generated + before.generated,
            evaluated: self.evaluated + before.evaluated,
            reopened: self.reopened + before.reopened,
            peak_bytes: self.peak_bytes.max(before.peak_bytes),
            helper_cpu: self.helper_cpu + before.helper_cpu,
        }
    }
}

/// Size and depth of the trees of a Monte-Carlo search. The root of a tree is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeShape {
    /// Number of nodes that were added, also of nodes that were cut off later.
    pub nodes: u64,
    /// Sum of their depths, in actions from the start.
    pub depths: u64,
    /// Depth of the deepest node.
    pub deepest: u64,
}

impl TreeShape {
    /// Counts a node.
    pub fn add(&mut self, depth: u64) {
        self.nodes += 1;
        self.depths += depth;
        self.deepest = self.deepest.max(depth);
    }

    /// Average depth of the nodes; `None` without a node.
    #[must_use]
    pub fn average_depth(&self) -> Option<f64> {
        (self.nodes > 0).then(|| self.depths as f64 / self.nodes as f64)
    }

    /// The shape of these trees and others together.
    #[must_use]
    pub fn with(self, others: Self) -> Self {
        Self {
            nodes: self.nodes + others.nodes,
            depths: self.depths + others.depths,
            deepest: self.deepest.max(others.deepest),
        }
    }
}

/// A path from the start, with its value: the cost of a goal puzzle, the score of a score puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<A> {
    /// Actions in order.
    pub actions: Vec<A>,
    /// Cost or score.
    pub value: i64,
}

impl<A> Solution<A> {
    /// A solution of a goal puzzle.
    #[must_use]
    pub fn with_cost(actions: Vec<A>, cost: Cost) -> Self {
        Self { actions, value: i64::from(cost) }
    }

    /// The solution of a score puzzle with these actions, and their reward from the start.
    #[must_use]
    pub fn scored<P: ScorePuzzle<Action = A>>(puzzle: &P, actions: Vec<A>) -> Self
    where
        A: Copy,
    {
        let (state, earned) =
            replay(puzzle, &actions, |state, action| puzzle.reward(state, action));
        Self { actions, value: earned.saturating_add(puzzle.terminal_bonus(&state)) }
    }

    /// Whether the sum of the rewards of these actions stays within 64 bits, after each of them and
    /// with the terminal bonus. Sums beyond them are [saturated](Self::scored).
    #[must_use]
    pub fn is_countable<P: ScorePuzzle<Action = A>>(puzzle: &P, actions: &[A]) -> bool
    where
        A: Copy,
    {
        let (mut state, mut sum) = (puzzle.initial_state(), Some(0_i64));
        for &action in actions {
            sum = sum.and_then(|sum| sum.checked_add(puzzle.reward(&state, action)));
            state = puzzle.apply(&state, action);
        }
        sum.and_then(|sum| sum.checked_add(puzzle.terminal_bonus(&state))).is_some()
    }

    /// The solution of a goal puzzle with these actions, which must be legal, and their cost from
    /// the start.
    #[must_use]
    pub fn played<P: GoalPuzzle<Action = A>>(puzzle: &P, actions: Vec<A>) -> Self
    where
        A: Copy,
    {
        let cost = |state: &P::State, action| i64::from(puzzle.action_cost(state, action));
        let (_, value) = replay(puzzle, &actions, cost);
        Self { actions, value }
    }
}

/// Plays actions from the start. Returns the last state and the sum of the actions' `worth`.
fn replay<P: Puzzle>(
    puzzle: &P,
    actions: &[P::Action],
    worth: impl Fn(&P::State, P::Action) -> i64,
) -> (P::State, i64) {
    let start = (puzzle.initial_state(), 0);
    actions.iter().fold(start, |(state, sum), &action| {
        (puzzle.apply(&state, action), i64::saturating_add(sum, worth(&state, action)))
    })
}

/// End of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<A> {
    /// The search ended with a solution.
    Solved {
        /// The best solution found.
        best: Solution<A>,
        /// Whether the solution is proved optimal.
        proof: bool,
        /// Best proved bound of the optimum (equal to the value if `proof` holds).
        bound: Option<i64>,
    },
    /// It is proved that no solution exists.
    Unsolvable,
    /// An incomplete search has no state left to try.
    Exhausted {
        /// The best solution found, if any.
        best: Option<Solution<A>>,
    },
    /// A limit was reached.
    Stopped {
        /// The limit.
        why: Limit,
        /// The best solution found, if any.
        best: Option<Solution<A>>,
        /// Best proved bound of the optimum, if any.
        bound: Option<i64>,
    },
}

impl<A> Outcome<A> {
    /// The outcome with a proved optimum.
    pub fn proved(best: Solution<A>) -> Self {
        Self::Solved { bound: Some(best.value), best, proof: true }
    }

    /// The solution, if any.
    #[must_use]
    pub fn best(&self) -> Option<&Solution<A>> {
        match self {
            Self::Solved { best, .. } => Some(best),
            Self::Unsolvable => None,
            Self::Exhausted { best } | Self::Stopped { best, .. } => best.as_ref(),
        }
    }

    /// The proved bound of the optimum, if any.
    #[must_use]
    pub fn bound(&self) -> Option<i64> {
        match self {
            Self::Solved { bound, .. } | Self::Stopped { bound, .. } => *bound,
            Self::Unsolvable | Self::Exhausted { .. } => None,
        }
    }

    /// Whether the solution is proved optimal.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        matches!(self, Self::Solved { proof: true, .. })
    }
}

/// Receiver of a run's events, for example a progress bar or a log; `()` ignores everything.
///
/// ```
/// use unriddle_core::{Observer, Solution, Stats};
///
/// /// The values of all solutions.
/// struct Values(Vec<i64>);
///
/// impl<A> Observer<A> for Values {
///     fn improved(&mut self, best: &Solution<A>, _: &Stats) {
///         self.0.push(best.value);
///     }
/// }
///
/// let mut values = Values(Vec::new());
/// values.improved(&Solution { actions: vec!["up"], value: 1 }, &Stats::default());
/// assert_eq!(values.0, [1]);
/// ```
pub trait Observer<A> {
    /// The search found a better solution than all before.
    fn improved(&mut self, best: &Solution<A>, stats: &Stats) {
        let _ = (best, stats);
    }
    /// The search proved a better bound of the optimum than all before.
    fn bound(&mut self, bound: i64, stats: &Stats) {
        let _ = (bound, stats);
    }
    /// The run continues; called every few milliseconds. The run waits until this returns, and the
    /// waiting time is not counted.
    fn progress(&mut self, stats: &Stats) {
        let _ = stats;
    }
    /// Maximum number of states to expand before the next call of [`progress`](Self::progress),
    /// which may be sooner.
    fn room(&self) -> u64 {
        u64::MAX
    }
}

impl<A> Observer<A> for () {}
