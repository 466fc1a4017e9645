//! Searches with a solution that is known already.

use crate::common::*;
use unriddle_core::{Budget, Outcome, Rng, Scalar, Search, Solution, run};
use unriddle_search::{
    astar::{AStar, AStarConfig},
    deepening::{Deepening, DeepeningConfig},
    idastar::{IdaStar, parallel::ParallelIdaStar},
    idtt::{Idtt, IdttConfig},
};

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

#[test]
fn other_optimal_searches_prove_a_known_solution_or_beat_it() {
    let mut rng = Rng::new(37);
    let heuristic = Scalar(Manhattan);
    let (mut without, mut with) = ([0; 4], [0; 4]);
    for _ in 0..12 {
        let puzzle = Sliding::scrambled(3, 3, 40, &mut rng);
        let solve = |kind: usize, known: Option<Vec<u8>>| {
            let known = known.map(|actions| Solution::played(&puzzle, actions));
            let weighted = AStarConfig { w: 2.0 };
            let config = if kind == 1 { weighted } else { AStarConfig::default() };
            let mut search: Box<dyn Search<Action = u8>> = match kind {
                0 | 1 => Box::new(AStar::new(&puzzle, &heuristic, config).unwrap().knowing(known)),
                2 => {
                    let search = Idtt::new(&puzzle, &Manhattan, IdttConfig::default());
                    Box::new(search.unwrap().knowing(known))
                }
                _ => {
                    let search = Deepening::new(&puzzle, &Manhattan, DeepeningConfig::default());
                    Box::new(search.unwrap().knowing(known))
                }
            };
            let outcome = run(&mut *search, &Budget::default(), &mut ()).unwrap();
            let best = outcome.best().expect("a solution");
            assert_eq!(check(&puzzle, best), best.value);
            let proof = matches!(outcome, Outcome::Solved { proof: true, .. });
            (best.clone(), proof, search.stats().expanded)
        };
        let (optimal, ..) = solve(0, None);
        for kind in 0..4 {
            let (_, _, expanded) = solve(kind, None);
            let (same, proof, fewer) = solve(kind, Some(optimal.actions.clone()));
            assert!(same == optimal && proof, "{kind}: {same:?}");
            without[kind] += expanded;
            with[kind] += fewer;
            // There and back at the end: two actions more.
            let last = *optimal.actions.last().expect("an action");
            let longer = [&optimal.actions[..], &[last ^ 1, last]].concat();
            let (best, proof, _) = solve(kind, Some(longer));
            // A weighted search may end with a better solution that it does not prove.
            assert!(kind == 1 || proof && best.value == optimal.value, "{kind}: {best:?}");
            assert!(best.value <= optimal.value + 2);
        }
    }
    for kind in [0, 2, 3] {
        assert!(with[kind] < without[kind], "{kind}: {with:?} of {without:?}");
    }
}
