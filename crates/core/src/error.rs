//! Errors of searches.

use thiserror::Error;

/// Error of a search that refused to run, or of a run that broke off.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SearchError {
    /// A state has more than [`MAX_STATE_BYTES`] bytes.
    #[error("a state takes {bytes} bytes; searches accept states of up to {MAX_STATE_BYTES}")]
    StateTooLarge {
        /// Size of a state.
        bytes: usize,
    },
    /// An option of the search is outside its range.
    #[error("{0}")]
    BadOption(String),
    /// The upper bound of a [`Regret`](crate::Regret) rose by more than a reward allows.
    #[error(
        "the upper bound is not consistent: {before} before an action with reward {reward}, {after} after it"
    )]
    InconsistentBound {
        /// Upper bound before the action.
        before: i64,
        /// Reward of the action.
        reward: i64,
        /// Upper bound (or terminal bonus) after it.
        after: i64,
    },
    /// A path became longer or costlier than the search's structures can hold.
    #[error("{0}")]
    TooLarge(String),
    /// A heuristic returned a value that is not a cost.
    #[error("{0}")]
    BadEstimate(String),
}

/// Largest state that a search accepts, in bytes.
pub const MAX_STATE_BYTES: usize = 1024;
