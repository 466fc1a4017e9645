//! Solvers of party puzzles on a pool of items:
//!
//! ```text
//! cargo run --release -p unriddle-party --example party -- ARGUMENTS
//!
//! exact POOL.json PUZZLE [SEED]
//! construct POOL.json PUZZLE [SEEDS]
//! witness CONSTRUCTIONS [POOL.json RACE]...
//! engines SEEDS [POOL.json PUZZLE]...      (with --features highs)
//! anneal POOL.json PUZZLE [SEEDS] [MOVES]
//! why POOL.json PUZZLE
//! ```
//!
//! The puzzle is a file, or `1`, `2`, or the code of a race for the paper's third type. `exact`
//! shows how bound and price converge, `construct` how soon a team is found that keeps all
//! requirements, `anneal` the results of annealing, and `why` which conditions contradict each
//! other where there is no team. `witness` prints a table of the time that such a team takes, by
//! the paper's three types, on pools with the race of the third one and on generated worlds.
//! `engines` prints the time that the exact search takes with each solver of linear programs that
//! is built in.

use std::collections::{BTreeMap, BTreeSet};
use unriddle_core::clock::ThreadTime;
use unriddle_core::{Progress, Rng, Search as _};
use unriddle_party::{
    Party,
    generate::{Kind, World, world},
    read::{self, Pool},
    rules,
};
use unriddle_party::{
    lp::Engine,
    solvers::{
        anneal::{AnnealConfig, anneal},
        conflict::{Condition, VerdictConfig, conflict, verdict},
        construct::{Construct, Guidance, Sums},
        exact::{Exact, ExactConfig},
    },
};

/// Generated worlds that witnesses are built for.
const WORLDS: u64 = 3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [verb, constructions, pools @ ..] = args.as_slice()
        && verb == "witness"
    {
        return witness(constructions.parse()?, pools);
    }
    if let [verb, seeds, puzzles @ ..] = args.as_slice()
        && verb == "engines"
    {
        return engines(seeds.parse()?, puzzles);
    }
    let [verb, pool, puzzle, numbers @ ..] = args.as_slice() else {
        let usage = "usage: party exact|construct|anneal|why POOL.json PUZZLE [NUMBERS]\n       \
                     party witness CONSTRUCTIONS [POOL.json RACE]...\n       \
                     party engines SEEDS [POOL.json PUZZLE]...";
        return Err(usage.into());
    };
    let party = load(pool, puzzle)?;
    let numbers: Result<Vec<u64>, _> = numbers.iter().map(|number| number.parse()).collect();
    let numbers = numbers?;
    let number = |i: usize, default: u64| numbers.get(i).copied().unwrap_or(default);
    match verb.as_str() {
        "exact" => exact(&party, number(0, 0)),
        "construct" => constructed(&party, number(0, 100)),
        "anneal" => annealed(&party, number(0, 5), number(1, 500_000)),
        _ => why(&party),
    }
    Ok(())
}

