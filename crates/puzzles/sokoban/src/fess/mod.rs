//! Feature-space search: a solution of large levels, not the shortest one.
//!
//! Two searches take turns. Backwards, boxes are pulled from filled goals until all are out of the way (`backward`); the path, read
//! forwards, is a plan of packing (`plan`). Forwards, moves of one box to anywhere (`macros`) are tried in the cells of a space of
//! features (`forward`, `tree`): how far the plan is done, how many parts the board falls into, which rooms are cut off from
//! each other (`rooms`), how many boxes will be cut off from the plan. What several strategies do with one plan each, and with plans
//! drawn anew, is in `search`.
//!
//! Invariants: rules that leave a position out are sound (`dead`, `corral`; tested against all positions of small levels), so only
//! preferences can mislead; nothing depends on a clock or on the order of a hash table; positions are told apart by hashes of 64 bits, which is why
//! a solution is replayed before it is given, and why a search that has nothing left is exhausted and proves nothing.
//!
//! Y. Shoham and J. Schaeffer 2020, The FESS algorithm: a feature based approach to single-agent search (IEEE Conference on Games).
//! Beyond the paper: parts of the board after each move in constant time (`blocks`), steps of the plan that count only while the other
//! boxes can be assigned, several strategies, restarts.

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
