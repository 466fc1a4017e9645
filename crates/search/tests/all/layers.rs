//! The layered beam.

use crate::common::{Blocks, Events, FewColours, TabuColour};
use unriddle_core::{
    Outcome, Progress, Puzzle, Quota, Rng, Score, ScorePuzzle, Search, Solution, UpperBound,
};
use unriddle_search::layers::{Layers, LayersConfig, MAX_WIDTH};

/// The board's colours in a group each, and nothing left.
struct OneGroupEach;

impl UpperBound<Blocks> for OneGroupEach {
    fn upper(&self, _: &Blocks, board: &<Blocks as Puzzle>::State) -> Score {
        let count = |colour| board.iter().flatten().filter(|&&cell| cell == colour).count();
        let of = |colour| match count(colour) as Score {
            0 | 1 => 0,
            n => (n - 2) * (n - 2),
        };
        (1..=9).map(of).sum::<Score>() + 30
    }
}

fn boards(count: u64, width: usize, height: usize) -> impl Iterator<Item = Blocks> {
    (0..count).map(move |i| Blocks::random(width, height, 3, &mut Rng::stream(12, i)))
}

fn layers(puzzle: &Blocks, width: usize, runs: u64) -> Layers<'_, Blocks> {
    let config = LayersConfig { width, runs, ..LayersConfig::default() };
    Layers::new(puzzle, &FewColours, config).unwrap()
}

fn finish(search: &mut dyn Search<Action = u8>) -> Outcome<u8> {
    match search.advance(&Quota::UNLIMITED, &mut ()) {
        Progress::Finished(outcome) => outcome,
        other => panic!("{other:?}"),
    }
}

fn check(puzzle: &Blocks, solution: &Solution<u8>) -> Score {
    assert_eq!(Solution::scored(puzzle, solution.actions.clone()), *solution);
    let mut state = puzzle.initial_state();
    for &action in &solution.actions {
        assert!(puzzle.actions(&state).any(|a| a == action), "illegal");
        state = puzzle.apply(&state, action);
    }
    assert!(puzzle.is_terminal(&state));
    solution.value
}

#[test]
fn a_beam_that_cuts_nothing_off_proves_the_optimum() {
    for puzzle in boards(12, 4, 4) {
        let optimum = puzzle.optimum();
        let outcome = finish(&mut layers(&puzzle, MAX_WIDTH, 1));
        assert!(outcome.is_optimal());
        assert_eq!(outcome.bound(), Some(optimum));
        assert_eq!(check(&puzzle, outcome.best().unwrap()), optimum);
        // A beam that grows gets there as well.
        let outcome = finish(&mut layers(&puzzle, 1, 0));
        assert!(outcome.is_optimal());
        assert_eq!(check(&puzzle, outcome.best().unwrap()), optimum);
    }
}

#[test]
fn a_bound_drops_hopeless_states_and_keeps_the_proof() {
    let (mut with, mut without) = (0, 0);
    for puzzle in boards(12, 4, 4) {
        let optimum = puzzle.optimum();
        let mut free = layers(&puzzle, MAX_WIDTH, 1);
        finish(&mut free);
        without += free.stats().evaluated;
        let mut bounded = layers(&puzzle, MAX_WIDTH, 1).bounded(&OneGroupEach, optimum - 1);
        let outcome = finish(&mut bounded);
        assert!(outcome.is_optimal());
        assert_eq!(check(&puzzle, outcome.best().unwrap()), optimum);
        with += bounded.stats().evaluated;
        // There is nothing better than the optimum.
        let outcome = finish(&mut layers(&puzzle, MAX_WIDTH, 1).bounded(&OneGroupEach, optimum));
        assert_eq!(outcome, Outcome::Exhausted { best: None });
    }
    assert!(with < without, "{with} {without}");
}

#[test]
fn a_narrow_beam_or_one_with_a_tabu_proves_nothing() {
    let mut sums = [0; 3];
    for puzzle in boards(10, 7, 7) {
        for (sum, width) in sums.iter_mut().zip([1, 5, 20]) {
            let outcome = finish(&mut layers(&puzzle, width, 1));
            assert!(!outcome.is_optimal(), "{width}");
            *sum += check(&puzzle, outcome.best().unwrap());
        }
        let config = LayersConfig { width: MAX_WIDTH, ..LayersConfig::default() };
        let small = Blocks::random(5, 4, 3, &mut Rng::new(1));
        let mut search = Layers::selective(&small, &TabuColour, &FewColours, config).unwrap();
        let outcome = finish(&mut search);
        assert!(!outcome.is_optimal());
        check(&small, outcome.best().unwrap());
    }
    assert!(sums.is_sorted(), "{sums:?}");
}

/// However the work is cut, and however tight the memory was in between.
#[test]
fn pieces_add_up_to_a_run() {
    for puzzle in boards(3, 5, 5) {
        let (mut whole, mut events) = (layers(&puzzle, 20, 3), Events::new());
        let Progress::Finished(outcome) = whole.advance(&Quota::UNLIMITED, &mut events) else {
            panic!("endless")
        };
        assert!(events.improved.is_sorted_by(|a, b| a.0.value < b.0.value));
        let mut cut = layers(&puzzle, 20, 3);
        let mut steps = 0;
        while cut.step(1, &mut ()) == Progress::Running {
            steps += 1;
            assert_eq!(cut.stats().expanded, steps);
        }
        assert_eq!(finish(&mut cut), outcome);
        assert_eq!(cut.stats(), whole.stats());

        let mut tight = layers(&puzzle, 20, 3);
        let mut quota = Quota { bytes: 0, ..Quota::UNLIMITED };
        let mut refused = 0;
        while tight.advance(&quota, &mut ()) == Progress::OutOfMemory {
            assert!(tight.stats().peak_bytes <= quota.bytes);
            quota.bytes += 1000;
            refused += 1;
        }
        assert!(refused > 1);
        assert_eq!(finish(&mut tight), outcome);
        assert_eq!(tight.stats().expanded, whole.stats().expanded);
    }
}

#[test]
fn a_game_that_is_over() {
    let over = Blocks::random(1, 1, 3, &mut Rng::new(0));
    let outcome = finish(&mut layers(&over, 10, 1));
    assert!(outcome.is_optimal());
    assert_eq!(check(&over, outcome.best().unwrap()), -1);
}
