//! Sokoban: boxes are pushed onto goals.

pub mod board;
pub mod bound;
pub mod dead;
pub mod exact;
pub mod fess;
pub mod level;
mod notation;
pub mod picture;
pub mod rules;

pub use level::{Level, Move};
pub use notation::letters;
pub use rules::{Measure, Sokoban, State};
