//! Feature-space search: finds a solution of large levels, not necessarily a shortest one.
//!
//! Two searches take turns. The backward search pulls boxes from filled goals until all are out of
//! the way (`backward`); its path, read forwards, is a plan of packing (`plan`). The forward search
//! tries moves of one box to any cell (`macros`) in the cells of a space of features (`forward`,
//! `tree`). The features are the progress of the plan, the number of parts of the board, the number
//! of pairs of rooms that are cut off from each other (`rooms`), and the number of boxes that will
//! be cut off from the plan. Several strategies with one plan each, and restarts with new plans,
//! are in `search`.
//!
//! Invariants:
//! - Rules that prune a position are sound (`dead`, `corral`; tested against all positions of small
//!   levels), so that only preferences can mislead.
//! - Nothing depends on a clock or on the order of a hash table.
//! - Positions are distinguished by hashes of 64 bits. A solution is therefore replayed before it
//!   is returned, and a search without open positions is exhausted and proves nothing.
//!
//! Y. Shoham and J. Schaeffer 2020, The FESS algorithm: a feature based approach to single-agent
//! search (IEEE Conference on Games). Beyond the paper: parts of the board after each move in
//! constant time (`blocks`), steps of the plan that count only while the other boxes can be
//! assigned, several strategies, restarts.

mod backward;
mod bits;
mod blocks;
mod corral;
mod dead;
mod distances;
mod forward;
mod hot;
mod macros;
mod map;
mod plan;
mod rooms;
mod search;
mod tree;

pub use backward::{Sink, Style};
pub use forward::Taste;
use search::Table;
pub use search::{FESS, Fess, FessConfig};

#[cfg(test)]
mod tests;
