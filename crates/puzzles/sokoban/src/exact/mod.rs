//! Solvers that prove their solutions the shortest.

mod images;
mod lightest;
pub mod moves;
pub mod pushes;
mod table;
mod ties;

pub use moves::{Lighter, MOVES, MoveConfig, MoveOptimal};
pub use pushes::{PUSHES, Prefer, PushConfig, PushOptimal};
