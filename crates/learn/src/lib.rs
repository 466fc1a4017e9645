//! Heuristics and parameters that are learned, for any puzzle of a registry.
//!
//! | module | what it holds |
//! |---|---|
//! | [`evolve`] | weights of heuristics by (co)evolution |
//! | [`tune`] | parameters of solvers by the Cross-Entropy Method |
//! | `train` | networks that estimate what is left to the goal (feature `train`) |
//!
//! All of them read a recipe and work in a folder of their own, from which a run that was killed goes on
//! to the same bytes.

pub mod evolve;
mod figure;
mod folder;
mod journal;
mod play;
mod recipe;
mod run;
mod template;
#[cfg(feature = "train")]
pub mod train;
pub mod tune;

pub use run::{Event, Finished, RunContext};
pub use unriddle_catalog::work::WorkError;
