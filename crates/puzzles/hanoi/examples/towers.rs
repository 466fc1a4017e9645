//! Solves a tower or a random position: `towers PEGS DISKS [SEED] [TABLE]`.

use std::time::Instant;
use unriddle_core::{Budget, Puzzle as _, Rng, Search as _, run};
use unriddle_hanoi::{
    Hanoi,
    exact::{Exact, ExactConfig},
    stewart,
    towers::{Towers, TowersConfig},
};
use unriddle_tables::{Cache, Policy};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<u64> =
        std::env::args().skip(1).map(|arg| arg.parse()).collect::<Result<_, _>>()?;
    let number = |at: usize| numbers.get(at).copied().unwrap_or(0);
    let (pegs, disks, seed) = (number(0).clamp(3, 9), number(1).clamp(1, 20), number(2));
    let mut rng = Rng::new(seed);
    let peg = |_| if seed == 0 { 1 } else { 1 + rng.below(pegs) };
    let text: Vec<String> = (0..disks).map(peg).map(|peg| peg.to_string()).collect();
    let puzzle = Hanoi::parse(&text.join(" "), pegs as u8)?;
    let begun = Instant::now();
    let config = ExactConfig { disks: number(3) as u8, ..ExactConfig::default() };
    let cache = Cache::new(None, 1, Policy::Reuse);
    let towers = Towers::new(&puzzle, TowersConfig { disks: config.disks }, &cache)?;
    let table = begun.elapsed().as_secs_f64();
    let estimate = towers.estimate(&puzzle.initial_state());
    let mut search = Exact::new(&puzzle, towers, config)?;
    let outcome =
        run(&mut search, &Budget { memory: Some(2 << 30), ..Budget::default() }, &mut ())?;
    let (stats, known) = (search.stats(), stewart::solution(&puzzle).len());
    let found = outcome.best().map(|best| best.value);
    println!("position {}: estimate {estimate}, Frame and Stewart {known}", text.join(" "));
    println!("found {found:?}, bound {:?}, optimal {}", outcome.bound(), outcome.is_optimal());
    println!("{} expanded, {} MB", stats.expanded, stats.peak_bytes >> 20);
    println!("table {table:.2} s, all {:.2} s", begun.elapsed().as_secs_f64());
    Ok(())
}
