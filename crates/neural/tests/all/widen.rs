//! Networks with a longer input.

use crate::common::{header, rows};
use unriddle_core::Rng;
use unriddle_neural::{Activation, Architecture, Block, Engine as _, Model, ModelError, Network};

/// A network of 20 indices in 5 groups.
fn short(skip: bool) -> Model {
    let architecture = Architecture {
        inputs: 20,
        groups: 5,
        grid: None,
        skip,
        blocks: vec![Block::dense(6, Activation::Relu), Block::dense(3, Activation::Leaky)],
    };
    Model::random(header(architecture), 1).expect("within the limits")
}

/// Whatever the further groups are, a network with a longer input estimates as before.
#[test]
fn a_longer_input_changes_no_estimate() {
    for skip in [false, true] {
        let model = short(skip);
        let long = model.clone().with_longer_input(28, 7).expect("a longer input");
        let active = rows(&model.header.architecture, 50, &mut Rng::new(3));
        let [short, long] = [model, long].map(|model| Network::new(&model).expect("a network"));
        let mut more = Vec::new();
        for (number, row) in (0u32..).zip(active.chunks_exact(5)) {
            more.extend_from_slice(row);
            more.extend([20 + number % 4, 24 + number % 3]);
        }
        let (mut expected, mut found) = ([0.0; 50], [0.0; 50]);
        short.evaluate(&active, &mut expected, 1).expect("rows of 5 groups");
        long.evaluate(&more, &mut found, 1).expect("rows of 7 groups");
        assert!(expected.iter().any(|&value| value != expected[0]));
        for (one, other) in expected.iter().zip(found) {
            assert!((one - other).abs() < 1e-4, "{one} {other}");
        }
    }
}

#[test]
fn a_shorter_input_is_refused() {
    assert!(matches!(short(true).with_longer_input(12, 3), Err(ModelError::Shape { .. })));
}
