//! Seeded instances: uniform over the solvable boards, or a random walk back from the goal.
//!
//! The n-th instance of a seed is made of its own stream of random numbers, whatever the order in which
//! instances are made. A seed names the same instance in both conventions of the goal: only its text is
//! turned. O(N² + steps) per instance.
//!
//! Random walks do not sample uniformly: DeepCubeA's test sets, made by 1,000 to 10,000 steps, are easier
//! than uniform ones from the 24-puzzle on (Agostinelli, McAleer, Shmakov and Baldi 2019, Methods).

use super::{
    Goal,
    board::{MAX_SIDE, Slide, possible},
    goal_cells,
    parse::solvable,
};
use thiserror::Error;
use unriddle_core::Rng;

/// How instances are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// Every solvable board with the same probability.
    #[default]
    Uniform,
    /// A random walk from the goal.
    Walk(Walk),
}

/// A random walk from the goal, each step uniform over the possible slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// Fewest steps.
    pub min: u64,
    /// Most steps; the number is uniform between both, ends included.
    pub max: u64,
    /// Whether a step may undo the one before.
    pub backtracking: bool,
}

/// The walk that DeepCubeA's test sets are made by.
impl Default for Walk {
    fn default() -> Self {
        Self {
            min: 1_000,
            max: 10_000,
            backtracking: true,
        }
    }
}

/// Why an instance cannot be made.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum GenerateError {
    /// No board has this side.
    #[error("a board has a side of 2 to {MAX_SIDE}, not {0}")]
    Side(usize),
    /// An empty range of steps.
    #[error("a walk of {min} to {max} steps: the smaller number must come first")]
    Steps {
        /// Fewest steps.
        min: u64,
        /// Most steps.
        max: u64,
    },
}

/// The `index`-th instance of a seed: tile numbers in reading order, in the convention asked for.
///
/// # Errors
/// A side that no board has, or an empty range of steps.
pub fn generate(
    side: usize,
    goal: Goal,
    method: Method,
    seed: u64,
    index: u64,
) -> Result<Vec<u8>, GenerateError> {
    if !(2..=MAX_SIDE).contains(&side) {
        return Err(GenerateError::Side(side));
    }
    let mut rng = Rng::stream(seed, index);
    let cells = match method {
        Method::Uniform => uniform(side, &mut rng),
        Method::Walk(Walk { min, max, .. }) if min > max => {
            return Err(GenerateError::Steps { min, max });
        }
        Method::Walk(walk) => walked(side, walk, &mut rng),
    };
    Ok(goal.turn(&cells))
}

/// A uniform solvable board, canonical.
fn uniform(side: usize, rng: &mut Rng) -> Vec<u8> {
    let mut cells = goal_cells(side);
    rng.shuffle(&mut cells);
    if solvable(side, &cells, Goal::BlankLast).is_err() {
        // Exchanging the first two tiles maps unsolvable boards one to one to solvable ones.
        let mut tiles = (0..cells.len()).filter(|&c| cells[c] != 0);
        if let (Some(a), Some(b)) = (tiles.next(), tiles.next()) {
            cells.swap(a, b);
        }
    }
    cells
}

/// The end of a random walk, canonical.
fn walked(side: usize, walk: Walk, rng: &mut Rng) -> Vec<u8> {
    let range = (walk.max - walk.min).saturating_add(1);
    let steps = walk.min + rng.below(range);
    let mut cells = goal_cells(side);
    let mut blank = cells.len() - 1;
    let mut last: Option<Slide> = None;
    for _ in 0..steps {
        let mut mask = possible(side, blank);
        if let (false, Some(last)) = (walk.backtracking, last) {
            mask &= !(1 << last.inverse() as u8);
        }
        let choice = rng.below(u64::from(mask.count_ones())) as usize;
        let mut slides = Slide::ALL.into_iter().filter(|&s| mask >> s as u8 & 1 == 1);
        // At least one slide is left: every cell has two neighbours or more.
        let Some(slide) = slides.nth(choice) else {
            break;
        };
        let from = blank.wrapping_add_signed(slide.blank_step(side));
        cells.swap(blank, from);
        blank = from;
        last = Some(slide);
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn walk(min: u64, max: u64, backtracking: bool) -> Method {
        Method::Walk(Walk {
            min,
            max,
            backtracking,
        })
    }

    #[test]
    fn everything_generated_is_solvable_in_both_conventions() {
        for side in 2..=MAX_SIDE {
            for index in 0..50 {
                for method in [Method::Uniform, walk(0, 100, true), walk(10, 100, false)] {
                    let last = generate(side, Goal::BlankLast, method, 7, index).unwrap();
                    let first = generate(side, Goal::BlankFirst, method, 7, index).unwrap();
                    assert_eq!(Goal::BlankFirst.turn(&last), first);
                    assert_eq!(solvable(side, &last, Goal::BlankLast), Ok(()));
                    assert_eq!(solvable(side, &first, Goal::BlankFirst), Ok(()));
                }
            }
        }
    }

    /// The 12 boards of side 2 turn up equally often.
    #[test]
    fn uniform_is_uniform() {
        let mut count: HashMap<Vec<u8>, u32> = HashMap::new();
        for index in 0..12_000 {
            let cells = generate(2, Goal::BlankLast, Method::Uniform, 1, index).unwrap();
            *count.entry(cells).or_default() += 1;
        }
        assert_eq!(count.len(), 12);
        assert!(
            count.values().all(|&c| (850..1150).contains(&c)),
            "{count:?}"
        );
    }

    /// Without steps back a walk around the board of side 2 goes on in one direction.
    #[test]
    fn walks_have_the_length_asked_for() {
        let goal = goal_cells(2);
        assert_eq!(
            generate(2, Goal::BlankLast, walk(0, 0, true), 1, 1),
            Ok(goal.clone())
        );
        for index in 0..20 {
            let round = generate(2, Goal::BlankLast, walk(12, 12, false), 1, index).unwrap();
            assert_eq!(round, goal);
            let six = generate(2, Goal::BlankLast, walk(6, 6, false), 1, index).unwrap();
            assert_ne!(six, goal);
        }
    }

    #[test]
    fn refusals() {
        let error = generate(9, Goal::BlankLast, Method::Uniform, 1, 1).unwrap_err();
        assert_eq!(error.to_string(), "a board has a side of 2 to 8, not 9");
        assert_eq!(
            generate(4, Goal::BlankLast, walk(5, 4, true), 1, 1),
            Err(GenerateError::Steps { min: 5, max: 4 })
        );
        assert!(generate(2, Goal::BlankLast, walk(3, 3, true), 1, u64::MAX).is_ok());
    }

    /// Recorded seeds lean on these bytes.
    #[test]
    fn the_instances_of_a_seed_are_fixed() {
        let uniform = generate(3, Goal::BlankLast, Method::Uniform, 1, 0).unwrap();
        let walked = generate(3, Goal::BlankLast, Method::Walk(Walk::default()), 1, 0).unwrap();
        assert_eq!(uniform, UNIFORM);
        assert_eq!(walked, WALKED);
    }
    const UNIFORM: [u8; 9] = [4, 6, 8, 2, 5, 1, 7, 0, 3];
    const WALKED: [u8; 9] = [7, 1, 0, 5, 2, 3, 6, 4, 8];
}
