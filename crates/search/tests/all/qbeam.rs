//! The beam that chooses actions before it generates states, on toy puzzles.

use crate::common::*;
use unriddle_conformance::{
    Promises, cuts,
    graph::{Estimates, Graph},
    memory,
};
use unriddle_core::{
    Blind, Budget, GoalPuzzle, Heuristic, Limit, Outcome, Progress, Rng, Row, Scalar, Search,
    SearchError, run,
};
use unriddle_search::{
    beam::{Beam, BeamConfig, Order},
    qbeam::{ActionValues, QBeam},
};

fn config(width: usize, order: Order) -> BeamConfig {
    BeamConfig { width, order, ..BeamConfig::default() }
}

const WIDTHS: [usize; 4] = [1, 7, 100, 1 << 20];

/// Dividing the work changes nothing, and the search resumes after it ran out of memory.
fn holds<P: GoalPuzzle<Action: PartialEq + std::fmt::Debug>, H: Heuristic<P>>(
    puzzle: &P,
    heuristic: H,
) {
    let values = Ahead(heuristic);
    for width in WIDTHS {
        for order in [Order::H, Order::F] {
            let make = || -> Boxed<'_, P> {
                Box::new(QBeam::new(puzzle, &values, config(width, order)).unwrap())
            };
            let promises = Promises {
                optimal: false,
                complete: false,
                proves_unsolvable: width == WIDTHS[3],
                expansions: 100_000,
                ..Promises::default()
            };
            cuts(promises, make).unwrap();
            memory(promises, make).unwrap();
        }
    }
}

#[test]
fn cuts_and_memory_change_nothing() {
    let mut rng = Rng::new(1);
    for moves in [0, 1, 10, 60] {
        holds(&Sliding::scrambled(3, 3, moves, &mut rng), Manhattan);
    }
    holds(&Sliding::unsolvable(2, 3), Manhattan);
    for _ in 0..10 {
        holds(&Grid::random(9, 9, &mut rng), Steps);
        let graph = Graph::random(50, 4, 30, &mut rng);
        let estimate = Estimates::admissible(&graph, &mut rng);
        holds(&graph, estimate);
    }
}

fn finish<P: GoalPuzzle>(search: &mut dyn Search<Action = P::Action>) -> Outcome<P::Action> {
    run(search, &Budget::default(), &mut ()).unwrap()
}

/// A beam that is wide enough is breadth-first search: its paths are shortest, and goals that it
/// does not find are unreachable.
#[test]
fn without_cuts_it_is_breadth_first_search() {
    let mut rng = Rng::new(2);
    for moves in [3, 20, 80] {
        let puzzle = Sliding::scrambled(3, 3, moves, &mut rng);
        let values = Ahead(Blind);
        let mut search = QBeam::new(&puzzle, &values, config(1 << 20, Order::H)).unwrap();
        let Outcome::Solved { best, proof, .. } = finish::<Sliding>(&mut search) else {
            panic!("{moves} moves from home");
        };
        assert_eq!(check(&puzzle, &best), best.value);
        assert_eq!(Some(best.value), optimum(&puzzle));
        // Estimates of actions prove nothing.
        assert!(!proof);
    }
    let puzzle = Sliding::unsolvable(2, 3);
    let values = Ahead(Manhattan);
    let mut search = QBeam::new(&puzzle, &values, config(1 << 20, Order::H)).unwrap();
    assert_eq!(finish::<Sliding>(&mut search), Outcome::Unsolvable);
    assert_eq!(search.stats().expanded, 360);
    let mut narrow = QBeam::new(&puzzle, &values, config(5, Order::H)).unwrap();
    let budget = Budget { expansions: Some(5000), ..Budget::default() };
    let outcome = run(&mut narrow, &budget, &mut ()).unwrap();
    assert_ne!(outcome, Outcome::Unsolvable);
}

/// With estimates that look one action ahead the search finds the solutions of the plain beam, and
/// generates only a part of its states: no more than 1.5 times as many as it keeps.
#[test]
fn few_states_are_generated() {
    let mut rng = Rng::new(3);
    let (mut solved, mut shares) = (0, [0, 0]);
    for _ in 0..20 {
        let puzzle = Sliding::scrambled(4, 4, 60, &mut rng);
        let values = Ahead(Manhattan);
        let mut search = QBeam::new(&puzzle, &values, config(200, Order::H)).unwrap();
        let outcome = finish::<Sliding>(&mut search);
        let stats = search.stats();
        assert!(stats.generated <= 300 * (stats.expanded / 200 + 60));
        assert_eq!(stats.evaluated, stats.expanded);
        let scalar = Scalar(Manhattan);
        let mut beam = Beam::new(&puzzle, &scalar, config(200, Order::H)).unwrap();
        let other = finish::<Sliding>(&mut beam);
        let of = |outcome: &Outcome<u8>| outcome.best().map(|best| check(&puzzle, best));
        if let (Some(one), Some(other)) = (of(&outcome), of(&other)) {
            solved += 1;
            assert!(one <= other + 12 && other <= one + 12, "{one} {other}");
        }
        shares[0] += stats.generated;
        shares[1] += beam.stats().generated;
    }
    assert!(solved >= 18, "{solved}");
    assert!(shares[0] * 4 < shares[1] * 3, "{shares:?}");
}

