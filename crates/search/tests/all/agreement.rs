//! Every search against breadth-first search on many small random puzzles; proofs and bounds.

use crate::common::*;
use unriddle_conformance::{
    Promises, Subject, answers,
    graph::{Estimates, Graph},
};
use unriddle_core::{Blind, GoalPuzzle, Heuristic, Outcome, Rng, Scalar};
use unriddle_search::{
    astar::{AStar, AStarConfig},
    bfs,
};

/// Holds the answer of every search of a list against breadth-first search. Gives how many states
/// were reopened.
fn agree<P: GoalPuzzle, H: Heuristic<P>>(
    puzzle: &P,
    heuristic: H,
    list: &[Tested<P, H>],
    what: &str,
) -> u64 {
    let optimum = optimum(puzzle);
    let scalar = Scalar(heuristic);
    let guarantee = scalar.0.guarantee();
    let mut reopened = 0;
    for tested in list {
        let promises = Promises { expansions: u64::MAX, ..tested.promises() };
        let subject = Subject::new(puzzle).named(format!("{what}, {}", tested.name));
        let make = || (tested.make)(puzzle, &scalar);
        reopened += answers(&subject, promises, guarantee, optimum, make).unwrap().reopened;
    }
    reopened
}

#[test]
fn on_the_eight_puzzle() {
    let mut rng = Rng::new(8);
    for round in 0..40 {
        let puzzle = Sliding::scrambled(3, 3, round * 5, &mut rng);
        agree(&puzzle, Manhattan, &all_searches(), &format!("eight-puzzle {round}"));
        if round % 5 == 0 {
            agree(&puzzle, Blind, &searches(), &format!("eight-puzzle {round}, blind"));
        }
    }
}

#[test]
fn where_there_is_no_solution() {
    for (width, height) in [(2, 3), (3, 3)] {
        let puzzle = Sliding::unsolvable(width, height);
        agree(&puzzle, Manhattan, &searches(), "exchanged");
    }
}

#[test]
fn on_grids_with_unequal_costs() {
    let mut rng = Rng::new(9);
    for round in 0..200 {
        let puzzle = Grid::random(9, 1 + round % 9, &mut rng);
        agree(&puzzle, Steps, &all_searches(), &format!("grid {round}"));
        agree(&puzzle, Blind, &searches(), &format!("grid {round}, blind"));
    }
}

/// A beam may circle for ever in a directed graph.
fn directed() -> Vec<Tested<Graph, Estimates>> {
    let mut list = searches();
    for tested in list.iter_mut().filter(|t| t.name.starts_with("beam")) {
        tested.proves_unsolvable = false;
    }
    list
}

#[test]
fn on_graphs_with_inconsistent_estimates() {
    let mut rng = Rng::new(10);
    let mut reopened = 0;
    for round in 0..400 {
        let max_cost = 1 + round % 12 * 3;
        let puzzle = Graph::random(40 + round as usize / 10, 4, max_cost, &mut rng);
        let estimate = Estimates::admissible(&puzzle, &mut rng);
        reopened += agree(&puzzle, estimate, &directed(), &format!("graph {round}"));
    }
    assert!(reopened > 300, "{reopened}");
}

/// Costs so far apart that the open list becomes a heap.
#[test]
fn on_graphs_with_large_costs() {
    let mut rng = Rng::new(11);
    for round in 0..100 {
        let puzzle = Graph::random(60, 4, 1 << 20, &mut rng);
        let estimate = Estimates::admissible(&puzzle, &mut rng);
        agree(&puzzle, estimate, &directed(), &format!("graph {round}"));
    }
}

#[test]
fn without_a_guarantee_there_is_no_proof() {
    struct Unsure;
    impl Heuristic<Grid> for Unsure {
        type Memo = ();
        fn guarantee(&self) -> unriddle_core::Guarantee {
            unriddle_core::Guarantee::None
        }
        fn root(&self, p: &Grid, s: &u16) -> Option<(u32, ())> {
            // A goal may have any estimate here.
            Some((u32::from(s % 7) + 3 * Steps.root(p, s)?.0, ()))
        }
    }
    let mut rng = Rng::new(12);
    for round in 0..100 {
        let puzzle = Grid::random(8, 9, &mut rng);
        agree(&puzzle, Unsure, &searches(), &format!("grid {round}"));
        let scalar = Scalar(Unsure);
        for tested in searches::<Grid, Unsure>() {
            let mut search = (tested.make)(&puzzle, &scalar);
            let outcome = finish(&mut *search, &mut ());
            if !tested.promises().proves_alone && outcome.best().is_some_and(|b| b.value > 0) {
                assert!(!outcome.is_optimal(), "{}", tested.name);
                assert_eq!(outcome.bound(), None, "{}", tested.name);
            }
        }
    }
}

#[test]
fn the_weight_bounds_the_cost() {
    let mut rng = Rng::new(13);
    let scalar = Scalar(Manhattan);
    let (mut longer, mut better_than_w) = (0, 0);
    for _ in 0..100 {
        let puzzle = Sliding::scrambled(3, 3, 150, &mut rng);
        let optimum = optimum(&puzzle).unwrap();
        for w in [1.0, 1.1, 1.5, 2.0, 3.3, 10.0, 100.0] {
            let mut search = AStar::new(&puzzle, &scalar, AStarConfig { w }).unwrap();
            let Outcome::Solved { best, proof, bound } = finish(&mut search, &mut ()) else {
                panic!("unsolved");
            };
            let bound = bound.unwrap();
            assert!(check(&puzzle, &best) as f64 <= w * optimum as f64 + 1e-9);
            assert!(bound <= optimum && best.value as f64 <= w * bound as f64 + 1e-9);
            assert_eq!(proof, best.value == bound);
            longer += u32::from(best.value > optimum);
            better_than_w += u32::from((best.value as f64) < w * bound as f64 - 1.0);
        }
    }
    assert!(longer > 100 && better_than_w > 200, "{longer} {better_than_w}");
}

/// States of the 8-puzzle by distance from the goal with the blank in a corner. A. Reinefeld,
/// "Complete Solution of the Eight-Puzzle and the Benefit of Node Ordering in IDA*", IJCAI 1993.
#[test]
fn distances_of_the_eight_puzzle() {
    let puzzle = Sliding::scrambled(3, 3, 0, &mut Rng::new(0));
    let counts = bfs::distances(&puzzle).unwrap();
    let known = [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529,
        10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ];
    assert_eq!(counts, known);
    assert_eq!(counts.iter().sum::<u64>(), 181_440);
}

#[test]
fn distances_of_grids_add_up_costs() {
    let grid = Grid { size: 3, cost: vec![1, 9, 1, 1, 0, 1, 1, 1, 1], start: 0, goal: 2 };
    // Down and around to the corner costs 6, less than 9 + 1.
    assert_eq!(bfs::distances(&grid), Ok(vec![1, 1, 1, 1, 1, 1, 1, 0, 0, 1]));
}
