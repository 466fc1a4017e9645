//! The fewest presses of a million random 7×7 boards: `cargo bench -p unriddle-lightsout`. Boards
//! are made before the clock starts; the time is of all boards of an iteration.
#![allow(missing_docs, unreachable_pub)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use unriddle_core::Rng;
use unriddle_lightsout::{Shape, algebra::Algebra, solvers::Fewest};

/// Boards of an iteration.
const BOARDS: u64 = 1_000_000;

fn fewest(c: &mut Criterion) {
    let Some(shape) = Shape::new(7, 7, false) else {
        return;
    };
    let algebra = Algebra::of(&shape);
    let Some(mut fewest) = Fewest::new(&algebra) else {
        return;
    };
    let mut rng = Rng::new(7);
    let boards: Vec<u64> = (0..BOARDS).map(|_| rng.next_u64() >> 15).collect();
    let mut group = c.benchmark_group("fewest presses, 7×7");
    group.throughput(Throughput::Elements(BOARDS)).sample_size(10);
    group.bench_function("a million random boards", |b| {
        b.iter(|| {
            let presses = |&board: &u64| fewest.presses(&[black_box(board)]).unwrap_or(0);
            boards.iter().map(presses).map(u64::from).sum::<u64>()
        });
    });
    group.finish();
}

criterion_group!(benches, fewest);
criterion_main!(benches);
