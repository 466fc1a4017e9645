//! Batch weighted A* search: expand the N states of smallest f = λ·g + h at a time and evaluate all
//! their new successors in one call.
//!
//! Made for estimates that are cheap in bulk, such as networks. With λ < 1 paths grow longer and
//! searches shorter; larger batches find shorter paths and use the hardware better. The search ends when
//! a goal is among the states selected for expansion (or, with `stop=generated`, when one is generated).
//! With an admissible estimate a lower bound is reported, and the cost is at most 1/λ times the optimum
//! where N = 1.
//!
//! Deviations from the paper: a state is evaluated when it is seen for the first time and its estimate
//! kept, where the original evaluates every generated state anew; a closed state that is reached more
//! cheaply is opened again when its batch is done. Neither changes which states are worth expanding.
//!
//! Memory: all generated states, and 24 bytes per state that is new in a batch. The engine is
//! module `best_first`.
//!
//! Reference: F. Agostinelli, S. McAleer, A. Shmakov, P. Baldi, "Solving the Rubik's cube with deep
//! reinforcement learning and search", Nature Machine Intelligence 1 (2019), section "Batch weighted A*
//! search" and Methods. The defaults are the paper's for Rubik's cube; for the 15-, 24- and 35-puzzle it
//! uses λ = 0.8 and N = 20 000, for the 48-puzzle 0.6 and 20 000, for Lights Out 0.2 and 1000, for Sokoban
//! 0.8 and 1.

use crate::{
    beam::Choose,
    best_first::{BestFirst, Settings, best_first},
    weights::fraction,
};
use unriddle_core::{BatchHeuristic, GoalPuzzle, Info, Options, Role, SearchError, options, words};

/// Largest batch.
pub const MAX_BATCH: usize = 1 << 24;

/// What `describe bwas` shows.
pub const INFO: Info = Info {
    name: "bwas",
    role: Role::Search,
    version: 1,
    summary: "batch weighted A* search: expands the N states of smallest λ·g + h at a time",
    guarantee: "complete; a lower bound with an admissible heuristic; optimal where the two meet",
    requires: "a goal puzzle; memory for all generated states",
    reference: "Agostinelli, McAleer, Shmakov and Baldi 2019, Batch weighted A* search",
    parameters: BwasConfig::PARAMETERS,
};

words! {
    /// When the search ends.
    pub enum Stop {
        /// When a goal is among the states selected for expansion.
        Selected = "selected",
        /// With the expansion that generates a goal.
        Generated = "generated",
    }
}

options! {
    /// Options of [`Bwas`].
    #[derive(Copy)]
    pub struct BwasConfig of INFO (h: Heuristic, "estimate of the cost that is left") {
        /// Taken as a fraction with a denominator of up to 1000.
        lambda: f64 = "0.6" in 0.0..=1.0, "weight of the cost so far";
        batch: usize = "10000" in 1..=MAX_BATCH, "states expanded at a time";
        stop: Stop = "selected", "whether to end when a goal is selected for expansion, or with the first generated";
        choose: Choose = "states", "what is estimated: states that were generated, or actions before their states are, by a network with outputs of actions";
    }
}

/// Batch weighted A* search.
pub struct Bwas<'a, P: GoalPuzzle>(BestFirst<'a, P>);

impl<'a, P: GoalPuzzle> Bwas<'a, P> {
    /// A search that has not begun.
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

best_first!(Bwas);
