//! Bit equality of the levels.

use super::*;
use crate::architecture::{Architecture, Block};
use crate::model::{Header, Training};
use crate::network::Network;
use std::io::Write as _;
use unriddle_core::Rng;

/// Inputs of a group of which nine have columns of bytes.
const WIDE: usize = 250;

fn model(seed: u64, activation: Activation) -> Model {
    model_with(seed, activation, true, 9)
}

/// With nine groups of `each` inputs.
fn model_with(seed: u64, activation: Activation, skip: bool, each: usize) -> Model {
    let header = Header {
        puzzle: "toy".into(),
        size: "1".into(),
        goal: "any".into(),
        input: String::new(),
        sharing: None,
        architecture: Architecture {
            inputs: 9 * each,
            groups: 9,
            grid: None,
            skip,
            blocks: vec![
                Block::dense(301, activation).with_norm(),
                Block::dense(67, activation),
                Block::residual(&[130, 67], activation).with_norm(),
            ],
        },
        training: Training::default(),
    };
    Model::random(header, seed).unwrap()
}

#[test]
fn all_levels_give_the_same_bits() {
    let mut levels = Level::all();
    levels.sort_by_key(|l| format!("{l:?}"));
    if levels.len() < 3 {
        // Past the capture of the test runner, so that it is seen.
        let _ = writeln!(std::io::stderr(), "skipped: AVX-512 VNNI, which this CPU does not have");
    }
    for (seed, activation, fineness, each) in [
        (1, Activation::Relu, Fineness::Fine, 9),
        (1, Activation::Relu, Fineness::Short, 9),
        (8, Activation::Relu, Fineness::Short, WIDE),
        (2, Activation::Elu, Fineness::Fine, 9),
        (3, Activation::Leaky, Fineness::Fine, 9),
    ] {
        let model = model_with(seed, activation, true, each);
        let mut rng = Rng::new(seed);
        let active: Vec<u32> =
            (0..500 * 9).map(|i| i % 9 * each as u32 + rng.below(each as u64) as u32).collect();
        let ranges = Int8::calibrate(&model, &active).unwrap();
        let folded = Folded::new(&model).unwrap();
        let results: Vec<Vec<u32>> = levels
            .iter()
            .map(|&level| {
                let network = Int8::build(&folded, &ranges, level, fineness).unwrap();
                let mut out = vec![0.0; 500];
                network.evaluate(&active, &mut out, 2).unwrap();
                out.iter().map(|x| x.to_bits()).collect()
            })
            .collect();
        assert!(results.iter().all(|r| *r == results[0]), "{activation:?}");
    }
}

/// Sums that are updated from the row before equal the sums of a single row.
#[test]
fn similar_rows_have_the_same_bits_as_single_rows() {
    let model = model(3, Activation::Relu);
    let mut rng = Rng::new(3);
    let mut row: Vec<u32> = (0..9).map(|group| group * 9).collect();
    let mut active = Vec::new();
    for _ in 0..500 {
        for _ in 0..rng.below(7) {
            let group = rng.below(9) as usize;
            row[group] = group as u32 * 9 + rng.below(9) as u32;
        }
        active.extend(&row);
    }
    let mut changes = Changes::default();
    let network = Int8::new(&model, &Int8::calibrate(&model, &active).unwrap()).unwrap();
    let stride = stride(network.shape.units);
    let mut sums = vec![0; 500 * stride];
    let FirstSums::Narrow(first) = &network.first else {
        panic!("nine groups need no more than 16 bits");
    };
    first.sum(network.level, &active, &mut changes, &mut sums, stride);
    assert!(changes.updated() > 300 && changes.updated() < 499);
    let single = Network::new(&model).unwrap();
    for engine in [&network as &dyn Engine, &single] {
        let mut together = vec![0.0; 500];
        engine.evaluate(&active, &mut together, 1).unwrap();
        for (row, &expected) in active.chunks_exact(9).zip(&together) {
            let mut alone = [0.0];
            engine.evaluate(row, &mut alone, 1).unwrap();
            assert_eq!(alone[0].to_bits(), expected.to_bits());
        }
    }
}

