//! Feature-space search: a solution of large levels, not the shortest one.
//!
//! Y. Shoham and J. Schaeffer 2020, The FESS algorithm: a feature based approach to single-agent search (IEEE Conference on Games).

mod backward;
mod bits;
mod blocks;
mod corral;
mod dead;
mod forward;
mod hot;
mod macros;
mod map;
mod plan;
mod rooms;
mod search;
mod tree;

use search::Table;
#[doc(hidden)]
pub use search::audit;
pub use search::{FESS, Fess, FessConfig};

#[cfg(test)]
mod tests;
