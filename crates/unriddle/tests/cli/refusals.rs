//! Wrong usage and bad input are refused before any search, with an exit code, a position and a
//! reason.

use crate::place::{EASY, HARDEST, ODD, Place, field, puzzles};

#[test]
fn invalid_instances_are_rejected_with_line_and_column() {
    let place = Place::new();
    for (instance, message) in [
        (
            "8 6 7 2 5 4 3 0",
            "instance 1, line 1, column 16: found 8 numbers; a board has 4, 9, 16, 25, 36, 49 or 64 (0 for the \
             blank)",
        ),
        (
            "8 6 7 2 5 4 3 0 0",
            "instance 1, line 1, column 17: 0 (the blank) occurs twice, first at line 1, column 15; missing: 1",
        ),
        ("8 6 7 2 5 4 3 y 1", "instance 1, line 1, column 15: expected a number, found \"y\""),
        (
            "8 6 7 2 5 4 3 9 1",
            "instance 1, line 1, column 15: 9 is out of range: a board of side 3 has the numbers 0 to 8; is 9 or 1 \
             the blank? Write 0 for the blank, and 1 to 8 for the tiles",
        ),
        // The name before the colon counts for the column. Control characters are escaped.
        ("abc: 1 2 ? 0", "instance 1, line 1, column 10: expected a number, found \"?\""),
        ("1 2\n3 \u{1b}", "instance 1, line 2, column 3: expected a number, found \"\\u{1b}\""),
    ] {
        assert_eq!(place.run(&["solve", "tiles", instance]).bad(31), message);
    }
    // The same for the other verbs.
    for (arguments, what) in [
        (&["show", "tiles", "1 2 3 y"][..], "instance 1"),
        (&["check", "tiles", "1 2 3 y", "U"], "instance"),
    ] {
        assert_eq!(
            place.run(arguments).bad(31),
            format!("{what}, line 1, column 7: expected a number, found \"y\"")
        );
    }
}

#[test]
fn unsolvable_boards_have_a_reason() {
    let place = Place::new();
    let reason =
        "the permutation is odd while the blank is an even number of moves from its goal cell";
    let ran = place.run(&["solve", "tiles", ODD]);
    assert!(ran.out.starts_with(&format!("unsolvable, proved: {reason}")), "{}", ran.out);
    assert_eq!(ran.bad(10), "proved unsolvable");
    // Where the results are not for people, the message has the reason.
    let ran = place.run(&["solve", "tiles", ODD, "--format", "jsonl"]);
    assert!(ran.out.contains(reason), "{}", ran.out);
    assert!(ran.bad(10).starts_with(&format!("proved unsolvable: {reason}")));
    // In a batch a proof is an answer.
    place.run(&["solve", "tiles", ODD, EASY]).good();
}

#[test]
fn specs_are_refused_with_a_caret_and_the_nearest_match() {
    let place = Place::new();
    for (solver, message) in [
        (
            "idasta(manhattan)",
            "solver, column 1: unknown search: `idasta`; did you mean `idastar`? (known: idastar, idtt, \
             deepening, astar, greedy, bwas, levin, beam, staged, bfs, windows, prove, tiles-optimal)\nidasta(manhattan)\n^",
        ),
        (
            "idastar(manhatan)",
            "solver, column 9: unknown heuristic: `manhatan`; did you mean `manhattan`? (known: blind, max, net, pdb, \
             walking-distance, linear-conflict, manhattan)\nidastar(manhatan)\n        ^",
        ),
        (
            "manhattan",
            "solver, column 1: `manhattan` is a heuristic, not a search; write for example idastar(manhattan)\n\
             manhattan\n^",
        ),
        (
            "astar(manhattan, v=2)",
            "solver, column 18: unknown parameter of `astar`: `v` (known: h, w)\n\
             astar(manhattan, v=2)\n                 ^",
        ),
        (
            "astar(manhattan, w=0)",
            "solver, column 20: `w` expects a number from 1 to 100, found `0`\n\
             astar(manhattan, w=0)\n                   ^",
        ),
        ("astar(manhattan", "solver, column 6: this `(` is never closed\nastar(manhattan\n     ^"),
    ] {
        // A build of the whole workspace has the heuristic of the Python package.
        let found = place.run(&["solve", "tiles", EASY, "--solver", solver]).bad(2);
        assert_eq!(found.replace("callable, ", ""), message);
    }
    // A table that does not fit the board is found when the board is seen.
    let message = place.run(&["solve", "tiles", EASY, "--solver", "bwas(pdb(7-8))"]).bad(2);
    assert!(
        message.starts_with("solver, column 10: no partition \"7-8\" for boards of side 3"),
        "{message}"
    );
    assert_eq!(
        place.run(&["solve", "tiles", EASY, "--preset", "optimla"]).bad(2),
        "`tiles` has no preset `optimla`; did you mean `optimal`? (known: default, optimal, fast, best, learned)"
    );
    assert_eq!(
        place.run(&["solve", "tiels", EASY]).bad(2),
        format!(
            "puzzle, column 1: unknown puzzle: `tiels`; did you mean `tiles`? (known: {})\ntiels\n^",
            puzzles()
        )
    );
    assert_eq!(
        place.run(&["solve", "tiles(goal=blank-frst)", EASY]).bad(2),
        "puzzle, column 12: unknown value of `goal`: `blank-frst`; did you mean `blank-first`? (known: blank-last, \
         blank-first, snail)\ntiles(goal=blank-frst)\n           ^"
    );
    assert_eq!(
        place.run(&["generate", "tiles", "uniform(33)"]).bad(2),
        "generator, column 9: `rows` expects an integer from 2 to 32, found `33`\nuniform(33)\n        ^"
    );
    assert!(
        place
            .run(&["tables", "build", "tiles", "pdb(4-5)"])
            .bad(2)
            .starts_with("heuristic, column 5: no partition \"4-5\"")
    );
    assert_eq!(
        place.run(&["tables", "build", "tiles", "manhattan"]).bad(32),
        "`manhattan` has no tables to build"
    );
    assert!(
        place
            .run(&["describe", "tilse"])
            .bad(2)
            .starts_with("nothing is called `tilse`; did you mean `tiles`? (known: ")
    );
}

