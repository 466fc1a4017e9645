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
    /// The estimates of a heuristic that claims to be consistent fall along an action by more than
    /// its cost.
    #[error(
        "the heuristic is not consistent, as it claims to be: it estimates {} before an action of cost {}, and {} after it ({}); correct the heuristic, or declare a weaker guarantee",
        .0.before, .0.cost, .0.after, .0.edge
    )]
    InconsistentEstimate(Box<InconsistentEdge>),
    /// A solution costs less than it can by the estimates of a heuristic that claims to be
    /// admissible.
    #[error(
        "the heuristic is not admissible, as it claims to be: by its estimates a solution cannot cost less than {bound}, and it costs {value}; correct the heuristic, or declare no guarantee"
    )]
    InadmissibleEstimate {
        /// Lower bound that follows from the estimates: of all solutions, or of the solutions
        /// through one of the states.
        bound: i64,
        /// Cost of the solution.
        value: i64,
    },
    /// A line scores more than the declared upper bound of the start.
    #[error(
        "the upper bound is wrong: no line can score more than {bound} by it, and one scores {value}; correct the bound"
    )]
    ExceededBound {
        /// Upper bound of the start.
        bound: i64,
        /// Score of the line.
        value: i64,
    },
    /// An action of a puzzle with layers does not lead to a lower layer.
    #[error(
        "an action leads from layer {from} to layer {to}: every action of a puzzle with layers leads to a lower layer"
    )]
    RisingLayer {
        /// Layer before the action.
        from: usize,
        /// Layer after it.
        to: usize,
    },
    /// A path became longer or costlier than the search's structures can hold.
    #[error("{0}")]
    TooLarge(String),
    /// A heuristic returned a value that is not a cost.
    #[error("{0}")]
    BadEstimate(String),
    /// A [journal](crate::journal) cannot be read or written, or is of another search.
    #[error("{0}")]
    Journal(String),
}

impl SearchError {
    /// Error of a line whose score does not fit into 64 bits.
    #[must_use]
    pub fn uncountable_score() -> Self {
        Self::TooLarge(
            "a line scores 2^63 or more, or less than -2^63, which searches cannot count; divide the rewards".into(),
        )
    }
}

/// Action along which an estimate falls by more than the cost. The box of it keeps the results of
/// steps small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InconsistentEdge {
    /// Estimate before the action.
    pub before: u32,
    /// Cost of the action.
    pub cost: u32,
    /// Estimate after it.
    pub after: u32,
    /// Path from the start whose last action this is, each action by its index among the legal
    /// actions of its state.
    pub path: Vec<u32>,
    /// The two states and the action as text.
    pub edge: String,
}

/// Largest state that a search accepts, in bytes.
pub const MAX_STATE_BYTES: usize = 1024;
