//! Measures staged deepening on numbered FreeCell deals: how many are solved, with how much work.
//!
//! ```text
//! cargo run --release -p unriddle-freecell --example freecell_staged -- \
//!     first=50001 last=50300 h=hsdh open=one-per-score quantum=0 depth=7 table=200000 limit=1000000
//! ```
//!
//! `h` is `hsdh`, a feature's name, or nine weights with commas between them, in the order of the
//! paper's table 1; `orientation` and `combine` belong to the weights. `limit` counts generated
//! states of a deal. Every solution is played through. Nodes are distinct states visited, of solved
//! deals.

use std::{collections::HashMap, env, fs, process::ExitCode};
use unriddle_core::{
    BatchHeuristic, Budget, GoalPuzzle, Outcome, Puzzle, Scalar, Search, Solution, run,
};
use unriddle_freecell::{
    FreeCell, Move, Rules,
    heuristics::{Combine, Feature, Hsdh, Mixture, Orientation, Single},
    parse::parse,
};
use unriddle_search::staged::{Keep, Staged, StagedConfig};

fn cpu_seconds() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.map_or(f64::NAN, |ns| ns / 1e9)
}

fn solves(puzzle: &FreeCell, solution: &Solution<Move>) -> bool {
    let mut table = puzzle.initial_state();
    for &action in &solution.actions {
        if !puzzle.actions(&table).any(|legal| legal == action) {
            return false;
        }
        table = puzzle.apply(&table, action);
    }
    puzzle.is_goal(&table)
}

struct Options(HashMap<String, String>);

impl Options {
    fn text(&self, name: &str, default: &str) -> String {
        self.0.get(name).cloned().unwrap_or_else(|| default.into())
    }
    fn number<T: std::str::FromStr>(&self, name: &str, default: &str) -> Result<T, String> {
        let text = self.text(name, default);
        text.parse().map_err(|_| format!("{name}={text} is not a number"))
    }
}

fn heuristic(options: &Options) -> Result<Box<dyn BatchHeuristic<FreeCell>>, String> {
    let h = options.text("h", "hsdh");
    if h == "hsdh" {
        return Ok(Box::new(Scalar(Hsdh)));
    }
    if let Some(feature) = Feature::ALL.into_iter().find(|f| f.name() == h) {
        return Ok(Box::new(Scalar(Single(feature))));
    }
    let weights: Vec<f64> = h.split(',').filter_map(|w| w.parse().ok()).collect();
    let orientation = options.text("orientation", "printed");
    let combine = options.text("combine", "sum");
    Ok(Box::new(Mixture {
        weights: weights.try_into().map_err(|_| format!("no heuristic {h}"))?,
        combine: Combine::of(&combine).ok_or("combine is sum or max")?,
        orientation: Orientation::of(&orientation).ok_or("orientation is printed or distance")?,
    }))
}

fn measure(options: &Options) -> Result<(), String> {
    let heuristic = heuristic(options)?;
    let config = StagedConfig {
        depth: options.number("depth", "7")?,
        table: options.number("table", "200000")?,
        open: match options.text("open", Keep::NAMES[0]) == Keep::NAMES[0] {
            true => Keep::OnePerScore,
            false => Keep::All,
        },
        quantum: options.number("quantum", "0")?,
    };
    let budget =
        Budget { generated: Some(options.number("limit", "1000000")?), ..Budget::default() };
    let (first, last): (u64, u64) =
        (options.number("first", "50001")?, options.number("last", "50300")?);
    let rules = Rules::default();
    let begun = cpu_seconds();
    let (mut solved, mut ended, mut length, mut nodes, mut generated, mut all) =
        (0u64, 0u64, 0, 0, 0, 0);
    let mut counts = Vec::new();
    for deal in first..=last {
        let layout = parse(&deal.to_string(), &rules).map_err(|e| e.to_string())?;
        let puzzle = FreeCell::new(rules, layout);
        let mut search = Staged::new(&puzzle, &*heuristic, config).map_err(|e| e.to_string())?;
        let outcome = run(&mut search, &budget, &mut ()).map_err(|e| e.to_string())?;
        let stats = search.stats();
        all += stats.generated;
        match &outcome {
            Outcome::Solved { best, .. } => {
                if !solves(&puzzle, best) {
                    return Err(format!("deal {deal}: the solution does not solve it"));
                }
                solved += 1;
                length += best.actions.len() as u64;
                nodes += stats.expanded + stats.evaluated;
                generated += stats.generated;
                counts.push(stats.generated);
            }
            Outcome::Exhausted { .. } | Outcome::Unsolvable => ended += 1,
            Outcome::Stopped { .. } => {}
        }
        if options.text("each", "no") == "yes" {
            println!("{deal}: {stats:?} {}", outcome.best().map_or(0, |b| b.actions.len()));
        }
    }
    let seconds = cpu_seconds() - begun;
    let of = |sum: u64| sum as f64 / solved.max(1) as f64;
    counts.sort_unstable();
    let given: Vec<String> = env::args().skip(1).collect();
    println!(
        "{}: solved {solved} of {} ({:.2} %), open list empty {ended}; solved deals: {:.0} generated \
         (median {}), {:.0} nodes, {:.1} moves; {seconds:.1} CPU s in all, {:.2} M generated/s",
        given.join(" "),
        last + 1 - first,
        100.0 * solved as f64 / (last + 1 - first) as f64,
        of(generated),
        counts.get(counts.len() / 2).unwrap_or(&0),
        of(nodes),
        of(length),
        all as f64 / seconds / 1e6,
    );
    Ok(())
}

fn main() -> ExitCode {
    let options = env::args()
        .skip(1)
        .filter_map(|arg| arg.split_once('=').map(|(n, v)| (n.into(), v.into())))
        .collect();
    match measure(&Options(options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
