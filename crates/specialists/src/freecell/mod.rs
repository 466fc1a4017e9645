//! Solvers of FreeCell.

pub mod exhaust;
pub mod fast;
