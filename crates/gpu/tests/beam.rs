//! The search on a GPU. Without a GPU the tests write to stderr that they are skipped.
#![cfg(feature = "cuda")]

mod common;

use common::{estimate, solved};
use std::{io::Write as _, sync::Arc};
use unriddle_core::{
    Backward as _, Budget, GoalPuzzle as _, Inverses, Learnable, Puzzle as _, Rng, Steps, Walk, run,
};
use unriddle_cube::{Cube, Metric};
use unriddle_gpu::{Gpu, GpuBeam, GpuConfig, GpuNetwork, TransitionTables};
use unriddle_neural::{Device, Model};

/// The cube, its tables and its network. Without a GPU it returns `None` and writes a note to
/// stderr, past the capture of the test runner.
fn ready() -> Option<(Cube<3>, TransitionTables, GpuNetwork)> {
    let cube = solved::<3>(Metric::Quarter).seen_by(2);
    let bytes =
        unriddle_neural::packed::read("../../models/cube-wide.safetensors".as_ref()).unwrap();
    let model = Model::parse(&bytes).unwrap();
    let model = model.with_units(|| Learnable::images(&cube)).unwrap();
    let tables = TransitionTables::learn(&cube, &Inverses::new()).unwrap();
    let network = GpuNetwork::new(&model, &tables).unwrap();
    if let Err(why) = Device::Cuda.check() {
        let goal = vec![0; tables.cells];
        assert!(Gpu::new(tables, &network, &goal, 1 << 20).is_err());
        let _ = writeln!(std::io::stderr(), "skipped: beams on a GPU: {why}");
        return None;
    }
    Some((cube, tables, network))
}

fn gpu(cube: &Cube<3>, tables: &TransitionTables, network: &GpuNetwork, near: u64) -> Gpu {
    let goal = tables.read(&cube.seen_by(0), &cube.goal_states()[0]).unwrap();
    Gpu::new(tables.clone(), network, &goal, near).unwrap()
}

#[test]
fn gpu_and_cpu_estimate_children_alike() {
    let Some((cube, tables, network)) = ready() else {
        return;
    };
    let gpu = gpu(&cube, &tables, &network, 1 << 20);
    let mut rng = Rng::new(3);
    for steps in 1..30 {
        let mut walk = Walk::new(&cube, cube.initial_state(), Steps::NoReturn);
        walk.go(&cube, steps, &mut rng);
        let cells = tables.read(&cube.seen_by(0), &walk.state).unwrap();
        let found = gpu.children(&cells).unwrap();
        for (i, &found) in found.iter().enumerate() {
            let of = if i < 12 { cells.clone() } else { tables.inverted(&cells) };
            let child = tables.after(&of, i % 12);
            let expected = estimate(&network, &tables, &child).max(0.0625);
            assert!((found - expected).abs() < 0.05, "{i}: {found} {expected}");
        }
    }
}

#[test]
fn a_beam_solves_and_is_the_same_every_time() {
    let Some((cube, tables, network)) = ready() else {
        return;
    };
    let gpu = Arc::new(gpu(&cube, &tables, &network, 64 << 20));
    assert_eq!(gpu.goal_table_depth(), 7);
    let mut rng = Rng::new(4);
    for (steps, rerank) in [(0, 1), (3, 1), (9, 2), (15, 1), (26, 3), (26, 1)] {
        let mut walk = Walk::new(&cube, cube.initial_state(), Steps::NoReturn);
        walk.go(&cube, steps, &mut rng);
        let cube = cube.begun_at(walk.state);
        let config = GpuConfig { width: 5000, rerank, max_depth: 40 };
        let solutions = [(); 2].map(|()| {
            let mut beam = GpuBeam::new(&cube, Inverses::new(), Arc::clone(&gpu), config);
            let outcome = run(&mut beam, &Budget::default(), &mut ()).unwrap();
            outcome.best().expect("solved").actions.clone()
        });
        let end = solutions[0].iter().fold(walk.state, |state, &turn| cube.apply(&state, turn));
        assert!(cube.is_goal(&end));
        assert!(solutions[0].len() as u64 <= steps.max(26));
        assert_eq!(solutions[0], solutions[1]);
    }
}
