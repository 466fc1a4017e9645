//! Selection of the strategies of `fess` that together solve the most levels.
//!
//! `cargo run --release -p unriddle-sokoban --example sokoban_strategies -- 2000 4 FILE...` runs
//! each strategy separately on all levels, up to 2,000 expansions each, and picks four. The first
//! is the strategy that solves the most levels. Each further one solves the most of the remaining
//! levels; ties are broken by the fewest expansions on all levels that several strategies solve.

use std::{process::ExitCode, sync::Arc};
use unriddle_core::{Budget, Outcome, Search as _, run};
use unriddle_sokoban::{
    FAMILY, Level,
    fess::{Fess, FessConfig, Sink, Style, Taste},
};

/// All strategies that plan.
fn styles() -> Vec<Style> {
    let both = [true, false];
    let mut tastes = Vec::new();
    for near in both {
        for explorer in both {
            for (opener, hotspots) in [(true, true), (true, false), (false, true)] {
                tastes.push(Taste { advisors: true, opener, hotspots, explorer, near });
            }
        }
        tastes.push(Taste { advisors: false, near, ..Taste::USUAL });
    }
    let mut styles = Vec::new();
    for sink in [Sink::None, Sink::Largest, Sink::All] {
        for assigns in both {
            for &taste in &tastes {
                styles.push(Style { sink, assigns, plans: true, taste, seed: 0, share: 100 });
            }
        }
    }
    styles
}

/// The levels of a file.
fn levels(path: &str) -> Result<Vec<Arc<Level>>, String> {
    let text = std::fs::read_to_string(path).map_err(|why| format!("{path}: {why}"))?;
    let puzzle = FAMILY.default_puzzle().ok_or("no puzzle")?;
    let named = unriddle_catalog::input::load(&*puzzle, &text)
        .map_err(|why| format!("{path}: line {}: {}", why.line, why.message))?;
    let level =
        |text: String| Level::parse(&text).map(Arc::new).map_err(|why| format!("{path}: {why}"));
    named.iter().map(|named| level(named.instance.text())).collect()
}

/// Number of expansions that a strategy needs for a level; `None` if it needs more than `most`.
fn expansions(level: &Arc<Level>, style: Style, most: u64) -> Result<Option<u64>, String> {
    let config = FessConfig { only: Some(style), ..FessConfig::default() };
    let mut search = Fess::new(level.clone(), config).map_err(|why| why.to_string())?;
    let budget = Budget { expansions: Some(most), ..Budget::default() };
    let outcome = run(&mut search, &budget, &mut ()).map_err(|why| why.to_string())?;
    let is_solved = matches!(outcome, Outcome::Solved { .. });
    Ok(is_solved.then(|| search.stats().expanded))
}

fn compare(arguments: &[String]) -> Result<(), String> {
    let usage = "arguments: EXPANSIONS STRATEGIES FILE...";
    let [most, picks, files @ ..] = arguments else {
        return Err(usage.to_owned());
    };
    let number = |text: &String| text.parse::<u64>().map_err(|_| usage.to_owned());
    let (most, picks) = (number(most)?, number(picks)?);
    let mut all = Vec::new();
    for file in files {
        all.extend(levels(file)?);
    }
    let mut table = Vec::new();
    for style in styles() {
        let row: Result<Vec<_>, _> =
            all.iter().map(|level| expansions(level, style, most)).collect();
        table.push((style, row?));
    }
    let mut left: Vec<usize> = (0..all.len()).collect();
    for _ in 0..picks {
        let solved =
            |row: &[Option<u64>]| left.iter().filter(|&&level| row[level].is_some()).count();
        let total = |row: &[Option<u64>]| row.iter().map(|n| n.unwrap_or(most)).sum::<u64>();
        let best = table.iter().max_by_key(|(_, row)| (solved(row), std::cmp::Reverse(total(row))));
        let Some((style, row)) = best else {
            break;
        };
        let whole = row.iter().flatten().count();
        println!(
            "solves {} of the {} left, {whole} of all {}, {} expansions on all: {style:?}",
            solved(row),
            left.len(),
            all.len(),
            total(row),
        );
        left.retain(|&level| row[level].is_none());
    }
    println!("{} levels are left", left.len());
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match compare(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
