//! Inputs of strangers: files with one bad instance, other encodings, arguments that
//! are names of files, forged records.

use crate::place::{EASY, HARDEST, ODD, Place, field};

/// Statuses of JSON lines.
fn statuses(lines: &str) -> Vec<String> {
    lines.lines().map(|line| field(line, "status").trim_matches('"').to_owned()).collect()
}

#[test]
fn one_bad_instance_spoils_nothing() {
    let place = Place::new();
    place.write("boards.txt", format!("a: {EASY}\nb: 1 2 3 4 5 6 7 ? 8\nc: {EASY}\n"));
    let ran = place.run(&["solve", "tiles", "--file", "boards.txt", "--format", "jsonl"]);
    assert_eq!(statuses(&ran.out), ["optimal", "refused", "optimal"]);
    let refused = ran.out.lines().nth(1).unwrap_or_default().to_owned();
    assert_eq!(
        field(&refused, "reason"),
        r#""boards.txt, line 2, column 18: expected a number, found \"?\"""#
    );
    assert_eq!((field(&refused, "id"), field(&refused, "solver")), ("\"b\"".into(), "\"\"".into()));
    assert_eq!(ran.bad(31), "1 of 3 instances without an answer (1 not instances of the puzzle)");
    // The same in words, and in a report for designers.
    let ran = place.run(&["solve", "tiles", "--file", "boards.txt"]);
    assert!(ran.out.contains("\nb: not an instance: boards.txt, line 2"), "{}", ran.out);
    let ran = place.run(&["validate", "tiles", "--file", "boards.txt", "--format", "jsonl"]);
    let verdicts: Vec<String> = ran.out.lines().map(|line| field(line, "verdict")).collect();
    assert_eq!(verdicts, ["\"solvable\"", "\"refused\"", "\"solvable\""]);
    assert_eq!(ran.bad(31), "1 not instances of the puzzle");
    // Arguments as well.
    let ran = place.run(&["solve", "tiles", EASY, "1 2 3 4", "--format", "jsonl"]);
    assert_eq!(statuses(&ran.out), ["optimal", "refused"]);
    ran.bad(31);
    // A file without any instance of the puzzle is refused.
    place.write("other.txt", "hello\nworld\n");
    assert_eq!(
        place.run(&["solve", "tiles", "--file", "other.txt"]).bad(31),
        "other.txt, line 1, column 1: expected a number, found \"hello\""
    );
}

#[test]
fn refused_instances_are_solved_when_a_batch_resumes() {
    let place = Place::new();
    let solve =
        ["solve", "tiles", "--file", "b.txt", "--format", "jsonl", "--output", "r", "--resume"];
    place.write("b.txt", format!("a: {EASY}\nb: 1 2 3 4 5 6 7 ? 8\n"));
    place.run(&solve).bad(31);
    assert_eq!(statuses(&place.read("r")), ["optimal", "refused"]);
    place.write("b.txt", format!("a: {EASY}\nb: {EASY}\n"));
    assert_eq!(place.run(&solve).code, Some(0));
    assert_eq!(statuses(&place.read("r")), ["optimal", "optimal"]);
    // A solution that was altered between two runs is noticed.
    let altered = place.read("r").replacen("\"solution\":\"L\"", "\"solution\":\"R\"", 1);
    place.write("r", &altered);
    let message = place.run(&solve).bad(31);
    assert!(message.starts_with("r: --resume: the record of `a` is wrong: "), "{message}");
    assert_eq!(place.read("r"), altered);
}

#[test]
fn encodings_are_read() {
    let place = Place::new();
    let wide = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xff, 0xfe].into_iter().chain(units).collect()
    };
    place.write("wide", wide(&format!("# Größe\n{EASY}\n")));
    let ran = place.run(&["convert", "tiles", "--file", "wide"]);
    assert_eq!((ran.err.as_str(), ran.out.trim_end()), ("", EASY));
    place.write("latin", b"# Gr\xf6\xdfe \x93eins\x94\n1 2 3 4 5 6 7 0 8\n");
    let ran = place.run(&["convert", "tiles", "--file", "latin"]);
    assert_eq!(ran.err, "latin: the bytes are not UTF-8 and are read as Windows-1252\n");
    assert_eq!(ran.good().trim_end(), EASY);
    // Blanks of web pages.
    let blanks = EASY.replace(' ', "\u{a0}");
    assert_eq!(place.run(&["convert", "tiles", &blanks]).good().trim_end(), EASY);
}

#[test]
fn arguments_that_are_something_else_are_explained() {
    let place = Place::new();
    let words: Vec<&str> = ["convert", "tiles"].into_iter().chain(EASY.split(' ')).collect();
    let message = place.run(&words).bad(31);
    assert!(
        message.ends_with("; the arguments together are one instance: write it in quotes"),
        "{message}"
    );
    place.write("boards.dat", EASY);
    let message = place.run(&["convert", "tiles", "boards.dat"]).bad(31);
    assert!(
        message.ends_with("; `boards.dat` is a file: read its instances with --file boards.dat"),
        "{message}"
    );
    // A file with an extension of the puzzle is read.
    place.write("boards.txt", format!("{EASY}\n{HARDEST}\n"));
    assert_eq!(place.run(&["solve", "tiles", "boards.txt"]).good().lines().count(), 2);
    for blank in ["", " \n"] {
        assert_eq!(
            place.run(&["solve", "tiles", blank]).bad(31),
            "instance 1: the argument is empty; expected an instance"
        );
    }
    let message = place.run(&["solve", "tiles", EASY, "--memory", "4"]).bad(2);
    assert!(message.contains("4 bytes is too small; write a unit, such as 4G"), "{message}");
}

