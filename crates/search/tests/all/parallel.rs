//! IDA* on several threads equals IDA* on one thread: the same solution, the same counters.

use crate::common::{Grid, Manhattan, Sliding, Steps, check};
use unriddle_core::{
    Budget, Cancel, GoalPuzzle, Heuristic, Limit, Outcome, Progress, Quota, Rng, Search, Stats, run,
};
use unriddle_search::idastar::{IdaStar, parallel::ParallelIdaStar};

/// The counters that do not depend on timing.
fn counters(stats: Stats) -> [u64; 4] {
    [stats.expanded, stats.generated, stats.evaluated, stats.reopened]
}

fn agrees<P: GoalPuzzle, H: Heuristic<P>>(puzzle: &P, heuristic: &H) {
    let mut sequential = IdaStar::new(puzzle, heuristic).unwrap();
    let outcome = run(&mut sequential, &Budget::default(), &mut ()).unwrap();
    for threads in [1, 2, 3, 8] {
        let mut parallel = ParallelIdaStar::new(puzzle, heuristic, threads).unwrap();
        let other = run(&mut parallel, &Budget::default(), &mut ()).unwrap();
        assert_eq!(outcome, other, "{threads} threads");
        assert_eq!(counters(sequential.stats()), counters(parallel.stats()), "{threads} threads");
        assert_eq!(sequential.best(), parallel.best());
        // In small pieces: the same end.
        let mut pieces = ParallelIdaStar::new(puzzle, heuristic, threads).unwrap();
        let last = loop {
            match pieces.step(37, &mut ()) {
                Progress::Running => {}
                Progress::OutOfMemory | Progress::Failed(_) => panic!("there is no memory limit"),
                Progress::Finished(outcome) => break outcome,
            }
        };
        assert_eq!(outcome, last, "{threads} threads in pieces");
        assert_eq!(counters(sequential.stats()), counters(pieces.stats()), "{threads} in pieces");
    }
    if let Some(best) = outcome.best() {
        assert_eq!(check(puzzle, best), best.value);
    }
}

#[test]
fn solutions_and_counters_do_not_depend_on_threads() {
    let mut rng = Rng::new(41);
    for moves in [0, 1, 2, 20, 80, 200, 200] {
        agrees(&Sliding::scrambled(3, 3, moves, &mut rng), &Manhattan);
    }
    for _ in 0..10 {
        let grid = Grid::random(4, 3, &mut rng);
        // Without a solution iterative deepening never ends in a space with cycles.
        if crate::common::optimum(&grid).is_some() {
            agrees(&grid, &Steps);
        }
    }
}

#[test]
fn limits_stop_and_prove_nothing() {
    let puzzle = Sliding::unsolvable(4, 4);
    let cancelled = Cancel::default();
    cancelled.cancel();
    let budgets = [
        (Limit::Expansions, Budget { expansions: Some(50_000), ..Budget::default() }),
        (Limit::Generated, Budget { generated: Some(50_000), ..Budget::default() }),
        (Limit::Memory, Budget { memory: Some(10), ..Budget::default() }),
        (Limit::Cancelled, Budget { cancel: cancelled, ..Budget::default() }),
    ];
    for (limit, budget) in budgets {
        let mut search = ParallelIdaStar::new(&puzzle, &Manhattan, 3).unwrap();
        match run(&mut search, &budget, &mut ()).unwrap() {
            Outcome::Stopped { why, best: None, .. } => assert_eq!(why, limit),
            outcome => panic!("{limit:?}: {outcome:?}"),
        }
        if limit == Limit::Expansions {
            assert!(search.stats().expanded <= 50_000);
        }
    }
}

#[test]
fn resumes_with_more_memory() {
    let puzzle = Sliding::unsolvable(4, 4);
    let mut search = ParallelIdaStar::new(&puzzle, &Manhattan, 2).unwrap();
    let nothing = Quota { bytes: 0, ..Quota::UNLIMITED };
    assert_eq!(search.advance(&nothing, &mut ()), Progress::OutOfMemory);
    let before = search.stats().expanded;
    assert_eq!(search.step(10_000, &mut ()), Progress::Running);
    assert_eq!(search.stats().expanded, before + 10_000);
}
