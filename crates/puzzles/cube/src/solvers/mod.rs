//! Solvers for the cube alone.

pub mod fast;
pub mod optimal;
