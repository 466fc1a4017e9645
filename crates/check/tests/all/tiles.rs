//! Sliding tiles: right solutions, and every way in which one can be wrong.

use unriddle_check::{CheckError, Verdict, apply, goal, is_goal, is_known, legal_actions, verify};

/// Either of the two positions farthest from the goal: 31 moves.
const HARD: &str = "8 6 7 2 5 4 3 0 1";

/// A solution by a search that knows nothing of the crate's inside.
fn solve(puzzle: &str, instance: &str) -> Option<String> {
    let mut seen = std::collections::HashSet::from([instance.to_owned()]);
    let mut queue = std::collections::VecDeque::from([(instance.to_owned(), String::new())]);
    while let Some((state, path)) = queue.pop_front() {
        if is_goal(puzzle, &state).ok()? {
            return Some(path);
        }
        for action in legal_actions(puzzle, &state).ok()? {
            let next = apply(puzzle, &state, &action).ok()?;
            if seen.insert(next.clone()) {
                queue.push_back((next, format!("{path}{action}")));
            }
        }
    }
    None
}

fn why(puzzle: &str, instance: &str, solution: &str) -> String {
    verify(puzzle, instance, solution).expect_err("this is wrong").to_string()
}

#[test]
fn the_letter_is_the_direction_of_the_tile() {
    //  1 2 3      the tile below the blank is 8, above 2, to the right 6, to the left 4
    //  4 0 6
    //  7 8 5
    let start = "1 2 3 4 0 6 7 8 5";
    for (action, after) in [
        ("U", "1 2 3 4 8 6 7 0 5"),
        ("D", "1 0 3 4 2 6 7 8 5"),
        ("L", "1 2 3 4 6 0 7 8 5"),
        ("R", "1 2 3 0 4 6 7 8 5"),
    ] {
        assert_eq!(apply("tiles", start, action).as_deref(), Ok(after));
    }
}

#[test]
fn the_farthest_position_takes_31_moves() {
    let path = solve("tiles", HARD).expect("solvable");
    assert_eq!(verify("tiles", HARD, &path), Ok(Verdict { value: 31, length: 31 }));
    // White space in the solution and commas in the instance mean nothing.
    let spaced: String = path.chars().flat_map(|c| [c, ' ']).collect();
    assert_eq!(
        verify("tiles", "8,6,7, 2 5 4\n3,0,1\n", &format!("{spaced}\n")).map(|v| v.length),
        Ok(31)
    );
}

#[test]
fn every_corruption_of_a_shortest_solution_is_seen() {
    let path = solve("tiles", HARD).expect("solvable");
    for i in 0..path.len() {
        for letter in "UDLR".chars() {
            let mut corrupt: Vec<char> = path.chars().collect();
            if std::mem::replace(&mut corrupt[i], letter) != letter {
                let corrupt: String = corrupt.into_iter().collect();
                assert!(verify("tiles", HARD, &corrupt).is_err(), "{corrupt}");
            }
        }
        let mut shorter = path.clone();
        shorter.remove(i);
        assert!(verify("tiles", HARD, &shorter).is_err(), "{shorter}");
    }
}

#[test]
fn both_goals() {
    assert_eq!(verify("tiles", "1 2 3 0", "").map(|v| v.length), Ok(0));
    assert_eq!(verify("tiles(goal=blank-last)", "1 2 3 0", "").map(|v| v.value), Ok(0));
    assert_eq!(verify("tiles(goal=blank-first)", "1 0 2 3", "R").map(|v| v.value), Ok(1));
    assert_eq!(goal("tiles", "3 2 1 0"), Ok(Some("1 2 3 0".to_owned())));
    assert_eq!(goal("tiles(goal=blank-first)", "3 2 1 0"), Ok(Some("0 1 2 3".to_owned())));
    assert_eq!(is_goal("tiles", "1 2 3 0"), Ok(true));
    assert_eq!(is_goal("tiles(goal=blank-first)", "1 2 3 0"), Ok(false));
    assert_eq!(
        why("tiles(goal=blank-first)", "1 2 3 0", ""),
        "after 0 moves the goal is not reached: row 1, column 1 holds 1 where 0 belongs, and 3 more cells are wrong"
    );
}

