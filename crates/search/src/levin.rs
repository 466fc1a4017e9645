//! Levin tree search: expands the N states of smallest length over probability at a time.
//!
//! A policy gives each action of a state a probability. A path has the product of its actions'
//! probabilities, π, and d nodes, and states are expanded in the order of d / π. With N = 1 at
//! most d / π states are expanded until a goal is found, for any goal and its d and π: the search
//! is fast where the policy leads to a goal, and never lost where it does not. Costs of actions
//! count only in the value of a solution, which is not the cheapest one in general.
//!
//! A state that is reached again is dropped unless the new path is more probable; then it is
//! expanded again. The search ends with the batch in which an action leads to a goal. An empty open
//! list proves that there is no solution.
//!
//! **Rerooting.** A search of its own begins at every state with a smaller estimate, by a second
//! heuristic, than all earlier such states of its path; the start is the first one. All these
//! searches proceed at the same rate in one open list. If a path to a goal has k such states, and
//! the search from the i-th one needs T_i states to reach the next, then each search has expanded
//! about T_1 + … + T_k states when the goal is reached. A single search from the start may need as
//! many as the product of all T_i.
//!
//! [`qbwas`](crate::qbwas) is the engine, with its counters and memory: entries of the open list
//! are actions whose states are not generated yet, so that the policy is asked once for each
//! expanded state, for N of them in one call.
//!
//! Reference: L. Orseau, L. H. S. Lelis, T. Lattimore and T. Weber, "Single-agent policy tree
//! search with guarantees" (NeurIPS 2018), section 4 (LevinTS, with state cuts). L. Orseau,
//! M. Hutter and L. H. S. Lelis, "Exponential speedups by rerooting Levin tree search" (2024) is
//! the source of the idea to begin a search at several states and to share the work by weights; the
//! order of this search is derived from the idea, with equal weights.

use crate::{
    bwas::{BwasConfig, MAX_BATCH, Stop},
    estimates::ActionValues,
    qbwas::{QBwas, Rank},
    report::delegate_search,
};
use unriddle_core::{GoalPuzzle, Info, Options, Role, SearchError, options};

pub use crate::roots::Clue;

/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "complete where the space is finite; with batch=1 and without reroot a path of length d and probability π is found after d/π states",
    requires: "a goal puzzle; a network with outputs of a policy; memory for all expanded states and their actions",
    reference: "Orseau, Lelis, Lattimore and Weber 2018, section 4",
    parameters: LevinConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "levin",
        "Levin tree search: expands the states whose paths are short and probable by a policy",
    )
};

options! {
    /// Options of [`Levin`].
    #[derive(Copy)]
    pub struct LevinConfig of INFO (
        h: Heuristic, "network with outputs of a policy";
        reroot: Heuristic = "blind", "estimate whose new minima begin searches (blind = none)"
    ) {
        batch: usize = "1" in 1..=MAX_BATCH, "states expanded at a time";
    }
}

/// Levin tree search.
pub struct Levin<'a, P: GoalPuzzle>(QBwas<'a, P>);

impl<'a, P: GoalPuzzle> Levin<'a, P> {
    /// Creates a search that has not begun. `policy` estimates −ln p of each action
    /// ([`ActionValues::is_policy`]); searches also begin at new minima of `clue`.
    ///
    /// # Errors
    /// An option out of bounds, estimates that are no policy, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        policy: &'a dyn ActionValues<P>,
        clue: Option<Clue<'a, P>>,
        config: LevinConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        if !policy.is_policy() {
            let message = "levin: expected a network with outputs of a policy";
            return Err(SearchError::BadOption(message.to_owned()));
        }
        let LevinConfig { batch } = config;
        let config = BwasConfig { batch, stop: Stop::Selected, ..BwasConfig::default() };
        QBwas::ranked(puzzle, policy, config, Rank::Levin(clue)).map(Self)
    }
}

delegate_search!(Levin);
