//! Solvers that prove their solutions the shortest.

mod lightest;
pub mod moves;
pub mod pushes;
mod symmetries;
mod table;
mod ties;

pub use moves::{Lighter, MOVES, MoveConfig, MoveOptimal};
pub use pushes::{PUSHES, Prefer, PushConfig, PushOptimal};
