//! The cost of one estimate, and the memory behind it, of databases and networks on random boards:
//! DeepCubeA's Tables 2 and 3 (Agostinelli et al. 2019), on one thread of a CPU.
//!
//! ```text
//! cargo bench -p unriddle --bench estimates > docs/results/estimates.csv
//! ```
//!
//! prints a table (CSV): the memory of a heuristic, and the microseconds of one estimate by the CPU
//! time of the thread, in one batch of 1,000 states and for one state after another. Times are
//! medians of several rounds. Criterion would measure as well, but writes no table with the memory.

#![allow(missing_docs, unreachable_pub)]

mod common;

use common::cache;
use std::{
    hint::black_box,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};
use unriddle_catalog::{Family, Rng, units::show_bytes};
use unriddle_core::{BatchHeuristic, Learnable, Puzzle, Row, Scalar, clock::ThreadTime};
use unriddle_cube::{
    Cube, Metric,
    korf::{Kept, Projection},
};
use unriddle_lightsout::{Lights, Shape};
use unriddle_neural::{Engine, Int8, Model, Net, Network, Ranges, packed};
use unriddle_sokoban::{Level, Measure, Sokoban};
use unriddle_tables::Database;
use unriddle_tiles::{
    AnyBoard, Board, Board4, Board5, Board6, Goal, Manhattan, Partition, Pdb, Tiles, generate,
    goal_cells, mirrored_features,
};

/// States that are estimated at a time: DeepCubeA's count.
const STATES: usize = 1000;

/// Least and greatest number of rounds, and the time after which no further round begins.
const ROUNDS: std::ops::RangeInclusive<usize> = 5..=200;
const TIME: Duration = Duration::from_secs(1);