#[test]
fn a_spec_in_a_file_is_refused_with_the_files_name() {
    let place = Place::new();
    place.write("mine.toml", "name = \"idastar\"\nh = \"manhatan\"\n");
    let message = place.run(&["solve", "tiles", EASY, "--solver", "mine.toml"]).bad(31);
    assert!(message.starts_with("mine.toml, line 2, column"), "{message}");
    assert!(message.contains("did you mean `manhattan`?"), "{message}");
    let message = place.run(&["solve", "tiles", EASY, "--solver", "other.toml"]).bad(31);
    assert!(message.starts_with("other.toml: cannot be read: "), "{message}");
}

/// An instance that is too large is refused at its position before it is parsed, and the others are
/// solved. A document full of mistakes has a short message.
#[test]
fn texts_that_are_too_large_are_refused() {
    let place = Place::new();
    place.write("boards", format!("{EASY}\nlong: {}\n", "1 ".repeat(600_000)));
    let ran = place.run(&["solve", "tiles", "--file", "boards", "--format", "jsonl"]);
    assert_eq!(ran.out.lines().count(), 2);
    let last = ran.out.lines().last().unwrap_or_default().to_owned();
    let reason =
        "\"boards, line 2, column 6: the instance has 1.1 MiB; an instance has at most 1.0 MiB\"";
    assert_eq!(field(&last, "reason"), reason);
    assert!(last.len() < 10_000, "{}", last.len());
    ran.bad(31);
    let heroes = "[7, \"x\", 1],".repeat(10_000);
    let sizes = "\"traits\": [\"race\"], \"sizes\": [2]";
    let document = format!("{{{sizes}, \"heroes\": [{heroes} 0], \"puzzle\": {{}}}}");
    place.write("wrong.json", document);
    let message = place.run(&["solve", "party", "wrong.json"]).bad(31);
    assert!(message.starts_with("wrong.json, line 1, column 1: heroes[0]: "), "{message}");
    assert!(message.len() < 10_000, "{}", message.len());
}

/// A broken file is bad input wherever it is read. A name without a file is a wrong argument, and
/// so is a network that does not fit the puzzle.
#[test]
fn broken_files_are_bad_input() {
    let place = Place::new();
    place.write("broken", "no network");
    place.write("broken.json", "{]");
    let net = |file: &str, code: i32| {
        let solver = format!("astar(net(\"{file}\"))");
        place.run(&["solve", "tiles", EASY, "--solver", &solver]).bad(code)
    };
    let message = net("broken", 31);
    assert!(message.starts_with("solver, column 11: broken: not a network file: "), "{message}");
    assert!(
        message.contains("\nastar(net(broken, ") && message.ends_with("\n          ^"),
        "{message}"
    );
    assert!(net(".", 31).contains("not a regular file"));
    net("none", 2);
    let other = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/cube2.safetensors.gz");
    let message = net(other, 2);
    assert!(message.contains("the network is for the puzzle `cube`, not `tiles`"), "{message}");
    place.write("items.csv", "price\n1\n");
    let puzzle = "party(puzzle=\"broken.json\")";
    let message = place.run(&["solve", puzzle, "items.csv"]).bad(31);
    assert!(message.contains("broken.json"), "{message}");
    place.run(&["evolve", "freecell", "--recipe", "broken.json", "--run", "run"]).bad(31);
}

