//! The lean training beside the framework's.

use super::*;
use crate::architecture::Block;
use crate::framework::parameters::initial;
use crate::head::Head;
use crate::train::{Loss, Targets, Trainer, Views};
use burn::backend::{Autodiff, Flex};
use unriddle_core::Rng;

type Framework = Trainer<Autodiff<Flex>>;

const OPTIONS: Options = Options {
    loss: Loss::Huber(2.0),
    beta_1: 0.9,
    beta_2: 0.999,
    epsilon: 1e-8,
    decay: 0.01,
    clip: None,
    momentum: 0.1,
    average: Some(0.99),
    seed: 3,
    products: crate::train::Products::Single,
};

/// Layers of whole strips and of others, every activation, with and without linear part.
fn architectures() -> Vec<Architecture> {
    let (relu, elu, leaky) = (Activation::Relu, Activation::Elu, Activation::Leaky);
    let kinds: [(bool, &[(usize, Activation)]); 5] = [
        (true, &[(64, relu), (16, leaky), (32, leaky)]),
        (false, &[(33, elu), (7, relu)]),
        (true, &[(17, leaky)]),
        (false, &[(80, relu), (49, elu), (1, leaky), (5, elu)]),
        (true, &[(16, relu), (100, leaky)]),
    ];
    let kinds = kinds.into_iter().map(|(skip, layers)| Architecture {
        inputs: 35,
        groups: 5,
        grid: None,
        skip,
        blocks: layers.iter().map(|&(n, a)| Block::dense(n, a)).collect(),
    });
    kinds.collect()
}

/// Rows of five groups of seven, and three numbers of each row.
fn batch(rows: usize, seed: u64) -> (Vec<u32>, Vec<f32>) {
    let mut rng = Rng::new(seed);
    let active: Vec<u32> =
        (0..rows * 5).map(|i| (i % 5 * 7) as u32 + rng.below(7) as u32).collect();
    let costs = active.chunks(5).flat_map(|row| {
        let digit = |k: usize| (row[k] % 7) as f32;
        [0, 1, 2].map(|k| 0.5 * (digit(k) + digit(4)) + 1.0)
    });
    let costs = costs.collect();
    (active, costs)
}

/// A step with the labels that a head takes, all of them from three numbers of each row.
fn step(trainer: &mut dyn AnyTrainer, head: Head, active: &[u32], costs: &[f32], rate: f32) -> f32 {
    let mut costs = costs.to_vec();
    let values: Vec<f32> = costs.chunks(3).map(|c| c[0]).collect();
    let right: Vec<u32> = values.iter().map(|c| *c as u32 % 3).collect();
    let labels = match head {
        Head::Value => Targets::Values(&values).into(),
        Head::Policy(_) => Labels::Policy(&right),
        Head::Actions(_) => {
            costs.iter_mut().step_by(4).for_each(|cost| *cost = f32::NAN);
            Labels::Actions(&costs)
        }
        _ => Labels::ValueAndActions { values: &values, actions: &costs, weight: 0.3 },
    };
    trainer.learn(active, labels, rate);
    trainer.losses()[0]
}

const HEADS: [Head; 4] = [Head::Value, Head::Actions(3), Head::Policy(3), Head::ValueAndActions(3)];

fn kinds() -> impl Iterator<Item = (Architecture, Head)> {
    let all = architectures().into_iter().flat_map(|a| HEADS.map(|h| (a.clone(), h)));
    all.map(|(mut architecture, head)| {
        architecture.skip &= head.is_cost();
        (architecture.with_head(head), head)
    })
}

fn apart(one: &Tensors, other: &Tensors) -> f32 {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    let pairs = one.iter().map(|(name, a)| {
        let b = &other[name];
        assert_eq!(a.shape, b.shape, "{name}");
        // Differences are compared with the greatest number of the tensor, because small numbers
        // may consist of rounding errors.
        let size = a.data.iter().fold(0.0f32, |m, x| m.max(x.abs()));
        let apart = a.data.iter().zip(&b.data).map(|(a, b)| (a - b).abs());
        apart.fold(0.0, f32::max) / (size + 1e-6)
    });
    pairs.fold(0.0, f32::max)
}

