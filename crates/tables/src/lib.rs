//! Pattern databases of `unriddle`: ranking, builders, packed tables, file format, cache.
//!
//! | module | what it holds |
//! |---|---|
//! | [`rank`] | ranks of subsets and of placements (partial permutations) |
//! | [`table`] | tables of bits, nibbles or bytes, in memory or mapped from a file |
//! | [`pattern`] | distances of all states of an abstraction, by breadth-first search on all threads, and the heuristic |
//! | [`near`] | exact distances of all states near the goal, one of each class of symmetric ones |
//! | [`mod@file`] | the versioned, checksummed file format |
//! | [`work`] | what a builder is given, and how it goes on where it was broken off |
//! | [`cache`] | the cache folder: find, build once, store atomically, list, clean |

pub mod build;
pub mod cache;
pub mod error;
pub mod file;
pub mod goal_table;
pub mod pattern;
pub mod rank;
mod room;
pub mod table;
pub mod work;

pub use build::Build;
pub use cache::{Cache, Policy};
pub use error::TableError;
pub use goal_table::{Distance, GoalTable};
pub use pattern::{Database, Distances, Pattern, Places};
pub use table::{Table, Width};
pub use work::{BuildProgress, Work};
