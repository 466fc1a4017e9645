//! Solvers that prove their solutions the shortest.

pub mod moves;
pub mod pushes;
mod table;
mod ties;

pub use moves::{MOVES, MoveOptimal};
pub use pushes::{PUSHES, Prefer, PushConfig, PushOptimal};
