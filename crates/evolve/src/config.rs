//! Options of the genetic algorithm; the defaults are from GA-FreeCell (3.3.2).

use crate::{
    checkpoint::DirectionText,
    error::{EvolveError, within},
    select::Selection,
};
use serde::{Deserialize, Serialize};
use unriddle_core::Direction;

/// Largest population.
pub const MAX_POPULATION: usize = 1 << 20;

/// Options of [`Ga`](crate::Ga).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GaConfig {
    /// Individuals of a generation, 2 to [`MAX_POPULATION`].
    pub population: usize,
    /// Probability that the operator is reproduction; the three add up to 1.
    pub reproduction: f64,
    /// Probability that the operator is crossover.
    pub crossover: f64,
    /// Probability that the operator is mutation.
    pub mutation: f64,
    /// Best individuals that are carried over unchanged, less than the population.
    pub elite: usize,
    /// Selection of parents.
    pub selection: Selection,
    /// Whether smaller or larger fitness is better.
    #[serde(with = "DirectionText")]
    pub direction: Direction,
}

impl Default for GaConfig {
    fn default() -> Self {
        Self {
            population: 50,
            reproduction: 0.2,
            crossover: 0.7,
            mutation: 0.1,
            elite: 1,
            selection: Selection::Proportionate,
            direction: Direction::Maximise,
        }
    }
}

impl GaConfig {
    /// Checks the bounds.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`].
    pub fn validate(&self) -> Result<(), EvolveError> {
        within("ga", "population", &self.population, &2, &MAX_POPULATION)?;
        within("ga", "elite", &self.elite, &0, &(self.population - 1))?;
        within("ga", "reproduction", &self.reproduction, &0.0, &1.0)?;
        within("ga", "crossover", &self.crossover, &0.0, &1.0)?;
        within("ga", "mutation", &self.mutation, &0.0, &1.0)?;
        let sum = self.rates();
        if (sum - 1.0).abs() > 1e-9 {
            return Err(EvolveError::BadOption(format!(
                "ga: reproduction, crossover and mutation add up to {sum}, but must add up to 1"
            )));
        }
        self.selection.validate()
    }

    /// The sum of the rates: 1, except for rounding.
    pub(crate) fn rates(&self) -> f64 {
        self.reproduction + self.crossover + self.mutation
    }
}
