//! The search of the 24-puzzle, with the tables of one partition.

use unriddle_core::{
    Backward, Budget, GoalPuzzle, Outcome, Progress, Puzzle, Quota, Rng, Search, Solution, run,
};
use unriddle_search::idastar::{IdaStar, parallel::ParallelIdaStar};
use unriddle_tables::{Cache, Policy};
use unriddle_tiles::{
    Board as _, Board5, Goal, LinearConflict, Slide, Tiles, goal_cells,
    optimal::{OptimalConfig, OptimalTree},
};

/// The end of a random walk from the goal.
fn scrambled(steps: usize, rng: &mut Rng) -> Tiles<Board5> {
    let goal = Tiles::<Board5>::new(&goal_cells(5), Goal::BlankLast);
    let (mut state, mut last) = (goal.initial_state(), None);
    for _ in 0..steps {
        let (before, slide) = goal.step_back(&state, last, rng).expect("slides everywhere");
        (state, last) = (before, Some(slide));
    }
    let cells: Vec<u8> = (0..25).map(|cell| state.tile(cell) as u8).collect();
    Tiles::new(&cells, Goal::BlankLast)
}

fn proved(search: &mut dyn Search<Action = Slide>) -> (Solution<Slide>, u64) {
    let outcome = run(search, &Budget::default(), &mut ()).expect("no limit");
    assert!(matches!(outcome, Outcome::Solved { proof: true, .. }), "{outcome:?}");
    (outcome.best().expect("a solution").clone(), search.stats().expanded)
}

#[test]
fn another_search_finds_the_same_lengths() {
    let cache = Cache::new(None, 2, Policy::Reuse);
    let config = OptimalConfig { partitions: 1, ..OptimalConfig::default() };
    let mut rng = Rng::new(5);
    for steps in [0, 1, 40, 60] {
        let puzzle = scrambled(steps, &mut rng);
        let on_threads = |threads, known| {
            let tree = OptimalTree::new(&puzzle, config, &cache).expect("tables");
            ParallelIdaStar::on_tree(Box::new(tree), threads).knowing(known)
        };
        let new = |known| on_threads(1, known);
        let (best, expanded) = proved(&mut new(None));
        let played = Solution::played(&puzzle, best.actions.clone());
        assert_eq!(played.value, best.value);
        let end = best
            .actions
            .iter()
            .fold(puzzle.initial_state(), |state, &slide| puzzle.apply(&state, slide));
        assert!(puzzle.is_goal(&end));
        let conflict = LinearConflict::new(&puzzle);
        let mut other = IdaStar::new(&puzzle, &conflict).expect("small states");
        assert_eq!(proved(&mut other).0.value, best.value);
        // A known solution is proved without the last iteration, and a longer one is beaten.
        let (same, proof) = proved(&mut new(Some(best.clone())));
        assert_eq!(same, best);
        assert!(proof <= expanded);
        let there_and_back = [&best.actions[..], &[Slide::Right, Slide::Left]].concat();
        let longer = Solution { actions: there_and_back, value: best.value + 2 };
        assert_eq!(proved(&mut new(Some(longer))).0.value, best.value);
        // In small pieces nothing changes.
        let mut pieces = new(None);
        let few = |done: u64| Quota { expanded: done + 7, ..Quota::UNLIMITED };
        while let Progress::Running = pieces.advance(&few(pieces.stats().expanded), &mut ()) {}
        assert_eq!((pieces.best(), pieces.stats().expanded), (Some(&best), expanded));
        assert_eq!(proved(&mut on_threads(3, None)), (best, expanded));
    }
}