/// All errors, a line each.
fn all(errors: &[read::ReadError]) -> String {
    let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

fn load_pool(file: &str) -> Result<Pool, Box<dyn std::error::Error>> {
    Ok(read::pool(&std::fs::read_to_string(file)?).map_err(|errors| all(&errors))?)
}

fn load(pool: &str, puzzle: &str) -> Result<Party, Box<dyn std::error::Error>> {
    let pool = load_pool(pool)?;
    let text = match puzzle {
        "1" => Kind::One.text(&pool.items),
        "2" => Kind::Two.text(&pool.items),
        file if file.ends_with(".json") => Some(std::fs::read_to_string(file)?),
        elf => Kind::Three(elf.parse()?).text(&pool.items),
    };
    let text = text.ok_or("this pool has no traits for that puzzle")?;
    Ok(rules::party(pool, &text).map_err(|errors| all(&errors))?)
}

fn exact(party: &Party, seed: u64) {
    let config = ExactConfig { seed, ..ExactConfig::default() };
    let mut exact = Exact::new(party, None, config);
    let begun = ThreadTime::now();
    let mut last = (None, None);
    loop {
        let progress = exact.step(1, &mut ());
        let now = (exact.bound(), exact.best().map(|best| best.value));
        let stats = exact.stats();
        if now != last {
            let (bound, best) = now;
            println!(
                "{:8.2?}: {bound:?} <= {best:?}, {} relaxations, {} regions",
                begun.elapsed(),
                stats.generated,
                stats.expanded
            );
            last = now;
        }
        if let Progress::Finished(outcome) = progress {
            println!("{:8.2?}: {outcome:?}", begun.elapsed());
            return;
        }
    }
}

fn engines(seeds: u64, puzzles: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    println!("| pool | puzzle | engine | prices | relaxations: mean | CPU seconds: mean | most |");
    println!("|---|---|---|---|---|---|---|");
    for pair in puzzles.chunks(2) {
        let [pool, puzzle] = pair else {
            return Err("a pool is followed by a puzzle".into());
        };
        let (name, party) = (load_pool(pool)?.name, load(pool, puzzle)?);
        for &engine in Engine::BUILT {
            let mut prices = BTreeSet::new();
            let (mut relaxations, mut seconds, mut most) = (0, 0.0, 0.0_f64);
            for seed in 0..seeds {
                let config = ExactConfig { seed, engine, ..ExactConfig::default() };
                let begun = ThreadTime::now();
                let mut exact = Exact::new(&party, None, config);
                exact.step(u64::MAX, &mut ());
                let took = begun.elapsed().as_secs_f64();
                prices.extend(exact.best().map(|best| best.value));
                relaxations += exact.stats().generated;
                seconds += took;
                most = most.max(took);
            }
            println!(
                "| {name} | {puzzle} | `{}` | {prices:?} | {:.1} | {:.2} | {most:.2} |",
                engine.name(),
                relaxations as f64 / seeds as f64,
                seconds / seeds as f64
            );
        }
    }
    Ok(())
}

/// Milliseconds of CPU time and attempts of each construction that succeeds, the shortest first.
fn times(construct: &Construct<'_>, seeds: u64) -> Vec<(f64, u64)> {
    let mut found: Vec<(f64, u64)> = Vec::new();
    for seed in 0..seeds {
        let begun = ThreadTime::now();
        if let Some((_, attempts)) = construct.witness(200, &mut Rng::new(seed)) {
            found.push((begun.elapsed().as_secs_f64() * 1e3, attempts));
        }
    }
    found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// A quantile of sorted values.
fn at<T>(sorted: &[T], q: f64) -> Option<&T> {
    sorted.get(((sorted.len() as f64 - 1.0) * q).round() as usize)
}

fn constructed(party: &Party, seeds: u64) {
    for sums in [Sums::Steady, Sums::Possible] {
        let found = times(&Construct::new(party, Guidance { guided: true, sums }), seeds);
        println!(
            "{sums:?}: {} of {seeds}; ms, attempts: median {:?}, 99 % {:?}, most {:?}",
            found.len(),
            at(&found, 0.5),
            at(&found, 0.99),
            at(&found, 1.0)
        );
    }
}

fn witness(constructions: u64, pools: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let mut all_pools = Vec::new();
    for pool in pools.chunks(2) {
        let [file, race] = pool else {
            return Err("a pool is followed by the code of a race".into());
        };
        let pool = load_pool(file)?;
        all_pools.push((pool.name.clone(), pool, race.parse()?));
    }
    for seed in 1..=WORLDS {
        let pool = world(&World::default(), &mut Rng::new(seed));
        // Elves are the fourth race.
        all_pools.push((format!("world, seed {seed}"), pool, 3));
    }
    println!("| pool | items | puzzle | found | ms: median | 99 % | most | attempts: mean |");
    println!("|---|---|---|---|---|---|---|---|");
    for (label, pool, race) in &all_pools {
        let kinds = [
            ("type1".to_owned(), Kind::One),
            ("type2".to_owned(), Kind::Two),
            (format!("type3(elf={race})"), Kind::Three(*race)),
        ];
        for (name, kind) in kinds {
            let text = kind.text(&pool.items).ok_or("this pool has no traits for that puzzle")?;
            let party = rules::party(pool.clone(), &text).map_err(|errors| all(&errors))?;
            let found = times(&Construct::new(&party, Guidance::default()), constructions);
            let ms = |q: f64| at(&found, q).map_or(f64::NAN, |&(ms, _)| ms);
            let attempts: u64 = found.iter().map(|&(_, attempts)| attempts).sum();
            println!(
                "| {label} | {} | {name} | {} of {constructions} | {:.2} | {:.2} | {:.2} | {:.2} |",
                pool.items.len(),
                found.len(),
                ms(0.5),
                ms(0.99),
                ms(1.0),
                attempts as f64 / found.len() as f64
            );
        }
    }
    Ok(())
}

fn annealed(party: &Party, seeds: u64, moves: u64) {
    let all: Vec<u32> = (0..party.items.len() as u32).collect();
    let begun = ThreadTime::now();
    let mut prices: BTreeMap<Option<i64>, u32> = BTreeMap::new();
    for seed in 0..seeds {
        let construct = Construct::new(party, Guidance::default());
        let start = construct.witness(500, &mut Rng::new(seed));
        let config = AnnealConfig { moves, seed, ..AnnealConfig::default() };
        let found = start.and_then(|(start, _)| anneal(party, &all, &start, &config));
        *prices.entry(found.map(|(price, _)| price)).or_default() += 1;
    }
    println!("{:.2?} of CPU time: {prices:?}", begun.elapsed());
}

fn why(party: &Party) {
    let config = VerdictConfig::default();
    println!("{:?}", verdict(party, &config));
    let Some(found) = conflict(party, &config) else {
        return;
    };
    for condition in &found.conditions {
        match *condition {
            Condition::Requirement(i) => println!("  {}", party.requirements[i].text),
            other => println!("  {other:?}"),
        }
    }
    println!("minimal: {}", found.minimal);
}
