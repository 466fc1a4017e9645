//! Verdicts of the default preset on 480 random rooms with one goal moved to another cell, against
//! the verdicts of the exact search. Most of the rooms are unsolvable.
//!
//! `cargo run --release -p unriddle-sokoban --example sokoban_verdicts [ROOMS]`

use std::{collections::BTreeMap, error::Error, time::Instant};
use unriddle_catalog::{
    Budget, Instance, Registry, Request, Spec, Status,
    tables::{Cache, Policy},
};
use unriddle_core::Rng;
use unriddle_sokoban::FAMILY;

/// Generators of the rooms.
const ROOMS: [&str; 5] = [
    "room(7, rows=8, columns=8)",
    "room(8, rows=9, columns=9)",
    "room(4, rows=10, columns=10)",
    "room(9, rows=9, columns=10)",
    "room(4, rows=12, columns=12)",
];

/// Maximum numbers of expansions of the exact search, of the default, in which two searches may
/// take turns, and of the fast search without an exact one, which may have positions left for ever.
const LIMITS: [u64; 3] = [100_000, 1_000_000, 5_000];

/// Replaces a random sign by its pair.
fn change(signs: &mut [char], pairs: &[(char, char)], rng: &mut Rng) {
    let of = |sign: char| pairs.iter().find(|(from, _)| *from == sign).map(|&(_, to)| to);
    let places: Vec<usize> = (0..signs.len()).filter(|&at| of(signs[at]).is_some()).collect();
    let at = places[rng.below(places.len() as u64) as usize];
    signs[at] = of(signs[at]).unwrap_or(signs[at]);
}

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).map_or(Ok(480), |count| count.parse())?;
    let puzzle = Registry::new([&FAMILY])?.puzzle("sokoban")?.1;
    let cache = Cache::new(None, 1, Policy::default());
    let verdict =
        |level: &dyn Instance, solver: &Spec, limit: u64| -> Result<Status, Box<dyn Error>> {
            let budget = Budget { expansions: Some(limit), ..Budget::default() };
            let report =
                level.solve(&Request { budget, ..Request::new(solver, &cache) }, &mut ())?;
            Ok(if report.status == Status::Optimal { Status::Solved } else { report.status })
        };
    // Rooms by the verdicts of the exact search, of the default and of the fast search itself.
    let mut table: BTreeMap<String, usize> = BTreeMap::new();
    let (mut wrong, mut times) = (0, [0.0; 2]);
    for seed in 0..count {
        let generator = FAMILY.generator(Some(ROOMS[seed as usize % ROOMS.len()]))?;
        let mut rng = Rng::stream(54, seed);
        let mut signs: Vec<char> = puzzle.generate(&generator, &mut rng)?.chars().collect();
        change(&mut signs, &[('.', '-'), ('*', '$'), ('+', '@')], &mut rng);
        change(&mut signs, &[('-', '.'), ('$', '*'), ('@', '+')], &mut rng);
        let text = String::from_iter(signs);
        let level = puzzle.load(&text)?;
        let solver = |preset: &str| level.preset(preset).ok_or(format!("no preset {preset}"));
        let begun = Instant::now();
        let exact = verdict(&*level, &solver("optimal")?, LIMITS[0])?;
        times[0] += begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let default = verdict(&*level, &solver("default")?, LIMITS[1])?;
        times[1] += begun.elapsed().as_secs_f64();
        let alone = verdict(&*level, &Spec::parse("fess")?, LIMITS[2])?;
        *table.entry(format!("{exact:?} | {default:?} | {alone:?}")).or_default() += 1;
        if exact != default {
            wrong += 1;
            println!("{seed}: {exact:?}, {default:?}: {text}");
        }
    }
    println!("optimal | default | fess(exact=off)");
    table.iter().for_each(|(verdicts, rooms)| println!("{verdicts}: {rooms}"));
    let [exact, default] = times;
    println!("different verdicts: {wrong} of {count}; {exact:.1} s and {default:.1} s");
    Ok(())
}
