//! Texts of boards that people of the field write, and the two readers of texts against each other.

use proptest::prelude::*;
use std::sync::LazyLock;
use unriddle_catalog::{AnyPuzzle, Registry, input};
use unriddle_check as check;
use unriddle_tiles::{FAMILY, Goal, parse::parse};

fn puzzle(spec: &str) -> Box<dyn AnyPuzzle> {
    Registry::new([&FAMILY]).unwrap().puzzle(spec).unwrap().1
}

/// A file is one instance, which a solution solves, by both sets of rules.
#[test]
fn files_of_courses_and_libraries_are_one_board() {
    for (spec, file, text, solution) in [
        // Rows, also of side 4: no boards of side 2.
        ("tiles", "1 2 3\n4 5 6\n0 7 8\n", "1 2 3 4 5 6 0 7 8", "LL"),
        (
            "tiles",
            " 1  2  3  4\n 5  6  0  8\n 9 10  7 11\n13 14 15 12\n",
            "1 2 3 4 5 6 0 8 9 10 7 11 13 14 15 12",
            "ULU",
        ),
        // A comment, the size, and rows with comments.
        ("tiles", "# course\n3\n1 2 3 # first\n0 5 6\n4 7 8\n", "1 2 3 0 5 6 4 7 8", "ULL"),
        ("tiles", "3\n 1  2  3\n 0  5  6\n 4  7  8\n\n", "1 2 3 0 5 6 4 7 8", "ULL"),
        ("tiles", "123056478", "1 2 3 0 5 6 4 7 8", "ULL"),
        ("tiles", "1 2 3\n4 5 6\n7 0 8", "1 2 3 4 5 6 7 0 8", "left"),
        // The spiral.
        ("tiles(goal=snail)", "3\n1 2 3\n8 6 4\n7 0 5\n", "1 2 3 8 6 4 7 0 5", "D"),
        (
            "tiles(goal=snail)",
            "4\n1 2 3 4\n12 13 14 5\n11 15 0 6\n10 9 8 7",
            "1 2 3 4 12 13 14 5 11 15 0 6 10 9 8 7",
            "r3c2",
        ),
        // Boards that are no squares.
        ("tiles", "1 2 3\n4 0 5\n", "1 2 3 / 4 0 5", "L"),
        ("tiles", "1 2\n3 0\n5 4\n", "1 2 / 3 0 / 5 4", "4"),
        ("tiles(goal=blank-first)", "1 0 2\n3 4 5\n", "1 0 2 / 3 4 5", "R"),
        ("tiles(goal=snail)", "1 2 3\n5 0 4\n", "1 2 3 / 5 0 4", "R"),
    ] {
        let puzzle = puzzle(spec);
        let named = input::load(&*puzzle, file).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(named.len(), 1, "{file}");
        let instance = &named[0].instance;
        assert_eq!(instance.text(), text);
        let verdict = check::verify(spec, text, solution).map(|found| (found.value, found.length));
        assert_eq!(instance.replay(solution).ok(), verdict.ok(), "{file}");
        assert!(instance.replay(solution).is_ok(), "{file}");
    }
    // A spiral is unsolvable where the blank belongs last.
    assert!(parse("1 2 3\n8 6 4\n7 0 5", Goal::BlankLast).unwrap().solvable.is_err());
}

/// Spec, goal and puzzle.
type Known = (String, Goal, Box<dyn AnyPuzzle>);

static PUZZLES: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let puzzle = |(goal, name)| {
        let spec = format!("tiles(goal={name})");
        let puzzle = puzzle(&spec);
        (spec, goal, puzzle)
    };
    Goal::ALL.into_iter().zip(Goal::NAMES).map(puzzle).collect()
});

/// The text of a board in pieces that forms consist of.
fn texts() -> impl Strategy<Value = String> {
    let sign = prop_oneof![
        8 => Just(" "),
        4 => Just("\n"),
        3 => Just(","),
        2 => Just("/"),
        1 => Just("|"),
        1 => Just("["),
        1 => Just("]"),
        1 => Just("\t"),
        1 => Just("_"),
    ];
    let board = prop_oneof![Just(4u8), Just(6), Just(8), Just(9), Just(12), Just(16)]
        .prop_flat_map(|cells| Just((0..cells).collect::<Vec<_>>()).prop_shuffle());
    (board, prop::collection::vec(sign, 1..5), 1usize..5, 0usize..20).prop_map(
        |(cells, signs, columns, odd)| {
            let mut text = String::new();
            for (i, cell) in cells.iter().enumerate() {
                if i > 0 {
                    let is_end = i.is_multiple_of(columns);
                    text.push_str(if is_end { signs[0] } else { signs[signs.len() - 1] });
                }
                if i == odd {
                    text.push_str(signs[signs.len() / 2]);
                }
                text.push_str(&cell.to_string());
            }
            text
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// The checker reads all texts of the puzzle, and the same board where it reads the text
    /// itself; both replay a solution with the same result.
    #[test]
    fn both_readers_agree(text in texts(), solution in "([UDLRudlr]|up|right|[1-8]| |r[1-3]c[1-3]){0,6}") {
        for (spec, goal, puzzle) in &*PUZZLES {
            let Ok(instance) = puzzle.load(&text) else { continue };
            let parsed = parse(&text, *goal).unwrap();
            prop_assert_eq!(parsed.cells.len(), parsed.shape.cells());
            let canonical = instance.text();
            let after = |text: &str| {
                let actions = check::legal_actions(spec, text).ok()?;
                check::apply(spec, text, actions.first()?).ok()
            };
            let expected = after(&canonical);
            prop_assert!(expected.is_some(), "{}", canonical);
            if let Some(found) = after(&text) {
                prop_assert_eq!(Some(found), expected);
            }
            let replayed = instance.replay(&solution).ok();
            let verdict = check::verify(spec, &canonical, &solution).ok();
            prop_assert_eq!(replayed, verdict.map(|found| (found.value, found.length)));
        }
    }

    /// Every piece of a file is read or refused by itself.
    #[test]
    fn files_are_cut_into_pieces(files in prop::collection::vec(texts(), 1..4)) {
        let file = files.join("\n\n");
        let (_, _, puzzle) = &PUZZLES[0];
        for piece in puzzle.split(&file) {
            prop_assert!(piece.line >= 1 && !piece.text.trim().is_empty());
            let _ = puzzle.load(&piece.text);
        }
    }
}
