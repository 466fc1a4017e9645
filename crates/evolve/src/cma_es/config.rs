//! Options of the separable CMA-ES; the defaults are from Ros and Hansen (2008).

use super::KIND;
use crate::{
    checkpoint::DirectionText,
    config::MAX_POPULATION,
    error::{EvolveError, within},
};
use serde::{Deserialize, Serialize};
use unriddle_core::Direction;

/// Weights of the parents, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recombination {
    /// Equal weights.
    Equal,
    /// Weights that fall with the logarithm of the rank: `ln(μ + 1) − ln i` for the `i`-th of `μ`
    /// parents.
    Log,
}

/// Options of [`CmaEs`](super::CmaEs).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CmaEsConfig {
    /// Candidates of a generation, 2 to [`MAX_POPULATION`]; even with mirrored pairs.
    pub candidates: usize,
    /// Best candidates that give the new mean, 1 to half of the candidates.
    pub parents: usize,
    /// Weights of the parents.
    pub weights: Recombination,
    /// Whether the candidates are pairs on opposite sides of the mean.
    pub mirrored: bool,
    /// Share of the finished generations, the last ones, whose means
    /// [`CmaEs::centre`](super::CmaEs::centre) averages, 0 (only the current mean) to 1.
    pub average: f64,
    /// Whether smaller or larger fitness is better.
    #[serde(with = "DirectionText")]
    pub direction: Direction,
}

impl CmaEsConfig {
    /// The defaults of Ros and Hansen for `dimensions` dimensions: `4 + ⌊3 ln n⌋` candidates, half
    /// of them parents, logarithmic weights, no pairs. The answer averages the last 40 % of the
    /// means. A noisy fitness benefits from more candidates.
    #[must_use]
    pub fn for_dimensions(dimensions: usize) -> Self {
        let candidates = 4 + (3.0 * (dimensions.max(1) as f64).ln()) as usize;
        Self {
            candidates,
            parents: candidates / 2,
            weights: Recombination::Log,
            mirrored: false,
            average: 0.4,
            direction: Direction::Maximise,
        }
    }

    /// Checks the bounds.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`].
    pub fn validate(&self) -> Result<(), EvolveError> {
        within(KIND, "candidates", &self.candidates, &2, &MAX_POPULATION)?;
        if self.mirrored && !self.candidates.is_multiple_of(2) {
            return Err(EvolveError::BadOption(format!(
                "{KIND}: candidates is {}, but must be even with mirrored pairs",
                self.candidates
            )));
        }
        within(KIND, "parents", &self.parents, &1, &(self.candidates / 2))?;
        within(KIND, "average", &self.average, &0.0, &1.0)
    }

    /// Number of independent draws of a generation.
    pub(super) fn draws(&self) -> usize {
        if self.mirrored { self.candidates / 2 } else { self.candidates }
    }
}