#[test]
fn every_size_from_2_to_8() {
    for n in 2..=8u64 {
        let goal_text: Vec<String> = (1..n * n).chain([0]).map(|t| t.to_string()).collect();
        let start = goal_text.join(" ");
        assert_eq!(
            verify("tiles", &start, "DU RL DRLU"),
            Ok(Verdict { value: 8, length: 8 }),
            "{n}"
        );
        assert_eq!(legal_actions("tiles", &start), Ok(vec!["D".to_owned(), "R".to_owned()]));
    }
}

#[test]
fn half_of_the_positions_are_out_of_reach() {
    assert_eq!(solve("tiles", "2 1 3 0"), None);
    assert!(solve("tiles", "3 1 2 0").is_some());
}

#[test]
fn illegal_moves_are_named_by_number_and_rule() {
    let start = "1 2 3 4 5 6 7 0 8";
    assert_eq!(
        verify("tiles", start, "DDUD"),
        Err(CheckError::NotGoal {
            length: 4,
            how: "row 1, column 2 holds 0 where 2 belongs, and 3 more cells are wrong".to_owned()
        })
    );
    assert_eq!(
        verify("tiles", start, "DDD"),
        Err(CheckError::Illegal {
            number: 3,
            action: "D".to_owned(),
            why: "the blank is in row 1, column 2, and no tile is above it".to_owned()
        })
    );
    for (solution, rest) in [("U", "below it"), ("LL", "to its right"), ("RR", "to its left")] {
        let message = why("tiles", start, solution);
        assert!(message.starts_with(&format!("move {} (`", solution.len())), "{message}");
        assert!(message.contains(&format!("no tile is {rest}")), "{message}");
    }
    assert_eq!(
        why("tiles", start, "D"),
        "after 1 move the goal is not reached: row 2, column 2 holds 0 where 5 belongs, and 2 more cells are wrong"
    );
    assert_eq!(
        apply("tiles", start, "X").map_err(|e| e.to_string()),
        Err("move 1 (`X`) is illegal: the moves are U, D, L and R".to_owned())
    );
}

#[test]
fn texts_that_are_no_board_or_no_moves() {
    for (instance, message) in [
        ("", "instance: 0 numbers are no square board of side 2 to 8"),
        ("0", "instance: 1 numbers are no square board of side 2 to 8"),
        ("1 2 3 4 5 6 7 0", "instance: 8 numbers are no square board of side 2 to 8"),
        ("1 2 3 3", "instance: 0 is missing"),
        ("1 1 3 0", "instance: 1 occurs 2 times"),
        ("1 2 4 0", "instance: 3 is missing"),
        ("1 2 0 0", "instance: 0 occurs 2 times"),
        ("1 2 x 0", "instance: entry 3 is `x`, which is not a whole number"),
        ("1 2 -3 0", "instance: entry 3 is `-3`, which is not a whole number"),
        ("1 2 +3 0", "instance: entry 3 is `+3`, which is not a whole number"),
        (
            "1 2 99999999999999999999 0",
            "instance: entry 3 is `99999999999999999999`, which is not a whole number",
        ),
    ] {
        assert_eq!(why("tiles", instance, ""), message, "{instance}");
    }
    assert_eq!(
        why("tiles", "1 2 3 0", "R w"),
        "solution: character 3 is `w`; the moves are U, D, L and R"
    );
    let nine = (0..81).map(|t| t.to_string()).collect::<Vec<_>>().join(" ");
    assert!(why("tiles", &nine, "").contains("81 numbers"));
}

