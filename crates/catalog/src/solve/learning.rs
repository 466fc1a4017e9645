//! The function table of a puzzle whose distances networks learn.

use super::net;
use crate::{
    declare::{goal::Goal, learning::Learning},
    interface::values::Models,
};
use unriddle_core::Learnable;

impl<P: Goal + Learnable> Learning<P> {
    /// The declaration of a puzzle with the networks that are part of the program.
    #[must_use]
    pub const fn new(models: Models) -> Self {
        Self {
            models,
            net: net::load::<P>,
            actions: net::load_actions::<P>,
            pairs: net::load_pairs::<P>,
            #[cfg(feature = "cuda")]
            on_gpu: super::on_gpu::load::<P>,
            #[cfg(feature = "training-data")]
            training_data: |puzzle| {
                Box::new(super::training_data::instances::PuzzleData::new(puzzle.clone()))
            },
        }
    }
}
