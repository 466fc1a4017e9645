//! Solvers of party puzzles.

pub mod anneal;
pub mod conflict;
pub mod construct;
pub mod exact;
pub mod graph;
pub mod placement;
pub mod relax;
#[cfg(test)]
mod samples;
pub mod teams;
