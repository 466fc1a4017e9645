//! Errors of optimisers.

use thiserror::Error;
use unriddle_core::SpaceError;

/// Largest absolute value of a fitness: sums and squares over a generation stay finite.
pub const MAX_FITNESS: f64 = 1e150;
/// Largest effort of a trial.
pub const MAX_EFFORT: f64 = 1e100;
/// Smallest effort of the baseline. A reduction is a share of the baseline's effort.
pub const MIN_BASELINE: f64 = 1e-9;

/// The version of the checkpoint format that is written.
pub const VERSION: u32 = 1;

/// Error of a checkpoint that is read or written.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CheckpointError {
    /// A later version of the program wrote it.
    #[error("the checkpoint has version {found}; this program reads versions up to {VERSION}")]
    Newer {
        /// Its version.
        found: u32,
    },
    /// It is of another kind of optimiser.
    #[error("the checkpoint is of `{found}`, but `{expected}` was expected")]
    Kind {
        /// The expected kind.
        expected: String,
        /// The kind in the text.
        found: String,
    },
    /// It is not a checkpoint, or not a whole one.
    #[error("the checkpoint is damaged: {0}")]
    Damaged(String),
    /// The state cannot be written: a genome that has no text.
    #[error("the checkpoint cannot be written: {0}")]
    Unwritable(String),
}

/// Error of an optimiser: invalid options or invalid results. The optimiser is unchanged.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum EvolveError {
    /// An option is outside its range.
    #[error("{0}")]
    BadOption(String),
    /// The space, or a genome, is not sound.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The number of results differs from the number of requests.
    #[error("found {found} {what}, but expected {expected}")]
    WrongCount {
        /// The kind of results.
        what: &'static str,
        /// Number of requests.
        expected: usize,
        /// Number of results.
        found: usize,
    },
    /// A fitness that cannot be compared or added up.
    #[error("the fitness of individual {index} is {value}, but must be within ±{MAX_FITNESS:e}")]
    BadFitness {
        /// Its index in the generation.
        index: usize,
        /// The invalid value.
        value: f64,
    },
    /// The effort of a solved trial is not a number that can be compared.
    #[error(
        "the effort of {what} {index} is {value}, but must be between {least:e} and {MAX_EFFORT:e}"
    )]
    BadEffort {
        /// `job`, or `baseline instance`.
        what: &'static str,
        /// Its number.
        index: usize,
        /// The invalid value.
        value: f64,
        /// Smallest effort.
        least: f64,
    },
    /// A checkpoint could not be read or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

/// Checks the number of fitness values of a generation, and each value.
pub(crate) fn check_fitness(fitness: &[f64], asked: usize) -> Result<(), EvolveError> {
    if fitness.len() != asked {
        return Err(EvolveError::WrongCount {
            what: "individuals",
            expected: asked,
            found: fitness.len(),
        });
    }
    match fitness.iter().position(|&x| !is_fitness(x)) {
        None => Ok(()),
        Some(index) => Err(EvolveError::BadFitness { index, value: fitness[index] }),
    }
}

/// Whether it can be compared and added up.
pub(crate) fn is_fitness(x: f64) -> bool {
    x.abs() <= MAX_FITNESS
}

/// Refuses an option that is not within its bounds (both included).
pub(crate) fn within<T: PartialOrd + std::fmt::Display>(
    whose: &str,
    name: &str,
    value: &T,
    least: &T,
    most: &T,
) -> Result<(), EvolveError> {
    if value >= least && value <= most {
        return Ok(());
    }
    Err(EvolveError::BadOption(format!(
        "{whose}: {name} is {value}, but must be between {least} and {most}"
    )))
}