#[test]
fn rectangles_have_rows() {
    let start = "1 2 3 4 / 5 6 0 7";
    assert_eq!(verify("tiles", start, "L").map(|v| v.value), Ok(1));
    assert_eq!(apply("tiles", start, "D"), Ok("1 2 0 4 / 5 6 3 7".to_owned()));
    assert_eq!(goal("tiles", "0 1/2 3/4 5"), Ok(Some("1 2 / 3 4 / 5 0".to_owned())));
    assert_eq!(
        goal("tiles(goal=blank-first)", "5 1/2 3/4 0"),
        Ok(Some("0 1 / 2 3 / 4 5".to_owned()))
    );
    let path = solve("tiles", "1 0 / 4 2 / 3 5").expect("solvable");
    assert_eq!(verify("tiles", "1 0 / 4 2 / 3 5", &path).map(|v| v.length), Ok(path.len() as u64));
    for (instance, message) in [
        ("1 2 3 / 4 0", "instance: row 2 has 2 numbers, but row 1 has 3"),
        ("1 2 3 0 /", "instance: row 2 has 0 numbers, but row 1 has 4"),
        (
            "1/2/3/0",
            "instance: 4 rows of 1 are no board of 2 or more rows and columns and at most 64 cells",
        ),
        ("1 2 / 3 4", "instance: 0 is missing"),
    ] {
        assert_eq!(why("tiles", instance, ""), message, "{instance}");
    }
}

#[test]
fn spirals_are_goals() {
    let snail = "tiles(goal=snail)";
    for (instance, expected) in [
        ("0 1 2 3", "1 2 0 3"),
        ("0 1 2 3 4 5 6 7 8", "1 2 3 8 0 4 7 6 5"),
        ("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", "1 2 3 4 12 13 14 5 11 0 15 6 10 9 8 7"),
        ("0 1 2/3 4 5", "1 2 3 / 0 5 4"),
        ("0 1/2 3/4 5", "1 2 / 0 3 / 5 4"),
        ("0 1 2 3 4/5 6 7 8 9/10 11 12 13 14", "1 2 3 4 5 / 12 13 14 0 6 / 11 10 9 8 7"),
    ] {
        assert_eq!(goal(snail, instance), Ok(Some(expected.to_owned())));
    }
    assert_eq!(verify(snail, "1 2 3 8 4 0 7 6 5", "R").map(|v| v.value), Ok(1));
    assert!(verify("tiles", "1 2 3 8 4 0 7 6 5", "R").is_err());
}

#[test]
fn moves_may_be_words_numbers_and_positions() {
    let start = "1 2 3 4 0 5 7 8 6";
    for solution in
        ["LU", "l u", "left, UP", "['Left', 'Up']", "← ↑", "5 6", "r2c3 r3c3", "5, up", "R2C3u"]
    {
        let right = verify("tiles", start, solution).map(|verdict| verdict.length);
        match solution {
            "R2C3u" => assert!(right.is_err()),
            _ => assert_eq!(right, Ok(2), "{solution}"),
        }
    }
    assert_eq!(
        why("tiles", start, "5 7"),
        "move 2 (`7`) is illegal: the blank is in row 2, column 3, and tile 7 is not beside it"
    );
    assert_eq!(
        why("tiles", start, "r1c1"),
        "move 1 (`r1c1`) is illegal: the blank is in row 2, column 2, and row 1, column 1 is not beside it"
    );
}

#[test]
fn moves_of_the_blank_are_recognised() {
    let rule = "but U, D, L and R are moves of a tile: exchange U with D and L with R";
    assert_eq!(
        why("tiles", "1 2 3 4 5 6 0 7 8", "RR"),
        format!(
            "move 1 (`R`) is illegal: the blank is in row 3, column 1, and no tile is to its left; read as moves of \
             the blank, all moves are legal, {rule}"
        )
    );
    let message = why("tiles", "1 2 3 4 0 5 7 8 6", "RD");
    assert!(message.ends_with(&format!("read as moves of the blank, the moves reach it, {rule}")));
    assert!(!why("tiles", "1 2 3 4 0 5 7 8 6", "RU").contains("of the blank"));
}

#[test]
fn puzzles_that_are_not_known() {
    assert!(is_known("tiles") && is_known("tiles(goal=blank-first)"));
    assert!(!is_known("chess") && !is_known("") && !is_known("tiles("));
    assert!(
        why("chess", "", "").starts_with("puzzle: there are no rules for `chess` (only for tiles")
    );
    assert_eq!(
        why("tiles(goal=centre)", "1 2 3 0", ""),
        "puzzle: the goal of tiles is blank-last, blank-first or snail, not `centre`"
    );
    assert_eq!(why("tiles(size=3)", "1 2 3 0", ""), "puzzle: tiles have no parameter `size`");
}
