//! `check`: solutions replayed by the independent checker.

use crate::place::{EASY, HARDEST, ODD, Place, field, puzzles};

#[test]
fn right_and_wrong_solutions() {
    let place = Place::new();
    assert_eq!(place.run(&["check", "tiles", EASY, "L"]).good(), "1: right: 1 move\n");
    let ran = place.run(&["check", "tiles", EASY, "R"]);
    assert!(ran.out.starts_with("1: WRONG: after 1 move the goal is not reached"), "{}", ran.out);
    assert_eq!(ran.bad(30), "1 of 1 solutions wrong");
    // The other goal: the same board, the same move, another answer.
    place.run(&["check", "tiles(goal=blank-first)", EASY, "L"]).bad(30);
}

/// Output about the records of [`records`].
const ALL: &str = "1: right: 31 moves, optimality claimed, not checked\n\
                   2: right: 1 move, optimality claimed, not checked\n\
                   3: no solution to check: unsolvability is claimed, not checked\n";

/// The records of two solved boards and one without a solution.
fn records(place: &Place) -> String {
    place.run(&["solve", "tiles", HARDEST, EASY, ODD, "--format", "jsonl"]).good()
}

#[test]
fn records_are_checked_again() {
    let place = Place::new();
    place.write("records", records(&place));
    let ran = place.run(&["check", "--file", "records"]);
    assert_eq!(
        ran.err,
        "2 solutions: 2 right; 1 record without a solution; 2 with claims of bounds that are not checked\n"
    );
    assert_eq!(ran.good(), ALL);
    // From standard input, and as an array.
    assert_eq!(place.feed(&["check", "--file", "-"], &records(&place)).code, Some(0));
    let array = place.run(&["solve", "tiles", HARDEST, EASY, ODD, "--format", "json"]).good();
    assert_eq!(place.feed(&["check", "--file", "-"], &array).good(), ALL);
    let line = place.run(&["check", "--file", "records", "--format", "jsonl"]).good();
    assert_eq!(
        line.lines().next(),
        Some(
            r#"{"id":"1","puzzle":"tiles","checked":true,"value":31,"length":31,"proof":"claimed","certified":null,"reason":null}"#
        )
    );
    let table = place.run(&["check", "--file", "records", "--format", "csv"]).good();
    assert_eq!(
        table,
        "id,puzzle,checked,value,length,proof,certified,reason\n1,tiles,true,31,31,claimed,,\n2,tiles,true,1,1,claimed,,\n\
         3,tiles,,,,claimed,,\n"
    );
}

#[test]
fn a_corrupted_move_value_or_length_is_found() {
    let place = Place::new();
    let good = records(&place);
    let solution = field(good.lines().next().expect("a record"), "solution");
    // Every single move, turned into its opposite, must be noticed.
    for (i, letter) in solution.char_indices().filter(|(_, c)| *c != '"') {
        let opposite = match letter {
            'U' => "D",
            'D' => "U",
            'L' => "R",
            _ => "L",
        };
        let mut wrong = solution.clone();
        wrong.replace_range(i..=i, opposite);
        let ran = place
            .feed(&["check", "--file", "-", "--format", "jsonl"], &good.replace(&solution, &wrong));
        assert_eq!(field(ran.out.lines().next().expect("a result"), "checked"), "false");
        assert_eq!(field(ran.out.lines().nth(1).expect("a result"), "checked"), "true");
        assert_eq!(ran.bad(30), "1 of 2 solutions wrong", "move {i}");
    }
    for (from, to, reason) in [
        (
            r#""value":31"#,
            r#""value":30"#,
            "the record claims value 30 and length 31, but they are 31 and 31",
        ),
        (
            r#""length":31"#,
            r#""length":32"#,
            "the record claims value 31 and length 32, but they are 31 and 31",
        ),
    ] {
        let ran = place.feed(&["check", "--file", "-"], &good.replacen(from, to, 1));
        assert_eq!(ran.out.lines().next(), Some(&*format!("1: WRONG: {reason}")));
        ran.bad(30);
    }
}

#[test]
fn invalid_records_are_rejected() {
    let place = Place::new();
    let check = |input: &str| place.feed(&["check", "--file", "-"], input).bad(31);
    assert_eq!(check(""), "standard input: the file contains no record");
    assert_eq!(check("[]"), "standard input: the file contains no record");
    assert_eq!(
        check(&format!("{}{{\"id\":\"1\"}}\n", records(&place))),
        "standard input, line 4, column 10: not a record: missing field `puzzle`"
    );
    assert_eq!(
        check("[\n1]"),
        "standard input, line 2, column 1: not a record: invalid type: integer `1`, expected a record"
    );
}

/// A record of a puzzle that the program does not know is neither right nor wrong. The other
/// records are checked.
#[test]
fn records_of_unknown_puzzles_are_neither_right_nor_wrong() {
    let unknown = format!(
        "a: NOT CHECKED: the record is of the puzzle `cubes`, which this program does not know (known: {})\n",
        puzzles()
    );
    let place = Place::new();
    let foreign = r#"{"id":"a","puzzle":"cubes(n=3)","instance":"","solution":"U"}"#;
    let ran = place.feed(&["check", "--file", "-"], foreign);
    assert_eq!(ran.out, unknown);
    assert_eq!(ran.bad(31), "1 of 1 solutions are of unknown puzzles");
    let beside = format!("{foreign}\n{}", records(&place));
    let ran = place.feed(&["check", "--file", "-"], &beside);
    assert_eq!(ran.out, format!("{unknown}{ALL}"));
    assert_eq!(
        ran.err.lines().next(),
        Some(
            "3 solutions: 2 right, 1 of unknown puzzles; 1 record without a solution; 2 with claims of bounds that are not checked"
        )
    );
    ran.bad(31);
    let line = place.feed(&["check", "--file", "-", "--format", "jsonl"], foreign).out;
    assert_eq!(field(&line, "checked"), "null");
    // A wrong record determines the exit code.
    let wrong = beside.replace(r#""value":31"#, r#""value":30"#);
    place.feed(&["check", "--file", "-"], &wrong).bad(30);
}
