//! Evolving the weights of a puzzle's heuristics: `unriddle evolve`.
//!
//! A recipe names the puzzle, the heuristic whose real parameters evolve, the engine with its node budget, the training
//! instances and the evolutionary set-up. A run lives in a folder: the baseline's efforts, a checkpoint of every generation, a log with a
//! plot, and at the end the weights. Killed at any moment it goes on from its last generation, to the same
//! bytes as if it had not been, for any number of threads: effort is counted in nodes, never in time.
//!
//! References: Elyasaf, Hauptman and Sipper 2011, GA-FreeCell (GECCO), 3.3; Hillis 1990 (Physica D 42).

mod arena;
mod files;
mod recipe;
mod run;
#[cfg(test)]
mod tests;

pub use arena::{Arena, Trials};
pub use files::Lines;
pub use recipe::{Engine, Method, Recipe, split};
pub use run::{Event, Finished, evolve};
