//! What a puzzle declares whose distances networks learn.

use crate::{
    family::Models,
    heuristic::{ErasedHeuristic, Setup},
    instance::SolveError,
    net,
};
use unriddle_core::Learnable;
use unriddle_search::{pairwise::Comparison, qbeam::ActionValues};

/// Estimates of actions, or why there are none.
pub(crate) type OfActions<P> = Result<Box<dyn ActionValues<P>>, SolveError>;
/// Comparisons of states, or why there are none.
pub(crate) type OfPairs<P> = Result<Box<dyn Comparison<P>>, SolveError>;

/// What a puzzle that is [`Learnable`] adds to a [`Goal`](crate::Goal).
///
/// ```ignore
/// const LEARNING: Option<Learning<Self>> = Some(Learning::new(&MODELS));
/// ```
pub struct Learning<P: crate::Goal> {
    /// Networks that come with the puzzle.
    pub models: Models,
    /// Makes the heuristic `net`.
    pub(crate) net: fn(&P, &Setup<'_>) -> Result<ErasedHeuristic<P>, SolveError>,
    /// The same as estimates of actions.
    pub(crate) actions: fn(&P, &Setup<'_>) -> OfActions<P>,
    /// The same as comparisons of states.
    pub(crate) pairs: fn(&P, &Setup<'_>) -> OfPairs<P>,
    /// A beam from both ends that is on a GPU as a whole.
    #[cfg(feature = "cuda")]
    pub(crate) on_gpu: MakeOnGpu<P>,
    /// The instance as training data.
    #[cfg(feature = "training-data")]
    pub(crate) training_data: fn(&P) -> Box<dyn crate::training_data::TrainingData>,
}

impl<P: crate::Goal + Learnable> Learning<P> {
    /// Of a puzzle with networks that come with it.
    #[must_use]
    pub const fn new(models: Models) -> Self {
        Self {
            models,
            net: net::load::<P>,
            actions: net::load_actions::<P>,
            pairs: net::load_pairs::<P>,
            #[cfg(feature = "cuda")]
            on_gpu: crate::on_gpu::load::<P>,
            #[cfg(feature = "training-data")]
            training_data: |puzzle| Box::new(crate::training_data::Taught::new(puzzle.clone())),
        }
    }
}

/// See [`crate::on_gpu::load`].
#[cfg(feature = "cuda")]
type MakeOnGpu<P> = for<'p> fn(
    &'p P,
    (unriddle_core::Inverses<P>, u64),
    &Setup<'_>,
) -> Result<
    Option<crate::on_gpu::OnGpu<'p, <P as unriddle_core::Puzzle>::Action>>,
    SolveError,
>;
