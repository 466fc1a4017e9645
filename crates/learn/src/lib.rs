//! Learning of heuristics and parameters, for any puzzle of a registry.
//!
//! | module | contents |
//! |---|---|
//! | [`evolve`] | weights of heuristics by (co)evolution |
//! | [`tune`] | parameters of solvers by the Cross-Entropy Method |
//! | `train` | networks that estimate the cost-to-go (feature `train`) |
//!
//! Each of the three reads a recipe and works in a folder of its own. A run that was killed
//! continues from its folder, and its results are the same bytes as without the kill.

#![forbid(unsafe_code)]

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
