//! Solvers of FreeCell.

pub mod exhaust;
pub mod fast;
pub mod optimal;
pub mod short;
