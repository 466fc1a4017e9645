//! Pattern databases of `unriddle`: ranking, builders, packed tables, file format, cache.
//!
//! | module | what it holds |
//! |---|---|
//! | [`rank`] | ranks of subsets and of placements (partial permutations) |
//! | [`nibbles`] | tables of 4-bit entries, in memory or mapped from a file |
//! | [`mod@file`] | the versioned, checksummed file format |
//! | [`cache`] | the cache folder: find, build once, store atomically, list, clean |

pub mod cache;
pub mod file;
pub mod nibbles;
pub mod rank;

pub use cache::{Build, BuildProgress, Cache, Policy};
pub use file::TableError;
pub use nibbles::Nibbles;
