//! Conformance of the puzzle, and of its heuristic with the claimed guarantee.

use super::{FAMILY, Pancakes, gap};
use unriddle::prelude::*;
use unriddle_conformance::{Subject, Violation, family, goal, heuristic, invertible, notation};

#[test]
fn pancakes_conform() -> Result<(), Violation> {
    let puzzle = Pancakes(vec![3, 1, 4, 2, 6, 5]);
    let subject = Subject::written(&puzzle);
    goal(&subject)?;
    notation(&subject)?;
    invertible(&subject)?;
    // All 720 stacks are compared with their true distances.
    let tested = heuristic(&subject, &Estimate::new(Guarantee::Consistent, gap))?;
    assert!(tested.distances >= 720, "{tested:?}");
    family(&FAMILY)
}

/// A heuristic that claims two flips per gap is refuted with a counterexample.
#[test]
fn a_claim_that_is_not_kept_names_the_edge() {
    let twice = |puzzle: &Pancakes, stack: &_| gap(puzzle, stack).map(|gaps| 2 * gaps);
    let puzzle = Pancakes(vec![3, 1, 2]);
    let estimate = Estimate::new(Guarantee::Consistent, twice);
    let found = heuristic(&Subject::written(&puzzle), &estimate).unwrap_err();
    for fact in ["instance", "state", "estimate"] {
        assert!(found.fact(fact).is_some() || found.what().contains("edge"), "{found}");
    }
    assert!(found.to_string().contains("\n  instance: 3 1 2\n"), "{found}");
}
