//! Solvers of FreeCell.

pub mod fast;
