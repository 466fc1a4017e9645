//! Views side by side, on stacks of six pancakes and their inverses.

use crate::bidirectional::{Pancakes, SORTED, distances, gap};
use unriddle_core::{
    Budget, Cost, Estimate, Guarantee, Invertible as _, Outcome, Progress, Puzzle as _, Quota,
    Scalar, Search, Solution, run,
};
use unriddle_search::{
    beam::{Beam, BeamConfig},
    views::{View, Views},
};

type Gap = Scalar<Estimate<Pancakes>>;

fn estimate() -> Gap {
    Scalar(Estimate::new(Guarantee::Admissible, gap))
}

fn beam<'a>(puzzle: &'a Pancakes, h: &'a Gap, width: usize) -> Beam<'a, Pancakes> {
    Beam::new(puzzle, h, BeamConfig { width, ..BeamConfig::default() }).unwrap()
}

/// A stack and the stack that its inverse makes: the actions in reverse order sort it.
struct Both {
    own: Pancakes,
    inverse: Pancakes,
}

impl Both {
    fn new(stack: [u8; 6]) -> Self {
        let own = Pancakes(stack);
        let inverse = Pancakes(own.inverted(&stack));
        Self { own, inverse }
    }

    fn views<'a>(&'a self, h: &'a Gap, width: usize, threads: usize) -> Views<'a, u8> {
        let played = |actions: Vec<u8>| Solution::played(&self.own, actions);
        let own = View {
            search: Box::new(beam(&self.own, h, width)),
            back: Box::new(move |actions| played(actions.to_vec())),
            proves: true,
        };
        let inverse = View {
            search: Box::new(beam(&self.inverse, h, width)),
            back: Box::new(move |actions| played(actions.iter().rev().copied().collect())),
            proves: false,
        };
        Views::new(vec![own, inverse], width as u64, threads)
    }
}

fn value(search: &mut impl Search<Action = u8>) -> Option<i64> {
    run(search, &Budget::default(), &mut ()).unwrap().best().map(|best| best.value)
}

#[test]
fn the_shortest_solution_of_all_views_is_kept() {
    let (all, h) = (distances(), estimate());
    let (mut better_own, mut better_inverse) = (0, 0);
    for &stack in all.keys() {
        let both = Both::new(stack);
        let own = value(&mut beam(&both.own, &h, 1));
        let inverse = value(&mut beam(&both.inverse, &h, 1));
        let mut views = both.views(&h, 1, 1);
        let outcome = run(&mut views, &Budget::default(), &mut ()).unwrap();
        let best = outcome.best().unwrap();
        assert_eq!(Some(best.value), own.into_iter().chain(inverse).min());
        let end = best.actions.iter().fold(stack, |at, &flip| both.own.apply(&at, flip));
        assert_eq!(end, SORTED);
        better_own += u32::from(own < inverse);
        better_inverse += u32::from(inverse < own);
    }
    // Each of the views is the better one of some stacks.
    assert!(better_own > 0 && better_inverse > 0, "{better_own} {better_inverse}");
}

#[test]
fn neither_threads_nor_the_division_of_work_change_anything() {
    let h = estimate();
    for &stack in distances().keys().step_by(7) {
        let both = Both::new(stack);
        let whole = |threads| {
            let mut search = both.views(&h, 2, threads);
            (run(&mut search, &Budget::default(), &mut ()).unwrap(), search.stats().expanded)
        };
        let (outcome, expanded) = whole(1);
        assert_eq!(whole(2), (outcome.clone(), expanded));
        for step in [1, 3, 10] {
            let mut search = both.views(&h, 2, 1);
            let end = loop {
                match search.step(step, &mut ()) {
                    Progress::Running => {}
                    end => break end,
                }
            };
            assert_eq!(end, Progress::Finished(outcome.clone()));
            assert_eq!(search.stats().expanded, expanded);
        }
        // A limit stops at the same state, and exactly there.
        for limit in 0..expanded {
            let stopped = |threads, step: u64| {
                let mut search = both.views(&h, 2, threads);
                for end in (0..limit).step_by(step as usize).chain([limit]) {
                    search.advance(&Quota { expanded: end, ..Quota::UNLIMITED }, &mut ());
                }
                (search.stats(), search.best().cloned())
            };
            let (stats, best) = stopped(1, 1);
            assert_eq!(stats.expanded, limit, "{stack:?} of {expanded} {best:?}");
            for (threads, step) in [(1, 5), (2, 1000)] {
                let (other, found) = stopped(threads, step);
                assert_eq!(other.generated, stats.generated);
                assert_eq!(found, best);
            }
        }
    }
}

#[test]
fn views_seek_only_cheaper_solutions() {
    let (all, h) = (distances(), estimate());
    for (&stack, &distance) in all.iter().skip(1).step_by(11) {
        let both = Both::new(stack);
        let below = |below: Cost| {
            let mut search = both.views(&h, 1000, 1).below(Some(below));
            run(&mut search, &Budget::default(), &mut ()).unwrap()
        };
        // Nothing is cut off, so that the end without a solution is a proof.
        assert_eq!(below(distance), Outcome::Unsolvable);
        let found = below(distance + 1);
        assert_eq!(found.best().map(|best| best.value), Some(distance.into()));
    }
}

#[test]
fn memory_is_shared_among_views() {
    let (both, h) = (Both::new([3, 0, 4, 1, 5, 2]), estimate());
    let mut search = both.views(&h, 1000, 1);
    let little = Quota { bytes: 1000, ..Quota::UNLIMITED };
    assert_eq!(search.advance(&little, &mut ()), Progress::OutOfMemory);
    assert!(search.stats().peak_bytes <= 1000);
    assert!(matches!(search.step(u64::MAX, &mut ()), Progress::Finished(Outcome::Solved { .. })));
}
