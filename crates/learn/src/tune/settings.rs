//! Options of the optimiser of a run.

use unriddle_evolve::{CmaEsConfig, CrossEntropyConfig, Direction};

/// Options of the optimiser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Settings {
    /// Options of the Cross-Entropy Method, or of random guessing.
    CrossEntropy(CrossEntropyConfig),
    /// Options of the separable evolution strategy.
    CmaEs(CmaEsConfig),
}

impl Settings {
    /// Whether more or less is better.
    #[must_use]
    pub fn direction(&self) -> Direction {
        match self {
            Self::CrossEntropy(config) => config.direction,
            Self::CmaEs(config) => config.direction,
        }
    }

    /// Samples of an iteration.
    #[must_use]
    pub fn samples(&self) -> usize {
        match self {
            Self::CrossEntropy(config) => config.samples,
            Self::CmaEs(config) => config.candidates,
        }
    }
}
