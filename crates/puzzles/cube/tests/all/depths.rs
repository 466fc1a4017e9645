//! Numbers of positions at each distance.

use std::collections::HashSet;
use unriddle_core::{Puzzle as _, Symmetric as _};
use unriddle_cube::{Cube, Metric, Pieces, pieces::SOLVED};

/// Numbers of positions at each distance (OEIS A080601 and A080602), counted by one position of
/// each class of symmetric ones.
#[test]
fn as_many_positions_at_each_distance_as_published() {
    let quarter_turns: &[u64] = &[1, 12, 114, 1_068, 10_011, 93_840, 878_880, 8_221_632];
    let half_turns: &[u64] = &[1, 18, 243, 3_240, 43_239, 574_908, 7_618_438];
    for (metric, counts) in [(Metric::Quarter, quarter_turns), (Metric::Half, half_turns)] {
        let cube = Cube::<3>::new(SOLVED, metric);
        let mut before: HashSet<Pieces> = HashSet::new();
        let mut level = HashSet::from([SOLVED]);
        for (distance, &count) in counts.iter().enumerate() {
            let size = |class: &Pieces| cube.images(class).len() as u64;
            assert_eq!(level.iter().map(size).sum::<u64>(), count, "{metric:?}, {distance}");
            if distance + 1 == counts.len() {
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
