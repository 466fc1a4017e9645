//! Proved shortest solutions of the 24-puzzle, by zero-aware pattern databases of several
//! partitions.
//!
//! **Estimate.** Each of seven partitions of the tiles into four patterns of six is a *view* of a
//! state, and again a view of its mirror image: the Manhattan distance plus 2·Σe over the patterns,
//! where e is half the difference of a pattern's value and its Manhattan distance
//! (module `sliding::parities`). A move of a tile changes the e of one pattern of each view, or
//! none, so that f = g + h of a view stays or rises by 2. A node keeps the *gap* of each view, the
//! number of rises until f exceeds the bound, and is cut when a gap would be negative. Tables have
//! one bit for each entry, from which the rise follows.
//!
//! **Search.** Iterative deepening. A depth-first search expands the top positions of its stack as
//! a batch. Each step of a table look-up is a pass over all moves of the batch: the rank of the
//! cells, the bit's index, the bit. A pass prefetches the memory that the next pass reads. Patterns
//! of views without a gap are looked up first, since only they can cut a move. An automaton leaves
//! out repeated moves ([`unriddle_search::automaton`]).
//!
//! [`OptimalTree`] is the tree of these searches, for
//! [`ParallelIdaStar`](unriddle_search::idastar::parallel::ParallelIdaStar), which divides it over
//! threads. The number of parts does not depend on their number, nor do counts.
//!
//! Reference: R. E. Korf and A. Felner, "Disjoint pattern database heuristics" (Artificial
//! Intelligence 134, 2002), for disjoint patterns, mirror images and the fifty instances;
//! R. Clausecker and A. Reinefeld, "Zero-aware pattern databases with 1-bit compression for sliding
//! tile puzzles" (SoCS 2019), for regions and single bits, and the partitions.

mod engine;
mod node;
mod partitions;
mod setup;
mod tree;

use unriddle_core::{Info, Options, Role, options};
use unriddle_tables::{TableError, cache::Build};

pub(crate) use partitions::SIDE;
pub use tree::OptimalTree;

/// Declaration that `describe tiles-optimal` shows.
pub const INFO: Info = Info {
    guarantee: "optimal",
    requires: "tiles of side 5 with the goal blank-last or blank-first; 350 MB",
    reference: "Korf and Felner 2002; Clausecker and Reinefeld 2019",
    ranks: true,
    known: true,
    journal: true,
    parameters: OptimalConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "tiles-optimal",
        "the fewest moves of the 24-puzzle by seven partitions of the tiles, in tables of 340 MB",
    )
};

options! {
    /// Parameters of the search.
    #[derive(Copy)]
    pub struct OptimalConfig of INFO {
        partitions: usize = "7" in 1..=7, "partitions of the tiles, each in two views";
        depth: usize = "12" in 2..=18, "most actions of a sequence that the automaton leaves out";
    }
}

/// Builders of the tables of a configuration.
///
/// # Errors
/// A pattern that has no table.
pub(crate) fn tables(config: OptimalConfig) -> Result<Vec<Box<dyn Build>>, TableError> {
    let build = |builder| Box::new(builder) as Box<dyn Build>;
    Ok(setup::tables(config.partitions)?.into_iter().map(build).collect())
}