#[test]
fn arguments_are_refused_in_one_line() {
    let place = Place::new();
    let refused = |arguments: &[&str]| place.run(arguments).bad(2);
    let solve = |arguments: &[&str]| refused(&[&["solve", "tiles", EASY], arguments].concat());
    assert_eq!(refused(&[]), "no command given");
    assert_eq!(
        refused(&["solv"]),
        "unrecognized subcommand 'solv'; a similar subcommand exists: 'solve' (see --help)"
    );
    assert_eq!(
        refused(&["solve"]),
        "the following required arguments were not provided: <PUZZLE> (see --help)"
    );
    assert_eq!(
        solve(&["--tim", "3"]),
        "unexpected argument '--tim' found; a similar argument exists: '--time' (see --help)"
    );
    assert_eq!(
        refused(&["generate", "tiles", "--output", "boards.txt"]),
        "unexpected argument '--output' found; this command writes to standard output: add `> FILE` \
         (see --help)"
    );
    assert_eq!(
        solve(&["--time", "3x"]),
        "invalid value '3x' for '--time <TIME>': unknown unit \"x\"; known: ms, s, m, h, d (see --help)"
    );
    assert_eq!(solve(&["--memory", "-1"]), "unexpected argument '-1' found (see --help)");
    assert_eq!(
        solve(&["--format", "jsn"]),
        "invalid value 'jsn' for '--format <FORMAT>' [possible values: text, json, jsonl, csv]; a similar \
         value exists: 'json' (see --help)"
    );
    assert_eq!(
        solve(&["--preset", "fast", "--solver", "bfs"]),
        "the argument '--preset <NAME>' cannot be used with '--solver <SPEC>' (see --help)"
    );
    assert_eq!(
        solve(&["--deals", "7..3"]),
        "invalid value '7..3' for '--deals <A..B>': the range 7..3 ends before it begins (see --help)"
    );
    assert_eq!(
        place.run(&["solve", "tiles", "--deals", "1..3"]).bad(32),
        "tiles has no numbered deals"
    );
    assert_eq!(
        place.run(&["play", "tiles", HARDEST]).bad(2),
        "play needs a terminal; `unriddle show --solution … --at …` draws without one"
    );
}

#[test]
fn invalid_files_are_rejected_with_line_and_column() {
    let place = Place::new();
    let solve = |file: &str| place.run(&["solve", "tiles", "--file", file]).bad(31);
    assert!(solve("none").starts_with("none: cannot be read: "));
    assert!(solve(".").starts_with(".: cannot be read: "));
    place.write("empty", "# nothing but a comment\n\n");
    assert_eq!(solve("empty"), "empty, line 1, column 1: the text contains no instance");
    place.write("bytes", b"a: 1 2 3 0\nb: \xc3\xa9 \x81");
    assert_eq!(solve("bytes"), "bytes, line 2, column 7: expected text, found the byte 0x81");
    place.write("mixed", "a: 1 2 3 4 5 6 7 8\r\n\r\nb: 1 2 3 4 5 6 7 8 y\r\n");
    assert!(solve("mixed").starts_with("mixed, line 1, column 19: found 8 numbers"));
    assert_eq!(
        place.feed(&["solve", "tiles"], "1 2 3").bad(31),
        "standard input, line 1, column 6: found 3 numbers; a board has 4, 9, 16, 25, 36, 49 or 64 (0 for the \
         blank)"
    );
    assert_eq!(
        place.feed(&["solve", "tiles"], "").bad(31),
        "standard input, line 1, column 1: the text contains no instance"
    );
}

#[test]
fn garbage_is_refused() {
    let place = Place::new();
    // 64 KB of printable garbage, of bytes, and of one endless word.
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let bytes: Vec<u8> = (0..65_536).map(|_| next()).collect();
    let printable: Vec<u8> = bytes.iter().map(|b| b' ' + b % 95).collect();
    place.write("bytes", &bytes);
    place.write("printable", &printable);
    for file in ["bytes", "printable"] {
        for arguments in [vec!["solve", "tiles", "--file", file], vec!["check", "--file", file]] {
            let message = place.run(&arguments).bad(31);
            assert!(message.starts_with(&format!("{file}, line 1, column ")), "{message}");
            assert!(message.len() < 200, "{message}");
        }
    }
    let word = "x".repeat(65_536);
    assert_eq!(
        place.run(&["solve", "tiles", &word]).bad(31),
        "instance 1, line 1, column 1: expected a number, found \"xxxxxxxxxxxxxxxxxxxx…\""
    );
    assert_eq!(
        place.run(&["solve", "tiles", EASY, "--solver", &word]).bad(2),
        "solver, column 1: the spec is 65536 bytes long; at most 8192 are accepted"
    );
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    let place = Place::new();
    let arguments = [OsStr::new("solve"), OsStr::new("tiles"), OsStr::from_bytes(b"1 2 3 \xff")];
    assert_eq!(
        place.run(&arguments).bad(2),
        "invalid UTF-8 was detected in one or more arguments (see --help)"
    );
}

#[test]
fn invalid_solutions_are_rejected_with_line_and_column() {
    let place = Place::new();
    let show = |solution: &str, at: &str| {
        place.run(&["show", "tiles", HARDEST, "--solution", solution, "--at", at])
    };
    assert_eq!(
        show("RU", "0").bad(31),
        "solution, line 1, column 2: move 2 (U) is illegal: the blank is in row 3, column 1, and no tile is \
         below it; read as moves of the blank, all 2 moves are legal, but U, D, L and R are moves of a tile: \
         exchange U with D and L with R"
    );
    assert_eq!(show("RD", "5").bad(2), "--at 5: the solution has only 2 actions");
    assert_eq!(show("RD", "2").code, Some(0));
}
