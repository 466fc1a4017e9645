//! Positions and games of Morpion Solitaire: `position;solution`. No text panics; the two readers
//! of positions and of solutions agree by both rules, and so does the number of moves. The checker
//! plays the games of records.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_check as check;
use unriddle_core::{Notation as _, Puzzle as _, ScorePuzzle as _};
use unriddle_morpion::{FAMILY, Morpion, Rule};

fuzz_target!(|text: &str| {
    let puzzle = FAMILY.default_puzzle().expect("it has defaults");
    for piece in puzzle.split(text) {
        let Ok(instance) = puzzle.load(&piece.text) else { continue };
        let mut state = instance.text();
        assert!(check::is_goal("morpion", &state).is_ok());
        for word in piece.solution.iter().flat_map(|game| game.split_whitespace()) {
            state = check::apply("morpion", &state, word).expect("a record is a game");
        }
    }
    let (position, solution) = text.split_once(';').unwrap_or((text, ""));
    for (spec, rule) in [("morpion", Rule::Disjoint), ("morpion(rule=5t)", Rule::Touching)] {
        let puzzle = match Morpion::parse(position, rule) {
            Ok(puzzle) => puzzle,
            Err(error) => {
                assert!(error.line >= 1 && error.column >= 1);
                assert!(check::is_goal(spec, position).is_err(), "{error}");
                continue;
            }
        };
        let start = puzzle.initial_state();
        let written = puzzle.state_text(&start);
        assert_eq!(Morpion::parse(&written, rule).as_ref(), Ok(&puzzle));
        assert_eq!(check::is_goal(spec, position), Ok(puzzle.is_terminal(&start)));
        let verdict = check::verify(spec, position, solution);
        let Ok(lines) = puzzle.parse_solution(solution) else {
            assert!(verdict.is_err());
            continue;
        };
        let end = lines.iter().fold(start, |state, &line| puzzle.apply(&state, line));
        assert_eq!(verdict.is_ok(), puzzle.is_terminal(&end), "{verdict:?}");
        if let Ok(verdict) = verdict {
            assert_eq!(verdict.length, lines.len() as u64);
            assert_eq!(verdict.value, lines.len() as i64);
        }
    }
});
