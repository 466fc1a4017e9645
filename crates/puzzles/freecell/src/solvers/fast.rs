//! The fast solver: short best-first searches with different weights, then an exhaustive one.
//!
//! Greedy searches of FreeCell are done after a hundred expansions or get lost for long. So a
//! search is given up soon, and another one with other weights begins anew
//! ([`weights::PORTFOLIO`]); unsolved deals are passed to a search of all positions that single
//! cards can reach ([`exhaust`](super::exhaust)), which ends with a solution or with a proof of
//! unsolvability. A short search that runs out of positions is a proof as well: it omits no move.
//!
//! All of them share one engine. Its speed has four reasons:
//! - cards that are safe at home go there at once, so that only real decisions are nodes
//!   (`position`);
//! - a position in which no card is above a lower one is won: only moves home are left;
//! - the estimate of a move follows from sets of cards without playing it (`scan`);
//! - the open list holds moves, not positions, in stacks by estimate (`open`), and a position is
//!   made and looked up by its exact key only when its move is taken (`engine`).
//!
//! The estimate is a weighted sum: cards not home, cards on a card that they do not fit on, cards
//! above lower ones, cards above the next cards of the foundations, deepest cards that are not
//! kings, the value of free cells and empty columns, columns by the number of their cards that
//! never moved, and the moves made. The weights were found by hill climbing on deals from 200001
//! upwards (example `freecell_tune`); deals 1 to 32000 were not looked at.
//!
//! Invariants: a step expands one position or none; nothing depends on where the work is cut.
//! Complexity: about a microsecond for an expansion with its twelve moves.
//!
//! References: A. Elyasaf, A. Hauptman and M. Sipper, "GA-FreeCell: Evolving Solvers for the Game
//! of FreeCell", GECCO 2011 (features, tuned weights); fc-solve (portfolios of short searches); G.
//! Heineman 2009 (depth of the next cards).

pub(crate) mod engine;
mod open;
pub(crate) mod position;
pub(crate) mod scan;
pub mod weights;

use crate::{FreeCell, Move};
use engine::{Engine, Step};
use unriddle_core::{
    Cost, Info, Observer, Options, Outcome, Progress, Quota, Role, Search, SearchError, Solution,
    Stats, options,
};
use unriddle_search::memory::Full;
use weights::{EXHAUSTIVE, PORTFOLIO, Slice};

/// Declaration for the catalogue.
pub const INFO: Info = Info {
    guarantee: "complete: it solves or proves unsolvable, as far as memory goes; solutions are not optimal",
    requires: "the puzzle freecell",
    reference: "Elyasaf, Hauptman and Sipper 2011 (features); safe moves home: Keller, Horne",
    parameters: FastConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "fc-fast",
        "FreeCell: short best-first searches with different weights, then an exhaustive one",
    )
};

options! {
    /// Options of [`Fast`].
    #[derive(Copy, Eq)]
    pub struct FastConfig of INFO {
        /// Number of slices of [`PORTFOLIO`].
        slices: usize = "8" in 0..=PORTFOLIO.len(), "short searches before the exhaustive one";
    }
}

/// The fast solver.
pub struct Fast<'a> {
    puzzle: &'a FreeCell,
    /// All slices.
    slices: Vec<Slice>,
    slice: usize,
    /// Expansions at the begin of the slice.
    begun: u64,
    engine: Engine,
    stats: Stats,
    best: Option<Solution<Move>>,
    outcome: Option<Outcome<Move>>,
}

impl<'a> Fast<'a> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds.
    pub fn new(puzzle: &'a FreeCell, config: FastConfig) -> Result<Self, SearchError> {
        config.check()?;
        Ok(Self::with_slices(puzzle, PORTFOLIO[..config.slices].to_vec()))
    }

    /// A search with slices of one's own, for tuning them.
    #[must_use]
    pub fn with_slices(puzzle: &'a FreeCell, slices: Vec<Slice>) -> Self {
        let (weights, atomic) = settings(&slices, 0);
        Self {
            puzzle,
            slices,
            slice: 0,
            begun: 0,
            engine: Engine::new(puzzle, weights, atomic),
            stats: Stats::default(),
            best: None,
            outcome: None,
        }
    }

    fn solved(&mut self, actions: Vec<Move>, observer: &mut dyn Observer<Move>) {
        let cost = actions.len() as Cost;
        let best = Solution::with_cost(actions, cost);
        observer.improved(&best, &self.stats);
        self.best = Some(best.clone());
        self.outcome = Some(Outcome::Solved { best, proof: cost == 0, bound: None });
    }

    /// Index of the active slice; the number of slices denotes the exhaustive search.
    #[must_use]
    pub fn slice(&self) -> usize {
        self.slice
    }
}

/// Weights of a slice and whether it moves single cards only.
fn settings(slices: &[Slice], slice: usize) -> (weights::Weights, bool) {
    match slices.get(slice) {
        Some(slice) => (slice.weights, false),
        None => (EXHAUSTIVE, true),
    }
}

impl Search for Fast<'_> {
    type Action = Move;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Progress<Move> {
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            let expanded = self.stats.expanded - self.begun;
            if self.slices.get(self.slice).is_some_and(|slice| expanded >= slice.expansions) {
                self.slice += 1;
                self.begun = self.stats.expanded;
                let (weights, atomic) = settings(&self.slices, self.slice);
                self.engine.restart(weights, atomic);
                continue;
            }
            match self.engine.step(self.puzzle, quota.bytes, &mut self.stats) {
                Ok(Step::Expanded) => {}
                Ok(Step::Solved(actions)) => self.solved(actions, observer),
                // Every position that can be reached was expanded.
                Ok(Step::Empty) => self.outcome = Some(Outcome::Unsolvable),
                Err(Full) => return Progress::OutOfMemory,
            }
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<Move>> {
        self.best.as_ref()
    }
}
