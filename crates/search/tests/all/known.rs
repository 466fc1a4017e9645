//! Iterative-deepening A* with a solution that is known already.

use crate::common::*;
use unriddle_core::{Budget, Outcome, Rng, Search, Solution, run};
use unriddle_search::idastar::{IdaStar, parallel::ParallelIdaStar};

#[test]
fn a_known_solution_is_proved_without_the_last_iteration_or_beaten() {
    let mut rng = Rng::new(31);
    let (mut without, mut with) = (0, 0);
    for _ in 0..20 {
        let puzzle = Sliding::scrambled(3, 3, 50, &mut rng);
        let solve = |known: Option<Vec<u8>>, threads: usize| {
            let known = known.map(|actions| Solution::played(&puzzle, actions));
            let alone = IdaStar::new(&puzzle, &Manhattan).unwrap();
            let parallel = ParallelIdaStar::new(&puzzle, &Manhattan, threads).unwrap();
            let mut search: Box<dyn Search<Action = u8>> = match threads {
                1 => Box::new(alone.knowing(known)),
                _ => Box::new(parallel.knowing(known)),
            };
            let outcome = run(&mut *search, &Budget::default(), &mut ()).unwrap();
            assert!(matches!(outcome, Outcome::Solved { proof: true, .. }), "{outcome:?}");
            let best = outcome.best().expect("a solution");
            assert_eq!(check(&puzzle, best), best.value);
            (best.actions.clone(), search.stats().expanded)
        };
        let (best, expanded) = solve(None, 1);
        let (same, proof) = solve(Some(best.clone()), 1);
        assert_eq!(same, best);
        assert_eq!(solve(Some(best.clone()), 3), (same, proof));
        (without, with) = (without + expanded, with + proof);
        // There and back at the end: two actions more.
        let last = *best.last().expect("an action");
        let longer = [&best[..], &[last ^ 1, last]].concat();
        assert_eq!(solve(Some(longer), 1), (best, expanded));
    }
    assert!(with < without, "{with} of {without}");
}