/// Deals are made on demand: neither a long range nor its end beyond the last deal takes time.
#[test]
fn ranges_of_deals_are_made_on_demand() {
    let place = Place::new();
    let deals = |range: &str, more: &[&str]| {
        let all = ["solve", "freecell", "--preset", "fast", "--format", "jsonl", "--deals", range];
        place.run(&[&all, more].concat())
    };
    let message = deals("1..99999999999", &[]).bad(31);
    assert!(message.starts_with("--deals: "), "{message}");
    let ran = deals("1..8000000000", &["--batch-time", "1s"]);
    assert!(statuses(&ran.out).iter().all(|status| status == "solved" || status == "stopped"));
    let message = ran.bad(20);
    assert!(message.contains(" not begun"), "{message}");
}

/// Record of the board [`HARDEST`] with a status, a value, a solution and a lower bound.
fn forged(id: &str, status: &str, solution: Option<&str>, bound: Option<i64>) -> String {
    let length = solution.map(str::len);
    serde_json::json!({
        "id": id, "puzzle": "tiles", "instance": HARDEST, "status": status, "value": length,
        "length": length, "solution": solution, "lower_bound": bound, "upper_bound": null
    })
    .to_string()
}

#[test]
fn records_that_contradict_themselves_or_each_other_are_wrong() {
    let place = Place::new();
    let solved = place.run(&["solve", "tiles", HARDEST, "--format", "jsonl"]).good();
    let best = field(&solved, "solution").trim_matches('"').to_owned();
    let first = best.chars().next().unwrap_or_default();
    let back = match first {
        'U' => 'D',
        'D' => 'U',
        'L' => 'R',
        _ => 'L',
    };
    let longer = format!("{first}{back}{best}");
    let check = |records: &[String]| place.feed(&["check", "--file", "-"], &records.join("\n"));
    for (record, why) in [
        (
            forged("1", "optimal", Some(&longer), Some(31)),
            "the record claims that 33 is optimal, with a bound of 31",
        ),
        (forged("1", "optimal", Some(&best), Some(40)), "the lower bound 40 is above the value 31"),
        (
            forged("1", "unsolvable", Some(&best), None),
            "the record claims unsolvability and has a solution",
        ),
        (forged("1", "solved", None, None), "the record claims a solution and has none"),
    ] {
        let ran = check(&[record]);
        assert_eq!(ran.out, format!("1: WRONG: {why}\n"));
        ran.bad(30);
    }
    let right = || forged("good", "optimal", Some(&best), Some(31));
    for (record, why) in [
        (forged("1", "optimal", Some(&longer), Some(33)), "no value is below 33"),
        (forged("1", "stopped", None, Some(35)), "no value is below 35"),
        (forged("1", "unsolvable", None, None), "there is no solution"),
    ] {
        let ran = check(&[right(), record]);
        let line = format!(
            "1: WRONG: the record claims that {why}, but `good` has a solution of value 31"
        );
        assert_eq!(ran.out.lines().nth(1), Some(&*line));
        ran.bad(30);
    }
    // Claims that are not checked are named.
    assert_eq!(
        check(&[right()]).good(),
        "good: right: 31 moves, optimality claimed, not checked\n"
    );
    assert_eq!(
        check(&[forged("1", "unsolvable", None, None)]).good(),
        "1: no solution to check: unsolvability is claimed, not checked\n"
    );
    let line = place.feed(&["check", "--file", "-", "--format", "jsonl"], &right()).good();
    assert_eq!(field(&line, "proof"), "\"claimed\"");
}

#[test]
fn texts_that_are_no_solution_are_bad_input() {
    let place = Place::new();
    let message = place.run(&["check", "tiles", EASY, "?"]).bad(31);
    assert!(message.starts_with("solution: "), "{message}");
    place.run(&["check", "tiles", EASY, "R"]).bad(30);
}

#[test]
fn enumerated_states_without_a_goal_are_a_proof() {
    let place = Place::new();
    // Nobody can reach the box, and the greedy search has no proof of its own.
    let level = "#######|#@ # .#|#  # $#|#######";
    let ran = place.run(&["validate", "sokoban", level, "--solver", "greedy(blind)"]);
    assert!(ran.out.contains("unsolvable (proved)"), "{}", ran.out);
    ran.bad(10);
}

#[test]
fn names_reach_the_terminal_without_control_characters() {
    let place = Place::new();
    place.write("b.txt", format!("a\u{1b}]0;x\u{7}: {EASY}\nb: {ODD}\n"));
    let ran = place.run(&["solve", "tiles", "--file", "b.txt"]);
    assert!(ran.out.starts_with("a\\u{1b}]0;x\\u{7}: 1 move"), "{}", ran.out);
}

#[test]
fn completions_manual_and_version_are_printed() {
    let place = Place::new();
    let version = place.run(&["version"]).good();
    assert!(version.starts_with(&format!("unriddle {}", env!("CARGO_PKG_VERSION"))), "{version}");
    let page = place.run(&["manual"]).good();
    assert!(page.contains(".TH unriddle 1") && page.contains("solve"), "{page}");
    place.run(&["manual", "--folder", "man"]).good();
    // A page that another one names exists.
    assert!(page.contains("unriddle\\-solve(1)"), "{page}");
    assert!(place.read("man/unriddle-solve.1").contains("together"));
    assert!(place.path("man/unriddle-lab-run.1").exists());
    let script = place.run(&["completions", "bash"]).good();
    for name in ["lightsout", "learned", "idastar", "validate"] {
        assert!(script.contains(name), "{name}");
    }
}
