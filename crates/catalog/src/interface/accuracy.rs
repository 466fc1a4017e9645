//! Estimates of heuristics beside the exact distances of all states.

use super::values::{Request, SolveError};
use crate::spec::Spec;
use serde::Serialize;

/// Question for the [`Accuracy`] of heuristics on an instance.
pub struct Comparison<'a> {
    /// The heuristics.
    pub heuristics: &'a [Spec],
    /// Maximum number of states that are enumerated.
    pub states: u64,
    /// Numbers of states that are drawn to calibrate an offset, with the request's seed.
    pub drawn: &'a [u64],
    /// Tables, networks, seed and the cancel flag.
    pub request: &'a Request<'a>,
    /// Called with the name of each step: `states`, and then each heuristic.
    pub step: &'a dyn Fn(&str),
}

/// Estimates of a heuristic, and the exact distances, of all states that can be reached from an
/// instance. Goals are left out: searches know that their distance is 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Accuracy {
    /// The heuristic.
    pub heuristic: String,
    /// Number of states with a path to a goal, without the goals.
    pub states: u64,
    /// Number of states from which no goal can be reached. They are not compared.
    pub lost: u64,
    /// Number of states with a path to a goal that the heuristic takes for dead ends. Each is
    /// overestimated, and left out of means and of the largest error.
    pub pruned: u64,
    /// The states by their distance, ascending.
    pub distances: Vec<AtDistance>,
    /// All states, with an offset that is subtracted from every estimate: none, then one for each
    /// number of drawn states, then the least that overestimates no state.
    pub offsets: Vec<AtOffset>,
}

/// The states at one distance from a goal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AtDistance {
    /// Cost of a cheapest path to a goal.
    pub distance: i64,
    /// Number of states.
    pub states: u64,
    /// Mean of the estimates.
    pub mean: f64,
    /// Estimates beside the distances.
    #[serde(flatten)]
    pub errors: Errors,
}

/// All states, with an offset subtracted from every estimate. Estimates do not fall below 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AtOffset {
    /// Number of drawn states of which the offset is the largest overestimate.
    pub drawn: Option<u64>,
    /// The offset.
    pub offset: f64,
    /// Estimates beside the distances.
    #[serde(flatten)]
    pub errors: Errors,
}

/// Errors of estimates: estimate less distance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Errors {
    /// Number of states whose estimate is larger than the distance.
    pub overestimated: u64,
    /// Number of states whose estimate is larger by more than 1.
    pub by_more_than_one: u64,
    /// Smallest error.
    pub smallest: f64,
    /// Largest error.
    pub largest: f64,
    /// Mean error.
    pub mean_error: f64,
}

/// The error of a puzzle whose states have no distances.
pub(crate) fn unsupported() -> SolveError {
    let message = "estimates are compared with distances, and this puzzle has no costs to a goal";
    SolveError::Unsupported(message.to_owned())
}
