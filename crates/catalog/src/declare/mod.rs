//! Second floor: declarations of a puzzle.
//!
//! A puzzle implements [`Goal`](goal::Goal), [`Scored`](score::Scored) or
//! [`Assignment`](assignment::Assignment). The traits name its solvers, heuristics and presets;
//! the floor above turns them into solves.

pub mod assignment;
pub mod ends;
pub mod goal;
pub mod heuristic;
pub mod learning;
pub(crate) mod listed;
pub mod score;
pub mod solver;
pub mod view;
