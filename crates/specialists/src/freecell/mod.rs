//! Solvers of FreeCell.

pub mod short;
