//! Solvers that prove their solutions the shortest.

pub mod pushes;
mod table;

pub use pushes::{PUSHES, PushConfig, PushOptimal};
