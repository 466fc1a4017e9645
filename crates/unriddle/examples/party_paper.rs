//! The figures of the party-building paper, on generated worlds:
//!
//! ```text
//! cargo run --release -p unriddle --example party_paper -- guidance [ATTEMPTS] [HEROES]
//! cargo run --release -p unriddle --example party_paper -- islands [RESTARTS] [EVALUATIONS] [HEROES]
//! ```
//!
//! `guidance` is Figure 4: the synergy of teams that are built with and without guidance, where all
//! other requirements are kept. `islands` is Figure 5: one population against five islands at an
//! equal number of evaluations (teams that are built or mended), with the same seeds for both, and
//! the gap to the proved optimum, which the paper lacks. Both print Markdown.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};
use unriddle_core::{Breed as _, Progress, Rng, Search as _};
use unriddle_evolve::{
    hybrid::HybridConfig,
    islands::{Islands, IslandsConfig, Workers},
};
use unriddle_party::solvers::{
    construct::{Construct, Guidance},
    exact::{Exact, ExactConfig},
    teams::Teams,
};
use unriddle_party::{
    Amount, Party, Team,
    generate::{Kind, World, world},
    rules,
};

const KINDS: [(&str, Kind); 3] =
    [("type1", Kind::One), ("type2", Kind::Two), ("type3", Kind::Three(3))];

/// Student's t at 97.5 % for 24 degrees of freedom; for other numbers of restarts the intervals are
/// about right.
const T: f64 = 2.064;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |i: usize, default: u64| args.get(i).and_then(|n| n.parse().ok()).unwrap_or(default);
    match args.first().map(String::as_str) {
        Some("guidance") => guidance(number(1, 5000), number(2, 10_000)),
        Some("islands") => islands(number(1, 25), number(2, 10_000), number(3, 10_000)),
        _ => {
            eprintln!(
                "usage: party_paper guidance [ATTEMPTS] [HEROES] | islands [RESTARTS] [EVALUATIONS] [HEROES]"
            );
            std::process::exit(2);
        }
    }
}

fn puzzle(kind: Kind, heroes: u64) -> Party {
    let size = World { heroes: heroes as usize, ..World::default() };
    let pool = world(&size, &mut Rng::new(2022));
    let text = kind.text(&pool.items).expect("a world has all traits");
    rules::party(pool, &text).expect("the paper's puzzles are sound")
}

fn guidance(attempts: u64, heroes: u64) {
    println!(
        "| puzzle | guided | teams built | mean synergy | median | 99 % | best | at the required one |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (name, kind) in KINDS {
        let party = puzzle(kind, heroes);
        let required = party.requirements.iter().find(|r| r.amount == Amount::Synergy);
        let required = required.and_then(|r| r.at_least).unwrap_or(0);
        for guided in [true, false] {
            let construct = Construct::new(&party, Guidance { guided, ..Guidance::default() });
            let mut rng = Rng::new(1);
            let empty = vec![None; party.formation.nodes()];
            let mut reached: Vec<i64> = (0..attempts)
                .filter_map(|_| construct.complete(&empty, &[], &mut rng))
                .map(|items| Team::new(&party, &items).synergy())
                .collect();
            reached.sort_unstable();
            let whole = party.synergy.whole() as f64;
            let at = |q: f64| reached[((reached.len() - 1) as f64 * q) as usize] as f64 / whole;
            let mean = reached.iter().sum::<i64>() as f64 / reached.len() as f64 / whole;
            let enough = reached.iter().filter(|&&synergy| synergy >= required).count();
            println!(
                "| {name} | {} | {} of {attempts} | {mean:.3} | {:.2} | {:.2} | {:.2} | {:.1} % |",
                if guided { "yes" } else { "no" },
                reached.len(),
                at(0.5),
                at(0.99),
                at(1.0),
                100.0 * enough as f64 / attempts as f64
            );
        }
    }
}

/// Result of a run when its evaluations are used up.
#[derive(Clone, Copy)]
struct End {
    best: f64,
    mean: f64,
    diversity: f64,
    /// Mean distance of two teams by the traits of their items.
    distance: f64,
}

