//! Levels and solutions of Sokoban: `level;solution`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use unriddle_catalog::input;
use unriddle_check as check;
use unriddle_core::{GoalPuzzle as _, Notation as _, Puzzle as _};
use unriddle_sokoban::{FAMILY, Level, Measure, Sokoban, family::Extra};

/// Spec of the verifier, objective, and pieces that may be left over.
const RULES: [(&str, Measure, Extra); 3] = [
    ("sokoban", Measure::Pushes, Extra::None),
    ("sokoban(measure=moves)", Measure::Moves, Extra::None),
    ("sokoban(measure=moves, extra=any)", Measure::Moves, Extra::Any),
];

fuzz_target!(|text: &str| {
    pieces(text);
    let (level, solution) = text.split_once(';').unwrap_or((text, ""));
    for (spec, measure, extra) in RULES {
        one(level, solution, spec, measure, extra);
    }
});

/// Every level that is read from a file is read back from every form.
fn pieces(file: &str) {
    let puzzle = FAMILY.default_puzzle().expect("the puzzle has defaults");
    for piece in puzzle.split(file) {
        let level = match puzzle.load(&piece.text) {
            Ok(level) => level,
            Err(error) => {
                assert!(error.line >= 1 && error.column >= 1 && !error.message.is_empty());
                continue;
            }
        };
        for (form, written) in level.forms() {
            let again = input::load(&*puzzle, &written).expect("what was written is read");
            assert_eq!(again.len(), 1, "{form}: {written}");
            assert_eq!(again[0].instance.text(), level.text(), "{form}: {written}");
        }
    }
}

fn one(text: &str, solution: &str, spec: &str, measure: Measure, extra: Extra) {
    let level = match Level::parse_uneven(text, extra) {
        Ok(level) => Arc::new(level),
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1 && !error.message.is_empty());
            return;
        }
    };
    // Levels of too many cells are refused when they are loaded.
    let Some(puzzle) = Sokoban::<64>::new(level.clone(), measure) else {
        return;
    };
    let written = level.picture().text();
    // What was written is read as the same, by both readers.
    let again = Level::parse_uneven(&written, extra).expect("what was written is read");
    assert_eq!(again.picture(), level.picture());
    let start = puzzle.initial_state();
    let is_goal = check::is_goal(spec, &written).expect("what was written is read by the verifier");
    // Boxes that the player can never reach count for the verifier.
    assert_eq!(is_goal, puzzle.is_goal(&start), "{written}");
    // A text that both readers accept is the same level to both.
    if check::is_goal(spec, text).is_ok() {
        assert_eq!(check::legal_actions(spec, text), check::legal_actions(spec, &written), "{text}");
    }
    let verdict = check::verify(spec, &written, solution);
    match puzzle.parse_solution(solution) {
        Ok(actions) => {
            let last = actions.iter().fold(start, |state, &action| puzzle.apply(&state, action));
            assert_eq!(verdict.is_ok(), puzzle.is_goal(&last), "{written}: {verdict:?}");
            if let Ok(verdict) = verdict {
                assert_eq!(verdict.value, actions.len() as i64);
            }
        }
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1 && !error.message.is_empty());
            assert!(verdict.is_err(), "{error}");
        }
    }
}