/// Updated rows get the same bits as single rows, in blocks of any length, whatever their numbers.
#[test]
fn updated_rows_have_the_same_bits_as_single_rows() {
    for (seed, activation, skip, fineness, each) in [
        (4, Activation::Relu, false, Fineness::Fine, 9),
        (4, Activation::Relu, false, Fineness::Short, 9),
        (5, Activation::Elu, false, Fineness::Fine, 9),
        (6, Activation::Leaky, false, Fineness::Fine, 9),
        (7, Activation::Relu, true, Fineness::Fine, 9),
        (7, Activation::Relu, true, Fineness::Short, 9),
        (8, Activation::Relu, false, Fineness::Short, WIDE),
        (9, Activation::Relu, true, Fineness::Short, WIDE),
    ] {
        let model = model_with(seed, activation, skip, each);
        let mut rng = Rng::new(seed);
        let parents: Vec<u32> =
            (0..900 * 9).map(|i| i % 9 * each as u32 + rng.below(each as u64) as u32).collect();
        let each = each as u32;
        let ranges = Int8::calibrate(&model, &parents).unwrap();
        let folded = Folded::new(&model).unwrap();
        let (mut updates, mut active) = (Updates::default(), Vec::new());
        for (parent, row) in parents.chunks_exact(9).enumerate() {
            for _ in 0..rng.below(12) {
                let number = rng.below(6) as u32;
                let mut child = row.to_vec();
                for (place, index) in child.iter_mut().enumerate() {
                    // Mostly the same changes of a number, and some of its own.
                    let moves = (place as u64 + u64::from(number)).is_multiple_of(3);
                    let by = if rng.below(8) == 0 { rng.below(9) as u32 } else { number };
                    if moves {
                        *index = *index / each * each + (*index + by) % each;
                    }
                }
                updates.add(parent as u32, number, |sink| {
                    for (&old, &new) in row.iter().zip(&child).filter(|(old, new)| old != new) {
                        sink(old, false);
                        sink(new, true);
                    }
                });
                active.extend(child);
            }
        }
        let rows = updates.len();
        assert!(updates.blocks(UPDATES).len() > 1, "{rows}");
        let mut engines: Vec<Arc<dyn Engine>> = Level::all()
            .into_iter()
            .map(|level| Int8::build(&folded, &ranges, level, fineness).unwrap().into())
            .collect();
        engines.push(Network::new(&model).unwrap().into());
        for engine in engines {
            for threads in [1, 3] {
                let [mut expected, mut found] = [0, 1].map(|_| vec![0.0; rows]);
                engine.evaluate(&active, &mut expected, 1).unwrap();
                engine.evaluate_updates(&parents, &updates, &mut found, threads).unwrap();
                for (found, expected) in found.iter().zip(&expected) {
                    assert_eq!(found.to_bits(), expected.to_bits());
                }
            }
        }
        // Wrong rows are refused.
        let engine = Int8::new(&model, &ranges).unwrap();
        let mut out = vec![1.0; rows];
        let fewer = engine.evaluate_updates(&parents[..9 * 800], &updates, &mut out, 1);
        assert_eq!(fewer, Err(RowError::Changes));
        updates.clear();
        updates.add(0, 0, |sink| sink(3, false));
        let lost = engine.evaluate_updates(&parents, &updates, &mut out[..1], 1);
        assert_eq!(lost, Err(RowError::Changes));
        updates.clear();
        updates.add(0, 0, |sink| {
            sink(3, false);
            sink(9 * each, true);
        });
        let beyond = engine.evaluate_updates(&parents, &updates, &mut out[..1], 1);
        assert_eq!(
            beyond,
            Err(RowError::Index { row: 0, index: 9 * each, inputs: 9 * each as usize })
        );
        assert_eq!(out, vec![1.0; rows]);
    }
}
