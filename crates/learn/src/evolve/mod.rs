//! Evolving the weights of a puzzle's heuristics: `unriddle evolve`.
//!
//! A recipe names the puzzle, the heuristic whose real parameters evolve, the solver that takes it
//! with its node budget, the baseline with a budget of its own, the training instances and the
//! evolutionary set-up. A run lives in a folder: the baseline's efforts, a checkpoint of every
//! generation, a log with a plot, and at the end the weights. A run that is killed at any moment
//! continues from its last trial. It writes the same bytes as an uninterrupted run, for any number
//! of threads: effort is counted in nodes, never in time.
//!
//! References: Elyasaf, Hauptman and Sipper 2011, GA-FreeCell (GECCO), 3.3; Hillis 1990 (Physica D
//! 42).

mod files;
mod read;
mod recipe;
mod run;
mod weights;

pub use read::split;
pub use recipe::{Baseline, Gene, Method, Recipe, Unsolved};
pub use run::evolve;
pub use weights::Lines;
