//! Where results go: files, full disks, readers that go away.

use crate::place::{EASY, HARDEST, ODD, Place, field};

#[test]
fn results_go_to_a_file() {
    let place = Place::new();
    let ran = place.run(&[
        "solve", "tiles", EASY, ODD, "--format", "jsonl", "--output", "results",
    ]);
    assert_eq!(ran.good(), "");
    let text = place.read("results");
    assert_eq!(
        text.lines()
            .map(|line| field(line, "id"))
            .collect::<Vec<_>>(),
        ["\"1\"", "\"2\""]
    );
    // A place that cannot be written to is found before any search.
    let ran = place.run(&["solve", "tiles", EASY, "--output", "none/results"]);
    assert!(ran.bad(31).starts_with("none/results: cannot be written: "));
}

#[test]
fn an_array_is_well_formed_even_if_a_search_cannot_begin() {
    let place = Place::new();
    // The tables fit the first board only.
    let ran = place.run(&[
        "solve",
        "tiles",
        EASY,
        "1 2 3 0",
        "--solver",
        "astar(pdb(4-4))",
        "--jobs",
        "1",
        "--format",
        "json",
    ]);
    let records: Vec<serde_json::Value> = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(records.len(), 1);
    assert!(ran.bad(2).starts_with("instance 2: solver, column "));
    let ran = place.run(&[
        "solve",
        "tiles",
        "1 2 3 0",
        "--solver",
        "astar(pdb(4-4))",
        "--format",
        "json",
    ]);
    assert_eq!(ran.out, "[]\n");
    ran.bad(2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    use std::{fs::File, process::Stdio};
    let place = Place::new();
    let ran = place.run(&["solve", "tiles", EASY, HARDEST, "--output", "/dev/full"]);
    let message = ran.bad(31);
    assert!(
        message.starts_with("/dev/full: ") && message.ends_with(", after 0 records"),
        "{message}"
    );
    let verbs: [&[&str]; 8] = [
        &["solve", "tiles", EASY],
        &["check", "tiles", EASY, "L"],
        &["show", "tiles", EASY],
        &["generate", "tiles"],
        &["list"],
        &["describe", "tiles"],
        &["completions", "bash"],
        &["--help"],
    ];
    for arguments in verbs {
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .expect("the device");
        let output = place.command(arguments).stdout(Stdio::from(full)).output();
        let message = crate::place::Ran::from(output.expect("the program runs")).bad(31);
        assert!(
            message.starts_with("cannot write to standard output: "),
            "{arguments:?}: {message}"
        );
    }
    // That the message cannot be written changes nothing.
    for (instance, code) in [(EASY, 0), (ODD, 10), ("x", 31)] {
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .expect("the device");
        let output = place
            .command(&["solve", "tiles", instance, EASY][..3])
            .stderr(full)
            .output();
        assert_eq!(output.expect("the program runs").status.code(), Some(code));
    }
}

#[cfg(unix)]
mod readers {
    use super::*;
    use crate::place::Ran;
    use std::io::{BufRead as _, BufReader};

    /// Starts the program, reads one line of its output, goes away, and waits for the end.
    fn head(place: &Place, arguments: &[&str]) -> (String, Ran) {
        let mut child = place.start(arguments);
        let mut line = String::new();
        let mut reader = BufReader::with_capacity(1, child.stdout.take().expect("a pipe"));
        reader.read_line(&mut line).expect("a line");
        drop(reader);
        (
            line,
            child.wait_with_output().expect("the program ends").into(),
        )
    }

    #[test]
    fn a_reader_that_goes_away_ends_a_batch() {
        let place = Place::new();
        // More results than a pipe holds.
        place.write("many", format!("{EASY}\n").repeat(4000));
        let (line, ran) = head(
            &place,
            &[
                "solve", "tiles", "--file", "many", "--jobs", "2", "--format", "jsonl",
            ],
        );
        assert_eq!(field(&line, "id"), "\"1\"");
        let message = ran.bad(23);
        assert!(
            message.starts_with("standard output was closed after "),
            "{message}"
        );
    }

    #[test]
    fn a_reader_that_goes_away_is_no_failure_elsewhere() {
        let place = Place::new();
        let (line, ran) = head(&place, &["generate", "tiles", "-n", "1M"]);
        assert!(line.starts_with("1: "), "{line}");
        assert_eq!((ran.code, ran.err), (Some(0), String::new()));
    }
}