/// Loss, gradients (as seen in the moments), weights and average agree with the framework's.
#[test]
fn steps_match_the_framework() {
    let device = Default::default();
    for (architecture, head) in kinds() {
        assert!(Lean::suits(&architecture));
        for clip in [None, Some(0.5)] {
            let options = Options { clip, ..OPTIONS };
            let start = initial(&architecture, None, 5);
            let mut lean = Lean::resume(&architecture, 0, &start, options).unwrap();
            let mut framework =
                Framework::resume(&architecture, 0, &start, options, &device).unwrap();
            assert_eq!(lean.state(), AnyTrainer::state(&framework));
            for (i, rows) in [450, 1, 170].into_iter().enumerate() {
                let (active, costs) = batch(rows, i as u64);
                let one = step(&mut lean, head, &active, &costs, 1e-3);
                let other = step(&mut framework, head, &active, &costs, 1e-3);
                assert!((one - other).abs() <= 1e-4 * (1.0 + one.abs()), "{one} {other}");
                let mut state = lean.state();
                let mut known = AnyTrainer::state(&framework);
                // Signs of gradients that are nothing decide on a step's direction.
                if i == 0 {
                    let least = 2e-4;
                    let found = apart(&known, &state);
                    assert!(found < least, "{head:?} {found} {architecture:?}");
                    // Shuffled weights are found out.
                    state.values_mut().for_each(|t| Rng::new(1).shuffle(&mut t.data));
                    assert!(apart(&known, &state) > 0.1);
                    known.clear();
                }
            }
            let (active, _) = batch(300, 9);
            let one = lean.ranges(&active, true);
            let other = AnyTrainer::ranges(&framework, &active, true);
            assert!(apart(&one, &other) < 0.02);
        }
    }
}

/// Training resumes from a state with the same bits, for any number of threads, and learns its
/// target.
#[test]
fn training_resumes_with_the_same_bits() {
    for (architecture, head) in kinds() {
        let batches: Vec<_> = (0..60).map(|i| batch(260 + i as usize % 3, i)).collect();
        let train = |lean: &mut Lean, from: usize, to: usize| -> Vec<f32> {
            let batches = batches[from..to].iter();
            let steps = batches.map(|(active, costs)| step(lean, head, active, costs, 1e-2));
            steps.collect()
        };
        let start = initial(&architecture, None, 1);
        let new = || Lean::resume(&architecture, 0, &start, OPTIONS).unwrap();
        let mut whole = new();
        let losses = train(&mut whole, 0, 60);
        let mean = |losses: &[f32]| losses.iter().sum::<f32>() / losses.len() as f32;
        let (first, last) = (mean(&losses[..5]), mean(&losses[55..]));
        assert!(last < 0.93 * first, "{head:?} {first} {last}");
        let mut half = new();
        let mut again = train(&mut half, 0, 23);
        let state = half.state();
        let mut rest = Lean::resume(&architecture, half.steps(), &state, OPTIONS).unwrap();
        assert_eq!(rest.state(), state);
        again.extend(train(&mut rest, 23, 60));
        assert_eq!(losses, again);
        assert_eq!(rest.state(), whole.state());
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| {
                let mut other = new();
                assert_eq!(train(&mut other, 0, 60), losses);
                assert_eq!(other.state(), whole.state());
            });
        }
    }
}

/// A state of the framework resumes here, and the other way around.
#[test]
fn states_match_the_framework() {
    let device = Default::default();
    let (architecture, head) = kinds().nth(3).unwrap();
    let (active, costs) = batch(100, 1);
    let start = initial(&architecture, None, 1);
    let mut lean = Lean::resume(&architecture, 0, &start, OPTIONS).unwrap();
    for _ in 0..5 {
        step(&mut lean, head, &active, &costs, 1e-2);
    }
    let state = lean.state();
    let mut framework = Framework::resume(&architecture, 5, &state, OPTIONS, &device).unwrap();
    assert_eq!(AnyTrainer::state(&framework), state);
    step(&mut framework, head, &active, &costs, 1e-2);
    let state = AnyTrainer::state(&framework);
    let again = Lean::resume(&architecture, 6, &state, OPTIONS).unwrap();
    assert_eq!(again.state(), state);
    let mut state = state;
    state.get_mut("first.0.weight").unwrap().shape = vec![64, 35];
    assert!(Lean::resume(&architecture, 6, &state, OPTIONS).is_err());
    state.remove("0.bias");
    assert!(Lean::resume(&architecture, 6, &state, OPTIONS).is_err());
}

