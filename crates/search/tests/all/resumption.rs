//! Searches that are cut into slices, stopped by limits and taken up again.

use crate::common::*;
use std::time::Duration;
use unriddle_conformance::{
    Promises, cuts,
    graph::{Estimates, Graph},
    memory,
};
use unriddle_core::{
    Blind, Budget, Cancel, GoalPuzzle, Heuristic, Limit, Outcome, Progress, Rng, Scalar, run,
};

/// `step(1)` repeated gives the same events, counters and outcome as one run, and as another run.
fn resumes<P: GoalPuzzle, H: Heuristic<P>>(puzzle: &P, heuristic: H) {
    let scalar = Scalar(heuristic);
    for tested in all_searches().into_iter().chain(lossy_searches()) {
        cuts(tested.promises(), || (tested.make)(puzzle, &scalar))
            .map_err(|found| found.with("search", tested.name))
            .unwrap();
    }
}

#[test]
fn single_steps_equal_one_run() {
    let mut rng = Rng::new(20);
    for moves in [0, 1, 10, 60, 200] {
        resumes(&Sliding::scrambled(3, 3, moves, &mut rng), Manhattan);
    }
    resumes(&Sliding::unsolvable(2, 3), Manhattan);
    for _ in 0..20 {
        resumes(&Grid::random(9, 9, &mut rng), Steps);
        let graph = Graph::random(50, 4, 30, &mut rng);
        let estimate = Estimates::admissible(&graph, &mut rng);
        resumes(&graph, estimate);
    }
}

/// A puzzle on which every search has something to do.
fn hard() -> Sliding {
    Sliding::scrambled(4, 4, 40, &mut Rng::new(21))
}

#[test]
fn limits_stop_and_prove_nothing() {
    let scalar = Scalar(Blind);
    let cancelled = Cancel::default();
    cancelled.cancel();
    let budgets = [
        (Limit::Expansions, Budget { expansions: Some(500), ..Default::default() }),
        (Limit::Expansions, Budget { expansions: Some(0), ..Default::default() }),
        (Limit::Generated, Budget { generated: Some(500), ..Default::default() }),
        (Limit::Time, Budget { time: Some(Duration::ZERO), ..Default::default() }),
        (Limit::Cancelled, Budget { cancel: cancelled, ..Default::default() }),
        (Limit::Memory, Budget { memory: Some(10), ..Default::default() }),
        (Limit::Memory, Budget { memory: Some(1_500_000), ..Default::default() }),
    ];
    for puzzle in [hard(), Sliding::unsolvable(4, 4)] {
        for tested in all_searches() {
            for (limit, budget) in &budgets {
                if *limit == Limit::Memory && tested.adapts_to_memory && budget.memory != Some(10) {
                    continue;
                }
                let narrow = ["beam(width=1200)", "beam(width=300, order=f)", "beam, widening"];
                if narrow.contains(&tested.name) {
                    continue;
                }
                let mut search = (tested.make)(&puzzle, &scalar);
                let outcome = run(&mut *search, budget, &mut ()).unwrap();
                let Outcome::Stopped { why, best, bound } = outcome else {
                    panic!("{}, {limit:?}: {outcome:?}", tested.name);
                };
                assert_eq!(why, *limit, "{}", tested.name);
                assert_eq!(best, None);
                assert!(bound.is_none_or(|b| b <= 40), "{}", tested.name);
                let stats = search.stats();
                if let Some(expansions) = budget.expansions {
                    assert_eq!(stats.expanded, expansions, "{}", tested.name);
                }
                if let Some(generated) = budget.generated {
                    let over = generated..generated + 4;
                    assert!(over.contains(&stats.generated), "{}", tested.name);
                }
                // Empty structures take a few bytes.
                if let Some(bytes) = budget.memory {
                    assert!(stats.peak_bytes <= bytes.max(300), "{}", tested.name);
                }
            }
        }
    }
}

/// Out of memory again and again, with ever larger quotas, and yet the same search.
fn continues<P: GoalPuzzle, H: Heuristic<P>>(puzzle: &P, heuristic: H) {
    // Searches that make do with little memory would take for ever.
    let list = searches().into_iter().filter(|t| !t.adapts_to_memory);
    continue_each(puzzle, heuristic, list.collect());
}

fn continue_each<P: GoalPuzzle, H: Heuristic<P>>(
    puzzle: &P,
    heuristic: H,
    list: Vec<Tested<P, H>>,
) {
    let scalar = Scalar(heuristic);
    for tested in list {
        let make = || (tested.make)(puzzle, &scalar);
        let promises = Promises { expansions: 10_000_000, ..tested.promises() };
        let stops =
            memory(promises, make).map_err(|found| found.with("search", tested.name)).unwrap();
        let trivial = puzzle.is_goal(&puzzle.initial_state());
        let adapts = tested.adapts_to_memory;
        assert!(stops > 0 || trivial || adapts, "{}", tested.name);
    }
}

#[test]
fn resumes_with_more_memory() {
    let mut rng = Rng::new(22);
    continue_each(&Sliding::scrambled(3, 3, 14, &mut rng), Blind, all_searches());
    continues(&Sliding::scrambled(3, 3, 300, &mut rng), Manhattan);
    continues(&Sliding::unsolvable(3, 3), Manhattan);
    for _ in 0..5 {
        continues(&Grid::random(40, 9, &mut rng), Steps);
        // Large costs let the open list turn into a heap on the way.
        let mut graph = Graph::random(3000, 5, 100_000, &mut rng);
        let mut edges = graph.edges(0).to_vec();
        edges.push((1, 70_000));
        graph = graph.with_edges(0, edges);
        if graph.exact(0).is_some() {
            let estimates = Estimates::zero(&graph);
            continues(&graph, estimates);
        }
    }
}

#[test]
fn a_start_that_is_a_goal_needs_no_action() {
    let puzzle = Sliding::scrambled(3, 3, 0, &mut Rng::new(0));
    let scalar = Scalar(Manhattan);
    for tested in all_searches() {
        let mut search = (tested.make)(&puzzle, &scalar);
        let mut events = Events::new();
        let Outcome::Solved { best, proof, bound } = finish(&mut *search, &mut events) else {
            panic!("{}", tested.name);
        };
        assert_eq!((best.value, best.actions.len()), (0, 0), "{}", tested.name);
        assert!(proof && bound == Some(0), "{}", tested.name);
        assert_eq!(events.improved.len(), 1, "{}", tested.name);
        assert_eq!(search.stats().expanded, 0, "{}", tested.name);
    }
}

/// The incumbent survives a limit: weighted A* generates a goal before it selects one.
#[test]
fn an_incumbent_is_reported_when_stopped() {
    let puzzle = Sliding::scrambled(3, 3, 200, &mut Rng::new(23));
    let scalar = Scalar(Manhattan);
    for tested in all_searches() {
        let mut search = (tested.make)(&puzzle, &scalar);
        let mut known = None;
        loop {
            let mut events = Events::new();
            let progress = search.step(1, &mut events);
            known = events.improved.last().map(|e| e.0.clone()).or(known);
            assert_eq!(search.best(), known.as_ref(), "{}", tested.name);
            if let Progress::Finished(outcome) = progress {
                assert_eq!(outcome.best(), known.as_ref(), "{}", tested.name);
                break;
            }
        }
    }
}
