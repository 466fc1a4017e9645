//! Function table through which the bidirectional beam uses a puzzle.

use std::{sync::Arc, time::Duration};
use unriddle_core::{
    Backward, BatchHeuristic, Cost, GoalDistances, Inverses, Invertible, Puzzle, SearchError,
};
use unriddle_search::{Inner, beam::BeamConfig, bidirectional::BidirectionalBeam};
use unriddle_tables::{Build, Cache, Distance, GoalTable, Table, TableError};

/// Minimum size of a goal table in bytes: it contains all states one action from the goal, as
/// searches with it expect.
const LEAST: u64 = 64_000;

/// Constructor of a beam with a configuration that seeks solutions of a cost below a bound.
#[cfg(feature = "cuda")]
pub(crate) type MakeBeam<'p, P> = Box<
    dyn Fn(BeamConfig, Option<Cost>) -> Result<Inner<'p, <P as Puzzle>::Action>, SearchError> + 'p,
>;

/// The inverses of a puzzle's states, its goal table, and the beam that uses both.
///
/// This is a table of function pointers, because its functions are compiled only for puzzles with
/// the bounds [`Invertible`] and [`Backward`], and the solver of all goal puzzles calls them
/// without these bounds.
///
/// ```
/// # use unriddle_core::{Backward, GoalPuzzle, Invertible, Reversible};
/// use unriddle_catalog::ends::BothEnds;
///
/// fn both_ends<P: Invertible + Backward + Clone>() -> Option<BothEnds<P>> {
///     Some(BothEnds::new())
/// }
/// ```
pub struct BothEnds<P: Puzzle> {
    /// The inverses.
    #[cfg(any(feature = "cuda", feature = "ranks"))]
    pub(crate) ends: Inverses<P>,
    table: fn(&P, u64) -> Box<dyn Build>,
    near: fn(Arc<Table>) -> Box<dyn GoalDistances<P>>,
    beam: BeamOfSetup<P>,
}

/// Makes the bidirectional beam of a puzzle.
type BeamOfSetup<P> =
    for<'a> fn(BeamSetup<'a, P>) -> Result<Inner<'a, <P as Puzzle>::Action>, SearchError>;

/// Arguments of a bidirectional beam.
pub(crate) struct BeamSetup<'a, P: Puzzle> {
    pub(crate) puzzle: &'a P,
    pub(crate) h: &'a dyn BatchHeuristic<P>,
    /// Exact distances near the goal, if they are used.
    pub(crate) near: Option<&'a dyn GoalDistances<P>>,
    /// Maximum number of threads.
    pub(crate) threads: usize,
    pub(crate) config: BeamConfig,
    /// Bound below which the cost of a solution must be.
    pub(crate) below: Option<Cost>,
}

impl<P: Puzzle> Clone for BothEnds<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Puzzle> Copy for BothEnds<P> {}

impl<P: Invertible + Backward + Clone> BothEnds<P> {
    /// The table of a puzzle whose states have inverses.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            #[cfg(any(feature = "cuda", feature = "ranks"))]
            ends: Inverses::new(),
            table: |puzzle, bytes| Box::new(GoalTable::new(puzzle, Inverses::new(), bytes)),
            near: |table| Box::new(Distance::new(Inverses::new(), table)),
            beam: |BeamSetup { puzzle, h, near, threads, config, below }| {
                let search = BidirectionalBeam::new(puzzle, h, Inverses::new(), config)?;
                let search = search.with_goal_table(near).with_threads(threads);
                Ok(Box::new(search.below(below)))
            },
        }
    }
}

impl<P: Invertible + Backward + Clone> Default for BothEnds<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Puzzle> BothEnds<P> {
    /// The goal table of `bytes` bytes, or of the minimum size, to be built; `None` for 0 bytes.
    pub(crate) fn table(&self, puzzle: &P, bytes: u64) -> Option<Box<dyn Build>> {
        (bytes > 0).then(|| (self.table)(puzzle, bytes.max(LEAST)))
    }

    /// The goal table, from the cache or built now. With a `limit` the search does without a table
    /// whose build would take longer.
    pub(crate) fn near(
        &self,
        puzzle: &P,
        bytes: u64,
        cache: &Cache,
        limit: Option<Duration>,
    ) -> Result<Option<Box<dyn GoalDistances<P>>>, TableError> {
        let Some(table) = self.table(puzzle, bytes) else { return Ok(None) };
        let table = match limit {
            None => Some(cache.get(&*table)?),
            Some(limit) => cache.get_soon(&*table, limit)?,
        };
        Ok(table.map(self.near))
    }

    /// A bidirectional beam.
    ///
    /// # Errors
    /// Errors of [`BidirectionalBeam::new`].
    pub(crate) fn beam<'a>(
        &self,
        setup: BeamSetup<'a, P>,
    ) -> Result<Inner<'a, P::Action>, SearchError> {
        (self.beam)(setup)
    }
}
