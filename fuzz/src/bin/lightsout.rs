//! Boards and solutions of Lights Out: `board~solution`. No text panics; the two readers of boards
//! and of solutions agree on boards with edges, on tori and with other presses, and the equations
//! know what the rules do. A text in a form that only the puzzle reads is compared by its own text;
//! a text that both read is the same board.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_check as check;
use unriddle_core::{GoalPuzzle as _, Notation as _, Puzzle as _};
use unriddle_lightsout::{Lights, Reach, WORDS, algebra::Algebra, family::Variety, solvers::Fewest};

fuzz_target!(|text: &str| {
    let (board, solution) = text.split_once('~').unwrap_or((text, ""));
    for (spec, torus, press) in [
        ("lightsout", false, Reach::Plus),
        ("lightsout(torus=on)", true, Reach::Plus),
        ("lightsout(press=ring)", false, Reach::Ring),
        ("lightsout(torus=on, press=x)", true, Reach::X),
        ("lightsout(press=cross)", false, Reach::Cross),
    ] {
        let variety = Variety { torus, press };
        let puzzle = match Lights::<WORDS>::read(board, &variety) {
            Ok(puzzle) => puzzle,
            Err(error) => {
                assert!(error.line >= 1 && error.column >= 1);
                assert!(check::is_goal(spec, board).is_err(), "{error}");
                continue;
            }
        };
        let start = puzzle.initial_state();
        let written = puzzle.state_text(&start);
        assert_eq!(Lights::<WORDS>::read(&written, &variety).as_ref(), Ok(&puzzle));
        assert_eq!(check::is_goal(spec, &written), Ok(puzzle.is_goal(&start)));
        if let Ok(goal) = check::goal(spec, board) {
            // Listed buttons that are the usual presses are not written.
            if !board.contains("buttons") {
                assert_eq!(check::goal(spec, &written), Ok(goal));
            }
            assert_eq!(check::is_goal(spec, board), Ok(puzzle.is_goal(&start)));
        }
        let algebra = Algebra::of(puzzle.shape());
        let why = algebra.unsolvable(&start);
        if let Some(mut fewest) = Fewest::new(&algebra) {
            assert_eq!(fewest.presses(&start).is_none(), why.is_some());
        }
        let verdict = check::verify(spec, &written, solution);
        let Ok(presses) = puzzle.parse_solution(solution) else {
            assert!(verdict.is_err());
            continue;
        };
        let end = presses.iter().fold(start, |state, &press| puzzle.apply(&state, press));
        assert_eq!(verdict.is_ok(), puzzle.is_goal(&end), "{verdict:?}");
        if let Ok(verdict) = verdict {
            assert_eq!(verdict.length, presses.len() as u64);
            assert_eq!(verdict.value, presses.len() as i64);
            assert_eq!(why, None);
        }
    }
});
