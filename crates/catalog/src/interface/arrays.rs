//! States as arrays of bytes, for programs in other languages.
//!
//! A state is a row of bytes ([`Rows`](unriddle_core::Rows)); `n` states are an array of `n` rows,
//! one after another. Every call reads whole arrays, so that its inner loop is compiled for the
//! puzzle.

use thiserror::Error;
pub use unriddle_core::rows::Children;

/// Error of an array.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ArrayError {
    /// A row that no state of the instance has.
    #[error("row {row}: {why}")]
    Row {
        /// Index of the row.
        row: usize,
        /// The reason.
        why: String,
    },
    /// An action that is not legal in its state.
    #[error("row {row}: action {action} is not legal in this state")]
    Action {
        /// Index of the row.
        row: usize,
        /// Number of the action.
        action: u16,
    },
}

/// The states of an instance as arrays of bytes.
pub trait Arrays: Send + Sync {
    /// Length of a row, in bytes.
    fn width(&self) -> usize;
    /// Number of values of a byte.
    fn values(&self) -> usize;
    /// Rows and columns of the board whose cells the bytes are; `None` if they form no board.
    fn board(&self) -> Option<[usize; 2]>;
    /// Number of different actions of all states together.
    fn actions(&self) -> usize;

    /// Writes the instance's initial state to a row.
    fn start(&self, row: &mut [u8]);
    /// The state of a row in the puzzle's notation: an instance that begins there.
    ///
    /// # Errors
    /// A row that no state has.
    fn text(&self, row: &[u8]) -> Result<String, ArrayError>;
    /// The solution text of actions, by their numbers, from the state of a row.
    ///
    /// # Errors
    /// A row that no state has, or an illegal action; `row` of that error is its index in
    /// `actions`.
    fn line(&self, row: &[u8], actions: &[u16]) -> Result<String, ArrayError>;

    /// Expands states. `children` has [`actions`](Self::actions) entries for each state.
    ///
    /// # Errors
    /// The first row that no state has.
    fn expand(&self, rows: &[u8], children: Children<'_>) -> Result<(), ArrayError>;
    /// Writes for each state and each action number whether the action is legal.
    ///
    /// # Errors
    /// The first row that no state has.
    fn legal(&self, rows: &[u8], legal: &mut [bool]) -> Result<(), ArrayError>;
    /// Applies one action to each state, in place.
    ///
    /// # Errors
    /// The first row that no state has, or whose action is not legal; earlier rows are changed.
    fn apply(&self, rows: &mut [u8], actions: &[u16]) -> Result<(), ArrayError>;
    /// Writes for each state whether it is a goal.
    ///
    /// # Errors
    /// The first row that no state has.
    fn goals(&self, rows: &[u8], goals: &mut [bool]) -> Result<(), ArrayError>;
    /// Writes the states after random walks back from a goal, one walk for each number of steps.
    /// The walk of index `i` depends on `seed` and `i` only.
    fn walks(&self, steps: &[u64], seed: u64, rows: &mut [u8]);
}

/// Estimates of states, which the program that solves gives to a search. Its name in a solver's
/// spec is `callable`.
pub trait Evaluator: Send + Sync {
    /// Number of estimates for each state: 1 for the cost that is left, or the number of actions
    /// for an estimate of each action.
    fn outputs(&self) -> usize;

    /// Writes the estimates of an array of states, whose rows have `width` bytes. A cost of
    /// infinity is a proved dead end. NaN ends the search with an error.
    fn evaluate(&self, rows: Vec<u8>, width: usize, out: &mut [f32]);
}
