//! Searches on several ranks: the same results for any number of ranks and threads.

use crate::bidirectional::{Near, Pancakes, SIZE, SORTED, Stack, distances, gap};
use unriddle_core::{
    Blind, Budget, Estimate, GoalDistances, Guarantee, Inverses, Outcome, Puzzle as _, Rng, Scalar,
    Search, SearchError, Solution, Stats,
    ranks::{Alone, Ranks, threads},
    search::Run,
};
use unriddle_search::{
    beam::{BeamConfig, Direction},
    idastar::{IdaStar, parallel::ParallelIdaStar},
    spread::{SpreadBeam, SpreadSetup, StateBytes},
};

struct Bytes;

impl StateBytes<Pancakes> for Bytes {
    fn length(&self) -> usize {
        SIZE
    }
    fn write(&self, stack: &Stack, bytes: &mut [u8]) {
        bytes.copy_from_slice(stack);
    }
    fn read(&self, bytes: &[u8]) -> Option<Stack> {
        bytes.try_into().ok()
    }
}

/// Outcome and counters, without times.
type Found = (Outcome<u8>, [u64; 3]);

fn found(search: &mut dyn Search<Action = u8>, ranks: &dyn Ranks, budget: Budget) -> Found {
    let mut run = Run::new(search, budget).on_ranks(Some(ranks));
    let outcome = loop {
        if let Some(outcome) = run.advance(&mut ()).unwrap() {
            break outcome;
        }
    };
    let Stats { expanded, generated, evaluated, .. } = search.stats();
    (outcome, [expanded, generated, evaluated])
}

/// Setup of a forward beam without estimates.
fn blind<'a>(puzzle: &'a Pancakes, ranks: &'a dyn Ranks) -> SpreadSetup<'a, Pancakes> {
    SpreadSetup {
        puzzle,
        heuristic: &Scalar(Blind),
        inverses: None,
        goal_table: None,
        bytes: Box::new(Bytes),
        ranks,
        threads: 1,
        below: None,
    }
}

/// Results of all ranks of a beam with estimates.
fn beam(stack: Stack, config: BeamConfig, near: u32, (size, each): (usize, usize)) -> Vec<Found> {
    let all = distances();
    threads(size, |ranks| {
        let near = Near { all: all.clone(), most: near };
        let heuristic = Scalar(Estimate::new(Guarantee::None, gap));
        let puzzle = Pancakes(stack);
        let setup = SpreadSetup {
            heuristic: &heuristic,
            inverses: Some(Inverses::new()),
            goal_table: (near.most > 0).then_some(&near as &dyn GoalDistances<Pancakes>),
            threads: each,
            ..blind(&puzzle, ranks)
        };
        found(&mut SpreadBeam::new(setup, config).unwrap(), ranks, Budget::default())
    })
}

fn sorted(stack: Stack, best: &Solution<u8>) -> bool {
    let puzzle = Pancakes(stack);
    best.actions.iter().fold(stack, |at, &flip| puzzle.apply(&at, flip)) == SORTED
}

#[test]
fn beams_are_the_same_on_any_number_of_ranks() {
    let all = distances();
    let mut rng = Rng::new(3);
    let stacks: Vec<&Stack> = all.keys().collect();
    for direction in [Direction::Forward, Direction::Bidirectional] {
        for (width, near) in [(1000, 0), (20, 0), (7, 3), (2, 0)] {
            let config = BeamConfig { width, direction, max_depth: 30, ..BeamConfig::default() };
            for _ in 0..12 {
                let stack = *stacks[rng.below(stacks.len() as u64) as usize];
                let alone = beam(stack, config, near, (1, 1)).remove(0);
                for sizes in [(1, 3), (2, 1), (3, 2), (5, 1)] {
                    for other in beam(stack, config, near, sizes) {
                        assert_eq!(other, alone, "{stack:?} {config:?} {sizes:?}");
                    }
                }
                let Some(best) = alone.0.best() else {
                    assert!(width < 1000);
                    continue;
                };
                assert!(sorted(stack, best));
                let distance = i64::from(all[&stack]);
                assert!(best.value >= distance && (width < 1000 || best.value == distance));
            }
        }
    }
}

/// The goal is never found, and no state is cut off.
#[test]
fn an_exhausted_space_proves_unsolvability_on_ranks() {
    let stack = [1, 0, 0, 1, 2, 9];
    let puzzle = Pancakes(stack);
    for size in [1, 3] {
        let all = threads(size, |ranks| {
            let setup = SpreadSetup { goal_table: Some(&Nowhere), ..blind(&puzzle, ranks) };
            let config = BeamConfig::default();
            found(&mut SpreadBeam::new(setup, config).unwrap(), ranks, Budget::default())
        });
        assert!(all.iter().all(|(outcome, _)| *outcome == Outcome::Unsolvable));
    }
}

/// A goal table of a goal that cannot be reached.
struct Nowhere;

impl GoalDistances<Pancakes> for Nowhere {
    fn distance(&self, _: &Pancakes, _: &Stack) -> Option<u32> {
        None
    }
    fn bytes(&self) -> u64 {
        0
    }
}

#[test]
fn options_that_a_spread_beam_does_not_have_are_refused() {
    let config =
        |config: BeamConfig| match SpreadBeam::new(blind(&Pancakes(SORTED), &Alone), config) {
            Err(SearchError::BadOption(why)) => why,
            _ => String::new(),
        };
    let default = BeamConfig::default();
    assert!(config(BeamConfig { rerank: 2, ..default }).contains("`rerank`"));
    assert!(config(BeamConfig { max_cost: 2, ..default }).contains("`max_cost`"));
    let both = BeamConfig { direction: Direction::Bidirectional, ..default };
    assert!(config(both).contains("without inverses"));
}

#[test]
fn limits_end_all_ranks_together() {
    let stack = [4, 2, 5, 1, 3, 0];
    let config = BeamConfig { width: 50, ..BeamConfig::default() };
    for (expansions, memory) in [(Some(20), None), (None, Some(1000))] {
        let all = threads(3, |ranks| {
            let puzzle = Pancakes(stack);
            let budget = Budget { expansions, memory, ..Budget::default() };
            found(&mut SpreadBeam::new(blind(&puzzle, ranks), config).unwrap(), ranks, budget)
        });
        assert!(matches!(all[0].0, Outcome::Stopped { .. }), "{all:?}");
        assert!(all.iter().all(|other| *other == all[0]));
    }
}

#[test]
fn idastar_is_the_same_on_any_number_of_ranks() {
    let all = distances();
    let estimate = Estimate::new(Guarantee::Consistent, gap);
    for (&stack, &distance) in all.iter().step_by(40) {
        let puzzle = Pancakes(stack);
        let mut alone = IdaStar::new(&puzzle, &estimate).unwrap();
        let outcome = unriddle_core::run(&mut alone, &Budget::default(), &mut ()).unwrap();
        let Stats { expanded, generated, evaluated, .. } = alone.stats();
        assert_eq!(outcome.best().map(|best| best.value), Some(distance.into()));
        for (size, each) in [(1, 1), (2, 1), (4, 1), (3, 2)] {
            let all = threads(size, |ranks| {
                let search = ParallelIdaStar::new(&puzzle, &estimate, each).unwrap();
                found(&mut search.on_ranks(Some(ranks)), ranks, Budget::default())
            });
            for other in all {
                assert_eq!(other, (outcome.clone(), [expanded, generated, evaluated]));
            }
        }
    }
}
