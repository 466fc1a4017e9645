//! Declaration of a puzzle whose distances networks learn.

use super::heuristic::{ErasedHeuristic, Setup};
use crate::interface::values::{Models, SolveError};
use unriddle_core::GoalPuzzle;
use unriddle_search::{pairwise::Comparison, qbeam::ActionValues};
use unriddle_tables::{Cache, TableError};

/// Constructor of a value from the network of a spec.
pub(crate) type FromNetwork<P, T> = fn(&P, &Setup<'_>) -> Result<T, SolveError>;

/// Opens or builds the tables that an input of a puzzle reads.
pub type OpenTables<P> = fn(&P, usize, &Cache) -> Result<(), TableError>;

/// The part of a [`Goal`](crate::Goal)'s declaration that only a
/// [`Learnable`](unriddle_core::Learnable) puzzle has.
///
/// This is a table of function pointers, because its functions are compiled for puzzles with the
/// bound `Learnable`, and the solver of all goal puzzles calls them without that bound: Rust cannot
/// choose an implementation by a bound that a type may or may not satisfy.
///
/// ```ignore
/// const LEARNING: Option<Learning<Self>> = Some(Learning::new(&MODELS));
/// ```
pub struct Learning<P: GoalPuzzle> {
    /// Networks that are part of the program.
    pub models: Models,
    /// Opens the tables of the input of a number.
    pub(crate) open_tables: OpenTables<P>,
    /// Makes the heuristic `net`.
    pub(crate) net: FromNetwork<P, ErasedHeuristic<P>>,
    /// Makes estimates of actions.
    pub(crate) actions: FromNetwork<P, Box<dyn ActionValues<P>>>,
    /// Makes comparisons of states.
    pub(crate) pairs: FromNetwork<P, Box<dyn Comparison<P>>>,
    /// The functions of a puzzle whose states are rows.
    #[cfg(feature = "arrays")]
    pub(crate) arrays: Option<ArraysOf<P>>,
    /// Makes bidirectional beams that run entirely on the GPU.
    #[cfg(feature = "cuda")]
    pub(crate) on_gpu: MakeOnGpu<P>,
    /// The instance as training data.
    #[cfg(feature = "training-data")]
    pub(crate) training_data:
        fn(&P) -> Box<dyn crate::interface::instance::training_data::TrainingData>,
}

/// Functions of a puzzle whose states are [rows](unriddle_core::Rows).
#[cfg(feature = "arrays")]
pub(crate) struct ArraysOf<P: GoalPuzzle> {
    /// The instance's states as arrays.
    pub(crate) arrays: fn(&P) -> Box<dyn crate::interface::arrays::Arrays>,
    /// Makes estimates of states by the function of a request.
    pub(crate) heuristic: FromNetwork<P, ErasedHeuristic<P>>,
    /// Makes estimates of actions by the function of a request.
    pub(crate) actions: FromNetwork<P, Box<dyn ActionValues<P>>>,
    /// Makes beams on ranks.
    #[cfg(feature = "ranks")]
    pub(crate) spread: SpreadOf<P>,
}

/// Makes the beam of a setup on ranks, whose states are rows.
#[cfg(feature = "ranks")]
pub(crate) type SpreadOf<P> = for<'a> fn(
    super::ends::BeamSetup<'a, P>,
    Option<unriddle_core::Inverses<P>>,
    &'a dyn unriddle_core::ranks::Ranks,
) -> Result<
    unriddle_search::Inner<'a, <P as unriddle_core::Puzzle>::Action>,
    unriddle_core::SearchError,
>;

/// Makes the constructor of beams, or `None` where the GPU only estimates.
#[cfg(feature = "cuda")]
type MakeOnGpu<P> = for<'p> fn(
    &'p P,
    unriddle_core::Inverses<P>,
    u64,
    &Setup<'_>,
) -> Result<Option<super::ends::MakeBeam<'p, P>>, SolveError>;
