//! Proved shortest solutions of numbered deals, in single-card moves or in moves of sequences.
//!
//! `freecell_optimal [m1|m0] [FIRST [LAST [MEBIBYTES]]]`

use std::time::Duration;
use unriddle_core::{Budget, GoalPuzzle, Observer, Outcome, Puzzle, Search, Solution, Stats, run};
use unriddle_freecell::solvers::optimal::{Measure, Optimal, OptimalConfig};
use unriddle_freecell::{FreeCell, Move, Moves, Rules, parse};

/// Prints each better bound.
struct Trace(bool);

impl Observer<Move> for Trace {
    fn bound(&mut self, bound: i64, stats: &Stats) {
        if self.0 {
            println!("  bound {bound} after {} expanded", stats.expanded);
        }
    }
    fn improved(&mut self, best: &Solution<Move>, stats: &Stats) {
        if self.0 {
            println!("  {} moves after {} expanded", best.value, stats.expanded);
        }
    }
}

/// CPU time of this process so far.
fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|t| t.parse::<u64>().ok()).unwrap_or(0);
    Duration::from_millis(10 * (ticks(11) + ticks(12)))
}

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let first = numbers.first().copied().unwrap_or(1);
    let last = numbers.get(1).copied().unwrap_or(first.max(10));
    let memory = numbers.get(2).copied().unwrap_or(6 << 10) << 20;
    let measure = std::env::args().find_map(|word| Measure::of(&word)).unwrap_or_default();
    let rules = Rules {
        moves: match measure {
            Measure::M1 => Moves::Single,
            Measure::M0 => Moves::Sequence,
        },
        ..Rules::default()
    };
    let (mut deals, mut proved, mut length, mut expanded, mut peak) = (0u64, 0u64, 0, 0, 0);
    let begun = cpu();
    for number in first..=last {
        let layout = match parse::numbered(number, &rules) {
            Ok(layout) => layout,
            Err(why) => {
                println!("{number}: {why}");
                continue;
            }
        };
        let puzzle = FreeCell::new(rules, layout);
        let before = cpu();
        let budget = Budget { memory: Some(memory), ..Budget::default() };
        let mut search = match Optimal::new(&puzzle, OptimalConfig { measure }) {
            Ok(search) => search,
            Err(why) => {
                println!("{number}: {why}");
                continue;
            }
        };
        let outcome = run(&mut search, &budget, &mut Trace(std::env::var_os("TRACE").is_some()));
        let stats = search.stats();
        let text = match &outcome {
            Err(why) => why.to_string(),
            Ok(Outcome::Unsolvable) => "unsolvable".to_owned(),
            Ok(outcome) => {
                if let Some(best) = outcome.best() {
                    let mut table = puzzle.initial_state();
                    for &action in &best.actions {
                        assert!(puzzle.actions(&table).any(|listed| listed == action));
                        table = puzzle.apply(&table, action);
                    }
                    assert!(puzzle.is_goal(&table));
                    assert_eq!(best.actions.len() as i64, best.value);
                    if outcome.is_optimal() {
                        proved += 1;
                        length += best.value;
                    }
                }
                let value =
                    outcome.best().map_or_else(|| "-".to_owned(), |best| best.value.to_string());
                let bound = outcome.bound().unwrap_or(0);
                let word = if outcome.is_optimal() { "proved" } else { "not proved" };
                format!("{value} bound {bound} {word}")
            }
        };
        println!(
            "{number}: {text}, {:.2} s, {} expanded, {} evaluated, {} generated, {} MiB",
            (cpu() - before).as_secs_f64(),
            stats.expanded,
            stats.evaluated,
            stats.generated,
            stats.peak_bytes >> 20
        );
        deals += 1;
        expanded += stats.expanded;
        peak = peak.max(stats.peak_bytes);
    }
    let n = deals.max(1) as f64;
    println!(
        "{deals} deals, {proved} proved, mean length {:.2}, mean {:.2} s, mean {:.0} expanded, most {} MiB",
        length as f64 / proved.max(1) as f64,
        (cpu() - begun).as_secs_f64() / n,
        expanded as f64 / n,
        peak >> 20
    );
}
