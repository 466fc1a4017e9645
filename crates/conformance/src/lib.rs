//! Test suites for puzzles, heuristics and searches, also for puzzles outside of this workspace.
//!
//! | suite | checks |
//! |---|---|
//! | [`puzzle`](fn@puzzle), [`goal`], [`score`] | states, cursors, inverses, prunings, costs and rewards along random walks |
//! | [`notation`](fn@notation), [`reading`] | texts of states and solutions are parsed as the same states and solutions |
//! | [`reversible`], [`invertible`], [`backward`], [`ranked`], [`symmetric`], [`features`], [`layered`], [`coded`] | an ability |
//! | [`heuristic`](fn@heuristic), [`batch_heuristic`] | an estimate keeps its claims: admissible, consistent, dead ends |
//! | [`upper_bound`], [`playout`], [`selective`] | bounds, play-outs and filters for searches of score puzzles |
//! | [`search`](fn@search), [`search_on`]; [`answers`], [`cuts`], [`memory`] | a search returns right answers, can be interrupted anywhere, and keeps to its limits |
//! | [`check_options`] | bounds of declared options |
//! | [`second`] | the rules against a second implementation of them |
#![cfg_attr(
    feature = "catalog",
    doc = "| [`family`](fn@family) | a whole puzzle of the catalogue, of any aim |"
)]
//!
//! Every suite is a function that returns a [`Violation`], which names the instance, the state and
//! the action. A test has only a few lines:
//!
//! ```
//! # use unriddle_core::{Cost, GoalPuzzle, Numbers, Puzzle};
//! use unriddle_conformance::{Subject, Violation, goal, heuristic};
//! use unriddle_core::{Estimate, Guarantee};
//!
//! /// Steps of one or two down to 0.
//! struct Stairs(u8);
//! # impl Puzzle for Stairs {
//! #     type State = u8;
//! #     type Action = u8;
//! #     type Actions = Numbers;
//! #     fn initial_state(&self) -> u8 { self.0 }
//! #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
//! #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
//! # }
//! # impl GoalPuzzle for Stairs {
//! #     fn is_goal(&self, stair: &u8) -> bool { *stair == 0 }
//! # }
//!
//! fn half(_: &Stairs, stair: &u8) -> Option<Cost> {
//!     Some(Cost::from(stair.div_ceil(2)))
//! }
//!
//! fn all_of_them(_: &Stairs, stair: &u8) -> Option<Cost> {
//!     Some(Cost::from(*stair))
//! }
//!
//! # fn main() -> Result<(), Violation> {
//! let (puzzle, claim) = (Stairs(9), Guarantee::Consistent);
//! let subject = Subject::new(&puzzle);
//! goal(&subject)?;
//! heuristic(&subject, &Estimate::new(claim, half))?;
//!
//! // Each step may go down by two: this estimate claims more than it keeps.
//! let found = heuristic(&subject, &Estimate::new(claim, all_of_them)).unwrap_err();
//! assert!(found.fact("state").is_some());
//! println!("{found}");
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod abilities;
#[cfg(feature = "catalog")]
pub mod boards;
#[cfg(feature = "catalog")]
mod claims;
#[cfg(feature = "catalog")]
mod family;
#[cfg(feature = "catalog")]
pub mod forms;
mod generic;
pub mod graph;
mod heuristic;
mod near;
mod notation;
mod options;
mod playing;
mod rules;
mod search;
pub mod second;
#[cfg(feature = "catalog")]
mod sheets;
#[cfg(feature = "catalog")]
mod solids;
mod subject;
mod violation;

pub use abilities::{
    backward, coded, features, invertible, layered, ranked, reversible, rows, symmetric,
};
#[cfg(feature = "catalog")]
pub use family::family;
pub use heuristic::{Tested, batch_heuristic, heuristic};
pub use notation::{notation, reading};
pub use options::check_options;
pub use playing::{playout, selective, upper_bound};
pub use rules::{goal, puzzle, score};
pub use search::{Boxed, Events, Promises, answers, cuts, memory, search, search_on};
pub use subject::Subject;
pub use violation::Violation;
