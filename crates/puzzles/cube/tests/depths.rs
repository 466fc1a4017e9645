//! How many positions are at each distance, and optimal lengths against breadth-first search from both ends.

use std::collections::{HashMap, HashSet};
use unriddle_core::{Budget, Puzzle as _, Rng, Symmetric as _, run};
use unriddle_cube::{
    Cube, Metric, Pieces, Turn,
    pieces::SOLVED,
    solvers::optimal::{Optimal, OptimalConfig, Size, Wanted},
};
use unriddle_tables::{Cache, Policy};

/// Positions at each distance (OEIS A080601 and A080602), counted by one position of each class of symmetric ones.
#[test]
fn as_many_positions_at_each_distance_as_published() {
    for (metric, counts) in [
        (
            Metric::Quarter,
            [1, 12, 114, 1_068, 10_011, 93_840, 878_880, 8_221_632],
        ),
        (
            Metric::Half,
            [1, 18, 243, 3_240, 43_239, 574_908, 7_618_438, 100_803_036],
        ),
    ] {
        let cube = Cube::<3>::new(SOLVED, metric);
        let mut before: HashSet<Pieces> = HashSet::new();
        let mut level = HashSet::from([SOLVED]);
        for (distance, count) in counts.into_iter().enumerate() {
            let size = |class: &Pieces| cube.images(class).len() as u64;
            assert_eq!(
                level.iter().map(size).sum::<u64>(),
                count,
                "{metric:?}, {distance}"
            );
            if distance == 7 {
                break;
            }
            let mut next = HashSet::new();
            for state in &level {
                for turn in cube.turns() {
                    let class = cube.canonical(&cube.apply(state, turn));
                    if !level.contains(&class) && !before.contains(&class) {
                        next.insert(class);
                    }
                }
            }
            before = std::mem::replace(&mut level, next);
        }
    }
}

/// All states within `depth` moves of one, with their distances.
fn ball(cube: &Cube<3>, from: Pieces, depth: u8) -> HashMap<Pieces, u8> {
    let mut seen = HashMap::from([(from, 0)]);
    let mut level = vec![from];
    for distance in 1..=depth {
        let mut next = Vec::new();
        for state in &level {
            for turn in cube.turns() {
                let after = cube.apply(state, turn);
                seen.entry(after).or_insert_with(|| {
                    next.push(after);
                    distance
                });
            }
        }
        level = next;
    }
    seen
}

/// Lengths up to 14 quarter turns and 12 turns of any angle: eight million states around the goal, and as many around each start. It
/// takes minutes and two gigabytes: `cargo test --release -p unriddle-cube --test depths -- --ignored`.
#[test]
#[ignore = "takes minutes and two gigabytes"]
fn optimal_lengths_are_those_of_meeting_in_the_middle() {
    let cache = Cache::new(None, 2, Policy::Reuse);
    let rng = &mut Rng::new(14);
    for (metric, depth) in [(Metric::Quarter, 7), (Metric::Half, 6)] {
        let solved = Cube::<3>::new(SOLVED, metric);
        let turns: Vec<Turn> = solved.turns().collect();
        let near = ball(&solved, SOLVED, depth);
        for length in [2 * depth - 3, 2 * depth - 2, 2 * depth - 1, 2 * depth] {
            let random =
                |state, _| solved.apply(&state, turns[rng.below(turns.len() as u64) as usize]);
            let start = (0..length).fold(SOLVED, random);
            let around = ball(&solved, start, depth);
            let both = around
                .iter()
                .filter_map(|(state, far)| Some(near.get(state)? + far));
            let cube = Cube::<3>::new(start, metric);
            let config = OptimalConfig {
                table: Wanted(Some(Size::Small)),
                ..OptimalConfig::default()
            };
            let mut search = Optimal::new(&cube, config, &cache).unwrap();
            let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
            assert!(outcome.is_optimal());
            let found = outcome.best().unwrap().value;
            assert_eq!(
                Some(found),
                both.min().map(i64::from),
                "{metric:?}, {length}"
            );
        }
    }
}
