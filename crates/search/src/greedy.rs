//! Greedy best-first search: always expands a state of smallest h.
//!
//! The search is fast and does not bound the cost. Among equal h the smaller g comes first, then
//! the newest entry. A closed state that is reached more cheaply gets the better parent, but is not
//! reopened, because that would not lead nearer to a goal. The cost of the solution is the sum of
//! its actions' costs.
//!
//! The lower bound is the start's estimate, if it is admissible; a solution of that cost is
//! therefore reported as optimal.
//!
//! Memory: all generated states. The engine is module `best_first`.
//!
//! Reference: J. E. Doran and D. Michie, "Experiments with the Graph Traverser Program",
//! Proceedings of the Royal Society A 294 (1966).

use crate::{
    best_first::{BestFirst, Settings},
    report::delegate_search,
};
use unriddle_core::{BatchHeuristic, GoalPuzzle, Info, Options, Role, SearchError, options, words};

/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "complete in a finite space; no promise about the cost",
    requires: "a goal puzzle; memory for all generated states",
    reference: "Doran and Michie 1966",
    parameters: GreedyConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "greedy",
        "greedy best-first search: expands states in the order of h",
    )
};

words! {
    /// Order of two states.
    pub enum Compare {
        /// By the estimate of each state.
        Estimates = "estimates",
        /// By a network with two states as inputs: the search is
        /// [`Pairwise`](crate::pairwise::Pairwise).
        Pairs = "pairs",
    }
}

options! {
    /// Options of [`Greedy`].
    #[derive(Copy, Eq)]
    pub struct GreedyConfig of INFO (h: Heuristic, "estimate of the cost that is left") {
        compare: Compare = "estimates", "order of two states: by estimates or by a pair network",
            "`estimates` compares the estimates of two states; `pairs` asks a network with both states as inputs which one is nearer to the goal.";
    }
}

/// Greedy best-first search.
pub struct Greedy<'a, P: GoalPuzzle>(BestFirst<'a, P>);

impl<'a, P: GoalPuzzle> Greedy<'a, P> {
    /// Creates a search that has not begun.
    ///
    /// # Errors
    /// States that are too large.
    pub fn new(
        puzzle: &'a P,
        heuristic: &'a dyn BatchHeuristic<P>,
        config: GreedyConfig,
    ) -> Result<Self, SearchError> {
        // The caller makes another search if pairs are compared.
        let GreedyConfig { compare: _ } = config;
        let settings = Settings { weight_h: 1, batch: 1, ..Settings::default() };
        BestFirst::new(puzzle, heuristic, settings).map(Self)
    }
}

delegate_search!(Greedy);
