//! How soon construction finds a team that keeps all requirements: `party_construct POOL.json PUZZLE [SEEDS]`. Shows
//! attempts and CPU time at quantiles, for every way to construct.

use cpu_time::ThreadTime;
use unriddle_core::Rng;
use unriddle_puzzles::party::{generate::Kind, read, rules};
use unriddle_specialists::party::construct::{Construct, Guidance, Sums};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, pool, kind, seeds @ ..] = args.as_slice() else {
        eprintln!("usage: party_construct POOL.json PUZZLE [SEEDS]");
        std::process::exit(2);
    };
    let seeds: u64 = seeds.first().map_or(100, |n| n.parse().expect("a number"));
    let text = std::fs::read_to_string(pool).expect("a readable file");
    let pool = read::pool(&text).expect("a pool of items");
    let puzzle = match kind.as_str() {
        "1" => Kind::One.text(&pool.items),
        "2" => Kind::Two.text(&pool.items),
        file if file.ends_with(".json") => std::fs::read_to_string(file).ok(),
        elf => Kind::Three(elf.parse().expect("the code of a race")).text(&pool.items),
    };
    let puzzle = puzzle.expect("a puzzle");
    let party = rules::party(pool, &puzzle).expect("a puzzle");
    for sums in [Sums::Steady, Sums::Possible] {
        let construct = Construct::new(&party, Guidance { guided: true, sums });
        let mut found: Vec<(f64, u64)> = Vec::new();
        for seed in 0..seeds {
            let begun = ThreadTime::now();
            if let Some((_, attempts)) = construct.witness(500, &mut Rng::new(seed)) {
                found.push((begun.elapsed().as_secs_f64() * 1e3, attempts));
            }
        }
        found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let at = |q: f64| found.get(((found.len() as f64 - 1.0) * q).round() as usize);
        println!(
            "{sums:?}: {} of {seeds}; ms, attempts: median {:?}, 99 % {:?}, most {:?}",
            found.len(),
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
}
