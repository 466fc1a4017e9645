//! The function table of a puzzle whose distances networks learn.

use super::net;
use crate::{
    declare::{
        goal::Goal,
        learning::{Learning, OpenTables},
    },
    interface::values::Models,
};
use unriddle_core::{Learnable, Rows};

impl<P: Goal + Learnable> Learning<P> {
    /// The declaration of a puzzle with the networks that are part of the program.
    #[must_use]
    pub const fn new(models: Models) -> Self {
        Self {
            models,
            open_tables: |_, _, _| Ok(()),
            net: net::load::<P>,
            actions: net::load_actions::<P>,
            pairs: net::load_pairs::<P>,
            #[cfg(feature = "arrays")]
            arrays: None,
            #[cfg(feature = "cuda")]
            on_gpu: super::on_gpu::load::<P>,
            #[cfg(feature = "training-data")]
            training_data: |puzzle| {
                Box::new(super::training_data::instances::PuzzleData::new(puzzle.clone()))
            },
        }
    }

    /// The declaration of a puzzle with an input that reads tables. The function is called before
    /// an instance is seen by an input, so that the tables come from the cache of the program.
    #[must_use]
    pub const fn with_tables(mut self, open_tables: OpenTables<P>) -> Self {
        self.open_tables = open_tables;
        self
    }

    /// The declaration of a puzzle whose states are rows of bytes.
    #[must_use]
    #[cfg_attr(not(feature = "arrays"), allow(unused_mut))]
    pub const fn with_rows(mut self) -> Self
    where
        P: Rows,
    {
        #[cfg(feature = "arrays")]
        {
            self.arrays = Some(super::arrays::functions::<P>());
        }
        self
    }
}
