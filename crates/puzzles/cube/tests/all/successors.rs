//! The estimates of a network for successors equal its estimates for the states themselves,
//! whichever way they are computed.

use std::sync::Arc;
use unriddle_core::{
    BatchHeuristic as _, Features as _, Learnable, Puzzle as _, Rng, Row, Steps, Successor, Walk,
};
use unriddle_cube::{Cube, Metric};
use unriddle_neural::{
    Activation, Architecture, Block, Engine, Header, Int8, Model, Net, Network, Training,
    lockstep::Lockstep,
};

/// A network with random weights for a puzzle.
fn model<const N: usize>(cube: &Cube<N>) -> Model {
    let purpose = cube.purpose();
    let header = Header {
        puzzle: purpose.puzzle,
        size: purpose.size,
        goal: purpose.goal,
        input: String::new(),
        sharing: None,
        architecture: Architecture {
            inputs: cube.feature_len(),
            groups: cube.groups(),
            grid: None,
            skip: false,
            blocks: vec![Block::dense(100, Activation::Relu), Block::dense(20, Activation::Leaky)],
        },
        training: Training::default(),
    };
    Model::random(header, 1).unwrap()
}

fn agree<const N: usize>(cube: &Cube<N>) {
    let mut rng = Rng::new(2);
    let solved = cube.initial_state();
    let parents: Vec<_> = (0..300)
        .map(|steps| {
            let mut walk = Walk::new(cube, solved, Steps::NoReturn);
            walk.go(cube, steps % 25, &mut rng);
            walk.state
        })
        .collect();
    let (mut successors, mut states) = (Vec::new(), Vec::new());
    for (parent, state) in parents.iter().enumerate() {
        for (number, action) in (0..).zip(cube.actions(state)) {
            if rng.below(4) > 0 {
                let parent = parent as u32;
                states.push(cube.apply(state, action));
                successors.push(Successor { parent, action, number });
            }
        }
    }
    let row = |state| Row { puzzle: cube, state };
    let parents: Vec<_> = parents.iter().map(row).collect();
    let rows: Vec<_> = states.iter().map(row).collect();
    let mut active = Vec::new();
    for state in &states {
        cube.active(state, &mut |index| active.push(index));
    }
    let model = model(cube);
    let bytes = Int8::new(&model, &Int8::calibrate(&model, &active).unwrap()).unwrap();
    let bytes: Arc<dyn Engine> = bytes.into();
    let single = Network::new(&model).unwrap();
    for net in [
        Net::new(Arc::clone(&bytes)),
        Net::new(Arc::clone(&bytes)).with_less(0.1).with_threads(2),
        Net::new(Arc::clone(&bytes)).with_images(Learnable::images(cube)),
        Net::in_lockstep(&Lockstep::new(bytes)),
        Net::new(single),
    ] {
        let [mut expected, mut found] = [0, 1].map(|_| vec![f32::NAN; states.len()]);
        net.evaluate(&rows, &mut expected);
        net.evaluate_successors(&parents, &successors, &mut found);
        assert_eq!(found, expected);
        assert!(found.iter().any(|&h| h > 0.0));
    }
}

#[test]
fn successors_have_the_estimates_of_their_states() {
    for metric in [Metric::Quarter, Metric::Half] {
        let large = Cube::<3>::parse("", metric).unwrap();
        for input in 0..Cube::<3>::INPUTS.len() {
            agree(&large.seen_by(input));
        }
        agree(&Cube::<2>::parse("", metric).unwrap());
    }
}
