//! Cubes and solutions: `cube;solution`. No text panics; what is read is written as stickers that
//! both readers agree on, and so are solutions, in both metrics and sizes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_check as check;
use unriddle_core::{GoalPuzzle as _, Notation as _, Puzzle as _};
use unriddle_cube::{Cube, Metric};

fn agree<const N: usize>(spec: &str, metric: Metric, cube: &str, solution: &str) {
    let puzzle = match Cube::<N>::parse(cube, metric) {
        Ok(puzzle) => puzzle,
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1);
            return;
        }
    };
    let start = puzzle.initial_state();
    let written = puzzle.state_text(&start);
    assert_eq!(Cube::<N>::parse(&written, metric).as_ref(), Ok(&puzzle));
    assert_eq!(check::is_goal(spec, &written), Ok(puzzle.is_goal(&start)));
    let Ok(turns) = puzzle.parse_solution(solution) else {
        return;
    };
    let end = turns.iter().fold(start, |state, &turn| puzzle.apply(&state, turn));
    let verdict = check::verify(spec, &written, &puzzle.solution_text(&turns));
    assert_eq!(verdict.is_ok(), puzzle.is_goal(&end), "{verdict:?}");
    if let Ok(verdict) = verdict {
        assert_eq!(verdict.length, turns.len() as u64);
        assert_eq!(puzzle.defect(), None);
    }
}

fuzz_target!(|text: &str| {
    let (cube, solution) = text.split_once(';').unwrap_or((text, ""));
    agree::<3>("cube", Metric::Quarter, cube, solution);
    agree::<3>("cube(metric=htm)", Metric::Half, cube, solution);
    agree::<2>("cube(size=2)", Metric::Quarter, cube, solution);
    agree::<2>("cube(metric=htm, size=2)", Metric::Half, cube, solution);
});
