//! Training and a product of single precision, on one thread, in floating-point operations per
//! second. The quotient of the rates is the share of the product's speed that an update reaches.
//!
//! The first network is the ANN-distance network, 256-1024-1024-512-128-64-1 with exponential
//! linear units, on a batch of 10,000. An update has six operations per weight behind the first
//! layer, two of them forward. The first layer's additions, the loss and Adam are not counted.
//!
//! The others are narrow networks that CPUs train, in examples per second on batches of 4,096: the
//! networks of learned solvers of the 24-puzzle and of the cube, by the loops of this crate and by
//! the framework.
//!
//! `cargo bench -p unriddle-neural --features train --bench training`

mod common;

use burn::backend::Autodiff;
use burn_flex::{Flex, FlexDevice};
use common::{DISTANCE, ROWS, group, model, operations, product, rows};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use unriddle_core::Rng;
use unriddle_neural::{
    Activation, Architecture, Block, Device,
    framework::parameters::initial,
    train::{Learner, Options, Targets, Trainer},
};

fn training(c: &mut Criterion) {
    const N: usize = 1000;
    // Everything on one thread, as the product is.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build_global();
    assert!(one.is_ok(), "another pool of threads is there already");
    let mut rng = Rng::new(1);
    let mut numbers = || -> Vec<f32> { (0..N * N).map(|_| rng.unit() as f32 - 0.5).collect() };
    let (x, w, mut y) = (numbers(), numbers(), vec![0.0f32; N * N]);
    let mut group = group(c, "training");
    group.throughput(Throughput::Elements(2 * (N * N * N) as u64));
    group.bench_function("product by gemm", |b| b.iter(|| product(N, &x, &w, &mut y)));
    for (name, norm) in [("distance", false), ("distance with batch norm", true)] {
        let blocks = DISTANCE.map(|n| {
            let block = Block::dense(n, Activation::Elu);
            if norm { block.with_norm() } else { block }
        });
        let model = model(blocks.into());
        let architecture = model.header.architecture.clone();
        let mut trainer =
            Learner::new(Device::Cpu, &architecture, None, 1, Options::default()).unwrap();
        let (active, targets) = (rows(ROWS), vec![50.0; ROWS]);
        group.throughput(Throughput::Elements(3 * operations(&model) * ROWS as u64));
        group.bench_function(name, |b| {
            b.iter(|| trainer.step(black_box(&active), Targets::Values(&targets), 1e-4));
        });
    }
}

/// Rows with one active index of each group.
fn one_hot(count: usize, groups: u32, each: u32) -> Vec<u32> {
    let mut rng = Rng::new(1);
    let all = (0..count as u32 * groups).map(|i| i % groups * each + rng.below(each.into()) as u32);
    all.collect()
}

fn narrow(c: &mut Criterion) {
    const BATCH: usize = 4096;
    let mut group = group(c, "narrow");
    group.throughput(Throughput::Elements(BATCH as u64));
    let (relu, leaky) = (Activation::Relu, Activation::Leaky);
    let tiles24 = [(512, relu), (16, relu), (32, relu)];
    let cube = [(1024, relu), (32, leaky), (32, leaky)];
    for (name, groups, each, skip, layers) in
        [("tiles24", 25, 25, true, tiles24), ("cube", 20, 24, false, cube)]
    {
        let architecture = Architecture {
            inputs: (groups * each) as usize,
            groups: groups as usize,
            grid: None,
            skip,
            blocks: layers.map(|(n, activation)| Block::dense(n, activation)).into(),
        };
        let options = Options { average: Some(0.999), ..Options::default() };
        let mut trainer = Learner::new(Device::Cpu, &architecture, None, 1, options).unwrap();
        let start = initial(&architecture, None, 1);
        let mut framework =
            Trainer::<Autodiff<Flex>>::resume(&architecture, 0, &start, options, &FlexDevice)
                .unwrap();
        let (active, targets) = (one_hot(BATCH, groups, each), vec![50.0; BATCH]);
        group.bench_function(name, |b| {
            b.iter(|| trainer.step(black_box(&active), Targets::Values(&targets), 1e-4));
        });
        group.bench_function(format!("{name} in the framework"), |b| {
            b.iter(|| framework.step(black_box(&active), Targets::Values(&targets), 1e-4));
        });
    }
}

criterion_group!(benches, training, narrow);
criterion_main!(benches);
