//! Bit equality of the levels.

use super::*;
use crate::architecture::{Architecture, Block};
use crate::model::{Header, Training};
use std::io::Write as _;
use unriddle_core::Rng;

#[test]
fn all_levels_give_the_same_bits() {
    let mut levels = Level::all();
    levels.sort_by_key(|l| format!("{l:?}"));
    if levels.len() < 3 {
        // Past the capture of the test runner, so that it is seen.
        let _ = writeln!(
            std::io::stderr(),
            "skipped: AVX-512 VNNI, which this processor does not have"
        );
    }
    for (seed, activation) in [(1, Activation::Relu), (2, Activation::Elu)] {
        let header = Header {
            puzzle: "toy".into(),
            size: "1".into(),
            goal: "any".into(),
            architecture: Architecture {
                inputs: 81,
                groups: 9,
                skip: true,
                blocks: vec![
                    Block::dense(301, activation).with_norm(),
                    Block::dense(67, activation),
                    Block::residual(&[130, 67], activation).with_norm(),
                ],
            },
            training: Training::default(),
        };
        let model = Model::random(header, seed).unwrap();
        let mut rng = Rng::new(seed);
        let active: Vec<u32> = (0..500 * 9)
            .map(|i| i % 9 * 9 + rng.below(9) as u32)
            .collect();
        let ranges = Int8::calibrate(&model, &active).unwrap();
        let folded = Folded::new(&model).unwrap();
        let results: Vec<Vec<u32>> = levels
            .iter()
            .map(|&level| {
                let network = Int8::build(&folded, &ranges, level).unwrap();
                let mut out = vec![0.0; 500];
                network.evaluate(&active, &mut out, 2).unwrap();
                out.iter().map(|x| x.to_bits()).collect()
            })
            .collect();
        assert!(results.iter().all(|r| *r == results[0]), "{activation:?}");
    }
}
