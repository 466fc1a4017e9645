//! Exact distances near the solved cube beside a breadth-first search.

use std::collections::HashMap;
use unriddle_core::{GoalDistances as _, Inverses, Puzzle as _, goal_distances::shortest};
use unriddle_cube::{Cube, Metric, Pieces};
use unriddle_tables::{Cache, Distance, GoalTable, Policy};

/// All states to a number of quarter turns, with their distances.
fn ball(cube: &Cube<3>, most: u32) -> HashMap<Pieces, u32> {
    let start = cube.initial_state();
    let mut all = HashMap::from([(start, 0)]);
    let mut layer = vec![start];
    for distance in 1..=most {
        let mut next = Vec::new();
        for state in layer {
            for turn in cube.turns() {
                let child = cube.apply(&state, turn);
                all.entry(child).or_insert_with(|| {
                    next.push(child);
                    distance
                });
            }
        }
        layer = next;
    }
    all
}

#[test]
fn distances_equal_breadth_first_search() {
    let cube = Cube::<3>::parse("", Metric::Quarter).unwrap();
    let cache = Cache::new(None, 1, Policy::Reuse);
    // 500 slots hold the classes of states to four turns, and not those at five.
    let table = cache.get(&GoalTable::new(&cube, Inverses::new(), 2_000)).unwrap();
    let near = Distance::new(Inverses::new(), table);
    let ball = ball(&cube, 5);
    assert_eq!(ball.len(), 1 + 12 + 114 + 1068 + 10_011 + 93_840);
    for (state, &distance) in &ball {
        let expected = (distance <= 4).then_some(distance);
        assert_eq!(near.distance(&cube, state), expected);
        if distance <= 3 {
            let path = shortest(&cube, &near, state).unwrap();
            let end = path.iter().fold(*state, |at, &turn| cube.apply(&at, turn));
            assert_eq!((end, path.len()), (cube.initial_state(), distance as usize));
        }
    }
}
