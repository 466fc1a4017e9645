//! The declaration and the options of the search for short solutions.

use super::weights::{BeamWeights, Weights};
use unriddle_core::{Info, Options, Role, SearchError, options};

/// Largest width.
pub const MAX_WIDTH: usize = 1 << 24;

/// Maximum number of positions of the best solution from which its end is searched again.
pub const MAX_CUTS: u32 = 1000;

/// Declaration for the catalogue.
pub const INFO: Info = Info {
    guarantee: "near-optimal; optimal or unsolvable is reported only where proved",
    requires: "FreeCell; memory for the widest beam",
    reference: "Zhou and Hansen 2006 (layers); Paul and Helmert 2016 (bound)",
    parameters: ShortConfig::PARAMETERS,
    version: 2,
    ..Info::new(
        Role::Search,
        "fc-short",
        "short solutions of FreeCell: beams of growing width over the moves that are not home",
    )
};

options! {
    /// Options of [`Short`](super::Short).
    #[derive(Copy, Eq)]
    pub struct ShortConfig of INFO {
        first: usize = "512" in 1..=MAX_WIDTH, "states kept of each layer in the first pass";
        /// At least as many.
        last: usize = "6144" in 1..=MAX_WIDTH, "states kept of each layer in the last pass";
        growth: usize = "12" in 2..=1024, "by how much the width grows from pass to pass";
        max_depth: u32 = "400" in 1..=65535,
            "moves that are not home of the longest solution considered";
    }
    also {
        /// Number of positions of the best solution from which its end is searched again, up to
        /// [`MAX_CUTS`].
        cuts: u32 = 0;
        /// Weights of the order of a layer of working boards.
        weights: Weights = Weights::default();
        /// Weights of the order of a layer of positions of the fast engine.
        beam_weights: BeamWeights = BeamWeights::default();
    }
}

impl ShortConfig {
    /// Checks the bounds, and that the options go together.
    ///
    /// # Errors
    /// [`SearchError::BadOption`].
    pub fn validate(&self) -> Result<(), SearchError> {
        self.check()?;
        let Self { first, last, cuts, .. } = *self;
        let wrong = |why| Err(SearchError::BadOption(format!("fc-short: {why}")));
        if last < first {
            let range = format!("between first ({first}) and {MAX_WIDTH}");
            return wrong(format!("last is {last}, but must be {range}"));
        }
        if cuts > MAX_CUTS {
            return wrong(format!("cuts is {cuts}, but must be at most {MAX_CUTS}"));
        }
        Ok(())
    }
}
