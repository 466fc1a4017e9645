//! Figure 4 of the party-building paper, on generated worlds: the synergy of teams that are built
//! with and without guidance, where all other requirements are kept.
//!
//! ```text
//! cargo run --release -p unriddle --example party_paper -- synergies [ATTEMPTS] [HEROES] > docs/results/party-guidance.csv
//! cargo run --release -p unriddle --example party_paper -- histogram [ATTEMPTS] [HEROES] > docs/results/party-guidance.svg
//! ```
//!
//! `synergies` prints a table (CSV) and `histogram` a plot (SVG) of the same teams. Figure 5 is the
//! experiment `party-islands`.

use unriddle_core::Rng;
use unriddle_party::solvers::construct::{Construct, Guidance};
use unriddle_party::{
    Amount, Party, Team,
    generate::{Kind, World, world},
    rules,
};
use unriddle_plot::{Curve, curves};

const KINDS: [(&str, Kind); 3] =
    [("type1", Kind::One), ("type2", Kind::Two), ("type3", Kind::Three(3))];

/// Bins of the histogram: the synergy of eleven nodes has 33 points.
const BINS: f64 = 33.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |i: usize, default: u64| args.get(i).and_then(|n| n.parse().ok()).unwrap_or(default);
    let (attempts, heroes) = (number(1, 5000), number(2, 10_000));
    match args.first().map(String::as_str) {
        Some("synergies") => table(attempts, heroes),
        Some("histogram") => print!("{}", histogram(attempts, heroes)?),
        _ => {
            eprintln!("usage: party_paper synergies|histogram [ATTEMPTS] [HEROES]");
            std::process::exit(2);
        }
    }
    Ok(())
}

fn puzzle(kind: Kind, heroes: u64) -> Party {
    let size = World { heroes: heroes as usize, ..World::default() };
    let pool = world(&size, &mut Rng::new(2022));
    let text = kind.text(&pool.items).expect("a world has all traits");
    rules::party(pool, &text).expect("the paper's puzzles are sound")
}

/// Teams of one puzzle that were built with or without guidance.
struct Built {
    name: &'static str,
    guided: bool,
    /// Their synergies, ascending.
    synergies: Vec<f64>,
    /// The required synergy.
    required: f64,
}

/// Teams of all puzzles, of `attempts` attempts each.
fn built(attempts: u64, heroes: u64) -> Vec<Built> {
    let mut all = Vec::new();
    for (name, kind) in KINDS {
        let party = puzzle(kind, heroes);
        let required = party.requirements.iter().find(|r| r.amount == Amount::Synergy);
        let required = required.and_then(|r| r.at_least).unwrap_or(0);
        let whole = party.synergy.whole() as f64;
        for guided in [true, false] {
            let construct = Construct::new(&party, Guidance { guided, ..Guidance::default() });
            let mut rng = Rng::new(1);
            let empty = vec![None; party.formation.nodes()];
            let teams = (0..attempts).filter_map(|_| construct.complete(&empty, &[], &mut rng));
            let mut synergies: Vec<f64> =
                teams.map(|items| Team::new(&party, &items).synergy() as f64 / whole).collect();
            synergies.sort_unstable_by(f64::total_cmp);
            all.push(Built { name, guided, synergies, required: required as f64 / whole });
        }
    }
    all
}

fn table(attempts: u64, heroes: u64) {
    println!("puzzle,guided,attempts,built,mean,median,largest,enough");
    for Built { name, guided, synergies, required } in built(attempts, heroes) {
        let n = synergies.len();
        let enough = synergies.iter().filter(|&&synergy| synergy >= required).count();
        println!(
            "{name},{},{attempts},{n},{:.3},{:.2},{:.2},{:.1} %",
            if guided { "yes" } else { "no" },
            synergies.iter().sum::<f64>() / n as f64,
            synergies[(n - 1) / 2],
            synergies[n - 1],
            100.0 * enough as f64 / attempts as f64
        );
    }
}

/// The number of teams by synergy, an outline for each puzzle and way of building.
fn histogram(attempts: u64, heroes: u64) -> Result<String, unriddle_plot::PlotError> {
    let outline = |built: Built| {
        let mut counts = vec![0; BINS as usize + 1];
        for synergy in &built.synergies {
            counts[(synergy * BINS).round() as usize] += 1;
        }
        let ends = |(bin, count): (usize, i32)| {
            [-0.5, 0.5].map(|end| ((bin as f64 + end) / BINS, f64::from(count)))
        };
        let way = if built.guided { "guided" } else { "unguided" };
        let points = counts.into_iter().enumerate().flat_map(ends).collect();
        Curve { name: format!("{}, {way}", built.name), points }
    };
    let all = built(attempts, heroes).into_iter().map(outline).collect();
    curves("Synergy of constructed teams", "synergy", "teams", all, |x| format!("{x}"))
}
