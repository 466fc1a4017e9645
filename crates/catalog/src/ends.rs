//! What a beam from both ends of the path takes of a puzzle.

use std::sync::Arc;
use unriddle_core::{
    Backward, BatchHeuristic, Cost, Inverses, Invertible, GoalDistances, Puzzle, SearchError,
};
use unriddle_search::{Inner, beam::BeamConfig, bidirectional::BidirectionalBeam};
use unriddle_tables::{Build, Cache, Distance, GoalTable, Table, TableError};

/// Fewest bytes of a table: it holds all states one action from the goal, as searches with it expect.
const LEAST: u64 = 64_000;

/// The inverses of a puzzle's states, exact distances near its goal, and the beam that uses both.
///
/// What they need is compiled for the puzzles that declare them alone.
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
    #[cfg(feature = "cuda")]
    pub(crate) ends: Inverses<P>,
    table: fn(&P, u64) -> Box<dyn Build>,
    near: fn(Arc<Table>) -> Box<dyn GoalDistances<P>>,
    beam: MakeBeam<P>,
}

/// See [`BothEnds::beam`].
type MakeBeam<P> = for<'a> fn(
    (&'a P, &'a dyn BatchHeuristic<P>),
    (Option<&'a dyn GoalDistances<P>>, usize),
    BeamConfig,
    Option<Cost>,
) -> Result<Inner<'a, <P as Puzzle>::Action>, SearchError>;

impl<P: Puzzle> Clone for BothEnds<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Puzzle> Copy for BothEnds<P> {}

impl<P: Invertible + Backward + Clone> BothEnds<P> {
    /// Those of a puzzle whose states have inverses.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            #[cfg(feature = "cuda")]
            ends: Inverses::new(),
            table: |puzzle, bytes| Box::new(GoalTable::new(puzzle, Inverses::new(), bytes)),
            near: |table| Box::new(Distance::new(Inverses::new(), table)),
            beam: |(puzzle, h), (near, threads), config, below| {
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
    /// The table of exact distances near the goal in a number of bytes, or in [`LEAST`], to be built; none in 0 bytes.
    pub(crate) fn table(&self, puzzle: &P, bytes: u64) -> Option<Box<dyn Build>> {
        (bytes > 0).then(|| (self.table)(puzzle, bytes.max(LEAST)))
    }

    /// The distances, from the cache or built now.
    pub(crate) fn near(
        &self,
        puzzle: &P,
        bytes: u64,
        cache: &Cache,
    ) -> Result<Option<Box<dyn GoalDistances<P>>>, TableError> {
        let table = self.table(puzzle, bytes);
        let table = table.map(|table| cache.get(&*table)).transpose()?;
        Ok(table.map(self.near))
    }

    /// A beam that takes distances near the goal, if they are given, and on up to `threads` threads seeks what costs less than `below`.
    ///
    /// # Errors
    /// As [`BidirectionalBeam::new`].
    pub(crate) fn beam<'a>(
        &self,
        of: (&'a P, &'a dyn BatchHeuristic<P>),
        (near, threads): (Option<&'a dyn GoalDistances<P>>, usize),
        config: BeamConfig,
        below: Option<Cost>,
    ) -> Result<Inner<'a, P::Action>, SearchError> {
        (self.beam)(of, (near, threads), config, below)
    }
}
