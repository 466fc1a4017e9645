//! Levin tree search on sliding tiles, with policies made of Manhattan distances.

use crate::common::*;
use unriddle_conformance::{Promises, cuts, memory};
use unriddle_core::{Budget, Heuristic, Outcome, Puzzle, Rng, Row, Search, SearchError, run};
use unriddle_search::{
    levin::{Levin, LevinConfig},
    qbeam::ActionValues,
};

/// The nodes of a path over its probability.
fn ratio(puzzle: &Sliding, policy: &Policy, path: &[u8]) -> f64 {
    let mut state = puzzle.initial_state();
    let mut unlikeliness = 0.0;
    for &action in path {
        let mut out = [0.0; ACTIONS];
        policy.evaluate(&[Row { puzzle, state: &state }], &mut out);
        unlikeliness += f64::from(out[policy.number(puzzle, &state, action)]);
        state = puzzle.apply(&state, action);
    }
    (path.len() + 1) as f64 * unlikeliness.exp()
}

#[test]
fn no_more_states_are_expanded_than_its_guarantee_allows() {
    let mut rng = Rng::new(11);
    let mut expanded = [0; 3];
    for _ in 0..20 {
        let puzzle = Sliding::scrambled(3, 3, 40, &mut rng);
        for (sharpness, sum) in [0.0, 1.0, 4.0].into_iter().zip(&mut expanded) {
            let policy = Policy(Ahead(Manhattan), sharpness);
            let mut search = Levin::new(&puzzle, &policy, None, LevinConfig::default()).unwrap();
            let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
            let best = outcome.best().expect("a solution");
            assert_eq!(check(&puzzle, best), best.value);
            let bound = ratio(&puzzle, &policy, &best.actions);
            let count = search.stats().expanded;
            // States are ordered by logarithms in units of 1/65,536.
            assert!(count as f64 <= bound * 1.001, "{count} of {bound}");
            *sum += count;
        }
    }
    // A policy that knows the way expands fewer states.
    assert!(expanded[2] < expanded[1] && expanded[1] < expanded[0], "{expanded:?}");
}

#[test]
fn searches_from_new_minima_share_the_work() {
    let mut rng = Rng::new(14);
    let (mut plain, mut rerooted) = (0, 0);
    for _ in 0..20 {
        let puzzle = Sliding::scrambled(3, 3, 40, &mut rng);
        // All actions are equally probable: only the minima guide the search.
        let policy = Policy(Ahead(Manhattan), 0.0);
        let clue = |state: &_| Manhattan.root(&puzzle, state).map(|(h, ())| h);
        for (clue, sum) in [(None, &mut plain), (Some(&clue as _), &mut rerooted)] {
            let mut search = Levin::new(&puzzle, &policy, clue, LevinConfig::default()).unwrap();
            let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
            let best = outcome.best().expect("a solution");
            assert_eq!(check(&puzzle, best), best.value);
            *sum += search.stats().expanded;
        }
    }
    assert!(2 * rerooted < plain, "{rerooted} of {plain}");
}

#[test]
fn a_constant_clue_changes_nothing() {
    let puzzle = Sliding::scrambled(3, 3, 40, &mut Rng::new(15));
    let policy = Policy(Ahead(Manhattan), 1.0);
    let [without, with] = [None, Some(&(|_: &_| Some(3_u32)) as _)].map(|clue| {
        let mut search = Levin::new(&puzzle, &policy, clue, LevinConfig::default()).unwrap();
        let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
        (outcome.best().expect("a solution").actions.clone(), search.stats().expanded)
    });
    assert_eq!(without, with);
}

#[test]
fn dividing_the_work_and_little_memory_change_nothing() {
    let mut rng = Rng::new(12);
    let policy = Policy(Ahead(Manhattan), 1.0);
    for (moves, batch) in [(0, 1), (1, 3), (30, 1), (60, 100)] {
        let puzzle = Sliding::scrambled(3, 3, moves, &mut rng);
        let clue = |state: &_| Manhattan.root(&puzzle, state).map(|(h, ())| h);
        for clue in [None, Some(&clue as _)] {
            let make = || -> Boxed<'_, Sliding> {
                Box::new(Levin::new(&puzzle, &policy, clue, LevinConfig { batch }).unwrap())
            };
            let promises = Promises { optimal: false, expansions: 200_000, ..Promises::default() };
            cuts(promises, make).unwrap();
            memory(promises, make).unwrap();
        }
    }
    let puzzle = Sliding::unsolvable(2, 3);
    let mut search = Levin::new(&puzzle, &policy, None, LevinConfig::default()).unwrap();
    assert_eq!(run(&mut search, &Budget::default(), &mut ()).unwrap(), Outcome::Unsolvable);
}

#[test]
fn estimates_of_costs_are_refused() {
    let puzzle = Sliding::scrambled(3, 3, 10, &mut Rng::new(13));
    let costs = Levin::new(&puzzle, &Ahead(Manhattan), None, LevinConfig::default());
    assert!(matches!(costs.err(), Some(SearchError::BadOption(what)) if what.contains("policy")));
}
