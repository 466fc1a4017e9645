//! Destinations of results: files, full disks, readers that close the pipe.

use crate::place::{EASY, HARDEST, ODD, Place, field};

#[test]
fn results_go_to_a_file() {
    let place = Place::new();
    let ran = place.run(&["solve", "tiles", EASY, ODD, "--format", "jsonl", "--output", "results"]);
    assert_eq!(ran.good(), "");
    let text = place.read("results");
    assert_eq!(text.lines().map(|line| field(line, "id")).collect::<Vec<_>>(), ["\"1\"", "\"2\""]);
    // An unwritable path is found before any search.
    let ran = place.run(&["solve", "tiles", EASY, "--output", "none/results"]);
    assert!(ran.bad(31).starts_with("none/results: cannot be written: "));
}

#[test]
fn an_instance_that_is_not_supported_ends_no_batch() {
    let place = Place::new();
    let solve = |instances: &[&str], more: &[&str]| {
        let solver = ["--solver", "astar(pdb(4-4))"];
        place.run(&[&["solve", "tiles"], instances, &solver, more].concat())
    };
    // The tables fit boards of side 3 only.
    let small = "1 2 3 0";
    for (jobs, format) in [("1", "json"), ("3", "json"), ("2", "jsonl"), ("2", "csv")] {
        let more = ["--jobs", jobs, "--format", format];
        let ran = solve(&[EASY, small, HARDEST, small], &more);
        if format == "json" {
            let records: Vec<serde_json::Value> = serde_json::from_str(&ran.out).expect("JSON");
            let of = |name: &str| -> Vec<_> {
                let values = records.iter().map(|record| record[name].to_string());
                values.collect()
            };
            assert_eq!(of("id"), ["\"1\"", "\"2\"", "\"3\"", "\"4\""]);
            assert_eq!(of("value"), ["1", "null", "31", "null"]);
            let unsupported = "\"unsupported\"";
            assert_eq!(of("status"), ["\"optimal\"", unsupported, "\"optimal\"", unsupported]);
            assert!(of("reason")[1].contains("4-4"), "{:?}", of("reason"));
            assert_eq!(of("checked")[1], "null");
        } else {
            let lines = ran.out.lines();
            assert_eq!(lines.filter(|line| line.contains("unsupported")).count(), 2);
        }
        assert_eq!(ran.bad(32), "2 of 4 instances without an answer (2 not supported)");
    }
    let ran = solve(&[EASY, small], &[]);
    assert!(ran.out.contains("\n2: not supported: "), "{}", ran.out);
    ran.bad(32);
    // For a single instance it is an error, with the column of the spec.
    let ran = solve(&[small], &["--format", "json"]);
    assert_eq!(ran.out, "[]\n");
    assert!(ran.bad(2).starts_with("solver, column "));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
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
        let full = File::options().write(true).open("/dev/full").expect("the device");
        let output = place.command(arguments).stdout(Stdio::from(full)).output();
        let message = crate::place::Ran::from(output.expect("the program runs")).bad(31);
        assert!(
            message.starts_with("cannot write to standard output: "),
            "{arguments:?}: {message}"
        );
    }
    // That the message cannot be written changes nothing.
    for (instance, code) in [(EASY, 0), (ODD, 10), ("x", 31)] {
        let full = File::options().write(true).open("/dev/full").expect("the device");
        let output = place.command(&["solve", "tiles", instance, EASY][..3]).stderr(full).output();
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
        (line, child.wait_with_output().expect("the program ends").into())
    }

    #[test]
    fn a_reader_that_goes_away_ends_a_batch() {
        let place = Place::new();
        // More results than a pipe holds.
        place.write("many", format!("{EASY}\n").repeat(4000));
        let (line, ran) =
            head(&place, &["solve", "tiles", "--file", "many", "--jobs", "2", "--format", "jsonl"]);
        assert_eq!(field(&line, "id"), "\"1\"");
        let message = ran.bad(23);
        assert!(message.starts_with("standard output was closed after "), "{message}");
    }

    #[test]
    fn a_reader_that_goes_away_is_no_failure_elsewhere() {
        let place = Place::new();
        let (line, ran) = head(&place, &["generate", "tiles", "-n", "1M"]);
        assert!(line.starts_with("1: "), "{line}");
        assert_eq!((ran.code, ran.err), (Some(0), String::new()));
    }
}
