//! Paths that are shortened.

use crate::common::*;
use unriddle_conformance::{Promises, cuts, memory};
use unriddle_core::{
    Budget, GoalPuzzle, Heuristic, Limit, Outcome, Puzzle, Rng, Scalar, SearchError, Vicinity, run,
};
use unriddle_search::{
    greedy::{Greedy, GreedyConfig},
    windows::{Windows, WindowsConfig},
};

/// A long path, by greedy search.
fn long<P: GoalPuzzle, H: Heuristic<P>>(puzzle: &P, h: H) -> Vec<P::Action> {
    let h = Scalar(h);
    let mut search = Greedy::new(puzzle, &h, GreedyConfig::default()).unwrap();
    let outcome = finish(&mut search, &mut ());
    outcome.best().expect("it is solvable").actions.clone()
}

fn windows<'a, P: GoalPuzzle>(puzzle: &'a P, path: &[P::Action], states: usize) -> Windows<'a, P> {
    Windows::new(puzzle, None, path.to_vec(), WindowsConfig { states }).unwrap()
}

/// If all states are near a window the path becomes a shortest one; with fewer it never gets
/// longer.
#[test]
fn paths_become_shortest_where_all_states_are_near() {
    let mut rng = Rng::new(81);
    let (mut before, mut some, mut shortest) = (0, 0, 0);
    for _ in 0..20 {
        let puzzle = Sliding::scrambled(3, 3, 300, &mut rng);
        let path = long(&puzzle, Manhattan);
        let optimum = optimum(&puzzle).expect("it is solvable");
        for (states, sum) in [(200, &mut some), (200_000, &mut shortest)] {
            let mut search = windows(&puzzle, &path, states);
            let mut events = Events::default();
            let outcome = finish(&mut search, &mut events);
            let best = outcome.best().expect("the path");
            let value = check(&puzzle, best);
            assert!(value <= path.len() as i64 && value >= optimum);
            assert!(!outcome.is_optimal(), "nothing is proved");
            let values = &events.improved;
            assert!(values.is_sorted_by(|a, b| a.0.value > b.0.value));
            assert!(values.iter().all(|(best, _)| check(&puzzle, best) <= path.len() as i64));
            *sum += value;
        }
        before += path.len() as i64;
        let mut search = windows(&puzzle, &path, 200_000);
        assert_eq!(finish(&mut search, &mut ()).best().map(|best| best.value), Some(optimum));
    }
    assert!(shortest < some && some < before, "{shortest} {some} {before}");
}

/// With different costs the search lowers the cost.
#[test]
fn costs_get_less() {
    let mut rng = Rng::new(82);
    let mut better = 0;
    for _ in 0..50 {
        let puzzle = Grid::random(12, 9, &mut rng);
        let Some(optimum) = optimum(&puzzle) else {
            continue;
        };
        let path = long(&puzzle, Steps);
        let before = unriddle_core::Solution::played(&puzzle, path.clone()).value;
        let outcome = finish(&mut windows(&puzzle, &path, 1_000), &mut ());
        let after = check(&puzzle, outcome.best().expect("the path"));
        assert_eq!(after, optimum);
        better += usize::from(after < before);
    }
    assert!(better > 5, "{better}");
}

#[test]
fn work_is_cut_anywhere_and_memory_is_accounted() {
    let mut rng = Rng::new(83);
    for _ in 0..5 {
        let puzzle = Sliding::scrambled(3, 3, 200, &mut rng);
        let path = long(&puzzle, Manhattan);
        let promises = Promises {
            optimal: false,
            proves_unsolvable: false,
            expansions: u64::MAX,
            empty_bytes: 20_000,
            ..Promises::default()
        };
        let make = || -> Boxed<'_, Sliding> { Box::new(windows(&puzzle, &path, 300)) };
        cuts(promises, make).unwrap();
        memory(promises, make).unwrap();
    }
}

/// A limit leaves a path that is no longer than the given path.
#[test]
fn limits_leave_a_path() {
    let puzzle = Sliding::scrambled(4, 4, 1_000, &mut Rng::new(84));
    let path = long(&puzzle, Manhattan);
    let mut last = path.len() as i64;
    for expansions in [0, 1_000, 30_000, 300_000] {
        let budget = Budget { expansions: Some(expansions), ..Budget::default() };
        let outcome = run(&mut windows(&puzzle, &path, 20_000), &budget, &mut ()).unwrap();
        let Outcome::Stopped { why: Limit::Expansions, best: Some(best), .. } = outcome else {
            panic!("{outcome:?}");
        };
        let value = check(&puzzle, &best);
        assert!(value <= last);
        last = value;
    }
    assert!(last < path.len() as i64);
}

/// Cells of a grid that are not far away.
struct Around(usize);

impl Vicinity<Grid> for Around {
    fn sizes(&self) -> u32 {
        3
    }
    fn key(&self, state: &<Grid as Puzzle>::State) -> u64 {
        *state as u64
    }
    fn near(&self, state: &<Grid as Puzzle>::State, size: u32, keys: &mut Vec<u64>) {
        let reach = i64::from(size) + 1;
        let side = self.0 as i64;
        let (row, column) = (*state as i64 / side, *state as i64 % side);
        for row in row - reach..=row + reach {
            for column in column - reach..=column + reach {
                if (0..side).contains(&row) && (0..side).contains(&column) {
                    keys.push((row * side + column) as u64);
                }
            }
        }
    }
}

/// A puzzle defines which states are near; the number of windows follows from the number of these
/// states.
#[test]
fn a_puzzle_defines_the_near_states() {
    let mut rng = Rng::new(85);
    let mut better = 0;
    for _ in 0..50 {
        let puzzle = Grid::random(12, 9, &mut rng);
        if optimum(&puzzle).is_none() {
            continue;
        }
        let path = long(&puzzle, Steps);
        let before = unriddle_core::Solution::played(&puzzle, path.clone()).value;
        for states in [16, 1_000] {
            let near: Box<dyn Vicinity<Grid>> = Box::new(Around(12));
            let config = WindowsConfig { states };
            let search = Windows::new(&puzzle, Some(near), path.clone(), config);
            let outcome = finish(&mut search.unwrap(), &mut ());
            let after = check(&puzzle, outcome.best().expect("the path"));
            assert!(after <= before);
            better += usize::from(after < before);
        }
    }
    assert!(better > 10, "{better}");
}

#[test]
fn a_path_that_does_not_arrive_is_refused() {
    let puzzle = Sliding::scrambled(3, 3, 100, &mut Rng::new(86));
    let path = long(&puzzle, Manhattan);
    let refused = |path: &[u8], states| {
        let config = WindowsConfig { states };
        matches!(
            Windows::new(&puzzle, None, path.to_vec(), config).err(),
            Some(SearchError::BadOption(_))
        )
    };
    assert!(refused(&path[..path.len() - 1], 100));
    assert!(refused(&path, 3));
    assert!(!refused(&path, 100));
    // Nothing is to be done for no actions.
    let solved = Sliding::scrambled(3, 3, 0, &mut Rng::new(87));
    let outcome = finish(&mut windows(&solved, &[], 100), &mut ());
    assert_eq!(outcome.best().map(|best| best.value), Some(0));
}
