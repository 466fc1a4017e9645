//! Batch weighted A* search: expands the N states of smallest f = λ·g + h at a time and evaluates
//! all their new successors in one call.
//!
//! The search is made for estimates that are cheap in bulk, such as networks. With λ < 1 paths grow
//! longer and searches shorter; larger batches find shorter paths and use the hardware better. The
//! search ends when a goal is among the states selected for expansion (or, with `stop=generated`,
//! when a goal is generated). With an admissible estimate it reports a lower bound, and the cost is
//! at most 1/λ times the optimum if N = 1.
//!
//! Deviations from the paper: a state is evaluated when it is generated for the first time, and its
//! estimate is kept, whereas the original evaluates every generated state again; a closed state
//! that is reached more cheaply is reopened when its batch is done. Neither changes which states
//! are worth expanding.
//!
//! Memory: all generated states, and 24 bytes per state that is new in a batch. The engine is
//! module `best_first`.
//!
//! Reference: F. Agostinelli, S. McAleer, A. Shmakov, P. Baldi, "Solving the Rubik's cube with deep
//! reinforcement learning and search", Nature Machine Intelligence 1 (2019), section "Batch
//! weighted A* search" and Methods. The defaults are the paper's for Rubik's cube; for the 15-, 24-
//! and 35-puzzle it uses λ = 0.8 and N = 20 000, for the 48-puzzle 0.6 and 20 000, for Lights Out
//! 0.2 and 1000, for Sokoban 0.8 and 1.

use crate::{
    beam::Choose,
    best_first::{BestFirst, Settings},
    report::delegate_search,
    weights::fraction,
};
use unriddle_core::{BatchHeuristic, GoalPuzzle, Info, Options, Role, SearchError, options, words};

/// Largest batch.
pub const MAX_BATCH: usize = 1 << 24;

/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "complete where costs are above 0 or the space is finite; a lower bound with an admissible heuristic; optimal where the two are equal",
    requires: "a goal puzzle; memory for all generated states",
    reference: "Agostinelli, McAleer, Shmakov and Baldi 2019, Batch weighted A* search",
    parameters: BwasConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "bwas",
        "batch weighted A* search: expands the N states of smallest λ·g + h at a time",
    )
};

words! {
    /// End of the search.
    pub enum Stop {
        /// The search ends when a goal is among the states selected for expansion.
        Selected = "selected",
        /// The search ends with the expansion that generates a goal.
        Generated = "generated",
    }
}

options! {
    /// Options of [`Bwas`].
    #[derive(Copy)]
    pub struct BwasConfig of INFO (h: Heuristic, "estimate of the cost that is left") {
        lambda: f64 = "0.6" in 0.0..=1.0, "weight of the cost so far",
            "A fraction with a denominator of up to 1000 approximates the weight.";
        batch: usize = "10000" in 1..=MAX_BATCH, "states expanded at a time";
        stop: Stop = "selected", "end of the search: a goal is selected or generated";
        choose: Choose = "states", "estimated things: generated states, or actions before",
            "`states` estimates generated states; `actions` estimates actions before their states are generated, by a network with outputs of actions.";
    }
}

/// Batch weighted A* search.
pub struct Bwas<'a, P: GoalPuzzle>(BestFirst<'a, P>);

impl<'a, P: GoalPuzzle> Bwas<'a, P> {
    /// Creates a search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        heuristic: &'a dyn BatchHeuristic<P>,
        config: BwasConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        let (weight_g, weight_h) = fraction(config.lambda);
        let settings = Settings {
            weight_g,
            weight_h,
            batch: config.batch,
            reopen: true,
            stop_when_generated: config.stop == Stop::Generated,
        };
        BestFirst::new(puzzle, heuristic, settings).map(Self)
    }
}

delegate_search!(Bwas);
