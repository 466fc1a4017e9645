//! Solvers of FreeCell.

pub mod fast;
pub mod optimal;
pub mod short;
