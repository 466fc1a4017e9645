//! Pattern databases of `unriddle`: ranking, builders, packed tables, file format, cache.
//!
//! | module | content |
//! |---|---|
//! | [`rank`] | ranks of subsets and of placements (partial permutations) |
//! | [`table`] | tables of nibbles or bytes, in memory or mapped from a file |
//! | [`pattern`] | distances of all states of an abstraction, and the heuristic by them |
//! | [`goal_table`] | exact distances of all states near the goal, one of each class of symmetric ones |
//! | [`mod@file`] | the versioned, checksummed file format |
//! | [`build`], [`work`] | the trait of builders, and their threads, progress and saved state |
//! | [`store`] | tables that the caller of a cache without a folder keeps |
//! | [`cache`] | the cache folder: finds, builds once, stores atomically, lists, cleans |

pub mod build;
pub mod cache;
pub mod error;
pub mod file;
pub mod goal_table;
mod memory;
pub mod pattern;
pub mod rank;
mod room;
pub mod store;
pub mod table;
pub mod work;

pub use build::Build;
pub use cache::{Cache, Policy};
pub use error::TableError;
pub use goal_table::{Distance, GoalTable};
pub use pattern::{Database, Distances, Pattern, Places};
pub use store::Store;
pub use table::{Table, Width};
pub use work::{BuildProgress, Work};
