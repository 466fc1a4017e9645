//! `unriddle improve`: better solutions than the known ones.

use crate::place::{HARDEST, Place, field};

#[test]
fn records_are_improved() {
    let place = Place::new();
    for (format, file) in [("jsonl", "all.jsonl"), ("csv", "all.csv")] {
        let solve = ["solve", "tiles", HARDEST, "--solver", "greedy(manhattan)"];
        let written = ["--format", format, "--output", file];
        place.run(&[&solve[..], &written].concat()).good();
        let ran = place.run(&["improve", "tiles", file, "--format", "json"]);
        assert!(
            ran.err.contains("1 of 1 solution improved: 47 moves before, 31 moves now"),
            "{}",
            ran.err
        );
        let records: serde_json::Value = serde_json::from_str(&ran.good()).expect("JSON");
        assert_eq!((&records[0]["value"], &records[0]["checked"]), (&31.into(), &true.into()));
        // No proof excludes a solution of 29.
        assert_eq!(records[0]["status"], "solved");
    }
    // However short the time is, the given solution is in the result.
    let ran = place.run(&["improve", "tiles", "all.csv", "--max-expansions", "1"]);
    assert!(ran.good().contains("47 moves, "));
    // A line of play.
    let board = place.run(&["generate", "samegame"]).good();
    place.write("board", board);
    let solve = ["solve", "samegame", "--file", "board", "--solver", "nrpa(level=1, iterations=1)"];
    let written = ["--max-expansions", "1", "--format", "jsonl", "--output", "line"];
    place.run(&[&solve[..], &written].concat()).good();
    let ran = place.run(&["improve", "samegame", "line", "--max-expansions", "2k"]);
    assert!(ran.err.contains("1 of 1 solution improved: "), "{}", ran.err);
}

/// An interrupted improvement resumes from its best solution.
#[test]
fn interrupted_improvement_resumes() {
    let place = Place::new();
    let solve = ["solve", "tiles", HARDEST, "--solver", "greedy(manhattan)"];
    let written = ["--format", "jsonl", "--output", "long"];
    place.run(&[&solve[..], &written].concat()).good();
    let improve = |more: &[&str]| {
        let all = ["improve", "tiles", "long", "--format", "jsonl", "--output", "better"];
        place.run(&[&all[..], more].concat())
    };
    improve(&[]).good();
    let whole = place.read("better");
    let cancelled = whole.replace("\"stopped_by\":null", "\"stopped_by\":\"cancelled\"");
    assert_ne!(cancelled, whole);
    place.write("better", cancelled);
    improve(&["--resume", "--max-expansions", "1"]).good();
    assert!(place.read("better").contains("\"value\":31,"));
}

#[test]
fn files_of_levels_may_contain_solutions() {
    let place = Place::new();
    // The solution of the first level makes a detour, the second level has no solution, and the
    // solution of the third is wrong.
    let levels = "#####\n#@$.#\n#---#\n#####\nSolution\nduR\n\n#####\n#.$@#\n#####\n\n#####\n#@$.#\n#####\nSolution\nLLLL\n";
    place.write("three.sok", levels);
    let ran = place.run(&["improve", "sokoban(measure=moves)", "three.sok"]);
    assert!(ran.err.contains("instance 3: its solution is wrong: "), "{}", ran.err);
    assert!(
        ran.err.contains("1 of 1 solution improved: 3 moves before, 1 move now"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("not supported"), "{}", ran.out);
    let one = ["improve", "sokoban", "--instance", "#####|#@$.#|#####", "--solution"];
    assert!(place.run(&[&one[..], &["R"]].concat()).good().starts_with("R\n"));
    let said = place.run(&[&one[..], &["RR"]].concat()).bad(31);
    assert!(said.starts_with("--solution: move 2 (`R`) is illegal"), "{said}");
}

#[test]
fn puzzles_without_improvement_are_rejected() {
    let place = Place::new();
    let solve = ["solve", "tiles", HARDEST, "--format", "jsonl", "--output", "one"];
    place.run(&solve).good();
    let said = place.run(&["improve", "freecell", "one"]).bad(31);
    assert_eq!(said, "one: the record of `1` is of tiles, not of freecell");
    let said = place.run(&["improve", "tiles", "one", "--solver", "greedy(manhattan)"]);
    assert!(said.bad(32).starts_with("`greedy` does not begin with a solution"));
    let said = place.run(&["improve", "party", "one"]).bad(32);
    assert_eq!(said, "party has no search that improves solutions");
    let said = place.run(&["improve", "tiles", "none"]).bad(31);
    assert!(said.starts_with("none: cannot be read"));
    place.run(&["improve", "tiles"]).bad(2);
}

#[test]
fn a_known_solution_is_proved_or_beaten() {
    let place = Place::new();
    let board = "1 2 3 4 5 6 7 0 8";
    let improve = |solution: &str| {
        let of = ["improve", "tiles", "--instance", board, "--solution", solution];
        let by = ["--solver", "idastar(manhattan)", "--format", "jsonl"];
        place.run(&[of.as_slice(), &by].concat())
    };
    let fields = |line: &str| ["status", "value", "expanded"].map(|name| field(line, name));
    // The bound of the start proves it: nothing is expanded.
    assert_eq!(fields(&improve("L").good()), ["\"optimal\"", "1", "0"]);
    assert_eq!(fields(&improve("RLL").good()), ["\"optimal\"", "1", "1"]);
    assert!(improve("RR").bad(31).contains("illegal"));
    let solve = |solver: &str| place.run(&["solve", "tiles", board, "--solver", solver]);
    solve("prove(greedy(manhattan), idastar(manhattan))").good();
    solve("prove(greedy(manhattan), astar(manhattan))").good();
    let said = solve("prove(bfs, beam(manhattan))").bad(32);
    assert!(said.contains("`beam` does not begin with a known solution"), "{said}");
}
