//! Models, rows and products that both benches use.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion};
use std::hint::black_box;
use std::time::Duration;
use unriddle_core::Rng;
use unriddle_neural::{Architecture, Block, Header, Model, Training};

/// Rows of a batch.
pub(crate) const ROWS: usize = 10_000;

/// Units of the ANN-distance network's layers (Cahlík and Surynek 2019).
pub(crate) const DISTANCE: [usize; 5] = [1024, 1024, 512, 128, 64];

pub(crate) fn group<'a>(c: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = c.benchmark_group(name);
    group.sample_size(10).warm_up_time(Duration::from_secs(1));
    group.measurement_time(Duration::from_secs(5));
    group
}

pub(crate) fn model(blocks: Vec<Block>) -> Model {
    model_of([256, 16], blocks)
}

pub(crate) fn model_of([inputs, groups]: [usize; 2], blocks: Vec<Block>) -> Model {
    let header = Header {
        puzzle: "tiles".into(),
        size: "4".into(),
        goal: "blank-last".into(),
        input: String::new(),
        sharing: None,
        architecture: Architecture { inputs, groups, grid: None, skip: false, blocks },
        training: Training::default(),
    };
    Model::random(header, 1).unwrap()
}

/// Boards: a permutation of 16 tiles each.
pub(crate) fn rows(count: usize) -> Vec<u32> {
    let mut rng = Rng::new(1);
    let mut tiles: Vec<u32> = (0..16).collect();
    let mut active = Vec::new();
    for _ in 0..count {
        rng.shuffle(&mut tiles);
        active.extend((0..16).map(|cell| cell * 16 + tiles[cell as usize]));
    }
    active
}

pub(crate) fn operations(model: &Model) -> u64 {
    let layers = model.header.architecture.layers();
    let products = layers.iter().skip(1).map(|l| l.inputs * l.units);
    let last = layers.last().map_or(0, |l| l.units);
    2 * (products.sum::<usize>() + last) as u64
}

/// A product of square matrices by `gemm`, on one thread.
pub(crate) fn product(n: usize, x: &[f32], w: &[f32], y: &mut [f32]) {
    let none = gemm::Parallelism::None;
    let stride = n as isize;
    assert!([x.len(), w.len(), y.len()] == [n * n; 3]);
    // SAFETY: three row-major matrices of n × n.
    unsafe {
        let (x, w, y) = (black_box(x.as_ptr()), w.as_ptr(), y.as_mut_ptr());
        #[rustfmt::skip]
        gemm::gemm(
            n, n, n, y, 1, stride, false, x, 1, stride, w, 1, stride, 0.0f32, 1.0f32,
            false, false, false, none,
        );
    }
}