/// Reversed rows, and rows with reversed digits: three symmetric rows beside the row itself.
fn views() -> Views {
    let map = |backwards: bool, turned: bool| {
        let to = |index: usize| {
            let (group, digit) = (index / 7, index % 7);
            let group = if backwards { 4 - group } else { group };
            let digit = if turned { 6 - digit } else { digit };
            (7 * group + digit) as u32
        };
        (0..35).map(to).collect()
    };
    let images = [(true, false), (false, true), (true, true)];
    let images = images.map(|(backwards, turned)| map(backwards, turned));
    Views::new(images.to_vec(), 35).unwrap()
}

/// Gradients of units that share their weights are sums of the gradients of separate units, each
/// under its view; with and without parts, which here are the digits.
#[test]
fn shared_weights_have_the_gradients_of_all_their_units() {
    let parts: Vec<_> = (0..35u32)
        .map(|index| {
            let (number, share) = (index % 7, 0.25);
            vec![unriddle_core::Part { number, share }]
        })
        .collect();
    let parts = Parts::new(&parts, &batch(1, 0).0).unwrap();
    // Sets of four units, of which the last has one and three; whole strips, and others.
    for units in [33, 64, 15] {
        for parts in [None, Some(&parts)] {
            let blocks =
                vec![Block::dense(units, Activation::Relu), Block::dense(8, Activation::Leaky)];
            let plain = Architecture { inputs: 35, groups: 5, grid: None, skip: false, blocks };
            let extended = parts.map_or(plain.clone(), |parts| parts.extended(&plain));
            let views = views();
            let views = parts.map_or(views.clone(), |parts| views.with_parts(parts));
            let shared = views.shared(initial(&extended, None, 5), &extended, true);
            let new = |tensors: &Tensors, views: Option<&Views>| {
                Lean::begin(&extended, 0, tensors, OPTIONS, parts, views).unwrap()
            };
            let mut one = new(&shared, Some(&views));
            let all = one.export(false);
            let mut other = new(&all, None);
            // A network with shared weights equals its expansion to all units.
            let back = views.shared(all, &extended, false);
            assert_eq!(back.len(), shared.len());
            assert!(apart(&back, &shared) < 1e-6);

            let (active, costs) = batch(450, 1);
            let losses =
                [&mut one, &mut other].map(|lean| step(lean, Head::Value, &active, &costs, 1e-3));
            assert_eq!(losses[0], losses[1]);
            let [found, known] = [&one, &other].map(AnyTrainer::state);
            // Moments are transposed, and the first moment is a multiple of the gradient.
            for (moment, name) in [("first.", "0.weight"), ("first.", "0.bias")] {
                let known = &known[&format!("{moment}{name}")];
                let found = &found[&format!("{moment}{name}")];
                let sets = views.sets(units);
                let mut sums = vec![0.0f32; found.data.len()];
                for unit in 0..units {
                    let (set, map) = views.of(unit);
                    match known.shape.len() {
                        1 => sums[set] += known.data[unit],
                        _ => (0..map.len()).for_each(|i| {
                            sums[map[i] as usize * sets + set] += known.data[i * units + unit];
                        }),
                    }
                }
                let size = sums.iter().fold(0.0f32, |m, x| m.max(x.abs()));
                let apart = sums.iter().zip(&found.data).map(|(a, b)| (a - b).abs());
                let apart = apart.fold(0.0, f32::max);
                // The gradient of a set is the sum over its units; the gradient of a part is the
                // sum over the indices of all units that see it.
                assert!(apart < 1e-4 * size, "{units} {name}: {apart} of {size}");
            }

            // Training resumes with the same bits, for any number of threads.
            let state = one.state();
            let mut again = Lean::begin(&extended, 1, &state, OPTIONS, parts, Some(&views));
            let again = again.as_mut().unwrap();
            let (active, costs) = batch(300, 2);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
            pool.unwrap().install(|| step(again, Head::Value, &active, &costs, 1e-3));
            step(&mut one, Head::Value, &active, &costs, 1e-3);
            assert_eq!(again.state(), one.state());
        }
    }
}

#[test]
fn other_networks_are_left_to_the_framework() {
    let plain = architectures().remove(0);
    let with = |block: Block| {
        let mut architecture = plain.clone();
        architecture.blocks.push(block);
        Lean::suits(&architecture)
    };
    let relu = Activation::Relu;
    assert!(with(Block::dense(32, relu)));
    assert!(!with(Block::dense(32, relu).with_norm()));
    assert!(!with(Block::residual(&[8, 32], relu)));
    assert!(!with(Block::dense(16_000, relu)));
    let dropout = Block { dropout: 0.1, ..Block::dense(8, relu) };
    assert!(!with(dropout));
}
