//! The search on a GPU, where there is one; it says that it is skipped where there is none.
#![cfg(feature = "cuda")]

mod common;

use common::{estimate, solved};
use std::{io::Write as _, sync::Arc};
use unriddle_core::{
    Backward as _, Budget, Inverses, GoalPuzzle as _, Learnable, Puzzle as _, Rng, Steps, Walk, run,
};
use unriddle_cube::{Cube, Metric};
use unriddle_gpu::{Gpu, GpuBeam, GpuConfig, Places, Small};
use unriddle_neural::{Device, Model};

/// The cube, its tables and its network; `None` without a GPU, which is said past the capture of the runner.
fn ready() -> Option<(Cube<3>, Places, Small)> {
    let cube = solved::<3>(Metric::Quarter).seen_by(2);
    let bytes = std::fs::read("../../models/cube-wide.safetensors").unwrap();
    let model = Model::parse(&bytes).unwrap();
    let model = model.with_units(|| Learnable::images(&cube)).unwrap();
    let places = Places::learn(&cube, &Inverses::new()).unwrap();
    let small = Small::new(&model, &places).unwrap();
    if let Err(why) = Device::Cuda.check() {
        let goal = vec![0; places.cells];
        assert!(Gpu::new(places, &small, &goal, 1 << 20).is_err());
        let _ = writeln!(std::io::stderr(), "skipped: beams on a GPU: {why}");
        return None;
    }
    Some((cube, places, small))
}

fn gpu(cube: &Cube<3>, places: &Places, small: &Small, near: u64) -> Gpu {
    let goal = places.read(&cube.seen_by(0), &cube.goal_states()[0]).unwrap();
    Gpu::new(places.clone(), small, &goal, near).unwrap()
}

#[test]
fn children_are_estimated_as_on_the_processor() {
    let Some((cube, places, small)) = ready() else {
        return;
    };
    let gpu = gpu(&cube, &places, &small, 1 << 20);
    let mut rng = Rng::new(3);
    for steps in 1..30 {
        let mut walk = Walk::new(&cube, cube.initial_state(), Steps::NoReturn);
        walk.go(&cube, steps, &mut rng);
        let cells = places.read(&cube.seen_by(0), &walk.state).unwrap();
        let found = gpu.children(&cells).unwrap();
        for (i, &found) in found.iter().enumerate() {
            let of = match i < 12 {
                true => cells.clone(),
                false => places.inverted(&cells),
            };
            let child = places.after(&of, i % 12);
            let expected = estimate(&small, &places, &child).max(0.0625);
            assert!((found - expected).abs() < 0.05, "{i}: {found} {expected}");
        }
    }
}

#[test]
fn a_beam_solves_and_is_the_same_every_time() {
    let Some((cube, places, small)) = ready() else {
        return;
    };
    let gpu = Arc::new(gpu(&cube, &places, &small, 64 << 20));
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
