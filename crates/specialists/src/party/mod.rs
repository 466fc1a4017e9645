//! Solvers of party puzzles.

pub mod exact;
pub mod graph;
pub mod placement;
pub mod relax;
