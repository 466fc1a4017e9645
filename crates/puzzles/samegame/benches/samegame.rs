//! Play-outs per second of SameGame: `cargo bench -p unriddle-samegame --bench samegame`.
#![allow(missing_docs, unreachable_pub)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::{hint::black_box, time::Duration};
use unriddle_core::{Playout, Puzzle, Rng};
use unriddle_samegame::{
    Scoring, Small,
    generate::uniform,
    playout::{Games, Policy},
};

/// Play-outs per measurement: their lengths differ, but the mean over this many hardly does.
const PLAYOUTS: u64 = 1_000;

/// From the start of a random 15×15 board with five colours.
fn playouts(c: &mut Criterion) {
    let layout = uniform(15, 15, 5, &mut Rng::new(2012));
    let Some(puzzle) = Small::new(&layout, Scoring::Paper) else {
        return;
    };
    let start = puzzle.initial_state();
    let mut group = c.benchmark_group("playouts");
    group.throughput(Throughput::Elements(PLAYOUTS)).sample_size(20);
    for policy in [Policy::Random, Policy::TabuColorRandom] {
        let games = Games { policy, ..Games::default() };
        let mut actions = Vec::new();
        group.bench_function(Policy::NAMES[policy as usize], |b| {
            b.iter(|| {
                let mut rng = Rng::new(1);
                (0..PLAYOUTS).fold(0, |best, _| {
                    actions.clear();
                    games.play(black_box(&puzzle), &start, &mut rng, &mut actions).max(best)
                })
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(5));
    targets = playouts
}
criterion_main!(benches);
