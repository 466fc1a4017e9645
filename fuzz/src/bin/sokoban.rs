//! Levels and solutions of Sokoban: `level;solution`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use unriddle_check as check;
use unriddle_core::{GoalPuzzle as _, Notation as _, Puzzle as _};
use unriddle_sokoban::{Level, Measure, Sokoban};

fuzz_target!(|text: &str| {
    let (level, solution) = text.split_once(';').unwrap_or((text, ""));
    let level = match Level::parse(level) {
        Ok(level) => Arc::new(level),
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1 && !error.message.is_empty());
            return;
        }
    };
    for (spec, measure) in
        [("sokoban", Measure::Pushes), ("sokoban(measure=moves)", Measure::Moves)]
    {
        let puzzle = Sokoban::<64>::new(level.clone(), measure).expect("62 × 62 cells fit");
        let written = level.picture().text();
        // What was written is read as the same, by both readers.
        let again = Level::parse(&written).expect("what was written is read");
        assert_eq!(again.picture(), level.picture());
        let start = puzzle.initial_state();
        let is_goal =
            check::is_goal(spec, &written).expect("what was written is read by the verifier");
        // Boxes that the player can never reach count for the verifier.
        assert_eq!(is_goal, puzzle.is_goal(&start), "{written}");
        let verdict = check::verify(spec, &written, solution);
        match puzzle.parse_solution(solution) {
            Ok(actions) => {
                let last =
                    actions.iter().fold(start, |state, &action| puzzle.apply(&state, action));
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
});
