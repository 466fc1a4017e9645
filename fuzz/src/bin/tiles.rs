//! Boards and partitions of sliding tiles: no text panics; the two readers of boards agree; on
//! boards of side 2 parity says the same as trying everything.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::collections::BTreeSet;
use unriddle_check as check;
use unriddle_tiles::{Goal, Partition, parse::parse};

fuzz_target!(|text: &str| {
    for side in 2..=8 {
        let _ = Partition::parse(side, text);
    }
    for (goal, name) in Goal::ALL.into_iter().zip(Goal::NAMES) {
        let puzzle = format!("tiles(goal={name})");
        match parse(text, goal) {
            Ok(board) => {
                assert_eq!(board.cells.len(), board.side * board.side);
                assert!(check::is_goal(&puzzle, text).is_ok());
                if board.side == 2 {
                    assert_eq!(board.solvable.is_ok(), reaches_goal(&puzzle, text));
                }
            }
            Err(error) => {
                assert!(error.line >= 1 && error.column >= 1);
                assert!(check::is_goal(&puzzle, text).is_err());
            }
        }
    }
});

/// Whether a goal is among the states that the naive rules can reach.
fn reaches_goal(puzzle: &str, start: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut stack = vec![start.to_owned()];
    while let Some(state) = stack.pop() {
        if check::is_goal(puzzle, &state) == Ok(true) {
            return true;
        }
        for action in check::legal_actions(puzzle, &state).unwrap_or_default() {
            let next = check::apply(puzzle, &state, &action).expect("a legal action");
            if seen.insert(next.clone()) {
                stack.push(next);
            }
        }
    }
    false
}
