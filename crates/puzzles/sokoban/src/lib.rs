//! Sokoban: boxes are pushed onto goals.

pub mod level;
pub mod picture;

pub use level::Level;
