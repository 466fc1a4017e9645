//! The fast solver: short best-first searches with different weights, then an exhaustive one.
//!
//! Greedy searches of FreeCell are done after some dozen expansions or get lost for long. So a
//! search is given up soon, and another one with other weights begins anew
//! ([`portfolio::PORTFOLIO`]); unsolved deals are passed to a search of all positions that single
//! cards can reach ([`exhaust`](super::exhaust)), which ends with a solution or with a proof of
//! unsolvability. The short searches prove nothing: they take positions with equal hashes for
//! equal, and omit short sequences into empty columns. A short search without moves is followed by
//! the next search.
//!
//! The speed of the short searches has these reasons:
//! - cards that are safe at home go there at once, so that only real decisions are nodes (`node`);
//! - a position is won as soon as free cells and empty columns suffice for all cards above lower
//!   ones (`engine::finish`), dozens of moves before the end;
//! - features of the cards that never moved are tables of each column and number of cards, computed
//!   once for a slice (`frame`);
//! - a column has three values, as it is, with one card less and with one card more, so that moves
//!   are estimated without being played, all columns at once in vectors (`columns`, `scan`);
//! - the card that a move uncovers has a term of its own, which replaces playing forced moves;
//! - the open list holds moves in stacks by estimate (`open`), and a position is a copy of 256
//!   bytes made only when its move is taken (`engine`);
//! - engines are kept from deal to deal, so that nothing is allocated after the first one.
//!
//! The estimate is a weighted sum of the features that [`weights::Weights`] lists. The weights were
//! evolved by the separable CMA-ES on fresh deals from 100001 upwards in each generation, the
//! slices chosen among evolved and perturbed weights by the deals that they solve for their
//! expansions (example `freecell_tune`); deals 1 to 32000 were not looked at.
//!
//! Rules with more than eight columns or `moves=single`, and starts with a column of more than 18
//! cards, have slices of exact positions instead (module `exact`).
//!
//! Invariants: a step expands one position or none; nothing depends on where the work is cut.
//! Complexity: about half a microsecond for an expansion with its nine moves.
//!
//! References: A. Elyasaf, A. Hauptman and M. Sipper, "GA-FreeCell: Evolving Solvers for the Game
//! of FreeCell", GECCO 2011 (features, evolved weights); fc-solve (portfolios of short searches);
//! G. Heineman 2009 (depth of the next cards); R. Ros and N. Hansen, "A Simple Modification in
//! CMA-ES Achieving Linear Time and Space Complexity", PPSN 2008 (evolution of the weights).

pub(super) mod columns;
mod engine;
pub(super) mod frame;
pub(super) mod node;
pub mod portfolio;
pub(super) mod scan;
pub(super) mod seen;
#[cfg(test)]
mod tests;
pub mod weights;

use super::exact::{
    engine::{Engine as Exact, Step},
    weights as exact,
};
use crate::{FreeCell, Move};
use engine::Engine;
use portfolio::PORTFOLIO;
use std::borrow::Cow;
use unriddle_core::{
    Cost, Info, Observer, Options, Outcome, Progress, Quota, Role, Search, SearchError, Solution,
    Stats, options,
};
use unriddle_search::memory::Full;
use weights::Slice;

/// Declaration for the catalogue.
pub const INFO: Info = Info {
    guarantee: "complete: it solves or proves unsolvable, as far as memory goes; solutions are not optimal",
    requires: "the puzzle freecell",
    reference: "Elyasaf, Hauptman and Sipper 2011 (features); safe moves home: Keller, Horne",
    parameters: FastConfig::PARAMETERS,
    version: 2,
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
        slices: usize = "11" in 0..=PORTFOLIO.len(), "short searches before the exhaustive one";
    }
}

/// The fast solver.
pub struct Fast<'a> {
    puzzle: &'a FreeCell,
    stages: Stages,
    stage: usize,
    /// Expansions at the begin of the stage.
    begun: u64,
    /// Engine of the slices; `None` for rules that it does not have, and after the last slice.
    engine: Option<Box<Engine>>,
    /// Engine of the last search.
    exact: Option<Box<Exact>>,
    stats: Stats,
    best: Option<Solution<Move>>,
    outcome: Option<Outcome<Move>>,
}

