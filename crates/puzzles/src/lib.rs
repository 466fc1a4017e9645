//! Puzzles of `unriddle`: one module each, with rules, notation, generator, drawing and heuristics.

pub mod freecell;
pub mod party;
pub mod qap;
pub mod samegame;
mod text;
pub mod tiles;
