//! Lengths and times of `fc-short` on a range of numbered deals:
//! `freecell_short FROM TO [first=N] [last=N] [growth=N] [max_depth=N] [cuts=N] [order=FILE]
//! [each]`.
//!
//! Every solution is replayed by the rules. Lengths are actions (M0) and actions other than moves
//! home (M3); times are CPU times of this process (Linux).

use std::process::ExitCode;
use unriddle_core::{GoalPuzzle, Progress, Puzzle, Quota, Search, Solution};
use unriddle_freecell::solvers::{
    fast::weights::Slice,
    short::{BeamWeights, Short, ShortConfig},
};
use unriddle_freecell::{FreeCell, Move, Rules, To, parse};

/// User time so far in milliseconds, from the clock ticks (10 ms) of this process.
fn cpu_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(") ").next().unwrap_or_default();
    let ticks: f64 =
        after.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<f64>().ok()).sum();
    ticks * 10.0
}

/// The actions other than moves home, if every action is legal and the last state a goal.
fn replay(puzzle: &FreeCell, solution: &Solution<Move>) -> Option<usize> {
    let mut table = puzzle.initial_state();
    for &action in &solution.actions {
        puzzle.actions(&table).find(|&listed| listed == action)?;
        table = puzzle.apply(&table, action);
    }
    let counted = solution.value == solution.actions.len() as i64;
    (counted && puzzle.is_goal(&table)).then(|| {
        let steps = solution.actions.iter();
        steps.filter(|action| action.to != To::Home).count()
    })
}

fn options(config: &mut ShortConfig, words: &[String], each: &mut bool) -> Result<(), String> {
    for word in words {
        if word == "each" {
            *each = true;
            continue;
        }
        let (name, value) = word.split_once('=').ok_or(format!("what is `{word}`?"))?;
        if name == "order" {
            // A line of weights has the form of a slice.
            let line = std::fs::read_to_string(value).map_err(|why| format!("{value}: {why}"))?;
            let Slice { weights: estimate, expansions: forced } = line.trim().parse()?;
            config.beam_weights = BeamWeights { estimate, forced: forced as i16 };
            continue;
        }
        let numbers: Result<Vec<i32>, _> = value.split(',').map(str::parse).collect();
        let numbers = numbers.map_err(|why| format!("{word}: {why}"))?;
        let w = &mut config.weights;
        match name {
            "first" => config.first = numbers[0] as usize,
            "last" => config.last = numbers[0] as usize,
            "growth" => config.growth = numbers[0] as usize,
            "max_depth" => config.max_depth = numbers[0] as u32,
            "cuts" => config.cuts = numbers[0] as u32,
            "forced" => w.forced = numbers[0],
            "cycles" => w.cycles = numbers[0],
            "must" => w.must = numbers[0],
            "unsorted" => w.unsorted = numbers[0],
            "breaks" => w.breaks = numbers[0],
            "buries" => w.buries = numbers[0],
            "above" => w.above = numbers[0],
            "home" => w.home = numbers[0],
            "free" => w.free.iter_mut().zip(&numbers).for_each(|(w, &n)| *w = n),
            "empty" => w.empty.iter_mut().zip(&numbers).for_each(|(w, &n)| *w = n),
            _ => return Err(format!("no option `{name}`")),
        }
    }
    Ok(())
}

fn run() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [from, to, rest @ ..] = words.as_slice() else {
        return Err("FROM TO [name=value]...".into());
    };
    let number = |word: &String| word.parse::<u64>().map_err(|why| format!("{word}: {why}"));
    let (from, to) = (number(from)?, number(to)?);
    let (mut config, mut each) = (ShortConfig::default(), false);
    options(&mut config, rest, &mut each)?;
    let rules = Rules::default();
    let (mut length, mut steps, mut solved) = (0, 0, 0);
    let (mut expanded, mut generated, mut evaluated, mut peak) = (0, 0, 0, 0);
    let mut unsolved = Vec::new();
    let begun = cpu_ms();
    for deal in from..=to {
        let puzzle = FreeCell::new(rules, parse::numbered(deal, &rules)?);
        let mut search = Short::new(&puzzle, config).map_err(|why| why.to_string())?;
        let Progress::Finished(outcome) = search.advance(&Quota::UNLIMITED, &mut ()) else {
            return Err(format!("deal {deal} did not end"));
        };
        let stats = search.stats();
        expanded += stats.expanded;
        generated += stats.generated;
        evaluated += stats.evaluated;
        peak = peak.max(stats.peak_bytes);
        match outcome.best() {
            None => unsolved.push(deal),
            Some(best) => {
                let moves = replay(&puzzle, best).ok_or(format!("deal {deal}: not a solution"))?;
                solved += 1;
                length += best.actions.len();
                steps += moves;
                if each {
                    println!("{deal},{moves},{},{}", best.value, stats.expanded);
                }
            }
        }
    }
    let (ms, deals) = (cpu_ms() - begun, (to + 1 - from) as f64);
    let mean = |sum: usize| sum as f64 / f64::from(solved.max(1));
    println!(
        "M0 {:.3} M3 {:.3} ms {:.1} expanded {:.0} generated {:.0} made {:.0} ns/exp {:.0} peak {} MiB unsolved {unsolved:?}",
        mean(length),
        mean(steps),
        ms / deals,
        expanded as f64 / deals,
        generated as f64 / deals,
        evaluated as f64 / deals,
        ms * 1e6 / expanded.max(1) as f64,
        peak >> 20,
    );
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
