//! Ctrl-C and termination: results so far are stored, and the report is written.

use crate::place::{EASY, EASY_15, ENDLESS, ODD, Place, Ran, field};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    io::{BufReader, Read as _},
    process::Child,
};

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("the signal is sent");
}

/// Reads a line of an output of a child.
fn line(reader: &mut impl std::io::BufRead) -> String {
    let mut line = String::new();
    reader.read_line(&mut line).expect("a line");
    line
}

/// A batch whose first board is solved and whose second board would take hours. The signal is sent
/// after the first record.
fn interrupted(place: &Place, format: &str, signal: Signal) -> Ran {
    let mut child = place.start(&[
        "solve",
        "tiles",
        EASY,
        ENDLESS,
        EASY_15,
        ODD,
        "--solver",
        "idastar(manhattan)",
        "--jobs",
        "1",
        "--format",
        format,
    ]);
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut out = line(&mut reader);
    // The second search has begun by then.
    std::thread::sleep(std::time::Duration::from_millis(500));
    send(&child, signal);
    reader.read_to_string(&mut out).expect("the output is read");
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    Ran { out, ..ran }
}

#[test]
fn an_interrupted_batch_still_writes_its_records() {
    let place = Place::new();
    for signal in [Signal::INT, Signal::TERM] {
        let ran = interrupted(&place, "jsonl", signal);
        let of = |name: &str| ran.out.lines().map(|line| field(line, name)).collect::<Vec<_>>();
        // Nothing is written for the instances that were not begun.
        assert_eq!(of("id"), ["\"1\"", "\"2\""]);
        assert_eq!(of("status"), ["\"optimal\"", "\"stopped\""]);
        assert_eq!(of("stopped_by"), ["null", "\"cancelled\""]);
        assert!(
            ran.err.starts_with("4 instances: 1 solved (1 proved optimal), 3 without an answer;")
        );
        assert_eq!(ran.bad(23), "3 of 4 instances without an answer (1 cancelled, 2 not begun)");
    }
}

#[test]
fn an_interrupted_batch_in_words() {
    let place = Place::new();
    let ran = interrupted(&place, "text", Signal::INT);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[0].starts_with("1: 1 move, proved optimal, checked, "), "{}", ran.out);
    assert!(lines[1].starts_with("2: no solution: cancelled, at least "), "{}", ran.out);
    assert_eq!(lines.len(), 2);
    ran.bad(23);
}

/// Starts something that builds large tables, and sends the signal when the first one is announced.
fn interrupted_build(place: &Place, arguments: &[&str]) -> Ran {
    let mut child = place.start(arguments);
    let mut messages = BufReader::new(child.stderr.take().expect("a pipe"));
    // Both tables are large enough to be announced; the first one takes a second or more.
    let mut err = line(&mut messages);
    assert!(err.starts_with("building sliding side=4 "), "{err}");
    send(&child, Signal::INT);
    messages.read_to_string(&mut err).expect("the messages are read");
    let ran = child.wait_with_output().expect("it ends");
    Ran { code: ran.status.code(), out: String::from_utf8(ran.stdout).expect("text"), err }
}

#[test]
fn an_interrupted_table_build_keeps_the_report() {
    let place = Place::new();
    let ran = interrupted_build(
        &place,
        &["solve", "tiles", EASY_15, "--solver", "idastar(pdb(7-8))", "--format", "jsonl"],
    );
    assert_eq!(field(&ran.out, "status"), "\"stopped\"");
    assert_eq!(field(&ran.out, "stopped_by"), "\"cancelled\"");
    assert_eq!(ran.bad(23), "no solution: cancelled: the heuristic's tables were not finished");
    let ran = interrupted_build(&place, &["tables", "build", "tiles", "pdb(7-8)"]);
    assert_eq!(ran.bad(23), "building the table was cancelled");
    // No unfinished file remains, and the other files can be removed.
    assert!(place.tables("cache/unriddle").is_empty());
    place.run(&["tables", "clean"]).good();
}

#[test]
fn the_time_of_a_batch_ends_a_table_build() {
    let place = Place::new();
    let ran = place.run(&[
        "solve",
        "tiles",
        EASY_15,
        EASY_15,
        "--solver",
        "idastar(pdb(7-8))",
        "--batch-time",
        "100ms",
        "--format",
        "jsonl",
    ]);
    assert!(ran.out.lines().all(|line| field(line, "stopped_by") == "\"time\""), "{}", ran.out);
    assert_eq!(ran.bad(20), "2 of 2 instances without an answer (2 stopped by the time limit)");
}

