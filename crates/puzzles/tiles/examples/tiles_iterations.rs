//! States that each iteration of `tiles-optimal` expands: `tiles_iterations CACHE DEPTH BOUND`,
//! with a 24-puzzle on the standard input, whose goal has the blank first.
//!
//! `CACHE` is the folder of the tables (340 MB), `DEPTH` the longest sequence of the automaton of
//! repeated moves, and `BOUND` the bound of the last iteration that is complete. Counts do not
//! depend on the machine.

use std::{error::Error, io::Read as _};
use unriddle_core::{Observer, Progress, Quota, Search as _, Stats};
use unriddle_search::idastar::parallel::ParallelIdaStar;
use unriddle_tables::{Cache, Policy};
use unriddle_tiles::{
    Board5, Goal, Slide, Tiles,
    optimal::{OptimalConfig, OptimalTree},
};

/// Prints the states that were expanded since the last bound.
struct Iterations {
    expanded: u64,
    bound: i64,
}

impl Observer<Slide> for Iterations {
    fn bound(&mut self, bound: i64, stats: &Stats) {
        if bound > self.bound {
            println!("bound {}: {} states", self.bound, stats.expanded - self.expanded);
            (self.expanded, self.bound) = (stats.expanded, bound);
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [cache, depth, last] = &arguments[..] else {
        return Err("expected CACHE DEPTH BOUND".into());
    };
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let board = text.rsplit(':').next().unwrap_or_default().split_whitespace();
    let board: Vec<u8> = board.map(str::parse).collect::<Result<_, _>>()?;
    let cache = Cache::new(Some(cache.into()), 2, Policy::Reuse);
    let puzzle = Tiles::<Board5>::new(&board, Goal::BlankFirst);
    let config = OptimalConfig { depth: depth.parse()?, ..OptimalConfig::default() };
    let tree = OptimalTree::new(&puzzle, config, &cache)?;
    let mut search = ParallelIdaStar::on_tree(Box::new(tree), 1);
    let mut iterations = Iterations { expanded: 0, bound: 0 };
    let last: i64 = last.parse()?;
    while iterations.bound <= last {
        let quota = Quota { expanded: search.stats().expanded + 100_000, ..Quota::UNLIMITED };
        if !matches!(search.advance(&quota, &mut iterations), Progress::Running) {
            break;
        }
    }
    Ok(())
}
