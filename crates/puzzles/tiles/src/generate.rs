//! Seeded instances: uniform over the solvable boards, or a random walk back from the goal.
//!
//! The same seed and index result in the same instance with the blank first and last; only the text
//! differs. The n-th instance of a seed comes from its own [stream](Rng::stream), in whatever
//! order instances are generated. O(N² + steps).
//!
//! Random walks do not sample uniformly: the test sets of DeepCubeA, made by 1,000 to 10,000 steps,
//! are easier than uniform ones from the 24-puzzle on (Agostinelli, McAleer, Shmakov and Baldi
//! 2019, Methods).

use super::{Goal, board::Slide, parse::solvable, shape::Shape};
use unriddle_core::Rng;

/// A board of a shape, or of a square's side, in which every solvable board has the same
/// probability: tile numbers in reading order, in the given convention.
#[must_use]
pub fn uniform(shape: impl Into<Shape>, goal: Goal, rng: &mut Rng) -> Vec<u8> {
    let (shape, canonical) = (shape.into(), goal.canonical());
    // Seeds depend on the order of the shuffled numbers.
    let mut cells = Goal::BlankLast.cells(shape);
    rng.shuffle(&mut cells);
    if solvable(shape, &cells, canonical).is_err() {
        // Exchanging the first two tiles maps unsolvable boards one to one to solvable ones.
        let mut tiles = (0..cells.len()).filter(|&c| cells[c] != 0);
        if let (Some(a), Some(b)) = (tiles.next(), tiles.next()) {
            cells.swap(a, b);
        }
    }
    goal.turn(&cells)
}

/// The order in which a walk numbers the possible slides. Seeds depend on this order, so it is
/// independent of the order in which searches try slides.
const WALK: [Slide; 4] = [Slide::Up, Slide::Down, Slide::Left, Slide::Right];

/// The end of a random walk from the goal. The number of steps is uniform in `min..=max`, and each
/// step is uniform over the possible slides, including the slide that undoes the previous step.
pub(crate) fn walk(shape: Shape, min: u64, max: u64, goal: Goal, rng: &mut Rng) -> Vec<u8> {
    let range = max.saturating_sub(min).saturating_add(1);
    let steps = min + rng.below(range);
    let mut cells = goal.canonical().cells(shape);
    let mut blank = cells.iter().position(|&tile| tile == 0).unwrap_or(0);
    for _ in 0..steps {
        let mask = shape.possible(blank);
        let choice = rng.below(u64::from(mask.count_ones())) as usize;
        let mut slides = WALK.into_iter().filter(|&s| mask >> s as u8 & 1 == 1);
        // Every cell has two neighbours or more.
        let Some(slide) = slides.nth(choice) else {
            break;
        };
        let from = blank.wrapping_add_signed(slide.blank_step(shape.columns));
        cells.swap(blank, from);
        blank = from;
    }
    goal.turn(&cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{goal_cells, shape::MAX_CELLS};
    use std::collections::HashMap;

    const LAST: Goal = Goal::BlankLast;

    #[test]
    fn everything_generated_is_solvable_with_every_goal() {
        for shape in (4..=MAX_CELLS).flat_map(Shape::of_cells) {
            for index in 0..20 {
                let make = |goal| {
                    let rng = &mut Rng::stream(7, index);
                    let boards = [uniform(shape, goal, rng), walk(shape, 0, 100, goal, rng)];
                    for board in &boards {
                        assert_eq!(solvable(shape, board, goal), Ok(()));
                    }
                    boards
                };
                make(Goal::Snail);
                for (last, first) in make(LAST).iter().zip(make(Goal::BlankFirst)) {
                    assert_eq!(Goal::BlankFirst.turn(last), first);
                }
            }
        }
    }

    /// The 12 boards of side 2 turn up equally often.
    #[test]
    fn uniform_is_uniform() {
        let mut count: HashMap<Vec<u8>, u32> = HashMap::new();
        let mut rng = Rng::new(1);
        for _ in 0..12_000 {
            *count.entry(uniform(2, LAST, &mut rng)).or_default() += 1;
        }
        assert_eq!(count.len(), 12);
        assert!(count.values().all(|&c| (850..1150).contains(&c)), "{count:?}");
    }

    /// The parity of the blank's distance equals the parity of the number of steps.
    #[test]
    fn walks_have_the_length_asked_for() {
        let mut rng = Rng::new(5);
        let four = Shape::square(4);
        assert_eq!(walk(four, 0, 0, LAST, &mut rng), goal_cells(4));
        let mut odd = 0;
        for _ in 0..400 {
            let mut parity = |min, max| {
                let cells = walk(four, min, max, LAST, &mut rng);
                let blank = cells.iter().position(|&t| t == 0).unwrap();
                (blank / 4 + blank % 4) % 2
            };
            assert_eq!((parity(7, 7), parity(8, 8)), (1, 0));
            odd += parity(1, 2);
        }
        assert!((140..260).contains(&odd), "{odd}");
    }

    /// Recorded seeds lean on these bytes.
    #[test]
    fn the_instances_of_a_seed_are_fixed() {
        let board = uniform(3, LAST, &mut Rng::stream(1, 0));
        assert_eq!(board, [4, 6, 8, 2, 5, 1, 7, 0, 3]);
        let board = walk(Shape::square(3), 1_000, 10_000, LAST, &mut Rng::stream(1, 0));
        assert_eq!(board, [7, 1, 0, 5, 2, 3, 6, 4, 8]);
    }
}
