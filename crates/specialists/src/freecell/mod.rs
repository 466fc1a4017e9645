//! Solvers of FreeCell.

pub mod fast;
pub mod short;
pub mod optimal;