/// Median of the CPU microseconds that `estimate`, which estimates all states, takes for one of
/// them.
fn micros(mut estimate: impl FnMut()) -> f64 {
    estimate();
    let begin = Instant::now();
    let mut rounds = Vec::new();
    while rounds.len() < *ROUNDS.start() || rounds.len() < *ROUNDS.end() && begin.elapsed() < TIME {
        let round = ThreadTime::now();
        estimate();
        rounds.push(round.elapsed().as_secs_f64() * 1e6 / STATES as f64);
    }
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

/// Prints the row of a heuristic.
fn measured<P: Puzzle>(
    (what, name): (&str, &str),
    puzzles: &[P],
    heuristic: &dyn BatchHeuristic<P>,
) {
    let states: Vec<P::State> = puzzles.iter().map(Puzzle::initial_state).collect();
    let rows: Vec<Row<'_, P>> =
        (puzzles.iter().zip(&states)).map(|(puzzle, state)| Row { puzzle, state }).collect();
    let mut out = vec![0.0; puzzles.len()];
    let batch = micros(|| heuristic.evaluate(black_box(&rows), &mut out));
    let single = micros(|| {
        for (row, out) in rows.chunks(1).zip(out.chunks_mut(1)) {
            heuristic.evaluate(black_box(row), out);
        }
    });
    let memory = show_bytes(heuristic.bytes());
    println!("{what},{name},{memory},{batch:.2},{single:.2}");
}

/// The same on random boards of sliding tiles.
fn measure<B: Board>(side: usize, name: &str, heuristic: &dyn BatchHeuristic<Tiles<B>>) {
    let mut rng = Rng::new(1);
    let board = |_| {
        let cells = generate::uniform(side, Goal::BlankLast, &mut rng);
        Tiles::new(&cells, Goal::BlankLast)
    };
    let puzzles: Vec<Tiles<B>> = (0..STATES).map(board).collect();
    let what = format!("{}-puzzle", side * side - 1);
    measured((&what, name), &puzzles, heuristic);
}

/// The goal of a square as an instance.
fn solved<B: Board>(side: usize) -> Tiles<B> {
    Tiles::new(&goal_cells(side), Goal::BlankLast)
}

/// Instances of a puzzle by a generator, read from their texts.
fn drawn<P>(
    family: &'static Family,
    generator: &str,
    read: impl Fn(&str) -> Option<P>,
) -> Option<Vec<P>> {
    let (puzzle, mut rng) = (family.default_puzzle()?, Rng::new(1));
    let generator = family.generator(Some(generator)).ok()?;
    let one = |_| read(&puzzle.generate(&generator, &mut rng).ok()?);
    (0..STATES).map(one).collect()
}

/// A committed network.
fn model(name: &str) -> Option<Model> {
    let file = format!("../../models/{name}.safetensors");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    Model::parse(&packed::read(&path).ok()?).ok()
}

/// A committed network on instances of its puzzle: in single precision, and in bytes where it has
/// them.
fn learned<P: Learnable>(what: &str, name: &str, puzzles: Option<Vec<P>>) {
    let (Some(model), Some(puzzles)) = (model(name), puzzles) else {
        return;
    };
    let Ok(input) = model.header.input_among(P::INPUTS) else {
        return;
    };
    let puzzles: Vec<P> = puzzles.iter().map(|one| one.seen_by(input)).collect();
    let Some(Ok(model)) = (puzzles.first()).map(|one| model.with_units(|| one.images())) else {
        return;
    };
    if let Ok(network) = Network::new(&model) {
        measured((what, name), &puzzles, &Net::new(network));
    }
    let bytes = Ranges::of(&model).and_then(|ranges| Int8::new(&model, &ranges).ok());
    if let Some(network) = bytes {
        let name = format!("{name} in bytes");
        measured((what, &name), &puzzles, &Net::new(network));
    }
}

/// The networks of the other puzzles, on random instances.
fn others() {
    let cube = |text: &str| Cube::<3>::parse(text, Metric::Quarter).ok();
    learned("cube", "cube", drawn(&unriddle_cube::FAMILY, "random", cube));
    let room = |text: &str| {
        let level = Arc::new(Level::parse(text).ok()?);
        Sokoban::<1>::new(level, Measure::Moves)
    };
    let rooms = drawn(&unriddle_sokoban::FAMILY, "room", room);
    learned("sokoban", "sokoban", rooms);
    let lights = |text: &str| {
        let on: Vec<bool> = text.chars().filter_map(|c| c.to_digit(2)).map(|d| d == 1).collect();
        Lights::<1>::new(Shape::new(7, 7, false)?, |cell| on[cell])
    };
    let lights = drawn(&unriddle_lightsout::FAMILY, "random(7)", lights);
    learned("7×7 lights", "lightsout7", lights);
}

/// Korf's databases on random cubes, in quarter turns.
fn cubes() {
    let cache = cache();
    let cube = |text: &str| Cube::<3>::parse(text, Metric::Quarter).ok();
    let puzzles = drawn(&unriddle_cube::FAMILY, "random", cube);
    let edges = |first, end| Kept::Edges { first, end };
    let kept = [Kept::Corners, edges(0, 6), edges(6, 12)];
    let patterns = kept.map(|kept| Projection::new(kept, Metric::Quarter));
    if let Some(puzzles) = puzzles
        && let Ok(database) = Database::new(&puzzles[0], patterns, &cache)
    {
        measured(("cube", "pdb"), &puzzles, &Scalar(database));
    }
}

/// A committed network: in both kinds of numbers, and with the mirror image.
fn networks<B: Board>(side: usize, name: &str) {
    let Some(model) = model(name) else {
        return;
    };
    if let Ok(network) = Network::new(&model) {
        measure::<B>(side, name, &Net::new(network));
    }
    let bytes = Ranges::of(&model).and_then(|ranges| Int8::new(&model, &ranges).ok());
    if let Some(network) = bytes {
        let engine: Arc<dyn Engine> = network.into();
        let net = Net::new(Arc::clone(&engine));
        measure::<B>(side, &format!("{name} in bytes"), &net);
        let net = Net::new(engine).with_images(vec![mirrored_features(side)]);
        measure::<B>(side, &format!("{name} in bytes and mirror image"), &net);
    }
}

fn databases<B: Board, const K: usize>(side: usize, partition: &str) {
    let puzzle = solved(side);
    let parsed = Partition::parse(side, partition);
    let table = parsed.and_then(|partition| Pdb::<B, K>::new(&puzzle, &partition, true, &cache()));
    if let Ok(table) = table {
        measure::<B>(side, &format!("pdb({partition})"), &Scalar(table));
    }
}

fn main() {
    // `cargo test --benches` also runs this file, without this argument.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    println!("boards,heuristic,memory,batch_us,single_us");
    cubes();
    measure::<Board4>(4, "manhattan", &Scalar(Manhattan::new(&solved(4))));
    databases::<Board4, 4>(4, "7-8");
    networks::<Board4>(4, "tiles15");
    networks::<Board4>(4, "tiles15-narrow");
    databases::<Board5, 4>(5, "6-6-6-6");
    networks::<Board5>(5, "tiles24");
    databases::<Board6, 7>(6, "7x5");
    networks::<Board6>(6, "tiles35");
    databases::<AnyBoard, 16>(7, "12x4");
    networks::<AnyBoard>(7, "tiles48");
    others();
}
