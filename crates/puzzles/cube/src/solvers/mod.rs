//! Solvers of the cube.

pub mod fast;
pub mod optimal;
