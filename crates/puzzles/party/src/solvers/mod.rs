//! Solvers of party puzzles.

pub mod analysis;
pub mod anneal;
mod assignment;
pub mod building;
pub mod certify;
pub mod conflict;
pub mod construct;
pub mod exact;
mod figures;
mod forward;
pub mod front;
pub mod graph;
pub mod near;
pub mod placement;
pub mod relax;
pub mod rounds;
#[cfg(test)]
mod samples;
pub mod teams;
