//! Models and rows for the tests.
#![allow(dead_code)]

use unriddle_core::Rng;
use unriddle_neural::{Activation, Architecture, Block, Head, Header, Model, Training};

/// A header for any puzzle.
pub(crate) fn header(architecture: Architecture) -> Header {
    Header {
        puzzle: "tiles".into(),
        size: "4".into(),
        goal: "blank-last".into(),
        input: String::new(),
        sharing: None,
        architecture,
        training: Training {
            recipe: "none".into(),
            seed: u64::MAX,
            revision: "abc".into(),
            examples: 3,
            hardware: "a \"machine\"".into(),
            seconds: 7,
        },
    }
}

/// An architecture of a few small blocks, with any head.
pub(crate) fn architecture(rng: &mut Rng) -> Architecture {
    let groups = 1 + rng.below(9) as usize;
    let size = |rng: &mut Rng| 1 + rng.below(90) as usize;
    let mut blocks = Vec::new();
    let mut width = 0;
    for i in 0..1 + rng.below(5) {
        let activation = match rng.below(3) {
            0 => Activation::Relu,
            1 => Activation::Leaky,
            _ => Activation::Elu,
        };
        let mut block = if i > 0 && rng.below(2) == 0 {
            let inner = (0..1 + rng.below(3)).map(|_| size(rng));
            let mut units: Vec<usize> = inner.collect();
            units.push(width);
            Block::residual(&units, activation)
        } else {
            width = size(rng);
            Block::dense(width, activation)
        };
        block.norm = rng.below(2) == 0;
        blocks.push(block);
    }
    let skip = rng.below(2) == 0;
    let actions = 1 + rng.below(40) as usize;
    let head = match rng.below(6) {
        0 => Head::Actions(actions),
        1 => Head::ValueAndActions(actions),
        2 if !skip => Head::Policy(actions),
        3 if !skip => Head::Pair,
        _ => Head::Value,
    };
    let architecture = Architecture {
        inputs: groups * (1 + rng.below(12) as usize),
        groups,
        grid: None,
        skip,
        blocks,
    };
    architecture.with_head(head)
}

/// A network of convolutions and dense layers.
#[allow(dead_code, reason = "not every test file has some")]
pub(crate) fn convolutions(rng: &mut Rng) -> Architecture {
    let size = |rng: &mut Rng| 1 + rng.below(40) as usize;
    let [rows, columns] = [2 + rng.below(5) as usize, 1 + rng.below(5) as usize];
    let channels = size(rng);
    let inner = size(rng);
    let dense = size(rng);
    let norm = |block: Block, rng: &mut Rng| match rng.below(2) {
        0 => block.with_norm(),
        _ => block,
    };
    let blocks = vec![
        norm(Block::conv(channels, Activation::Relu), rng),
        norm(Block::residual_conv(&[inner, channels], Activation::Leaky), rng),
        norm(Block::residual_conv(&[inner, inner, channels], Activation::Elu), rng),
        norm(Block::dense(dense, Activation::Relu), rng),
        Block::residual(&[inner, dense], Activation::Relu),
    ];
    Architecture {
        inputs: rows * columns * (1 + rng.below(7) as usize),
        groups: rows * columns,
        grid: Some([rows, columns].into()),
        skip: rng.below(2) == 0,
        blocks,
    }
}

/// Rows with one active index of every group.
pub(crate) fn rows(architecture: &Architecture, count: usize, rng: &mut Rng) -> Vec<u32> {
    let size = architecture.inputs / architecture.groups;
    let groups = 0..count * architecture.groups;
    groups
        .map(|i| (i % architecture.groups * size) as u32 + rng.below(size as u64) as u32)
        .collect()
}

/// The network of Cahlík and Surynek, made smaller.
pub(crate) fn small(activation: Activation) -> Model {
    let units = [128, 96, 48];
    let architecture = Architecture {
        inputs: 81,
        groups: 9,
        grid: None,
        skip: true,
        blocks: units.map(|n| Block::dense(n, activation).with_norm()).into(),
    };
    Model::random(header(architecture), 5).unwrap()
}
