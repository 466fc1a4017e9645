//! Solvers for the cube alone.

pub mod optimal;
