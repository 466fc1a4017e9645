//! Inference and the products of pure Rust crates, on one thread, in floating-point operations per
//! second ("Gelem/s" are 10⁹ operations per second). The quotient of two rates is the share of a
//! product's speed that a network reaches.
//!
//! - `product`: 1000 × 1000 × 1000 in single precision, by `matrixmultiply`, `gemm`, and our kernel
//!   in the form of a network of one such layer.
//! - `distance`: 256-1024-1024-512-128-64-1 with exponential linear units (Cahlík and Surynek
//!   2019).
//! - `deepcubea`: 256-5000-1000, four residual blocks of 1000, 1 (Agostinelli et al. 2019).
//! - `successors`: 480-1024-32-32-1 on successors of states, in states per second.
//!
//! Operations are two per weight behind the first layer; the first layer's additions are not
//! counted.

mod common;

use common::{DISTANCE, ROWS, group, model, operations, rows};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use unriddle_core::Rng;
use unriddle_neural::{Activation, Block, Engine as _, Int8, Model, Network, Updates};

fn networks(c: &mut Criterion, name: &str, model: &Model) {
    let active = rows(ROWS);
    let mut out = vec![0.0; ROWS];
    let mut group = group(c, name);
    group.throughput(Throughput::Elements(operations(model) * ROWS as u64));
    let network = Network::new(model).unwrap();
    group.bench_function("f32", |b| {
        b.iter(|| network.evaluate(black_box(&active), &mut out, 1).unwrap());
    });
    let ranges = Int8::calibrate(model, &active[..1000 * 16]).unwrap();
    let network = Int8::new(model, &ranges).unwrap();
    group.bench_function("int8", |b| {
        b.iter(|| network.evaluate(black_box(&active), &mut out, 1).unwrap());
    });
}

fn distance(c: &mut Criterion) {
    let blocks = DISTANCE.map(|n| Block::dense(n, Activation::Elu));
    networks(c, "distance", &model(blocks.into()));
}

fn deepcubea(c: &mut Criterion) {
    let dense = [5000, 1000].map(|n| Block::dense(n, Activation::Relu).with_norm());
    let residual = || Block::residual(&[1000, 1000], Activation::Relu).with_norm();
    let blocks = dense.into_iter().chain((0..4).map(|_| residual()));
    networks(c, "deepcubea", &model(blocks.collect()));
}

/// Successors of states of a permutation puzzle like the cube: 20 groups of 24, of which each
/// action changes eight. `rows` evaluates the successors as separate rows, `changes` as updates of
/// their parents.
fn successors(c: &mut Criterion) {
    const GROUPS: usize = 20;
    const EACH: usize = 24;
    const PARENTS: usize = 512;
    const ACTIONS: usize = 12;
    let mut rng = Rng::new(1);
    let code = |group: usize, code: usize| (EACH * group + code % EACH) as u32;
    let mut random = |i: usize| code(i % GROUPS, rng.below(EACH as u64) as usize);
    let parents: Vec<u32> = (0..GROUPS * PARENTS).map(&mut random).collect();
    let (mut updates, mut active) = (Updates::default(), Vec::new());
    for (parent, row) in parents.chunks_exact(GROUPS).enumerate() {
        for action in 0..ACTIONS {
            let mut child = row.to_vec();
            for i in 0..8 {
                let group = (3 * action + 2 * i) % GROUPS;
                child[group] = code(group, row[group] as usize - EACH * group + action + 1);
            }
            updates.add(parent as u32, action as u32, |sink| {
                for (&old, &new) in row.iter().zip(&child).filter(|(old, new)| old != new) {
                    sink(old, false);
                    sink(new, true);
                }
            });
            active.extend(child);
        }
    }
    let blocks = [1024, 32, 32].map(|n| Block::dense(n, Activation::Relu));
    let model = common::model_of([GROUPS * EACH, GROUPS], blocks.into());
    let ranges = Int8::calibrate(&model, &parents).unwrap();
    let network = Int8::new(&model, &ranges).unwrap();
    let short = Int8::short(&model, &ranges).unwrap();
    let mut out = vec![0.0; updates.len()];
    let mut group = group(c, "successors");
    group.throughput(Throughput::Elements(out.len() as u64));
    group.bench_function("rows", |b| {
        b.iter(|| network.evaluate(black_box(&active), &mut out, 1).unwrap());
    });
    for (name, network) in [("changes", &network), ("changes, short sums", &short)] {
        group.bench_function(name, |b| {
            b.iter(|| {
                let parents = black_box(&parents);
                network.evaluate_updates(parents, &updates, &mut out, 1).unwrap();
            });
        });
    }
}

fn product(c: &mut Criterion) {
    const N: usize = 1000;
    const S: isize = N as isize;
    let mut rng = Rng::new(1);
    let mut numbers = || -> Vec<f32> { (0..N * N).map(|_| rng.unit() as f32 - 0.5).collect() };
    let (x, w, mut y) = (numbers(), numbers(), vec![0.0f32; N * N]);
    let mut group = group(c, "product");
    group.throughput(Throughput::Elements(2 * (N * N * N) as u64));
    group.bench_function("matrixmultiply", |b| {
        // SAFETY: three row-major matrices of N × N.
        b.iter(|| unsafe {
            let (x, w, y) = (black_box(x.as_ptr()), w.as_ptr(), y.as_mut_ptr());
            matrixmultiply::sgemm(N, N, N, 1.0, x, S, 1, w, S, 1, 0.0, y, S, 1);
        });
    });
    group.bench_function("gemm", |b| b.iter(|| common::product(N, &x, &w, &mut y)));
    let blocks = [N, N].map(|n| Block::dense(n, Activation::Relu));
    let network = Network::new(&model(blocks.into())).unwrap();
    let (active, mut out) = (rows(N), vec![0.0; N]);
    group.bench_function("one layer of a network", |b| {
        b.iter(|| network.evaluate(black_box(&active), &mut out, 1).unwrap());
    });
}

criterion_group!(benches, product, distance, deepcubea, successors);
criterion_main!(benches);
