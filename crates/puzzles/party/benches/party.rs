//! Moves per second of a team in party building: `cargo bench -p unriddle-party --bench party`.
//!
//! Each move brings cost, requirements and synergy up to date, and all three are read, as local
//! search does. Times are CPU time, so that other work on the machine does not count.
#![allow(missing_docs, unreachable_pub)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::{hint::black_box, time::Duration};
use unriddle_core::Rng;
use unriddle_core::clock::ThreadTime;
use unriddle_party::{
    Party, Team,
    generate::{Kind, World, world},
    puzzles::matched,
    rules,
};

/// Moves per measurement, drawn beforehand, so that the random number generator is not measured.
const MOVES: usize = 1 << 14;

/// A change of a team.
#[derive(Clone, Copy)]
enum Move {
    Replace(usize, u32),
    Swap(usize, usize),
}

impl Move {
    fn make(self, team: &mut Team<'_>) {
        match self {
            Self::Replace(node, item) => team.replace(node, item),
            Self::Swap(a, b) => team.swap(a, b),
        }
    }
}

/// A move of either kind; two different nodes are exchanged.
fn draw(party: &Party, swap: bool, rng: &mut Rng) -> Move {
    let nodes = party.formation.nodes() as u64;
    let node = rng.below(nodes);
    match swap {
        true => {
            let other = (node + 1 + rng.below(nodes - 1)) % nodes;
            Move::Swap(node as usize, other as usize)
        }
        false => Move::Replace(node as usize, rng.below(party.items.len() as u64) as u32),
    }
}

/// The paper's first puzzle on a generated world of 10,000 heroes, and one with synergy by
/// matrices.
fn puzzles() -> Option<[(&'static str, Party); 2]> {
    let size = World { heroes: 10_000, ..World::default() };
    let pool = world(&size, &mut Rng::new(1));
    let table = Kind::One.text(&pool.items)?;
    let matrices = matched(&pool, &mut Rng::new(1))?;
    Some([
        ("party_moves", rules::party(pool.clone(), &table).ok()?),
        ("party_moves_matrices", rules::party(pool, &matrices).ok()?),
    ])
}

/// Replacements, exchanges, and both in turn.
fn moves(c: &mut Criterion) {
    for (name, party) in puzzles().into_iter().flatten() {
        moves_of(c, name, &party);
    }
}

fn moves_of(c: &mut Criterion, name: &str, party: &Party) {
    let start: Vec<u32> = (0..party.formation.nodes() as u32).collect();
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(MOVES as u64));
    // Which moves in turn are exchanges.
    let kinds: [(&str, &[bool]); 3] =
        [("replace", &[false]), ("swap", &[true]), ("both", &[false, true])];
    for (name, swaps) in kinds {
        let mut rng = Rng::new(2);
        let moves: Vec<Move> =
            (0..MOVES).map(|i| draw(party, swaps[i % swaps.len()], &mut rng)).collect();
        let mut team = Team::new(party, &start);
        group.bench_function(name, |b| {
            b.iter_custom(|times| {
                let begun = ThreadTime::now();
                for _ in 0..times {
                    let read = |sum: i64, step: &Move| {
                        step.make(&mut team);
                        sum ^ team.cost() ^ team.synergy() ^ team.amount(1)
                    };
                    black_box(black_box(&moves).iter().fold(0, read));
                }
                begun.elapsed()
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(5));
    targets = moves
}
criterion_main!(benches);
