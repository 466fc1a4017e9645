//! Learned tables agree with the puzzle's rules, and a network estimates cells and states alike.

mod common;

use common::{estimate, solved};
use unriddle_core::{Features as _, Inverses, Learnable, Puzzle as _, Rng, Steps, Walk};
use unriddle_cube::{Cube, Metric};
use unriddle_gpu::{GpuNetwork, TransitionTables};
use unriddle_neural::{Engine as _, Model, Network};

/// Compares the tables with the rules on walks from which they were not learned.
fn agree<const N: usize>(cube: &Cube<N>) -> TransitionTables {
    let tables = TransitionTables::learn(cube, &Inverses::new()).unwrap();
    let (plain, mut rng) = (cube.seen_by(0), Rng::new(77));
    for steps in 0..300 {
        let mut walk = Walk::new(cube, cube.initial_state(), Steps::NoReturn);
        walk.go(cube, steps % 30, &mut rng);
        let cells = tables.read(&plain, &walk.state).unwrap();
        let mut active = Vec::new();
        cube.active(&walk.state, &mut |index| active.push(index));
        assert_eq!(tables.active(&cells), active);
        let inverse = (Inverses::<Cube<N>>::new().inverted)(cube, &walk.state);
        assert_eq!(tables.inverted(&cells), tables.read(&plain, &inverse).unwrap());
        for action in cube.actions(&walk.state) {
            let after = cube.apply(&walk.state, action);
            let number = cube.action_number(action);
            assert_eq!(tables.after(&cells, number), tables.read(&plain, &after).unwrap());
            let back = usize::from(tables.undoing[number]);
            assert_eq!(tables.after(&tables.after(&cells, number), back), cells);
        }
    }
    tables
}

#[test]
fn tables_of_cubes_match_their_rules() {
    let tables = agree(&solved::<3>(Metric::Quarter).seen_by(2));
    assert_eq!((tables.cells, tables.values, tables.actions), (20, 24, 12));
    assert!(tables.sources.iter().all(|source| source.cells.len() == 2));
    let tables = agree(&solved::<3>(Metric::Half));
    assert_eq!(tables.actions, 18);
    assert!(tables.sources.iter().all(|source| source.cells.len() == 1));
    agree(&solved::<3>(Metric::Quarter).seen_by(1));
    agree(&solved::<2>(Metric::Quarter));
}

#[test]
fn a_network_estimates_cells_and_states_alike() {
    let bytes =
        unriddle_neural::packed::read("../../models/cube-wide.safetensors".as_ref()).unwrap();
    let model = Model::parse(&bytes).unwrap();
    let cube = solved::<3>(Metric::Quarter).seen_by(2);
    let model = model.with_units(|| Learnable::images(&cube)).unwrap();
    let tables = TransitionTables::learn(&cube, &Inverses::new()).unwrap();
    let network = GpuNetwork::new(&model, &tables).unwrap();
    let reference = Network::new(&model).unwrap();
    let mut rng = Rng::new(5);
    let mut far = 0.0_f32;
    for steps in 0..200 {
        let mut walk = Walk::new(&cube, cube.initial_state(), Steps::NoReturn);
        walk.go(&cube, steps % 25, &mut rng);
        let mut active = Vec::new();
        cube.active(&walk.state, &mut |index| active.push(index));
        let mut one = [0.0];
        reference.evaluate(&active, &mut one, 1).unwrap();
        let cells = tables.read(&cube.seen_by(0), &walk.state).unwrap();
        let other = estimate(&network, &tables, &cells);
        assert!((one[0] - other).abs() < 0.02 * (1.0 + one[0].abs()), "{one:?} {other}");
        far = far.max(other);
    }
    assert!(far > 10.0, "{far}");
}
