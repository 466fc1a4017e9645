//! Figures of the states around an instance and its solution: branching, dead ends, the number of
//! optimal solutions.

use super::values::Request;
use serde::Serialize;

/// Question for the [`Structure`] of an instance.
pub struct Inquiry<'a> {
    /// The request to the reference solver; its heuristic guides the count of optimal solutions.
    pub request: &'a Request<'a>,
    /// The solution that was found.
    pub solution: Option<&'a str>,
    /// The optimum, if it is proved.
    pub optimum: Option<i64>,
    /// Maximum number of states that are enumerated for each figure.
    pub states: u64,
    /// Number of random games of a score puzzle.
    pub plays: u64,
}

/// Structure of an instance. A figure that the limit of states does not allow is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Structure {
    /// The choice of actions along the solution.
    pub branching: Option<Branching>,
    /// The actions beside the solution and their ends.
    pub beside: Option<Beside>,
    /// All reachable states, if they are within the limit.
    pub space: Option<Space>,
    /// Number of optimal solutions. Sequences of actions that differ in order count separately,
    /// unless solutions are [sets](Self::are_sets).
    pub optimal_solutions: Option<u64>,
    /// Whether the order of the actions of a solution means nothing.
    #[serde(skip)]
    pub are_sets: bool,
    /// Random games.
    pub random: Option<RandomPlay>,
    /// The optimum, if the enumerated states prove it.
    pub optimum: Option<i64>,
}

/// Legal actions of the states along a solution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Branching {
    /// Mean number of legal actions.
    pub mean: f64,
    /// Smallest number of legal actions.
    pub least: u64,
    /// Largest number of legal actions.
    pub most: u64,
    /// States with one action only, not counting the inverse of the last action.
    pub forced: u64,
}

/// Actions beside the solution: legal where another one was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Beside {
    /// Number of these actions.
    pub actions: u64,
    /// Number of losing actions. From the successor no goal is reachable (goal puzzles), or the
    /// best score is not reachable (score puzzles).
    pub dead: u64,
    /// Number of actions whose end was not found within the limit.
    pub unknown: u64,
}

/// All states that are reachable from the initial state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Space {
    /// Number of states.
    pub states: u64,
    /// Number of goals, or of final states of a score puzzle.
    pub ends: u64,
    /// Number of states from which no goal is reachable; 0 in a score puzzle, where every game
    /// ends.
    pub dead: u64,
}

/// Scores of random games, in which all legal actions have the same probability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RandomPlay {
    /// Number of games.
    pub games: u64,
    /// Their mean score.
    pub mean: f64,
    /// The lowest score.
    pub least: i64,
    /// The median: half of the games score this or less.
    pub median: i64,
    /// The highest score.
    pub most: i64,
    /// Mean number of actions.
    pub length: f64,
}
