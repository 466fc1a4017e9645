//! Third floor: declarations become solves.
//!
//! Each module implements one declaration of the floor below: which search runs with which
//! heuristic on which puzzle, and the type-erased instance.

pub(crate) mod erased;
pub mod net;
pub(crate) mod score;
pub mod searches;

mod accuracy;
#[cfg(feature = "arrays")]
mod arrays;
mod assignment;
mod claims;
mod goal;
mod graph;
pub(crate) mod heuristic;
mod inputs;
mod known;
mod learning;
#[cfg(feature = "cuda")]
mod on_gpu;
mod path;
mod prove;
mod structure;
#[cfg(feature = "training-data")]
mod training_data;
mod views;
