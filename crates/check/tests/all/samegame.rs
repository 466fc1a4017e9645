//! SameGame: points by hand, all plays of small boards, the published solutions of the twenty
//! standard positions, and all kinds of invalid texts.
//!
//! The published positions and solutions are not part of the project. Their folder is named by the
//! environment variable `UNRIDDLE_DATA`; without it the tests that need them print a message and
//! are skipped.

use std::{collections::BTreeMap, fs, io::Write as _, path::PathBuf};
use unriddle_check::{CheckError, Verdict, apply, goal, is_goal, is_known, legal_actions, verify};

const PAPER: &str = "samegame";
const CONTEST: &str = "samegame(score=contest)";
const CLICKOMANIA: &str = "samegame(score=clickomania)";

/// Three groups: the ones on the left, the twos, the ones on the right.
const SMALL: &str = ". . 1\n1 2 1\n1 2 2";

fn why(puzzle: &str, instance: &str, solution: &str) -> String {
    verify(puzzle, instance, solution).expect_err("this is wrong").to_string()
}

fn values(instance: &str, solution: &str) -> [i64; 3] {
    [PAPER, CONTEST, CLICKOMANIA].map(|puzzle| {
        verify(puzzle, instance, solution)
            .unwrap_or_else(|error| panic!("{instance}\n{solution}\n{error}"))
            .value
    })
}

#[test]
fn cells_fall_and_columns_close_up() {
    for (action, after) in [
        ("0,0", ". 1 .\n2 1 .\n2 2 ."),
        ("1,0", ". . .\n1 1 .\n1 1 ."),
        ("2,1", ". . .\n1 2 .\n1 2 2"),
    ] {
        assert_eq!(apply(PAPER, SMALL, action).as_deref(), Ok(after), "{action}");
    }
    // Two neighbouring columns vanish at once; then the first and the third, but for a cell that
    // falls.
    assert_eq!(apply(PAPER, "4..5\n1.13\n2113", "1,0").as_deref(), Ok("4 5 . .\n1 3 . .\n2 3 . ."));
    assert_eq!(apply(PAPER, "4..5\n1.13\n1113", "2,1").as_deref(), Ok(". 5 . .\n. 3 . .\n4 3 . ."));
}

#[test]
fn any_cell_of_a_group_names_it() {
    assert_eq!(legal_actions(PAPER, SMALL), Ok(["0,0", "1,0", "2,1"].map(str::to_owned).to_vec()));
    for group in [&["0,0", "0,1"][..], &["1,0", "1,1", "2,0"], &["2,1", "2,2", "02,002"]] {
        let first = apply(PAPER, SMALL, group[0]);
        assert!(first.is_ok());
        for cell in group {
            assert_eq!(apply(PAPER, SMALL, cell), first, "{cell}");
        }
    }
    // The lowest column first, then the lowest row, although the group reaches lower to the right.
    assert_eq!(
        legal_actions(PAPER, "1 1 2\n2 1 2\n3 1 1"),
        Ok(["0,2", "2,1"].map(str::to_owned).to_vec())
    );
}

#[test]
fn other_rules_of_points_by_hand() {
    // The twos, then the four ones; the ones on the left, and three cells remain.
    let plays = [(SMALL, "1,0 0,0"), ("1 1 2\n1 3 2", "0,0 1,0")];
    for (rule, expected) in [
        ("product", [6 + 12, 6 + 2]),
        ("square", [9 + 16, 9 + 4]),
        ("square-1", [4 + 9, 4 + 1]),
        ("square-2", [1 + 4, 1]),
        ("clicks", [-2, -2 - 1000]),
    ] {
        for ((instance, solution), value) in plays.into_iter().zip(expected) {
            let puzzle = format!("samegame(score={rule})");
            let verdict = verify(&puzzle, instance, solution);
            assert_eq!(verdict.map(|verdict| verdict.value), Ok(value), "{rule}: {solution}");
        }
    }
}

