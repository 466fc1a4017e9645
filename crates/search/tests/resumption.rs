//! Searches that are cut into slices, stopped by limits and taken up again.

mod common;

use common::*;
use std::time::Duration;
use unriddle_core::{
    Blind, Budget, Cancel, GoalPuzzle, Guarantee, Heuristic, Limit, Outcome, Progress, Quota, Rng,
    Scalar, run,
};

/// `step(1)` repeated gives the same events, counters and outcome as one run, and as another run.
fn resumes<P: GoalPuzzle, H: Heuristic<P>>(puzzle: &P, heuristic: H) {
    let scalar = Scalar(heuristic);
    for tested in all_searches().into_iter().chain(lossy_searches()) {
        let (mut once, mut again) = (
            (tested.make)(puzzle, &scalar),
            (tested.make)(puzzle, &scalar),
        );
        let mut events = Events::new();
        let outcome = match once.advance(&quota(200_000), &mut events) {
            Progress::Finished(outcome) => Some(outcome),
            Progress::Running => None,
            Progress::OutOfMemory | Progress::Failed(_) => {
                panic!("{}: there is no memory limit", tested.name)
            }
        };
        let mut other_events = Events::new();
        let mut last = again.stats();
        let other_outcome = loop {
            match again.step(1, &mut other_events) {
                Progress::Finished(outcome) => break Some(outcome),
                Progress::Running if again.stats().expanded >= 200_000 => break None,
                Progress::Running => {
                    assert_eq!(again.stats().expanded, last.expanded + 1, "{}", tested.name);
                    last = again.stats();
                }
                Progress::OutOfMemory | Progress::Failed(_) => {
                    panic!("{}: there is no memory limit", tested.name)
                }
            }
        };
        assert_eq!(outcome, other_outcome, "{}", tested.name);
        if outcome.is_none() {
            continue;
        }
        assert_eq!(once.stats(), again.stats(), "{}", tested.name);
        assert_eq!(events, other_events, "{}", tested.name);
        assert_eq!(once.bound(), again.bound(), "{}", tested.name);
    }
}

fn quota(expanded: u64) -> Quota {
    Quota {
        expanded,
        ..Quota::UNLIMITED
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
        let estimate = Inconsistent::random(&graph, &mut rng);
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
        (
            Limit::Expansions,
            Budget {
                expansions: Some(500),
                ..Default::default()
            },
        ),
        (
            Limit::Expansions,
            Budget {
                expansions: Some(0),
                ..Default::default()
            },
        ),
        (
            Limit::Generated,
            Budget {
                generated: Some(500),
                ..Default::default()
            },
        ),
        (
            Limit::Time,
            Budget {
                time: Some(Duration::ZERO),
                ..Default::default()
            },
        ),
        (
            Limit::Cancelled,
            Budget {
                cancel: cancelled,
                ..Default::default()
            },
        ),
        (
            Limit::Memory,
            Budget {
                memory: Some(10),
                ..Default::default()
            },
        ),
        (
            Limit::Memory,
            Budget {
                memory: Some(1_500_000),
                ..Default::default()
            },
        ),
    ];
    for puzzle in [hard(), Sliding::unsolvable(4, 4)] {
        for tested in all_searches() {
            for (limit, budget) in &budgets {
                if *limit == Limit::Memory && tested.adapts_to_memory && budget.memory != Some(10) {
                    continue;
                }
                if tested.name == "beam(width=1200)" || tested.name == "beam(width=300, order=f)" {
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
        let mut once = (tested.make)(puzzle, &scalar);
        let mut events = Events::new();
        let outcome = finish(&mut *once, &mut events);
        let mut search = (tested.make)(puzzle, &scalar);
        let mut other_events = Events::new();
        let mut stops = 0;
        let mut bytes = 300;
        let other_outcome = loop {
            let quota = Quota {
                bytes,
                ..Quota::UNLIMITED
            };
            match search.advance(&quota, &mut other_events) {
                Progress::Finished(outcome) => break outcome,
                Progress::OutOfMemory => {
                    assert!(search.stats().peak_bytes <= bytes, "{}", tested.name);
                    stops += 1;
                    bytes += bytes / 50 + 50;
                }
                Progress::Running | Progress::Failed(_) => {
                    panic!("{}: nothing but memory is limited", tested.name)
                }
            }
        };
        let trivial = outcome.best().is_some_and(|b| b.value == 0);
        assert!(
            stops > 0 || trivial || tested.adapts_to_memory,
            "{}",
            tested.name
        );
        assert_eq!(
            outcome.is_optimal(),
            other_outcome.is_optimal(),
            "{}",
            tested.name
        );
        if tested.adapts_to_memory {
            let value = |o: &Outcome<P::Action>| o.best().map(|b| b.value);
            assert_eq!(value(&outcome), value(&other_outcome), "{}", tested.name);
            continue;
        }
        assert_eq!(outcome, other_outcome, "{}", tested.name);
        // Vectors may grow by other amounts.
        let (mut a, mut b) = (once.stats(), search.stats());
        (a.peak_bytes, b.peak_bytes) = (0, 0);
        assert_eq!(a, b, "{}", tested.name);
    }
}

#[test]
fn goes_on_when_there_is_more_memory() {
    let mut rng = Rng::new(22);
    continue_each(
        &Sliding::scrambled(3, 3, 14, &mut rng),
        Blind,
        all_searches(),
    );
    continues(&Sliding::scrambled(3, 3, 300, &mut rng), Manhattan);
    continues(&Sliding::unsolvable(3, 3), Manhattan);
    for _ in 0..5 {
        continues(&Grid::random(40, 9, &mut rng), Steps);
        // Goals of cost 0 aside, large costs let the open list turn into a heap on the way.
        let mut graph = Graph::random(3000, 5, 100_000, &mut rng);
        graph.edges[0].push((1, 70_000));
        let estimate = Zero;
        continues_graph(&graph, estimate);
    }
}

/// 0 everywhere, without knowledge of dead ends.
struct Zero;

impl Heuristic<Graph> for Zero {
    type Memo = ();
    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }
    fn root(&self, _: &Graph, _: &u16) -> Option<(u32, ())> {
        Some((0, ()))
    }
}

fn continues_graph(graph: &Graph, estimate: Zero) {
    if optimum(graph).is_some() {
        continues(graph, estimate);
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