/// The short searches.
enum Stages {
    /// Slices of the fast engine.
    Fast(Cow<'static, [Slice]>),
    /// Slices of exact positions, for rules that the fast engine does not have.
    Exact(&'static [exact::Slice]),
}

impl Stages {
    /// Most expansions of a stage; `None` for the last one, which is exhaustive.
    fn expansions(&self, stage: usize) -> Option<u64> {
        match self {
            Self::Fast(slices) => {
                slices.get(stage).map(|slice| slice.expansions.min(engine::MOST_EXPANSIONS))
            }
            Self::Exact(slices) => slices.get(stage).map(|slice| slice.expansions),
        }
    }
}

impl<'a> Fast<'a> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds.
    pub fn new(puzzle: &'a FreeCell, config: FastConfig) -> Result<Self, SearchError> {
        config.check()?;
        let slices = &PORTFOLIO[..config.slices];
        let stages = if frame::Frame::fits(puzzle) {
            Stages::Fast(Cow::Borrowed(slices))
        } else {
            Stages::Exact(&exact::PORTFOLIO[..config.slices.min(exact::PORTFOLIO.len())])
        };
        Ok(Self::with_stages(puzzle, stages))
    }

    /// A search with user-defined slices, for tuning them. Puzzles that the fast engine does not
    /// have are searched exhaustively at once.
    #[must_use]
    pub fn with_slices(puzzle: &'a FreeCell, slices: Vec<Slice>) -> Self {
        let stages = match frame::Frame::fits(puzzle) {
            true => Stages::Fast(Cow::Owned(slices)),
            false => Stages::Exact(&[]),
        };
        Self::with_stages(puzzle, stages)
    }

    fn with_stages(puzzle: &'a FreeCell, stages: Stages) -> Self {
        let mut search = Self {
            puzzle,
            stages,
            stage: 0,
            begun: 0,
            engine: None,
            exact: None,
            stats: Stats::default(),
            best: None,
            outcome: None,
        };
        search.begin();
        search
    }

    /// Begins a stage.
    fn begin(&mut self) {
        self.begun = self.stats.expanded;
        if let Stages::Fast(slices) = &self.stages
            && let Some(slice) = slices.get(self.stage)
        {
            let engine = self.engine.get_or_insert_with(|| Engine::lent(self.puzzle));
            engine.begin(&slice.weights, slice.expansions);
            return;
        }
        self.release();
        let (weights, atomic) = match &self.stages {
            Stages::Exact(slices) if self.stage < slices.len() => {
                (slices[self.stage].weights, false)
            }
            _ => (exact::EXHAUSTIVE, true),
        };
        match &mut self.exact {
            Some(engine) => engine.restart(weights, atomic),
            None => self.exact = Some(Box::new(Exact::new(self.puzzle, weights, atomic))),
        }
    }

    /// Passes the engine of the slices on to the next search.
    fn release(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.give_back();
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
        self.stage
    }
}

impl Drop for Fast<'_> {
    fn drop(&mut self) {
        self.release();
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
            let most = self.stages.expansions(self.stage);
            if most.is_some_and(|most| self.stats.expanded - self.begun >= most) {
                self.stage += 1;
                self.begin();
                continue;
            }
            let step = match (&mut self.engine, &mut self.exact) {
                (Some(engine), _) => engine.step(self.puzzle, quota.bytes, &mut self.stats),
                (None, Some(exact)) => exact.step(self.puzzle, quota.bytes, &mut self.stats),
                (None, None) => Ok(Step::Empty),
            };
            match step {
                Ok(Step::Expanded) => {}
                Ok(Step::Solved(actions)) => self.solved(actions, observer),
                // The fast engine trusts hashes and omits moves: no proof.
                Ok(Step::Empty) if self.engine.is_some() => {
                    self.stage += 1;
                    self.begin();
                }
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
