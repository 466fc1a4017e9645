//! Cubes and solutions: `cube;solution`. No text panics; what is read is written as stickers that
//! both readers agree on, and so are solutions, in both metrics and sizes. A cube is read back from
//! every form that is written, and a file of cubes is cut into texts that stay in their lines.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_catalog::{AnyPuzzle, Presentation as _, Registry, input};
use unriddle_check::{self as check, CheckError};
use unriddle_core::{GoalPuzzle as _, Notation as _, Puzzle as _};
use unriddle_cube::{Cube, FAMILY, Metric};

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
    for (form, text) in puzzle.forms() {
        let again = Cube::<N>::parse(&text, metric);
        assert_eq!(again.as_ref(), Ok(&puzzle), "{form}");
    }
    let verdict = check::verify(spec, &written, solution);
    let Ok(turns) = puzzle.parse_solution(solution) else {
        assert!(matches!(verdict, Err(CheckError::Solution(_))), "{verdict:?}");
        return;
    };
    let end = turns.iter().fold(start, |state, &turn| puzzle.apply(&state, turn));
    assert_eq!(verdict.is_ok(), puzzle.is_goal(&end), "{verdict:?}");
    assert!(!matches!(verdict, Err(CheckError::Solution(_))), "{verdict:?}");
    assert_eq!(check::verify(spec, &written, &puzzle.solution_text(&turns)), verdict);
    if let Ok(verdict) = verdict {
        assert_eq!(verdict.length, turns.len() as u64);
        assert_eq!(puzzle.defect(), None);
    }
}

/// Every cube of a file is read as its own text is, at a place inside the file.
fn cut(puzzle: &dyn AnyPuzzle, file: &str) {
    let count = file.lines().count();
    let mut line = 0;
    for piece in puzzle.split(file) {
        assert!(piece.line > line);
        line = piece.line + piece.text.lines().count().max(1) - 1;
        assert!(line <= count);
        match puzzle.load(&piece.text) {
            Ok(cube) => {
                let alone = input::load(puzzle, &cube.text()).expect("a text that was written");
                assert_eq!(alone.len(), 1);
                assert_eq!(alone[0].instance.text(), cube.text());
            }
            Err(error) => {
                let moved = input::moved(error, piece.line, piece.column);
                assert!(moved.line <= count && moved.column >= 1);
            }
        }
    }
}

fuzz_target!(|text: &str| {
    let (cube, solution) = text.split_once(';').unwrap_or((text, ""));
    agree::<3>("cube", Metric::Quarter, cube, solution);
    agree::<3>("cube(metric=htm)", Metric::Half, cube, solution);
    agree::<2>("cube(size=2)", Metric::Quarter, cube, solution);
    agree::<2>("cube(metric=htm, size=2)", Metric::Half, cube, solution);
    let registry = Registry::new([&FAMILY]).expect("one puzzle");
    for spec in ["cube", "cube(size=2)"] {
        let (_, puzzle) = registry.puzzle(spec).expect("known parameters");
        cut(&*puzzle, cube);
    }
});
