//! Permutation puzzles: positions with labels, and moves that permute them, from a file.
//!
//! Rubik's cubes of all sizes, pyramids, wreaths, globes, pancakes and other puzzles whose moves
//! are permutations are instances of this family. A puzzle is a list of moves and a goal
//! ([`Definition`](definition::Definition)), read from one of six forms of files ([`read`]) or
//! computed ([`builtin`]). Facts that other puzzles' crates declare are found from the moves here:
//!
//! - [`rules`]: inverse moves, redundant pairs of moves;
//! - [`inputs`]: the input of networks;
//! - [`group`]: the order of the group, membership, uniform random states (Schreier and Sims), the
//!   pieces that all moves keep together, and symmetries;
//! - [`tables`]: pattern databases of these pieces, chosen under a limit of bytes;
//! - [`neighbours`]: a bound by pairs of neighbours.
//!
//! ```
//! use std::sync::Arc;
//! use unriddle_core::{GoalPuzzle, Notation, Puzzle};
//! use unriddle_permutation::{document, puzzle::Permutation, rules::Rules};
//!
//! let line = "positions 3; moves r=(0,1,2) s=(0,1); goal ABC; start CAB";
//! let definition = document::parse(line)?;
//! let start = definition.starts[0].state.clone();
//! let puzzle = Permutation::<64>::new(Arc::new(Rules::new(definition)), &start);
//! let moves = puzzle.parse_solution("r")?;
//! assert!(puzzle.is_goal(&puzzle.apply(&puzzle.initial_state(), moves[0])));
//! # Ok::<(), unriddle_core::ParseError>(())
//! ```

#![forbid(unsafe_code)]

pub mod adjacent;
pub mod builtin;
pub mod definition;
pub mod document;
mod draw;
pub mod family;
pub mod group;
pub mod inputs;
mod learn;
pub mod neighbours;
pub mod puzzle;
mod reach;
pub mod read;
pub mod rules;
pub mod tables;

#[cfg(not(test))]
pub use family::FAMILY;
