//! Instances of the benches: fixed seeds, no public data, no wall time in any test.

#![allow(dead_code)]

use unriddle_catalog::{Rng, tables::Cache};
use unriddle_core::{Budget, GoalPuzzle, Heuristic, Search, run};
use unriddle_search::idastar::IdaStar;
use unriddle_tiles::{Board4, Goal, Tiles, generate};

/// A random 15-puzzle; the same for a seed for ever.
pub fn board(seed: u64) -> Tiles<Board4> {
    let cells = generate::uniform(4, Goal::BlankLast, &mut Rng::stream(seed, 0));
    Tiles::new(&cells, Goal::BlankLast)
}

/// Tables in memory only.
pub fn cache() -> Cache {
    Cache::new(None, 1, unriddle_catalog::tables::Policy::Reuse)
}

/// Expands a number of states by IDA*; fewer if the search ends before.
pub fn idastar<P: GoalPuzzle, H: Heuristic<P>>(puzzle: &P, heuristic: &H, expansions: u64) -> u64 {
    let budget = Budget { expansions: Some(expansions), ..Budget::default() };
    match IdaStar::new(puzzle, heuristic) {
        Ok(mut search) => {
            let _ = run(&mut search, &budget, &mut ());
            search.stats().expanded
        }
        Err(_) => 0,
    }
}
