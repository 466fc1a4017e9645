//! Solvers of FreeCell.

mod exact;
pub mod exhaust;
pub mod fast;
mod open;
pub mod optimal;
pub mod short;