#[test]
fn points_by_hand() {
    assert_eq!(
        verify(PAPER, SMALL, "1,0 0,0"),
        Ok(Verdict {
            // A group of three, one of four, an empty board.
            value: 1 + 4 + 1000,
            length: 2
        })
    );
    for (instance, solution, expected) in [
        (SMALL, "1,0\n1,1\n", [1005, 1005, 0]),
        (SMALL, "0,0 0,0 0,0", [1001, 1001, 0]),
        (SMALL, "2,2 2,0 0,0", [1001, 1001, 0]),
        // One cell is left, and costs one point.
        ("12\n11", "0,0", [0, 1, -1]),
        // Nothing to play: three of a colour cost one point, two nothing, one one point.
        ("1 2 1 2 1", "", [-1, 0, -5]),
        ("1 2 1", "", [-1, 0, -3]),
        ("12\n21", "", [0, 0, -4]),
        ("0", "", [-1, 0, -1]),
        ("0 7 0 7 0\n7 0 7 0 7", "", [-18, 0, -10]),
        // All is gone already.
        (".", "", [1000, 1000, 0]),
        ("- - -\n- - -", " \n", [1000, 1000, 0]),
        ("7777\n7777", "3,1", [1036, 1036, 0]),
    ] {
        assert_eq!(values(instance, solution), expected, "{instance}");
    }
    let full = vec!["5".repeat(32); 32].join("\n");
    let most = 1022 * 1022 + 1000;
    assert_eq!(values(&full, "31,31"), [most, most, 0]);
    assert_eq!(verify("samegame(score=paper)", SMALL, "1,0 0,0"), verify(PAPER, SMALL, "1,0 0,0"));
}

/// Number of cells of each colour.
fn census(text: &str) -> BTreeMap<char, i64> {
    let mut census = BTreeMap::new();
    for colour in text.chars().filter(char::is_ascii_digit) {
        *census.entry(colour).or_insert(0) += 1;
    }
    census
}

/// Plays all that can be played; of every end the rewards, by the cells that vanished, against all
/// scores.
fn play_all(start: &str, now: &str, played: &str, rewards: i64, ends: &mut u64) {
    let actions = legal_actions(PAPER, now).unwrap();
    let left = census(now);
    if actions.is_empty() {
        *ends += 1;
        let cells: i64 = left.values().sum();
        let bonus = if cells == 0 { 1000 } else { 0 };
        let cost: i64 = left.values().map(|n| (n - 2) * (n - 2)).sum();
        let expected = [rewards + bonus - cost, rewards + bonus, -cells];
        assert_eq!(values(start, played), expected, "{start}\n{played}");
    } else {
        let how = verify(PAPER, start, played).unwrap_err();
        assert!(matches!(how, CheckError::NotGoal { .. }), "{how}");
    }
    for action in actions {
        let next = apply(PAPER, now, &action).unwrap();
        let gone = left.values().sum::<i64>() - census(&next).values().sum::<i64>();
        assert!(gone >= 2, "{now}\n{action}");
        let rewards = rewards + (gone - 2) * (gone - 2);
        play_all(start, &next, &format!("{played} {action}"), rewards, ends);
    }
}

/// All boards of `width` columns with 1 to `height` cells each, in up to `colours` colours.
fn boards(width: usize, height: usize, colours: u8) -> Vec<String> {
    let mut columns: Vec<Vec<u8>> = Vec::new();
    let mut last = vec![Vec::new()];
    for _ in 0..height {
        let grown = |column: &Vec<u8>| {
            let colours = 0..colours;
            colours.map(|colour| [column.as_slice(), &[colour]].concat()).collect::<Vec<_>>()
        };
        last = last.iter().flat_map(grown).collect();
        columns.extend(last.iter().cloned());
    }
    let count = columns.len().pow(width as u32);
    let board = |number: usize| {
        let mut rows = String::new();
        for y in (0..height).rev() {
            for x in 0..width {
                let column = &columns[number / columns.len().pow(x as u32) % columns.len()];
                let colour = column.get(y);
                rows += &colour.map_or(".".to_owned(), |colour| colour.to_string());
            }
            rows.push('\n');
        }
        rows
    };
    (0..count).map(board).collect()
}

#[test]
fn all_plays_of_small_boards_by_every_score() {
    for (width, height, colours, expected) in [(3, 2, 2, 216), (2, 3, 3, 1521), (4, 2, 2, 1296)] {
        let all = boards(width, height, colours);
        assert_eq!(all.len(), expected);
        let mut ends = 0;
        for board in &all {
            play_all(board, board, "", 0, &mut ends);
        }
        assert!(ends > expected as u64, "{ends}");
    }
}

