//! SameGame at the command line: titled boards, points, limits, wrong boards.

use crate::place::{Place, field};

const BOARDS: &str = "position 1\n0 1 1\n0 0 1\n\nposition 22\n1 1 0\n2 1 0\n";

#[test]
fn titled_boards_are_solved_for_points() {
    let place = Place::new();
    place.write("boards", BOARDS);
    let solver = "astar(one-group-each)";
    let arguments =
        ["solve", "samegame", "--file", "boards", "--solver", solver, "--format", "jsonl"];
    let lines = place.run(&arguments).good();
    let found: Vec<_> = lines
        .lines()
        .map(|line| {
            (field(line, "id"), field(line, "status"), field(line, "value"), field(line, "checked"))
        })
        .collect();
    let expected = |id: &str, value: &str| {
        let text = |word: &str| format!("\"{word}\"");
        (text(id), text("optimal"), value.to_owned(), "true".to_owned())
    };
    // Two groups of three clear the first; of the second a single cell stays.
    assert_eq!(found, [expected("1", "1002"), expected("22", "0")]);
    let solution = "0,0 0,0";
    let checked = place.run(&["check", "samegame", "0 1 1\n0 0 1", solution]).good();
    assert!(checked.contains("1002") || checked.contains("1,002"), "{checked}");
    let drawn = place
        .run(&["show", "samegame", "0 1 1\n0 0 1", "--solution", solution, "--at", "1"])
        .good();
    assert!(drawn.contains(" 1  1 .") || drawn.contains(" 1 1"), "{drawn}");
    let wrong = place.run(&["check", "samegame", "0 1 1\n0 0 1", "2,0 2,0"]);
    assert!(wrong.out.contains("move 2 (`2,0`) is illegal"), "{}", wrong.out);
    wrong.bad(30);
}

#[test]
fn limits_and_seeds() {
    let place = Place::new();
    let boards = place.run(&["generate", "samegame", "-n", "2", "--seed", "5"]).good();
    place.write("two", &boards);
    let solve = |more: &[&str]| {
        let fixed = ["solve", "samegame", "--file", "two", "--format", "jsonl", "--seed", "3"];
        place.run(&[&fixed[..], more].concat())
    };
    let one = ["--solver", "nrpa", "--max-expansions", "1"];
    let lines = solve(&one).good();
    for line in lines.lines() {
        assert_eq!((field(line, "expanded"), field(line, "checked")), ("1".into(), "true".into()));
        assert_eq!(field(line, "stopped_by"), "\"expansions\"");
    }
    let values = |jobs| {
        let more = ["--preset", "fast", "--jobs", jobs];
        let lines = solve(&more).good();
        let value = |line: &str| (field(line, "value"), field(line, "solution"));
        lines.lines().map(value).collect::<Vec<_>>()
    };
    assert_eq!(values("1"), values("2"));
    solve(&["--preset", "best", "--time", "0s"]).bad(20);
}

#[test]
fn wrong_boards_are_refused() {
    let place = Place::new();
    let refused = |text: &str| place.feed(&["solve", "samegame", "-"], text).bad(31);
    for (text, part) in [
        ("0 1\n0 1 2\n", "line 2, column 1: this row has 3 cells, the first one 2"),
        ("0 1\n0 x\n", "line 2, column 3: expected a colour (0 to 7) or . for no cell, found `x`"),
        ("0 9\n", "there are colours 0 to 7, found 9"),
        ("title\n", "there is no row of cells in it"),
        ("1\n.\n", "this cell has no cell beneath it"),
    ] {
        let message = refused(text);
        assert!(message.contains(part), "{text:?}: {message}");
    }
    let finished = place.run(&["solve", "samegame", "0 1\n1 2"]).good();
    assert!(finished.contains("-2 points (already solved), proved optimal, checked"), "{finished}");
    let message = place.run(&["solve", "samegame", "0 0", "--solver", "idastar(manhattan)"]).bad(2);
    assert!(message.contains("one-group-each"), "{message}");
}

#[test]
fn a_bound_of_a_score_is_an_upper_one() {
    let place = Place::new();
    place.write("board", "112\n122\n311\n");
    let solve = |expansions: &str, format: &str| {
        let arguments = [
            "solve",
            "samegame",
            "--file",
            "board",
            "--solver",
            "astar(one-group-each)",
            "--max-expansions",
            expansions,
            "--format",
            format,
        ];
        place.run(&arguments)
    };
    // A search that is stopped completes its path.
    let told = solve("1", "text").good();
    assert!(told.contains("9 points, at most 10, stopped by the limit"), "{told}");
    assert!(!told.contains("at least"), "{told}");
    let line = solve("1", "jsonl").out;
    assert_eq!(field(&line, "lower_bound"), "null");
    assert_eq!(field(&line, "upper_bound"), "10");
    let table = solve("1", "csv").out;
    assert!(table.contains(",lower_bound,upper_bound,"), "{table}");
    let proved = solve("1000", "jsonl").good();
    for (name, value) in
        [("status", "\"optimal\""), ("value", "9"), ("lower_bound", "null"), ("upper_bound", "9")]
    {
        assert_eq!(field(&proved, name), value, "{name}");
    }
}
