//! Solvers of FreeCell.

pub mod optimal;
