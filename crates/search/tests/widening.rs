//! Beams that widen.

mod common;

use common::*;
use unriddle_conformance::graph::{Estimates, Graph};
use unriddle_core::{Budget, Limit, Outcome, Rng, Scalar, run};

/// Without a limit the search continues until a beam cuts off no state, which proves the optimum if
/// all costs are 1.
#[test]
fn they_end_with_a_proof() {
    let mut rng = Rng::new(71);
    let h = Scalar(Manhattan);
    for _ in 0..8 {
        let puzzle = Sliding::scrambled(3, 2, 300, &mut rng);
        let mut search = widening(&puzzle, &h, 2560);
        let mut events = Events::default();
        let outcome = finish(&mut *search, &mut events);
        assert!(outcome.is_optimal());
        let best = outcome.best().expect("it is solved");
        assert_eq!(Some(check(&puzzle, best)), optimum(&puzzle));
        let values = &events.improved;
        assert!(values.is_sorted_by(|a, b| a.0.value > b.0.value), "only better ones are told of");
        assert_eq!(values.last().map(|(last, _)| last), Some(best));
    }
    let outcome = finish(&mut *widening(&Sliding::unsolvable(3, 2), &h, 2560), &mut ());
    assert_eq!(outcome, Outcome::Unsolvable);
}

/// A limit leaves the best so far, and more work never a worse one.
#[test]
fn more_work_is_never_worse() {
    let puzzle = Sliding::scrambled(4, 4, 1000, &mut Rng::new(72));
    let h = Scalar(Manhattan);
    let mut before = None;
    for expansions in [1_000, 10_000, 100_000, 300_000] {
        let mut search = widening(&puzzle, &h, 2560);
        let budget = Budget { expansions: Some(expansions), ..Default::default() };
        let outcome = run(&mut *search, &budget, &mut ()).expect("it does not fail");
        assert_eq!(search.stats().expanded, expansions);
        let Outcome::Stopped { why, best, .. } = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(why, Limit::Expansions);
        let value = best.map(|best| check(&puzzle, &best));
        assert!(before.is_none() || value <= before, "{value:?} after {before:?}");
        before = value;
    }
    assert!(before.is_some());
}

/// A reported proof is valid with different costs.
#[test]
fn proofs_where_costs_differ() {
    let mut rng = Rng::new(73);
    let mut proved = 0;
    for round in 0..300 {
        let puzzle = Graph::random(40, 4, 1 + round % 12, &mut rng);
        let h = Scalar(Estimates::admissible(&puzzle, &mut rng));
        let outcome = finish(&mut *widening(&puzzle, &h, 256), &mut ());
        match optimum(&puzzle) {
            None => assert_eq!(outcome.best(), None),
            Some(optimum) => {
                assert_ne!(outcome, Outcome::Unsolvable);
                assert!(outcome.best().is_none_or(|best| best.value >= optimum));
                if outcome.is_optimal() {
                    assert_eq!(outcome.best().map(|best| best.value), Some(optimum));
                    proved += 1;
                }
            }
        }
    }
    assert!(proved > 50, "{proved}");
}
