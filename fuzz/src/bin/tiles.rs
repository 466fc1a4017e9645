//! Boards, files, partitions and solutions of sliding tiles: no text panics; the two readers of
//! boards and of solutions agree; a board is read back from every form in which it is written; on
//! boards of at most six cells parity says the same as trying everything.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::{collections::BTreeSet, sync::LazyLock};
use unriddle_catalog::{AnyPuzzle, Registry, input};
use unriddle_check as check;
use unriddle_tiles::{FAMILY, Goal, Partition, parse::parse};

static PUZZLES: LazyLock<Vec<(String, Box<dyn AnyPuzzle>)>> = LazyLock::new(|| {
    let registry = Registry::new([&FAMILY]).expect("one family");
    let puzzle = |name| {
        let spec = format!("tiles(goal={name})");
        let puzzle = registry.puzzle(&spec).expect("a goal").1;
        (spec, puzzle)
    };
    Goal::NAMES.into_iter().map(puzzle).collect()
});

/// Blanks that the catalogue replaces before the reader of a puzzle sees a text.
const BLANKS: [char; 4] = ['\u{a0}', '\u{2007}', '\u{202f}', '\u{feff}'];

fuzz_target!(|text: &str| {
    if text.contains(BLANKS) {
        return;
    }
    for side in 2..=8 {
        let _ = Partition::parse(side, text);
    }
    // A board and a solution.
    let (board, solution) = text.split_once('@').unwrap_or((text, ""));
    for (goal, (spec, puzzle)) in Goal::ALL.into_iter().zip(&*PUZZLES) {
        let instance = match (parse(board, goal), puzzle.load(board)) {
            (Ok(parsed), Ok(instance)) => {
                assert_eq!(parsed.cells.len(), parsed.shape.cells());
                // The independent reader reads what is written.
                let canonical = instance.text();
                assert!(check::is_goal(spec, &canonical).is_ok(), "{canonical}");
                if parsed.shape.cells() <= 6 {
                    assert_eq!(parsed.solvable.is_ok(), reaches_goal(spec, &canonical));
                }
                instance
            }
            (Err(error), Err(_)) => {
                assert!(error.line >= 1 && error.column >= 1);
                continue;
            }
            _ => panic!("one text is read twice in different ways"),
        };
        // Both readers read the same board, if both read it.
        if let (Ok(one), Ok(other)) =
            (check::apply(spec, board, "U"), check::apply(spec, &instance.text(), "U"))
        {
            assert_eq!(one, other);
        }
        for (form, written) in instance.forms() {
            let again = input::load(&**puzzle, &written).expect("a text that is written is read");
            assert_eq!(again.len(), 1, "{form}");
            assert_eq!(again[0].instance.text(), instance.text(), "{form}");
        }
        let replayed = instance.replay(solution).ok();
        let verdict = check::verify(spec, &instance.text(), solution).ok();
        assert_eq!(replayed, verdict.map(|verdict| (verdict.value, verdict.length)));
    }
    // Pieces of a file are read or refused by themselves.
    let (_, puzzle) = &PUZZLES[0];
    for piece in puzzle.split(text) {
        let _ = puzzle.load(&piece.text);
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
