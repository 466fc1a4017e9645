//! The states of an instance behind numbers, with the claims of its declared heuristics and upper
//! bounds. Conformance suites test the claims of any puzzle by them.

use super::values::{Request, SolveError};
use std::sync::Arc;
use unriddle_core::Guarantee;

/// States of an instance, numbered in the order in which they are reached; the initial state has
/// number 0.
pub trait Claims: Send + Sync {
    /// Number of legal actions of a state.
    fn actions(&self, state: u32) -> u16;

    /// The state after the legal action with an index below [`actions`](Self::actions).
    fn apply(&self, state: u32, action: u16) -> u32;

    /// Cost of the action, or its reward.
    fn worth(&self, state: u32, action: u16) -> i64;

    /// Whether a path may end at the state: at a goal, or where no action is left.
    fn is_end(&self, state: u32) -> bool;

    /// Bonus of a score puzzle at an end.
    fn bonus(&self, state: u32) -> i64;

    /// The state in the puzzle's notation.
    fn text(&self, state: u32) -> String;

    /// The states along a solution, the initial state included; empty for an unreadable solution.
    fn along(&self, solution: &str) -> Vec<u32>;

    /// The claim of a declared heuristic or upper bound, whose spec is the request's.
    ///
    /// # Errors
    /// A spec that does not fit the instance, or an unavailable table.
    fn claim(self: Arc<Self>, request: &Request<'_>) -> Result<Box<dyn Claim>, SolveError>;
}

/// Estimates of the states of an instance, with their guarantee.
pub trait Claim: Send + Sync {
    /// Guarantee of a heuristic. An upper bound always claims to be consistent.
    fn guarantee(&self) -> Guarantee;

    /// The estimate of a state: infinity for a proved dead end.
    fn estimate(&self, state: u32) -> f64;
}
