//! Towers of Hanoi: the number of pegs and a position, `4;1 2 2 1`. No text panics; a position is
//! read back from every form; Frame and Stewart's solution is valid, and the search's is not longer
//! and not below the estimate of the start.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::collections::{HashMap, VecDeque};
use unriddle_catalog::Presentation as _;
use unriddle_core::{Budget, GoalPuzzle as _, Outcome, Puzzle as _, run};
use unriddle_hanoi::{
    Hanoi, State, Step,
    exact::{Exact, ExactConfig},
    stewart,
    towers::Towers,
};

/// Most positions of a puzzle that is searched.
const FEW: u64 = 1_000;

fn played(puzzle: &Hanoi, steps: &[Step]) {
    let mut state = puzzle.initial_state();
    for &step in steps {
        assert!(puzzle.actions(&state).any(|legal| legal == step));
        state = puzzle.apply(&state, step);
    }
    assert!(puzzle.is_goal(&state));
}

/// The distance of the goal, by a naive search.
fn distance(puzzle: &Hanoi) -> i64 {
    let start = puzzle.initial_state();
    let (mut known, mut queue) = (HashMap::from([(start, 0)]), VecDeque::from([start]));
    while let Some(state) = queue.pop_front() {
        let depth = known[&state];
        if puzzle.is_goal(&state) {
            return depth;
        }
        for step in puzzle.actions(&state) {
            let next: State = puzzle.apply(&state, step);
            known.entry(next).or_insert_with(|| {
                queue.push_back(next);
                depth + 1
            });
        }
    }
    unreachable!("every position has a solution")
}

fuzz_target!(|text: &str| {
    let (pegs, text) = text.split_once(';').unwrap_or(("4", text));
    let pegs: u8 = pegs.parse().unwrap_or(4);
    let pegs = pegs.clamp(3, 9);
    let puzzle = match Hanoi::parse(text, pegs) {
        Ok(puzzle) => puzzle,
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1);
            return;
        }
    };
    for (_, written) in puzzle.forms() {
        assert_eq!(Hanoi::parse(&written, pegs).as_ref(), Ok(&puzzle));
    }
    let disks = puzzle.text().split_whitespace().count() as u32;
    if pegs == 3 && disks > 12 {
        return;
    }
    let moves = stewart::solution(&puzzle);
    played(&puzzle, &moves);
    if u64::from(pegs).saturating_pow(disks) > FEW {
        return;
    }
    let towers = Towers::small(&puzzle).expect("a small table");
    let config = ExactConfig { width: 2, ..ExactConfig::default() };
    let mut search = Exact::new(&puzzle, towers, config).expect("options within bounds");
    let outcome = run(&mut search, &Budget::default(), &mut ()).expect("a search");
    let Outcome::Solved { best, proof: true, .. } = outcome else { panic!("{outcome:?}") };
    played(&puzzle, &best.actions);
    assert_eq!(best.value, distance(&puzzle));
    assert!(moves.len() as i64 >= best.value);
});
