//! The declaration and the options of the search for short solutions.

use super::weights::Weights;
use unriddle_core::{Domain, Info, Parameter, Role, SearchError};

/// Largest width.
pub const MAX_WIDTH: usize = 1 << 24;

/// Most places of the best solution from which its rest is searched for again.
pub const MAX_CUTS: u32 = 1000;

/// What `describe fc-short` shows.
pub const INFO: Info = Info {
    name: "fc-short",
    role: Role::Search,
    version: 1,
    summary: "short solutions of FreeCell: beams of growing width over the moves that are not home",
    guarantee: "near-optimal; optimal or unsolvable is reported only where proved",
    requires: "FreeCell; memory for the widest beam",
    reference: "Zhou and Hansen 2006 (layers); Paul and Helmert 2016 (bound)",
    parameters: &[
        Parameter::named(
            "first",
            Domain::Integer {
                min: 1,
                max: MAX_WIDTH as u64,
            },
            "1024",
            "states kept of each layer in the first pass",
        ),
        Parameter::named(
            "last",
            Domain::Integer {
                min: 1,
                max: MAX_WIDTH as u64,
            },
            "4096",
            "states kept of each layer in the last pass",
        ),
        Parameter::named(
            "growth",
            Domain::Integer { min: 2, max: 1024 },
            "4",
            "by how much the width grows from pass to pass",
        ),
        Parameter::named(
            "max_depth",
            Domain::Integer { min: 1, max: 65535 },
            "400",
            "moves that are not home of the longest solution considered",
        ),
    ],
};

/// Options of [`Short`](super::Short).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortConfig {
    /// States kept of each layer in the first pass, 1 to [`MAX_WIDTH`].
    pub first: usize,
    /// States kept of each layer in the last pass, at least as many.
    pub last: usize,
    /// By how much the width grows from pass to pass, at least 2.
    pub growth: usize,
    /// Moves that are not home of the longest solution considered, 1 to 65535.
    pub max_depth: u32,
    /// Places of the best solution from which its rest is searched for again, up to [`MAX_CUTS`].
    pub cuts: u32,
    /// What a layer is ordered by.
    pub weights: Weights,
}

impl Default for ShortConfig {
    fn default() -> Self {
        Self {
            first: 1024,
            last: 4096,
            growth: 4,
            max_depth: 400,
            cuts: 0,
            weights: Weights::default(),
        }
    }
}

impl ShortConfig {
    /// Checks the bounds.
    ///
    /// # Errors
    /// [`SearchError::BadOption`].
    pub fn validate(&self) -> Result<(), SearchError> {
        let bad = |message: String| Err(SearchError::BadOption(message));
        if !(1..=MAX_WIDTH).contains(&self.first) {
            return bad(format!(
                "fc-short: first is {}, but must be between 1 and {MAX_WIDTH}",
                self.first
            ));
        }
        if !(self.first..=MAX_WIDTH).contains(&self.last) {
            return bad(format!(
                "fc-short: last is {}, but must be between first ({}) and {MAX_WIDTH}",
                self.last, self.first
            ));
        }
        if self.growth < 2 {
            return bad(format!(
                "fc-short: growth is {}, but must be at least 2",
                self.growth
            ));
        }
        if !(1..=65535).contains(&self.max_depth) {
            return bad(format!(
                "fc-short: max_depth is {}, but must be between 1 and 65535",
                self.max_depth
            ));
        }
        if self.cuts > MAX_CUTS {
            return bad(format!(
                "fc-short: cuts is {}, but must be at most {MAX_CUTS}",
                self.cuts
            ));
        }
        Ok(())
    }
}
