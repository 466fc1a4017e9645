//! What annealing comes to: `party_anneal POOL.json PUZZLE MOVES SEEDS [HOT COLD]`.

use cpu_time::ThreadTime;
use std::collections::BTreeMap;
use unriddle_core::Rng;
use unriddle_puzzles::party::{generate::Kind, read, rules};
use unriddle_specialists::party::{
    anneal::{AnnealConfig, anneal},
    construct::{Construct, Guidance},
};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, pool, kind, moves, seeds, heat @ ..] = args.as_slice() else {
        eprintln!("usage: party_anneal POOL.json PUZZLE MOVES SEEDS [HOT COLD]");
        std::process::exit(2);
    };
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
    let all: Vec<u32> = (0..party.items.len() as u32).collect();
    let begun = ThreadTime::now();
    let mut prices: BTreeMap<i64, u32> = BTreeMap::new();
    for seed in 0..seeds.parse().expect("a number") {
        let construct = Construct::new(&party, Guidance::default());
        let (start, _) = construct
            .witness(500, &mut Rng::new(seed))
            .expect("a witness");
        let mut config = AnnealConfig {
            moves: moves.parse().expect("a number"),
            seed,
            ..AnnealConfig::default()
        };
        if let [hot, cold] = heat {
            config.hot = hot.parse().expect("a temperature");
            config.cold = cold.parse().expect("a temperature");
        }
        let (price, _) = anneal(&party, &all, &start, &config).expect("the start is one");
        *prices.entry(price).or_default() += 1;
    }
    println!("{:.2?} of CPU time: {prices:?}", begun.elapsed());
}
