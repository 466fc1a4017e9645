//! `--journal` and `--shard`: a proof resumes after a kill, and processes share one.

use crate::place::{EASY_15, Place, Ran, field};
use std::{fs, path::Path, thread, time::Duration};

/// A 15-puzzle of 24 million expansions: a second.
const BOARD: &str = "12 13 10 1 3 5 9 4 11 0 7 14 8 6 15 2";
const SOLVER: [&str; 2] = ["--solver", "idastar(manhattan)"];

fn arguments<'a>(board: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let format = ["--format", "jsonl"];
    [&["solve", "tiles", board][..], &SOLVER, &format, more].concat()
}

/// The fields of a record that describe the search, without its time.
fn result(ran: &Ran) -> Vec<String> {
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let names = ["status", "value", "solution", "expanded", "generated", "checked"];
    names.iter().map(|name| field(&ran.out, name).to_owned()).collect()
}

/// Waits until a journal has some pieces.
fn await_pieces(path: &Path) {
    for _ in 0..2_000 {
        if fs::read_to_string(path).is_ok_and(|text| text.lines().count() > 200) {
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("no pieces in {}", path.display());
}

#[test]
fn a_killed_proof_resumes_and_shards_share_one() {
    let place = Place::new();
    let whole = result(&place.run(&arguments(BOARD, &[])));
    let mut child = place.start(&arguments(BOARD, &["--journal", "one"]));
    await_pieces(&place.path("one/1-of-1.csv"));
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let ran = place.run(&arguments(BOARD, &["--journal", "one", "--threads", "2"]));
    assert!(ran.err.contains("one: ") && ran.err.contains("pieces known"), "{}", ran.err);
    assert_eq!(result(&ran), whole);
    // Two processes side by side.
    let shard = |shard| place.start(&arguments(BOARD, &["--journal", "two", "--shard", shard]));
    for child in ["1/2", "2/2"].map(shard) {
        let ran = Ran::from(child.wait_with_output().expect("it ends"));
        assert_eq!(result(&ran), whole);
    }
    assert!(place.path("two/1-of-2.csv").exists() && place.path("two/2-of-2.csv").exists());
    // Another search in the same folder.
    let other = place.run(&arguments(EASY_15, &["--journal", "one"]));
    let said = other.bad(31);
    assert!(
        said.contains("1-of-1.csv, line 3, column 1") && said.contains("another search"),
        "{said}"
    );
}

#[test]
fn journals_that_cannot_be_kept_are_refused() {
    let place = Place::new();
    let several = ["solve", "tiles", BOARD, EASY_15, "--journal", "j"];
    assert!(place.run(&several).bad(2).contains("for one instance, and these are 2"));
    assert!(place.run(&arguments(BOARD, &["--shard", "1/2"])).bad(2).contains("--journal"));
    let wrong = arguments(BOARD, &["--journal", "j", "--shard", "3/2"]);
    assert!(place.run(&wrong).bad(2).contains("expected K/N"));
    for (solver, said) in [
        ("astar(manhattan)", " keeps no journal; these do: idastar, prove, tiles-optimal"),
        ("prove(greedy(manhattan), windows(bwas(manhattan)))", "windows keeps no journal"),
    ] {
        let refused = ["solve", "tiles", BOARD, "--journal", "j", "--solver", solver];
        let ran = place.run(&refused);
        assert!(ran.code != Some(0) && ran.err.contains(said), "{solver}: {}", ran.err);
    }
}