/// A batch resumes from its records. Only incomplete or cancelled records are computed again.
#[test]
fn interrupted_batches_resume() {
    let place = Place::new();
    place.write("boards", "a: 1 2 3 4 5 6 7 0 8\nb: 8 6 7 2 5 4 3 0 1\nc: 1 2 3 4 5 0 7 8 6\n");
    let solve = |more: &[&str]| {
        let all = [
            "solve",
            "tiles",
            "--file",
            "boards",
            "--output",
            "records",
            "--format",
            "jsonl",
            "--solver",
            "idastar(manhattan)",
        ];
        place.run(&[&all, more].concat())
    };
    solve(&[]).good();
    let whole = place.read("records");
    let lines: Vec<&str> = whole.lines().collect();
    // The second was cancelled, the third cut off.
    let cancelled = lines[1].replace("\"stopped_by\":null", "\"stopped_by\":\"cancelled\"");
    place.write("records", format!("{}\n{cancelled}\n{}", lines[0], &lines[2][..40]));
    let ran = solve(&["--resume"]);
    assert!(ran.err.contains("1 record kept, 2 to solve"), "{}", ran.err);
    ran.good();
    let again = place.read("records");
    let ids: Vec<_> = again.lines().map(|line| field(line, "id")).collect();
    assert_eq!(ids, ["\"a\"", "\"b\"", "\"c\""]);
    assert_eq!(again.lines().next(), Some(lines[0]));
    // Nothing is left to do.
    solve(&["--resume"]).good();
    assert_eq!(place.read("records"), again);
    // Another seed or solver is another batch, and nothing is lost.
    let said = solve(&["--resume", "--seed", "5"]).bad(31);
    assert!(said.contains("is of another instance"), "{said}");
    assert_eq!(place.read("records"), again);
    place.write("records", "x\n");
    assert!(solve(&["--resume"]).bad(31).starts_with("records, line 1, column 1: not a record"));
    let said = place.run(&["solve", "tiles", "1 2 3 0", "--resume", "--output", "r"]).bad(2);
    assert!(said.contains("jsonl"), "{said}");
}

/// Number and length of a file, if it exists.
fn file_of(path: &std::path::Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|file| (file.ino(), file.len()))
}

/// A second process ends at once and changes nothing. The lock vanishes with its process.
#[test]
fn an_output_file_has_one_process() {
    let place = Place::new();
    place.write("boards", format!("a: {EASY}\nb: {ENDLESS}\n"));
    let solve = |more: &[&'static str]| {
        let solver = ["--solver", "idastar(manhattan)", "--jobs", "1"];
        let all = ["solve", "tiles", "--file", "boards", "--output", "r.x", "--format", "jsonl"];
        [&all[..], &solver, more].concat()
    };
    // A new file, and a file that the resumed process has replaced.
    for more in [&[][..], &["--resume"]] {
        // The first record is written, or is kept, while the second search runs. The file is then
        // another one, because a resumed process replaces it.
        let before = file_of(&place.path("r.x"));
        let begun = std::time::Instant::now();
        let is_written = || {
            let now = file_of(&place.path("r.x"));
            now != before && now.is_some_and(|(_, length)| length > 0)
        };
        let mut first = place.start(&solve(more));
        while !is_written() && begun.elapsed().as_secs() < 60 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let written = place.read("r.x");
        for more in [&["--resume"][..], &[]] {
            let message = place.run(&solve(more)).bad(2);
            assert_eq!(message, "another process is at work in r.x; give another file");
        }
        assert_eq!(place.read("r.x"), written);
        assert_eq!(written.lines().count(), 1, "{written}");
        first.kill().expect("the process ends");
        first.wait().expect("the process ended");
    }
    let ran = place.run(&solve(&["--resume", "--max-expansions", "1"]));
    assert!(ran.err.contains("1 record kept, 1 to solve"), "{}", ran.err);
    ran.bad(22);
    let mut names: Vec<_> = std::fs::read_dir(place.path(".")).expect("a folder").collect();
    names.retain(|entry| entry.as_ref().is_ok_and(|entry| entry.path().is_file()));
    assert_eq!(names.len(), 2, "{names:?}");
    // Results for a device are written without a lock.
    let solve = |more: &[&str]| {
        let all = ["solve", "tiles", EASY, "--output", "/dev/null", "--format", "jsonl"];
        place.run(&[&all, more].concat())
    };
    solve(&[]).good();
    let message = solve(&["--resume"]).bad(2);
    assert_eq!(message, "--resume needs a regular file; /dev/null is a device or a pipe");
}
