//! Declarations of heuristics, and type-erased heuristics (boxed trait objects).
//!
//! A heuristic's concrete type is known only where it is made. IDA* is compiled for it there,
//! behind [`EachState::ida_star`]. All other searches take it boxed: searches that estimate many
//! states at a time as a [`BatchHeuristic`], searches that follow paths as a [`PathHeuristic`].

use super::{
    listed::{Costs, DeclaredPuzzle},
    solver::Runner,
};
use crate::{
    bind::Bound,
    interface::{
        pending::PendingSolve,
        values::{Request, SolveError},
    },
};
use std::cell::RefCell;
use unriddle_core::{
    BatchHeuristic, Cost, GoalPuzzle, Guarantee, Heuristic, Info, Puzzle, Solution,
};
use unriddle_search::{idastar::IdaStarConfig, memos::PathHeuristic};
use unriddle_tables::{Cache, cache::Build};

/// The tables that a heuristic needs, to be built or opened.
pub type Tables = Result<Vec<Box<dyn Build>>, SolveError>;

/// A heuristic of a puzzle: its declaration and its constructor.
pub struct HeuristicOf<P: GoalPuzzle> {
    /// Its declaration.
    pub info: &'static Info,
    /// Makes it for an instance.
    pub make: fn(&P, &Setup<'_>) -> Result<ErasedHeuristic<P>, SolveError>,
    /// Its tables, for building in advance: for an instance, or, without one, for the puzzle with
    /// default parameters.
    pub tables: fn(Option<&P>, &Bound<'_>) -> Tables,
}

impl<P: GoalPuzzle> HeuristicOf<P> {
    /// A heuristic without tables.
    pub const fn new(
        info: &'static Info,
        make: fn(&P, &Setup<'_>) -> Result<ErasedHeuristic<P>, SolveError>,
    ) -> Self {
        Self { info, make, tables: |_, _| Ok(Vec::new()) }
    }
}

/// Arguments of a heuristic's constructor.
pub struct Setup<'a> {
    /// Its parameters.
    pub given: &'a Bound<'a>,
    /// The request to solve the instance.
    pub request: &'a Request<'a>,
    /// The networks that were loaded so far, each as its file and the hash of the bytes that were
    /// read.
    pub(crate) networks: &'a RefCell<Vec<String>>,
}

impl Setup<'_> {
    /// Source of tables.
    #[must_use]
    pub fn cache(&self) -> &Cache {
        self.request.cache
    }
}

/// Type-erased heuristic (boxed trait object).
pub enum ErasedHeuristic<P: GoalPuzzle> {
    /// A heuristic that estimates one state at a time.
    Each(Box<dyn EachState<P>>),
    /// A heuristic that estimates only many states at a time, such as a network.
    Batch(Box<dyn BatchHeuristic<P>>),
}

impl<P: GoalPuzzle> ErasedHeuristic<P> {
    /// A heuristic that estimates one state at a time.
    pub fn each(heuristic: impl Heuristic<P>) -> Self {
        Self::Each(Box::new(heuristic))
    }

    /// The heuristic for a search that estimates one state at a time.
    ///
    /// # Errors
    /// The heuristic estimates only many states at a time.
    pub(crate) fn into_each(self, name: &str) -> Result<Box<dyn EachState<P>>, SolveError> {
        match self {
            Self::Each(heuristic) => Ok(heuristic),
            Self::Batch(_) => Err(SolveError::Unsupported(format!(
                "`{name}` estimates many states at a time: use it with astar, greedy, bwas, beam or \
                 staged, which do so"
            ))),
        }
    }

    /// The heuristic for a search that estimates many states at a time.
    pub(crate) fn into_batch(self) -> Box<dyn BatchHeuristic<P>> {
        match self {
            Self::Each(heuristic) => heuristic.into_batch(),
            Self::Batch(heuristic) => heuristic,
        }
    }
}

/// Type-erased heuristic that estimates one state at a time. Implemented for every [`Heuristic`].
///
/// ```
/// use unriddle_catalog::heuristic::EachState;
/// use unriddle_core::{Estimate, Guarantee, Puzzle};
/// use unriddle_hanoi::{Hanoi, misplaced};
///
/// let puzzle = Hanoi::parse("1 1 3", 3)?;
/// let estimate = Estimate::new(Guarantee::Consistent, misplaced);
/// let estimate: Box<dyn EachState<Hanoi>> = Box::new(estimate);
/// assert_eq!(estimate.estimate(&puzzle, &puzzle.initial_state()), Some(2));
/// # Ok::<(), unriddle_core::ParseError>(())
/// ```
pub trait EachState<P: GoalPuzzle>: PathHeuristic<P> {
    /// Its guarantee.
    fn guarantee(&self) -> Guarantee;
    /// The estimate of a state from scratch.
    fn estimate(&self, puzzle: &P, state: &P::State) -> Option<Cost>;
    /// Size of its tables and memos in memory, in bytes.
    fn bytes(&self) -> u64;
    /// The same heuristic for many states at a time.
    fn into_batch(self: Box<Self>) -> Box<dyn BatchHeuristic<P>>;
    /// Runs IDA*, which is compiled for its type, with a solution that is known already.
    ///
    /// # Errors
    /// The search refused or failed.
    fn ida_star<'s, 'a: 's>(
        &'s self,
        run: Runner<'a, P, Costs>,
        config: IdaStarConfig,
        known: Option<Solution<<P as Puzzle>::Action>>,
    ) -> PendingSolve<'s>
    where
        P: DeclaredPuzzle<Costs, Action = <P as Puzzle>::Action>;
}