#[test]
fn an_end_is_where_no_group_is_left() {
    assert_eq!(
        verify(PAPER, SMALL, "0,0"),
        Err(CheckError::NotGoal {
            length: 1,
            how: "2 groups are left, the first at 0,0".to_owned()
        })
    );
    assert_eq!(
        why(PAPER, SMALL, ""),
        "after 0 moves the goal is not reached: 3 groups are left, the first at 0,0"
    );
    assert_eq!(
        why(CLICKOMANIA, SMALL, "1,0"),
        "after 1 move the goal is not reached: 1 group is left, at 0,0"
    );
    assert_eq!((is_goal(PAPER, SMALL), is_goal(PAPER, "12\n21")), (Ok(false), Ok(true)));
    assert_eq!(goal(PAPER, SMALL), Ok(None));
    assert!(is_known(PAPER) && is_known(CONTEST));
}

#[test]
fn both_forms_of_rows_titles_and_comments() {
    let wanted = apply(PAPER, SMALL, "1,0");
    for same in [
        "..1\n121\n122",
        "--1\n1 2\t1\n122\n",
        "position 1\n. . 1\n1 2 1\n1 2 2\n\n",
        "# from a book\r\n\r\nPosition of 3×3 cells\r\n\r\n- - 1\r\n1 2 1\r\n# the last row\r\n1 2 2\r\n",
        "  . . 1  \n  1 2 1\n  1 2 2  \n\n# end\n\n",
        "a\n..1\n121\n122",
    ] {
        assert_eq!(apply(PAPER, same, "1,0"), wanted, "{same}");
    }
    // Rows and columns that are all empty belong to the board, and stay.
    assert_eq!(apply(PAPER, "....\n11.-", "0,0").as_deref(), Ok(". . . .\n. . . ."));
}

#[test]
fn illegal_moves_are_named_by_number_and_rule() {
    for (solution, message) in [
        ("1,0 2,0", "move 2 (`2,0`) is illegal: the cell is empty"),
        ("0,2", "move 1 (`0,2`) is illegal: the cell is empty"),
        ("3,0", "move 1 (`3,0`) is illegal: the board has 3 columns and 3 rows"),
        ("0,3", "move 1 (`0,3`) is illegal: the board has 3 columns and 3 rows"),
        (
            "18446744073709551615,18446744073709551615",
            "move 1 (`18446744073709551615,18446744073709551615`) is illegal: the board has 3 columns and 3 rows",
        ),
    ] {
        assert_eq!(why(PAPER, SMALL, solution), message);
    }
    assert_eq!(
        why(PAPER, "11\n23", "0,1 0,0"),
        "move 2 (`0,0`) is illegal: no cell beside it has its colour"
    );
    // Corners do not connect, and colours are not mixed.
    assert_eq!(
        why(PAPER, "12\n21", "0,0"),
        "move 1 (`0,0`) is illegal: no cell beside it has its colour"
    );
    assert_eq!(
        apply(PAPER, SMALL, "x").map_err(|error| error.to_string()),
        Err("move 1 (`x`) is illegal: a move is column,row, counted from 0 at the bottom left"
            .to_owned())
    );
}

#[test]
fn texts_that_are_no_moves() {
    for word in [
        "1",
        ",",
        "1,",
        ",1",
        "1,1,1",
        "-1,0",
        "+1,0",
        "1;1",
        "1.0,1",
        "a,b",
        "pos",
        "99999999999999999999,0",
        "٣,٠",
    ] {
        let shown: String = word.chars().take(20).collect();
        assert_eq!(
            why(PAPER, SMALL, &format!("1,0 {word}")),
            format!(
                "solution: word 2 is `{shown}`; a move is column,row, counted from 0 at the bottom left"
            )
        );
    }
    assert!(why(PAPER, SMALL, "1, 0").starts_with("solution: word 1 is `1,`"));
}

