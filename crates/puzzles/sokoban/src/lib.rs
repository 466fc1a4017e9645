//! Sokoban: a player pushes boxes, one at a time, until all are on goals.
//!
//! A level numbers its cells (`level`); a board stores sets of cells as words of bits that move
//! together ([`board`]). The objective, pushes or moves, is a parameter of the puzzle. Where pushes
//! are counted, walking is free, and an action is a push. The rules use no solver. [`exact`]
//! proves the fewest pushes and the fewest moves, and [`fess`] finds a solution of large levels. A
//! level may have more boxes than goals or more goals than boxes, if the puzzle's parameter `extra`
//! allows it; [`End`] is the condition of its end.
//!
//! ```
//! use std::sync::Arc;
//! use unriddle_core::{GoalPuzzle, Notation, Puzzle};
//! use unriddle_sokoban::{Level, Measure, Sokoban};
//!
//! let level = Arc::new(Level::parse("#######|#@-$-.#|#######")?);
//! let puzzle = Sokoban::<1>::new(level, Measure::Pushes).expect("five cells");
//! let pushes = puzzle.parse_solution("rRR")?;
//! let apply = |state, &push| puzzle.apply(&state, push);
//! let last = pushes.iter().fold(puzzle.initial_state(), apply);
//! assert_eq!((pushes.len(), puzzle.is_goal(&last)), (2, true));
//! # Ok::<(), unriddle_core::ParseError>(())
//! ```
//!
//! # Speed
//!
//! - Cells are bits of 1 to 64 words (ADR 31), so that the region that the player reaches takes
//!   some shifts. Only levels in rectangles of more than 4,096 cells look up neighbours.
//! - `push-optimal` finds positions by their boxes, and one bit records whether a push
//!   leads to a known position. The lower bound, an assignment of boxes to goals, is updated
//!   before the push.
//! - `move-optimal` expands all positions with the same boxes together, from both ends.
//! - `fess` scores a successor without a flood: one walk with a box removed gives, for every cell
//!   to which the box may be moved, the parts of the board and the part of the player.

#![forbid(unsafe_code)]

pub mod board;
mod bound;
mod dead;
mod draw;
pub mod exact;
mod extra;
pub mod family;
mod features;
pub mod fess;
mod files;
mod generate;
mod heuristics;
mod learn;
mod level;
mod measured;
mod memory;
mod notation;
mod picture;
mod rules;
mod signs;
mod symmetry;
mod then;
mod touch;
mod validate;
mod variety;
mod vicinity;
mod window;

#[cfg(not(test))]
pub use family::FAMILY;
pub use level::{End, Level, Move, Way};
pub use rules::{Measure, Sokoban, State};
