//! Tables that are learned say what the puzzle's rules say, and what a network says of them it says of states.

mod common;

use common::{estimate, solved};
use unriddle_core::{Ends, Features as _, Learnable, Puzzle as _, Rng, Steps, Walk};
use unriddle_cube::{Cube, Metric};
use unriddle_gpu::{Places, Small};
use unriddle_neural::{Engine as _, Model, Network};

/// States of walks that no table was learned from.
fn agree<const N: usize>(cube: &Cube<N>) -> Places {
    let places = Places::learn(cube, &Ends::new()).unwrap();
    let (plain, mut rng) = (cube.seen_by(0), Rng::new(77));
    for steps in 0..300 {
        let mut walk = Walk::new(cube, cube.initial_state(), Steps::NoReturn);
        walk.go(cube, steps % 30, &mut rng);
        let cells = places.read(&plain, &walk.state).unwrap();
        let mut active = Vec::new();
        cube.active(&walk.state, &mut |index| active.push(index));
        assert_eq!(places.active(&cells), active);
        let inverse = (Ends::<Cube<N>>::new().inverted)(cube, &walk.state);
        assert_eq!(places.inverted(&cells), places.read(&plain, &inverse).unwrap());
        for action in cube.actions(&walk.state) {
            let after = cube.apply(&walk.state, action);
            let number = cube.action_number(action);
            assert_eq!(places.after(&cells, number), places.read(&plain, &after).unwrap());
            let back = usize::from(places.undo[number]);
            assert_eq!(places.after(&places.after(&cells, number), back), cells);
        }
    }
    places
}

#[test]
fn cubes_are_tables() {
    let places = agree(&solved::<3>(Metric::Quarter).seen_by(2));
    assert_eq!((places.cells, places.values, places.actions), (20, 24, 12));
    assert!(places.sources.iter().all(|source| source.cells.len() == 2));
    let places = agree(&solved::<3>(Metric::Half));
    assert_eq!(places.actions, 18);
    assert!(places.sources.iter().all(|source| source.cells.len() == 1));
    agree(&solved::<3>(Metric::Quarter).seen_by(1));
    agree(&solved::<2>(Metric::Quarter));
}

#[test]
fn a_network_says_of_cells_what_it_says_of_states() {
    let bytes = std::fs::read("../../models/cube-wide.safetensors").unwrap();
    let model = Model::parse(&bytes).unwrap();
    let cube = solved::<3>(Metric::Quarter).seen_by(2);
    let model = model.with_units(|| Learnable::images(&cube)).unwrap();
    let places = Places::learn(&cube, &Ends::new()).unwrap();
    let small = Small::new(&model, &places).unwrap();
    let network = Network::new(&model).unwrap();
    let mut rng = Rng::new(5);
    let mut far = 0.0_f32;
    for steps in 0..200 {
        let mut walk = Walk::new(&cube, cube.initial_state(), Steps::NoReturn);
        walk.go(&cube, steps % 25, &mut rng);
        let mut active = Vec::new();
        cube.active(&walk.state, &mut |index| active.push(index));
        let mut one = [0.0];
        network.evaluate(&active, &mut one, 1).unwrap();
        let cells = places.read(&cube.seen_by(0), &walk.state).unwrap();
        let other = estimate(&small, &places, &cells);
        assert!((one[0] - other).abs() < 0.02 * (1.0 + one[0].abs()), "{one:?} {other}");
        far = far.max(other);
    }
    assert!(far > 10.0, "{far}");
}
