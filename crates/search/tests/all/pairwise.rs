//! Greedy search by comparisons, on toy puzzles.

use crate::common::*;
use unriddle_conformance::{Promises, cuts, memory};
use unriddle_core::{Heuristic, Outcome, Puzzle, Rng, Search, run};
use unriddle_search::pairwise::{Comparison, Pairwise};

/// Comparison by the estimates of a heuristic.
struct By<H>(H);

impl<P: Puzzle, H: Heuristic<P> + Send + Sync> Comparison<P> for By<H> {
    fn is_nearer(&self, puzzle: &P, state: &P::State, other: &P::State) -> bool {
        let estimate = |state| self.0.root(puzzle, state).map(|(h, _)| h);
        estimate(state) < estimate(other)
    }
}

/// Whoever is asked contradicts itself: the first of two states is always nearer.
struct Contradiction;

impl<P: Puzzle> Comparison<P> for Contradiction {
    fn is_nearer(&self, _: &P, _: &P::State, _: &P::State) -> bool {
        true
    }
}

#[test]
fn cuts_and_memory_change_nothing() {
    let mut rng = Rng::new(1);
    let promises = Promises {
        optimal: false,
        complete: true,
        proves_unsolvable: true,
        expansions: 100_000,
        ..Promises::default()
    };
    let mut puzzles =
        [0, 1, 10, 60].map(|moves| Sliding::scrambled(3, 3, moves, &mut rng)).to_vec();
    puzzles.push(Sliding::unsolvable(2, 3));
    for puzzle in &puzzles {
        for by in [&By(Manhattan) as &dyn Comparison<Sliding>, &Contradiction] {
            let make = || -> Boxed<'_, Sliding> { Box::new(Pairwise::new(puzzle, by).unwrap()) };
            cuts(promises, make).unwrap();
            memory(promises, make).unwrap();
        }
    }
}

/// The search expands few states if the comparisons are right, and counts its comparisons.
#[test]
fn comparisons_lead_the_search() {
    let puzzle = Sliding::scrambled(3, 3, 60, &mut Rng::new(3));
    let [led, misled] = [&By(Manhattan) as &dyn Comparison<Sliding>, &Contradiction].map(|by| {
        let mut search = Pairwise::new(&puzzle, by).unwrap();
        let outcome = run(&mut search, &Default::default(), &mut ()).unwrap();
        assert!(matches!(outcome, Outcome::Solved { proof: false, .. }));
        search.stats()
    });
    assert!(10 * led.expanded < misled.expanded, "{led:?} {misled:?}");
    assert!(led.evaluated > led.expanded, "{led:?}");
}
