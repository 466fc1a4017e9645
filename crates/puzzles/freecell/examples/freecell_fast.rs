//! Solves a range of numbered deals with `fc-fast` and prints time and counters; every solution is
//! replayed.
//!
//! `cargo run --release -p unriddle-freecell --example freecell_fast -- 1 32000`
//!
//! A third number limits the expansions of each deal.

use std::time::Duration;
use unriddle_core::clock::ThreadTime;
use unriddle_core::{GoalPuzzle, Outcome, Progress, Puzzle, Search, Solution};
use unriddle_freecell::solvers::fast::{Fast, FastConfig};
use unriddle_freecell::{FreeCell, Move, Rules, parse};

/// Plays a solution with the puzzle's own actions.
fn replay(puzzle: &FreeCell, solution: &Solution<Move>) -> bool {
    let mut table = puzzle.initial_state();
    for &action in &solution.actions {
        if !puzzle.actions(&table).any(|listed| listed == action) {
            return false;
        }
        table = puzzle.apply(&table, action);
    }
    puzzle.is_goal(&table) && solution.value == solution.actions.len() as i64
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<u64> =
        std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let (first, last, limit) = match arguments[..] {
        [first, last] => (first, last, u64::MAX),
        [first, last, limit] => (first, last, limit),
        [one] => (one, one, u64::MAX),
        _ => {
            return Err(
                "give the first and the last deal, and perhaps a limit of expansions".into()
            );
        }
    };
    let rules = Rules::default();
    let (mut solved, mut wrong) = (0u64, 0u64);
    let mut unsolvable = Vec::new();
    let (mut expanded, mut generated, mut moves) = (0u64, 0u64, 0u64);
    let (mut bytes, mut most) = (0, (0, 0));
    let mut slices: Vec<u64> = Vec::new();
    let mut cpu = Duration::ZERO;
    let mut longest = (Duration::ZERO, 0);
    for number in first..=last {
        let puzzle = FreeCell::new(rules, parse::numbered(number, &rules)?);
        let begun = ThreadTime::now();
        let mut search = Fast::new(&puzzle, FastConfig::default())?;
        let progress = search.step(limit, &mut ());
        let (stats, slice) = (search.stats(), search.slice());
        drop(search);
        let took = begun.elapsed();
        cpu += took;
        longest = longest.max((took, number));
        expanded += stats.expanded;
        generated += stats.generated;
        bytes = bytes.max(stats.peak_bytes);
        most = most.max((stats.expanded, number));
        slices.resize(slices.len().max(slice + 1), 0);
        slices[slice] += 1;
        match progress {
            Progress::Finished(Outcome::Solved { best, .. }) if replay(&puzzle, &best) => {
                solved += 1;
                moves += best.actions.len() as u64;
            }
            Progress::Finished(Outcome::Unsolvable) => unsolvable.push(number),
            _ => wrong += 1,
        }
    }
    let deals = (last - first + 1) as f64;
    println!(
        "deals {first}..={last}: solved {solved}, proved unsolvable {unsolvable:?}, else {wrong}"
    );
    println!(
        "CPU {:.3} s, {:.1} us per deal, longest {:.1} ms (deal {})",
        cpu.as_secs_f64(),
        cpu.as_secs_f64() * 1e6 / deals,
        longest.0.as_secs_f64() * 1e3,
        longest.1,
    );
    println!(
        "per deal: expanded {:.1}, generated {:.1}; most expanded {} (deal {})",
        expanded as f64 / deals,
        generated as f64 / deals,
        most.0,
        most.1,
    );
    println!(
        "mean M0 {:.2}; peak {:.1} MiB; ended in slice {slices:?}",
        moves as f64 / solved.max(1) as f64,
        bytes as f64 / f64::from(1 << 20),
    );
    Ok(())
}
