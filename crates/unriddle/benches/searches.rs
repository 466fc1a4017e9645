//! Rates of searches, heuristics and builders: `cargo bench -p unriddle --bench searches`.
#![allow(missing_docs, unreachable_pub)]

mod common;

use common::{board, cache, idastar};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::{hint::black_box, time::Duration};
use unriddle_core::{BatchHeuristic, Budget, Heuristic, Rng, Scalar, Search, run};
use unriddle_samegame::{self as samegame, generate::uniform, playout::Games};
use unriddle_search::{
    astar::{AStar, AStarConfig},
    spmcts::{Spmcts, SpmctsConfig},
};
use unriddle_tables::{Build, Work};
use unriddle_tiles::{Board4, LinearConflict, Manhattan, Partition, Pdb, Tiles, sliding::Pattern};

/// Expansions per measurement.
const EXPANSIONS: u64 = 2_000_000;

fn depth_first<H: Heuristic<Tiles<Board4>>>(c: &mut Criterion, name: &str, heuristic: &H) {
    // The first seed whose instance is hard enough for the heuristic.
    let puzzle = (1..100).map(board).find(|p| idastar(p, heuristic, EXPANSIONS) == EXPANSIONS);
    let Some(puzzle) = puzzle else { return };
    let mut group = c.benchmark_group("idastar");
    group.throughput(Throughput::Elements(EXPANSIONS)).sample_size(20);
    group.bench_function(name, |b| {
        b.iter(|| idastar(black_box(&puzzle), heuristic, EXPANSIONS));
    });
    group.finish();
}

fn best_first(c: &mut Criterion) {
    let expansions = 100_000;
    let puzzle = board(1);
    let heuristic = Scalar(Manhattan::new(&puzzle));
    let heuristic: &dyn BatchHeuristic<Tiles<Board4>> = &heuristic;
    let mut group = c.benchmark_group("astar");
    group.throughput(Throughput::Elements(expansions)).sample_size(10);
    group.bench_function("manhattan", |b| {
        b.iter(|| {
            let budget = Budget { expansions: Some(expansions), ..Budget::default() };
            AStar::new(black_box(&puzzle), heuristic, AStarConfig::default()).map(|mut search| {
                run(&mut search, &budget, &mut ()).is_ok() && search.stats().expanded > 0
            })
        });
    });
    group.finish();
}

/// A single tree with the exploitation settings and the preferred play-out of Schadd et al. 2012.
fn monte_carlo(c: &mut Criterion) {
    let nodes = 10_000;
    let layout = uniform(15, 15, 5, &mut Rng::new(2012));
    let Some(puzzle) = samegame::Small::new(&layout, samegame::Scoring::Paper) else {
        return;
    };
    let games = Games::default();
    let mut group = c.benchmark_group("spmcts");
    group.throughput(Throughput::Elements(nodes)).sample_size(10);
    group.bench_function("tabu_color", |b| {
        b.iter(|| {
            let config = SpmctsConfig { nodes, ..SpmctsConfig::default() };
            Spmcts::new(black_box(&puzzle), &games, config).map(|mut search| {
                run(&mut search, &Budget::default(), &mut ()).is_ok() && search.stats().expanded > 0
            })
        });
    });
    group.finish();
}

fn builder(c: &mut Criterion) {
    let Ok(pattern) = Pattern::new(4, &[0, 1, 2, 4, 5, 8], 15) else {
        return;
    };
    let mut group = c.benchmark_group("build");
    group.throughput(Throughput::Elements(pattern.entries())).sample_size(10);
    group.bench_function("six tiles of the 15-puzzle, one thread", |b| {
        b.iter(|| black_box(&pattern).build(&Work::new(1, &|_| true)).map(|table| table.len()));
    });
    group.finish();
}

fn searches(c: &mut Criterion) {
    depth_first(c, "manhattan", &Manhattan::new(&board(1)));
    depth_first(c, "linear-conflict", &LinearConflict::new(&board(1)));
    let partition = Partition::parse(4, "5-5-5");
    if let Ok(pdb) = partition.and_then(|p| Pdb::<Board4, 4>::new(&board(1), &p, true, &cache())) {
        depth_first(c, "pdb(5-5-5)", &pdb);
    }
    best_first(c);
    monte_carlo(c);
    builder(c);
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(5));
    targets = searches
}
criterion_main!(benches);
