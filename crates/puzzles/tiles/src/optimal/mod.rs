//! Proved shortest solutions of the 24-puzzle, by zero-aware pattern databases of several
//! partitions.
//!
//! **Estimate.** Each of seven partitions of the tiles into four patterns of six is a *view* of a
//! state, and again a view of its mirror image: the Manhattan distance plus 2·Σe over the patterns,
//! where e is half the difference of a pattern's value and its Manhattan distance
//! (module `sliding::parities`). A move of a tile changes the e of one pattern of each view, or
//! none, so that f = g + h of a view stays or rises by 2. A node keeps the *gap* of each view, the
//! number of rises until f exceeds the bound, and is cut when a gap would be negative. Tables have
//! one bit for each entry, from which the rise follows.
//!
//! **Search.** Iterative deepening. A depth-first search expands the top positions of its stack as
//! a batch. Each step of a table look-up is a pass over all moves of the batch: the rank of the
//! cells, the bit's index, the bit. A pass prefetches the memory that the next pass reads. Patterns
//! of views without a gap are looked up first, since only they can cut a move. An automaton leaves
//! out repeated moves ([`unriddle_search::automaton`]).
//!
//! **Proof.** With a known solution the iteration of its own length is left out.
//!
//! Reference: R. E. Korf and A. Felner, "Disjoint pattern database heuristics" (Artificial
//! Intelligence 134, 2002), for disjoint patterns, mirror images and the fifty instances;
//! R. Clausecker and A. Reinefeld, "Zero-aware pattern databases with 1-bit compression for sliding
//! tile puzzles" (SoCS 2019), for regions and single bits, and the partitions.

mod engine;
mod node;
mod partitions;
mod setup;

use crate::{Board, Slide, Tiles};
use engine::{Engine, Slice};
use node::Node;
use setup::Setup;
use std::sync::Arc;
use unriddle_core::{
    Info, Observer, Options, Outcome, Progress, Puzzle, Quota, Role, Search, Solution, Stats,
    options,
};
use unriddle_tables::{Cache, TableError, cache::Build};

pub(crate) use partitions::SIDE;

/// Declaration that `describe tiles-optimal` shows.
pub const INFO: Info = Info {
    guarantee: "optimal",
    requires: "tiles of side 5 with the goal blank-last or blank-first; 350 MB",
    reference: "Korf and Felner 2002; Clausecker and Reinefeld 2019",
    parameters: OptimalConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "tiles-optimal",
        "the fewest moves of the 24-puzzle by seven partitions of the tiles, in tables of 340 MB",
    )
};

options! {
    /// Parameters of the search.
    #[derive(Copy)]
    pub struct OptimalConfig of INFO {
        partitions: usize = "7" in 1..=7, "partitions of the tiles, each in two views";
        depth: usize = "12" in 2..=18, "most actions of a sequence that the automaton leaves out";
    }
}

/// Builders of the tables of a configuration.
///
/// # Errors
/// A pattern that has no table.
pub(crate) fn tables(config: OptimalConfig) -> Result<Vec<Box<dyn Build>>, TableError> {
    let build = |builder| Box::new(builder) as Box<dyn Build>;
    Ok(setup::tables(config.partitions)?.into_iter().map(build).collect())
}

/// The search.
pub struct Optimal {
    setup: Arc<Setup>,
    engine: Engine,
    start: Node,
    /// By view, half the difference of the start's estimate and its Manhattan distance.
    excesses: Vec<u32>,
    bound: u32,
    /// Whether the tree of the bound has been begun.
    has_begun: bool,
    best: Option<Solution<Slide>>,
    known: Option<Solution<Slide>>,
    outcome: Option<Outcome<Slide>>,
    stats: Stats,
}

impl Optimal {
    /// A search for the fewest moves, with tables from the cache, that begins with a known solution
    /// if there is one.
    ///
    /// # Errors
    /// The tables cannot be had.
    pub fn new<B: Board>(
        puzzle: &Tiles<B>,
        config: OptimalConfig,
        known: Option<Solution<Slide>>,
        cache: &Cache,
    ) -> Result<Self, TableError> {
        let setup = setup::shared(config.partitions, config.depth, cache)?;
        let cells = std::array::from_fn(|cell| {
            // The blank's goal is the last cell.
            let tile = puzzle.initial_state().tile(cell);
            if tile == 0 { partitions::BLANK as u8 } else { tile as u8 - 1 }
        });
        let (start, excesses) = setup.start(&cells)?;
        let most = excesses.iter().max().copied().unwrap_or_default();
        Ok(Self {
            engine: Engine::default(),
            bound: u32::from(start.distance) + 2 * most,
            setup,
            start,
            excesses,
            has_begun: false,
            best: None,
            known,
            outcome: None,
            stats: Stats { evaluated: 1, ..Stats::default() },
        })
    }

    /// Bytes of the tables and of the automaton.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.setup.bytes()
    }

    /// The start with the gaps of the bound.
    fn root(&self) -> Node {
        let mut root = self.start;
        let rises = self.bound.saturating_sub(root.distance.into()) / 2;
        for (gap, excess) in root.gaps.iter_mut().zip(&self.excesses) {
            // No search comes to gaps beyond this.
            *gap = rises.saturating_sub(*excess).min(i8::MAX as u32) as i8;
        }
        root
    }

    fn finish(&mut self) {
        let Some(best) = self.best.clone() else { return };
        self.outcome = Some(Outcome::Solved { proof: true, bound: Some(best.value), best });
    }
}

impl Search for Optimal {
    type Action = Slide;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Slide>) -> Progress<Slide> {
        if let Some(known) = self.known.take() {
            observer.improved(&known, &self.stats);
            self.best = Some(known);
        }
        while self.outcome.is_none() {
            if !self.has_begun {
                observer.bound(self.bound.into(), &self.stats);
                if self.best.as_ref().is_some_and(|best| best.value <= self.bound.into()) {
                    self.finish();
                    break;
                }
                self.engine.begin(self.root());
                self.has_begun = true;
            }
            let slice = self.engine.run(&self.setup, quota, &mut self.stats);
            self.stats.peak_bytes = self.stats.peak_bytes.max(self.engine.bytes());
            match slice {
                Slice::Paused if self.engine.bytes() > quota.bytes => return Progress::OutOfMemory,
                Slice::Paused => return Progress::Running,
                Slice::Done => {
                    self.bound += 2;
                    self.has_begun = false;
                }
                Slice::Goal(actions) => {
                    let value = actions.len() as i64;
                    let best = Solution { actions, value };
                    observer.improved(&best, &self.stats);
                    self.best = Some(best);
                    self.finish();
                }
            }
        }
        match &self.outcome {
            Some(outcome) => Progress::Finished(outcome.clone()),
            None => Progress::Running,
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<Slide>> {
        self.best.as_ref()
    }

    fn bound(&self) -> Option<i64> {
        Some(self.bound.into())
    }
}
