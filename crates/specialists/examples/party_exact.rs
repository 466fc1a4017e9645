//! Proves the cheapest team of one of the paper's puzzles, and shows how bound and price come together:
//! `party_exact POOL.json 1|2|ELF [ITEM,ITEM,...]`, where `ELF` is the code of the third type's race; with a team
//! only cheaper ones are looked for.

use std::time::Instant;
use unriddle_puzzles::party::{generate::Kind, read, rules};
use unriddle_specialists::party::exact::Exact;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, pool, kind, known @ ..] = args.as_slice() else {
        eprintln!("usage: party_exact POOL.json 1|2|ELF [ITEM,ITEM,...]");
        std::process::exit(2);
    };
    let text = std::fs::read_to_string(pool).expect("a readable file");
    let pool = read::pool(&text).expect("a pool of items");
    let kind = match kind.as_str() {
        "1" => Kind::One,
        "2" => Kind::Two,
        elf => Kind::Three(elf.parse().expect("the code of a race")),
    };
    let puzzle = kind.text(&pool.items).expect("a pool with that race");
    let party = rules::party(pool, &puzzle).expect("a puzzle");
    let item = |i: &str| i.parse().expect("the number of an item");
    let known: Option<Vec<u32>> = known
        .first()
        .map(|team| team.split(',').map(item).collect());
    let begun = Instant::now();
    let mut exact = Exact::new(&party, known.as_deref(), 1);
    let mut last = None;
    while !exact.is_finished() {
        exact.step();
        let now = (exact.bound(), exact.best().map(|(cost, _)| cost));
        if Some(now) != last {
            let (bound, best) = now;
            println!(
                "{:8.2?}: {bound:?} <= {best:?}, {} regions",
                begun.elapsed(),
                exact.regions
            );
            last = Some(now);
        }
    }
    println!(
        "{:8.2?}: {:?}, {} regions",
        begun.elapsed(),
        exact.best(),
        exact.regions
    );
}
