//! Boards and solutions of SameGame: `board;solution`. No text panics; the two readers of boards
//! and of solutions agree, and so do the points, by every way of counting them and in both shapes
//! of a position. A text in a form that only the puzzle reads is compared by its rows, and a text
//! that both read is the same board.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_check as check;
use unriddle_core::{Notation as _, Puzzle as _, ScorePuzzle as _};
use unriddle_samegame::{Layout, SameGame, Scoring};

fuzz_target!(|text: &str| {
    let (board, solution) = text.split_once(';').unwrap_or((text, ""));
    let layout = match Layout::read(board, Scoring::Paper) {
        Ok(layout) => layout,
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1);
            assert!(check::is_goal("samegame", board).is_err(), "{error}");
            return;
        }
    };
    let rows = layout.text();
    assert_eq!(Layout::parse(&rows).as_ref(), Ok(&layout));
    // Every group that one board has, the other has.
    if let Ok(groups) = check::legal_actions("samegame", board) {
        assert_eq!(check::legal_actions("samegame", &rows), Ok(groups));
    }
    let board = &*rows;
    for scoring in Scoring::ALL {
        if let Some(puzzle) = SameGame::<4, 16>::new(&layout, scoring) {
            play(&puzzle, board, solution);
        }
        if let Some(puzzle) = SameGame::<16, 32>::new(&layout, scoring) {
            play(&puzzle, board, solution);
        }
    }
});

/// Plays a solution and holds it against the verifier's account of it.
fn play<const N: usize, const L: u32>(puzzle: &SameGame<N, L>, board: &str, solution: &str) {
    let spec = format!("samegame(score={})", puzzle.scoring().name());
    let start = puzzle.initial_state();
    assert_eq!(check::is_goal(&spec, board), Ok(puzzle.is_terminal(&start)));
    let verdict = check::verify(&spec, board, solution);
    let Ok(actions) = puzzle.parse_solution(solution) else {
        assert!(verdict.is_err());
        return;
    };
    let (mut state, mut value) = (start, 0);
    for &action in &actions {
        value += puzzle.reward(&state, action);
        state = puzzle.apply(&state, action);
    }
    assert_eq!(verdict.is_ok(), puzzle.is_terminal(&state), "{verdict:?}");
    if let Ok(verdict) = verdict {
        value += puzzle.terminal_bonus(&state);
        assert_eq!((verdict.value, verdict.length), (value, actions.len() as u64));
    }
}