/// Limits are exact to the state.
#[test]
fn limits_are_exact() {
    let puzzle = Sliding::unsolvable(4, 4);
    let values = Ahead(Blind);
    for (limit, expansions, generated) in
        [(Limit::Expansions, Some(1234), None), (Limit::Generated, None, Some(777))]
    {
        let mut search = QBeam::new(&puzzle, &values, config(500, Order::H)).unwrap();
        let budget = Budget { expansions, generated, ..Budget::default() };
        let outcome = run(&mut search, &budget, &mut ()).unwrap();
        assert!(matches!(outcome, Outcome::Stopped { why, .. } if why == limit));
        let stats = search.stats();
        assert!(expansions.is_none_or(|most| stats.expanded == most));
        assert!(generated.is_none_or(|most| stats.generated == most));
    }
    for bytes in [10, 100_000, 1_000_000] {
        let mut search = QBeam::new(&puzzle, &values, config(1 << 20, Order::H)).unwrap();
        let budget = Budget { memory: Some(bytes), ..Budget::default() };
        let outcome = run(&mut search, &budget, &mut ()).unwrap();
        assert!(matches!(outcome, Outcome::Stopped { why: Limit::Memory, .. }));
        assert!(search.stats().peak_bytes <= bytes.max(300));
    }
}

/// Paths are ordered by their probability. If all actions are equally likely, that is the number of
/// choices on the way; a sharper policy finds the solutions of estimates.
#[test]
fn a_policy_orders_paths() {
    let mut rng = Rng::new(5);
    let mut lengths = [0; 2];
    for _ in 0..20 {
        let puzzle = Sliding::scrambled(3, 3, 60, &mut rng);
        let optimum = optimum(&puzzle);
        let all = Policy(Ahead(Manhattan), 0.0);
        let mut wide = QBeam::new(&puzzle, &all, config(1 << 20, Order::H)).unwrap();
        assert_eq!(finish::<Sliding>(&mut wide).best().map(|b| b.value), optimum);
        for (sharpness, length) in [0.0, 1.0].into_iter().zip(&mut lengths) {
            let values = Policy(Ahead(Manhattan), sharpness);
            let mut search = QBeam::new(&puzzle, &values, config(30, Order::H)).unwrap();
            let outcome = run(
                &mut search,
                &Budget { expansions: Some(20_000), ..Budget::default() },
                &mut (),
            );
            let best = outcome.unwrap().best().map_or(1000, |best| check(&puzzle, best));
            *length += best;
        }
    }
    assert!(lengths[1] < lengths[0], "{lengths:?}");
}

/// The same number, or the same estimate, for every action.
struct Same(usize, f32);

impl ActionValues<Sliding> for Same {
    fn actions(&self) -> usize {
        4
    }
    fn number(&self, _: &Sliding, _: &u64, action: u8) -> usize {
        usize::from(action) + self.0
    }
    fn evaluate(&self, _: &[Row<'_, Sliding>], out: &mut [f32]) {
        out.fill(self.1);
    }
}

#[test]
fn invalid_estimates_are_errors() {
    let puzzle = Sliding::scrambled(3, 3, 40, &mut Rng::new(4));
    for values in [Same(0, f32::NAN), Same(4, 1.0)] {
        let mut search = QBeam::new(&puzzle, &values, config(10, Order::H)).unwrap();
        let failed = run(&mut search, &Budget::default(), &mut ());
        assert!(matches!(failed, Err(SearchError::BadEstimate(_))));
        let again = search.step(1, &mut ());
        assert!(matches!(again, Progress::Failed(SearchError::BadEstimate(_))));
    }
    // Dead ends are proved.
    let values = Same(0, f32::INFINITY);
    let mut search = QBeam::new(&puzzle, &values, config(10, Order::H)).unwrap();
    assert_eq!(finish::<Sliding>(&mut search), Outcome::Unsolvable);
    // Numbers below 0 are taken for 0.
    let values = Same(0, -5.0);
    let mut search = QBeam::new(&puzzle, &values, config(1 << 20, Order::F)).unwrap();
    assert_eq!(finish::<Sliding>(&mut search).best().map(|b| b.value), optimum(&puzzle));
    assert!(QBeam::new(&puzzle, &values, config(0, Order::H)).is_err());
}
