//! Training of cost-to-go networks: `unriddle train`.
//!
//! A recipe names the puzzle, the network, where its examples come from and how it is trained.
//! Examples are made in parallel with the updates: each batch follows from its number alone, so
//! that any number of threads makes the same. Methods: exact distances of all states on optimal
//! solutions (the ANN-distance paper trains on starts alone), deep approximate value iteration,
//! bootstrapping on the network's own solutions, and lengths of random walks. Of exact solutions
//! also the moves can be learned (imitation), or the order of states.
//!
//! A run lives in a folder: the recipe, examples, checkpoints of everything (two, written in turn,
//! so that a full disk leaves a good one), a log with losses and the share of walks that a greedy
//! search brings home by their length, and the model so far. Killed at any moment it goes on from
//! its last checkpoint.
//!
//! References: V. Cahlík and P. Surynek, "On the Design of a Heuristic based on Artificial Neural Networks for the Near
//! Optimal Solving of the (N²–1)-puzzle", NCTA 2019; F. Agostinelli, S. McAleer, A. Shmakov, P. Baldi, "Solving the
//! Rubik's cube with deep reinforcement learning and search", Nature Machine Intelligence 1 (2019).

mod beams;
mod bootstrap;
mod choices;
mod log;
mod recipe;
mod run;
mod solved;
mod source;
mod tiles;

pub use log::Line;
pub use recipe::{Bootstrap, Learn, Method, Recipe, Renewal, Schedule, Solved, Teacher, Walks};
pub use run::{Event, Finished, Means};
pub use tiles::train;
/// The one puzzle whose networks are trained so far.
pub const PUZZLE: &str = unriddle_tiles::INFO.name;
