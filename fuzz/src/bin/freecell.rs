//! Boards and solutions of FreeCell: `board;solution`. No text panics; the two readers of boards
//! and of solutions agree, on a full deck and on one of two ranks. A text in a form that only the
//! puzzle reads is compared by its own text; a text that both read is the same board, unless its
//! lines are the rows of a deal, which the checker does not know.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_check as check;
use unriddle_core::{GoalPuzzle as _, Notation as _, Puzzle as _};
use unriddle_freecell::{FreeCell, Rules, parse::parse};

fuzz_target!(|text: &str| {
    let (board, solution) = text.split_once(';').unwrap_or((text, ""));
    for ranks in [13, 2] {
        let rules = Rules { ranks, ..Rules::default() };
        let spec = format!("freecell(ranks={ranks})");
        match parse(board, &rules) {
            Ok(layout) => {
                let written = layout.text();
                assert_eq!(parse(&written, &rules).as_ref(), Ok(&layout));
                let puzzle = FreeCell::new(rules, layout);
                let start = puzzle.initial_state();
                let lines = board.lines().filter(|line| line.contains(|c: char| c.is_alphanumeric()));
                let are_rows = lines.count() != usize::from(rules.columns);
                if !are_rows && let Ok(actions) = check::legal_actions(&spec, board) {
                    assert_eq!(check::legal_actions(&spec, &written), Ok(actions));
                }
                let board = &*written;
                let goal = check::is_goal(&spec, board);
                assert_eq!(goal, Ok(puzzle.is_goal(&start)));
                match puzzle.parse_solution(solution) {
                    Ok(actions) => {
                        let end = actions.iter().fold(start, |s, &a| puzzle.apply(&s, a));
                        let verdict = check::verify(&spec, board, solution);
                        assert_eq!(verdict.is_ok(), puzzle.is_goal(&end), "{verdict:?}");
                        if let Ok(verdict) = verdict {
                            assert_eq!(verdict.length, actions.len() as u64);
                        }
                    }
                    Err(_) => assert!(check::verify(&spec, board, solution).is_err()),
                }
            }
            Err(error) => {
                assert!(error.line >= 1 && error.column >= 1);
                assert!(check::is_goal(&spec, board).is_err(), "{error}");
            }
        }
    }
});
