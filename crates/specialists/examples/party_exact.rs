//! Proves the cheapest team of one of the paper's puzzles, and shows how bound and price come together:
//! `party_exact POOL.json PUZZLE [ITEM,ITEM,...]`, with a file of a puzzle,
//! `1`, `2` or, for the third type, the code of its race; with a team
//! only cheaper ones are looked for. `SEED` is the seed.

use std::time::Instant;
use unriddle_core::{Progress, Search as _};
use unriddle_puzzles::party::{generate::Kind, read, rules};
use unriddle_specialists::party::exact::{Exact, ExactConfig};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, pool, kind, known @ ..] = args.as_slice() else {
        eprintln!("usage: party_exact POOL.json PUZZLE [ITEM,ITEM,...]");
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
    let item = |i: &str| i.parse().expect("the number of an item");
    let known: Option<Vec<u32>> = known
        .first()
        .map(|team| team.split(',').map(item).collect());
    let config = ExactConfig {
        seed: std::env::var("SEED").map_or(0, |seed| seed.parse().expect("a seed")),
        ..ExactConfig::default()
    };
    let mut exact = Exact::new(&party, known.as_deref(), config);
    let begun = Instant::now();
    let mut last = (None, None);
    loop {
        let progress = exact.step(1, &mut ());
        let now = (exact.bound(), exact.best().map(|best| best.value));
        if now != last {
            let (bound, best) = now;
            let regions = exact.stats().expanded;
            let solved = exact.stats().generated;
            println!(
                "{:8.2?}: {bound:?} <= {best:?}, {regions} regions, {solved} relaxations",
                begun.elapsed()
            );
            last = now;
        }
        if let Progress::Finished(outcome) = progress {
            println!("{:8.2?}: {outcome:?}", begun.elapsed());
            return;
        }
    }
}
