//! Batch weighted Q* search, on toy puzzles.

use crate::common::*;
use unriddle_conformance::{
    Promises, cuts,
    graph::{Estimates, Graph},
    memory,
};
use unriddle_core::{
    Blind, Budget, GoalPuzzle, Heuristic, Outcome, Rng, Row, Scalar, Search, SearchError, run,
};
use unriddle_search::{
    bwas::{Bwas, BwasConfig, Stop},
    qbeam::ActionValues,
    qbwas::QBwas,
};

fn config(lambda: f64, batch: usize, stop: Stop) -> BwasConfig {
    BwasConfig { lambda, batch, stop, ..BwasConfig::default() }
}

fn finish<P: GoalPuzzle>(search: &mut dyn Search<Action = P::Action>) -> Outcome<P::Action> {
    run(search, &Budget::default(), &mut ()).unwrap()
}

/// The search finds a solution if there is one, with any configuration. Dividing the work changes
/// nothing, and the search resumes after it ran out of memory.
fn holds<P: GoalPuzzle<Action: PartialEq + std::fmt::Debug>, H: Heuristic<P>>(
    puzzle: &P,
    heuristic: H,
) {
    let values = Ahead(heuristic);
    let optimum = optimum(puzzle);
    for (lambda, batch, stop) in [
        (1.0, 1, Stop::Selected),
        (0.6, 7, Stop::Selected),
        (0.0, 5, Stop::Generated),
        (0.8, 10_000, Stop::Selected),
    ] {
        let make = || -> Boxed<'_, P> {
            Box::new(QBwas::new(puzzle, &values, config(lambda, batch, stop)).unwrap())
        };
        let promises = Promises { optimal: false, expansions: 100_000, ..Promises::default() };
        cuts(promises, make).unwrap();
        memory(promises, make).unwrap();
        match (finish::<P>(&mut *make()), optimum) {
            (Outcome::Unsolvable, None) => {}
            (Outcome::Solved { best, .. }, Some(optimum)) => {
                assert_eq!(check(puzzle, &best), best.value);
                assert!(best.value >= optimum);
                // One action at a time and admissible estimates: A*.
                assert!((lambda, batch) != (1.0, 1) || best.value == optimum);
            }
            (outcome, _) => panic!("{outcome:?}, {optimum:?}"),
        }
    }
}

#[test]
fn its_guarantee_holds() {
    let mut rng = Rng::new(1);
    for moves in [0, 1, 10, 60] {
        holds(&Sliding::scrambled(3, 3, moves, &mut rng), Manhattan);
    }
    holds(&Sliding::unsolvable(2, 3), Manhattan);
    for _ in 0..20 {
        holds(&Grid::random(9, 9, &mut rng), Steps);
        let graph = Graph::random(50, 4, 30, &mut rng);
        let estimate = Estimates::admissible(&graph, &mut rng);
        holds(&graph, estimate);
    }
}

/// It generates no more states than it takes actions, where the other search generates all
/// successors.
#[test]
fn few_states_are_generated() {
    let mut rng = Rng::new(3);
    let mut shares = [0, 0];
    for _ in 0..20 {
        let puzzle = Sliding::scrambled(4, 4, 40, &mut rng);
        let (values, scalar) = (Ahead(Manhattan), Scalar(Manhattan));
        let config = config(0.6, 100, Stop::Selected);
        let mut search = QBwas::new(&puzzle, &values, config).unwrap();
        let mut other = Bwas::new(&puzzle, &scalar, config).unwrap();
        assert!(finish::<Sliding>(&mut search).best().is_some());
        assert!(finish::<Sliding>(&mut other).best().is_some());
        assert_eq!(search.stats().evaluated, search.stats().expanded);
        shares[0] += search.stats().generated;
        shares[1] += other.stats().generated;
    }
    assert!(shares[0] * 3 < shares[1] * 2, "{shares:?}");
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
        let mut search = QBwas::new(&puzzle, &values, BwasConfig::default()).unwrap();
        let failed = run(&mut search, &Budget::default(), &mut ());
        assert!(matches!(failed, Err(SearchError::BadEstimate(_))));
    }
    // Dead ends are proved.
    let mut search = QBwas::new(&puzzle, &Same(0, f32::INFINITY), BwasConfig::default());
    let outcome = finish::<Sliding>(search.as_mut().unwrap());
    assert_eq!(outcome, Outcome::Unsolvable);
    // Numbers below 0 are taken for 0.
    let values = Same(0, -5.0);
    let mut search = QBwas::new(&puzzle, &values, config(1.0, 1, Stop::Selected)).unwrap();
    let outcome = finish::<Sliding>(&mut search);
    assert_eq!(outcome.best().map(|b| b.value), optimum(&puzzle));
    assert!(QBwas::new(&puzzle, &Ahead(Blind), config(1.0, 0, Stop::Selected)).is_err());
}