#[test]
fn texts_that_are_no_board() {
    let wide = "1".repeat(33);
    let wide_words = ["1"; 33].join(" ");
    let high = "1\n".repeat(33);
    for (instance, message) in [
        ("", "there are no rows"),
        ("position 1", "there are no rows"),
        ("# 1 2 3\n\n", "there are no rows"),
        ("1 2 3\n1 2", "line 2 has 2 cells, but the first row has 3"),
        ("12\n# -\n1", "line 3 has 1 cell, but the first row has 2"),
        ("1\n12", "line 2 has 2 cells, but the first row has 1"),
        ("1 2 x", "line 1, cell 3 is `x`; expected a colour from 0 to 7, or . for an empty cell"),
        ("12\n1a", "line 2, cell 2 is `a`; expected a colour from 0 to 7, or . for an empty cell"),
        (
            "first\nsecond\n11",
            "line 2, cell 1 is `s`; expected a colour from 0 to 7, or . for an empty cell",
        ),
        (
            "11\nposition 2\n11",
            "line 2, cell 1 is `position`; expected a colour from 0 to 7, or . for an empty cell",
        ),
        ("1 -1", "line 1, cell 2 is `-1`; expected a colour from 0 to 7, or . for an empty cell"),
        ("1 02", "line 1, cell 2 is `02`; expected a colour from 0 to 7, or . for an empty cell"),
        ("1,2,3", "line 1, cell 2 is `,`; expected a colour from 0 to 7, or . for an empty cell"),
        ("1 2 # 3", "line 1, cell 3 is `#`; expected a colour from 0 to 7, or . for an empty cell"),
        ("1 ³", "line 1, cell 2 is `³`; expected a colour from 0 to 7, or . for an empty cell"),
        (
            "1 \u{7}",
            "line 1, cell 2 is `\\u{7}`; expected a colour from 0 to 7, or . for an empty cell",
        ),
        ("128", "line 1, cell 3 has colour 8, but colours end at 7"),
        ("1 9 2", "line 1, cell 2 has colour 9, but colours end at 7"),
        ("1 12 2", "line 1, cell 2 has colour 12, but colours end at 7"),
        (
            "1 99999999999999999999999999",
            "line 1, cell 2 has colour 99999999999999999999, but colours end at 7",
        ),
        (&wide, "line 1 has 33 cells, but a row has at most 32"),
        (&wide_words, "line 1 has 33 cells, but a row has at most 32"),
        (&high, "line 33 is one row too many: a board has at most 32"),
        ("1 2\n. 2", "cell 0,1 floats: the cell below it is empty"),
        ("12\n.2\n12", "cell 0,2 floats: the cell below it is empty"),
        ("1.1\n111\n1.1", "cell 1,1 floats: the cell below it is empty"),
        (".1\n.1", "column 0 is empty, but column 1 to its right is not"),
        ("1..1", "column 1 is empty, but column 3 to its right is not"),
        ("11\n\n11", "line 2 is blank, but rows follow in line 3"),
    ] {
        assert_eq!(why(PAPER, instance, ""), format!("instance: {message}"), "{instance:?}");
    }
}

#[test]
fn parameters_that_are_not_known() {
    assert_eq!(
        why("samegame(score=best)", SMALL, ""),
        "puzzle: the score of samegame is paper, contest, clickomania, product, square, square-1, square-2 or clicks, not `best`"
    );
    assert_eq!(
        why("samegame(colours=5)", SMALL, ""),
        "puzzle: samegame has no parameter `colours`"
    );
}

/// The file of the twenty positions and the file of their solutions. Without them, prints a message
/// and returns `None`.
fn published() -> Option<[String; 2]> {
    let Some(folder) = std::env::var_os("UNRIDDLE_DATA") else {
        // Not `eprintln!`: the test harness would swallow it.
        let _ =
            writeln!(std::io::stderr(), "SKIPPED: samegame/jsgames20 (UNRIDDLE_DATA is not set)");
        return None;
    };
    Some(["jsgames20.txt", "solutions_nan0S.txt"].map(|name| {
        let path = PathBuf::from(&folder).join("samegame").join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }))
}

#[test]
fn published_solutions_of_the_twenty_positions() {
    let Some([positions, solutions]) = published() else {
        return;
    };
    // Every position with its title; the comments above the first one are removed with the text
    // before it.
    let positions: Vec<String> =
        positions.split("position ").skip(1).map(|text| format!("position {text}")).collect();
    let solutions: Vec<&str> =
        solutions.lines().filter_map(|line| line.strip_prefix("pos ")).collect();
    assert_eq!((positions.len(), solutions.len()), (20, 20));
    let mut totals = [0; 3];
    for (number, (position, solution)) in (1..).zip(positions.iter().zip(solutions)) {
        let (which, moves) = solution.split_once(": ").expect("a number and moves");
        assert_eq!(which, number.to_string());
        for (total, value) in totals.iter_mut().zip(values(position, moves)) {
            *total += value;
        }
        // Without the last move the play is not over, or worth something else.
        let (shorter, _) = moves.rsplit_once(' ').expect("many moves");
        assert_ne!(verify(PAPER, position, shorter), verify(PAPER, position, moves));
    }
    // Two of the boards are not emptied: 30 cells are left on the tenth, 19 on the last.
    assert_eq!(totals, [72_664, 72_819, -49]);
}
