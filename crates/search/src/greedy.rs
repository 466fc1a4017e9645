//! Greedy best-first search: always expand a state of smallest h.
//!
//! Fast and without any promise about the cost. Among equal h the smaller g comes first, then the newest
//! entry. A closed state that is reached more cheaply gets the better parent, but is not opened again: it
//! would not come nearer to a goal by that. The solution's cost is that of its actions.
//!
//! The lower bound is the start's estimate, where that is admissible; a solution of that very cost is
//! therefore reported as optimal.
//!
//! Memory: all generated states. The engine is module `best_first`.
//!
//! Reference: J. E. Doran and D. Michie, "Experiments with the Graph Traverser Program", Proceedings of
//! the Royal Society A 294 (1966).

use crate::best_first::{BestFirst, Settings, best_first};
use unriddle_core::{BatchHeuristic, GoalPuzzle, Info, Options, Role, SearchError, options, words};

/// What `describe greedy` shows.
pub const INFO: Info = Info {
    name: "greedy",
    role: Role::Search,
    version: 1,
    summary: "greedy best-first search: expands states in the order of h alone",
    guarantee: "complete; no promise about the cost",
    requires: "a goal puzzle; memory for all generated states",
    reference: "Doran and Michie 1966",
    parameters: GreedyConfig::PARAMETERS,
};

words! {
    /// How two states are put in order.
    pub enum Compare {
        /// By the estimate of each.
        Estimates = "estimates",
        /// By a network that takes both: the search is [`Pairwise`](crate::pairwise::Pairwise).
        Pairs = "pairs",
    }
}

options! {
    /// Options of [`Greedy`].
    #[derive(Copy, Eq)]
    pub struct GreedyConfig of INFO (h: Heuristic, "estimate of the cost that is left") {
        compare: Compare = "estimates", "how two states are put in order: by the estimate of each, or by a network that takes both and says which is nearer";
    }
}

/// Greedy best-first search.
pub struct Greedy<'a, P: GoalPuzzle>(BestFirst<'a, P>);

impl<'a, P: GoalPuzzle> Greedy<'a, P> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// States that are too large.
    pub fn new(
        puzzle: &'a P,
        heuristic: &'a dyn BatchHeuristic<P>,
        config: GreedyConfig,
    ) -> Result<Self, SearchError> {
        // Who compares pairs makes another search.
        let GreedyConfig { compare: _ } = config;
        let settings = Settings {
            weight_g: 0,
            weight_h: 1,
            batch: 1,
            reopen: false,
            stop_when_generated: false,
        };
        BestFirst::new(puzzle, heuristic, settings).map(Self)
    }
}

best_first!(Greedy);