fn evolved(party: &Party, config: IslandsConfig, evaluations: u64, seed: u64) -> End {
    let teams = Teams::new(party, Guidance::default());
    let mut run = Islands::new(&teams, config, seed, Workers::threads(1)).expect("sound options");
    let mut last = run.history().last().copied();
    let mut members = members(&run);
    loop {
        run.epoch(&teams, Workers::threads(1));
        if run.evaluations() > evaluations {
            break;
        }
        last = run.history().last().copied();
        members = self::members(&run);
    }
    let last = last.expect("a population");
    let mut distance = 0.0;
    let mut pairs = 0.0;
    for (i, a) in members.iter().enumerate() {
        for b in &members[..i] {
            distance += teams.distance(a, b);
            pairs += 1.0;
        }
    }
    End {
        best: last.best as f64,
        mean: last.mean,
        diversity: last.diversity,
        distance: distance / pairs,
    }
}

fn members(run: &Islands<Vec<u32>>) -> Vec<Vec<u32>> {
    let all = run.islands().iter().flat_map(|island| island.members());
    all.map(|(_, team)| team.clone()).collect()
}

/// Mean, standard deviation, and half of the 95 % interval of the mean.
fn stats(values: &[f64]) -> (f64, f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    let sd = (squares / (n - 1.0)).sqrt();
    (mean, sd, T * sd / n.sqrt())
}

fn islands(restarts: u64, evaluations: u64, heroes: u64) {
    println!(
        "| puzzle | optimum (proved) | method | best: mean | standard deviation | gap | mean of the population | diversity (prices) | distance (traits) |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, kind) in KINDS {
        let party = puzzle(kind, heroes);
        let mut exact = Exact::new(&party, None, ExactConfig::default());
        let optimum = match exact.step(20_000, &mut ()) {
            Progress::Finished(outcome) => outcome.best().map(|best| best.value),
            _ => None,
        };
        let mut ends: Vec<Vec<End>> = Vec::new();
        // The paper's vanilla algorithm: one population of 50 candidates and 100 children.
        let vanilla = IslandsConfig {
            islands: 1,
            hybrid: HybridConfig::default(),
            ..IslandsConfig::default()
        };
        for config in [vanilla, IslandsConfig::default()] {
            let next = AtomicUsize::new(0);
            let found = Mutex::new(Vec::new());
            std::thread::scope(|scope| {
                for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                    scope.spawn(|| {
                        loop {
                            let seed = next.fetch_add(1, Ordering::Relaxed) as u64;
                            if seed >= restarts {
                                return;
                            }
                            let end = evolved(&party, config, evaluations, seed);
                            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                            found.push((seed, end));
                        }
                    });
                }
            });
            let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
            found.sort_by_key(|(seed, _)| *seed);
            ends.push(found.into_iter().map(|(_, end)| end).collect());
        }
        for (method, ends) in ["vanilla", "islands"].iter().zip(&ends) {
            let of = |part: fn(&End) -> f64| stats(&ends.iter().map(part).collect::<Vec<f64>>());
            let (best, sd, half) = of(|end| end.best);
            let gap = optimum.map_or_else(String::new, |optimum| {
                format!("{:.1} %", 100.0 * (best / optimum as f64 - 1.0))
            });
            let shown = optimum.map_or_else(|| "not proved".to_owned(), |o| o.to_string());
            let (mean, ..) = of(|end| end.mean);
            let (diversity, _, spread) = of(|end| end.diversity);
            let (distance, _, apart) = of(|end| end.distance);
            println!(
                "| {name} | {shown} | {method} | {best:.0} ± {half:.0} | {sd:.0} | {gap} | {mean:.0} | {diversity:.4} ± {spread:.4} | \
                 {distance:.3} ± {apart:.3} |"
            );
        }
        let paired = |part: fn(&End) -> f64| {
            let pairs = ends[1].iter().zip(&ends[0]);
            stats(&pairs.map(|(a, b)| part(a) - part(b)).collect::<Vec<f64>>())
        };
        let (best, _, half) = paired(|end| end.best);
        let (diversity, _, spread) = paired(|end| end.diversity);
        let (distance, _, apart) = paired(|end| end.distance);
        println!(
            "| {name} | | islands less vanilla | {best:+.0} ± {half:.0} | | | | {diversity:+.4} ± {spread:.4} | {distance:+.3} ± {apart:.3} |"
        );
    }
}
