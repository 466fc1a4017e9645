//! The folder of tables from the user's view: built once, killed, broken, shared, not writable.

use crate::place::{EASY, EASY_15, Place, files};
use std::{
    fs::File,
    io::{BufReader, Read as _},
    path::Path,
};

/// Building these takes a fraction of a second.
const SMALL: [&str; 4] = ["tables", "build", "tiles", "pdb(4-4)"];
/// This command builds a table of more than a million entries, which the program announces.
const ANNOUNCED: [&str; 4] = ["tables", "build", "tiles", "pdb(6-6-3)"];
/// The folder of the tables below the home of a test.
const CACHE: &str = "cache/unriddle";

#[test]
fn tables_are_built_listed_and_removed() {
    let place = Place::new();
    let info = || place.run(&["tables", "info"]).good();
    assert_eq!(info().lines().count(), 1);
    let built = place.run(&SMALL).good();
    assert_eq!(built.lines().count(), 2);
    assert!(built.lines().all(|line| line.contains(".table: 3,024 entries, 5.5 KiB, ")), "{built}");
    assert!(!built.contains("was there"));
    let again = place.run(&SMALL).good();
    assert!(again.lines().all(|line| line.ends_with("was there")), "{again}");
    assert_eq!(info().lines().count(), 3);
    assert!(info().contains("sliding side=3 goals="));
    assert_eq!(place.run(&["tables", "clean"]).good(), "2 files removed, 11.0 KiB freed\n");
    assert_eq!(info().lines().count(), 1);
    assert!(place.tables(CACHE).is_empty());
    // A folder of one's own.
    place.run(&[&SMALL[..], &["--cache", "mine"]].concat()).good();
    assert_eq!((place.tables("mine").len(), place.tables(CACHE).len()), (2, 0));
}

#[test]
fn a_broken_table_is_refused_and_mended() {
    let place = Place::new();
    place.run(&SMALL).good();
    let whole = std::fs::read(&place.tables(CACHE)[0]).expect("a table");
    let mut flipped = whole.clone();
    flipped[5000] ^= 1;
    let mut header = whole.clone();
    header[100] ^= 1;
    let mut later = whole.clone();
    later[8] = 99;
    let hint = "; build it again with --rebuild, or remove it with `unriddle tables clean`";
    for (content, reason) in [
        (&whole[..5000], "the table is truncated or has the wrong length"),
        (&whole[..10], "the table is truncated or has the wrong length"),
        (&[], "the file is not a table of unriddle"),
        (b"something else", "the file is not a table of unriddle"),
        (&flipped, "the table is corrupted: the checksum of its entries is wrong"),
        (&header, "the table is corrupted: the checksum of its header is wrong"),
        (&later, "the table has format version 99; this program reads versions 1 to 2"),
    ] {
        let path = &place.tables(CACHE)[0];
        std::fs::write(path, content).expect("the table is broken");
        let message = format!("{}: {reason}{hint}", path.display());
        let solve = ["solve", "tiles", EASY, "--solver", "idastar(pdb(4-4))"];
        assert_eq!(place.run(&solve).bad(31), message);
        assert_eq!(place.run(&SMALL).bad(31), message);
        let batch = place.run(&["solve", "tiles", EASY, EASY, "--solver", "idastar(pdb(4-4))"]);
        assert!(batch.out.contains(reason), "{}", batch.out);
        batch.bad(32);
        place.run(&[&solve[..], &["--rebuild"]].concat()).good();
        place.run(&solve).good();
        assert_eq!(std::fs::read(path).expect("a table"), whole, "{reason}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_to_is_no_failure() {
    let place = Place::new();
    place.write("file", "");
    for cache in ["file", "file/below"] {
        let ran =
            place.run(&["solve", "tiles", EASY, "--solver", "idastar(pdb(4-4))", "--cache", cache]);
        let warnings: Vec<&str> = ran.err.lines().collect();
        // Once, not for every table.
        assert_eq!(warnings.len(), 1, "{}", ran.err);
        let warning = "warning: tables are used now, but cannot be kept for the next time: ";
        assert!(warnings[0].starts_with(warning), "{}", ran.err);
        assert!(ran.good().starts_with("L\n1 move, proved optimal, checked\n"));
    }
    // Building ahead without keeping is pointless, so that is one.
    let ran = place.run(&[&SMALL[..], &["--cache", "file"]].concat());
    assert_eq!(ran.bad(31), "the table was built, but cannot be kept in the cache folder");
    assert!(place.run(&["tables", "info", "--cache", "file"]).bad(31).starts_with("file: "));
}

/// Reads standard error until a line that begins with something.
fn wait_for(messages: &mut impl std::io::BufRead, beginning: &str) {
    let mut line = String::new();
    while !line.starts_with(beginning) {
        line.clear();
        let read = messages.read_line(&mut line).expect("standard error is read");
        assert_ne!(read, 0, "the program ended without saying: {beginning}");
    }
}

#[test]
fn a_killed_builder_leaves_nothing_that_harms() {
    let place = Place::new();
    let mut child = place.start(&ANNOUNCED);
    let mut messages = BufReader::new(child.stderr.take().expect("a pipe"));
    wait_for(&mut messages, "building ");
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    // A kill during writing: half a file under the name of a partial file.
    let lock = files(&place.path(CACHE), "lock").pop().expect("the lock is there");
    std::fs::write(lock.with_extension("partial"), [7; 5000]).expect("a file");
    let built = place.run(&ANNOUNCED).good();
    assert_eq!(built.lines().count(), 3, "{built}");
    place.run(&["solve", "tiles", EASY_15, "--solver", "idastar(pdb(6-6-3))"]).good();
    assert!(files(&place.path(CACHE), "partial").is_empty());
}

#[test]
fn the_second_builder_waits_for_the_first() {
    let place = Place::new();
    place.run(&SMALL).good();
    let table = place.tables(CACHE).remove(0);
    std::fs::remove_file(&table).expect("the table is removed");
    // This test is the first builder: it holds the lock until the other one waits.
    let lock = File::create(table.with_extension("lock")).expect("a lock");
    lock.lock().expect("it is locked");
    let mut child = place.start(&SMALL);
    let mut messages = BufReader::new(child.stderr.take().expect("a pipe"));
    wait_for(&mut messages, "waiting for another process that builds sliding side=3 ");
    assert!(!table.exists());
    drop(lock);
    let mut rest = String::new();
    messages.read_to_string(&mut rest).expect("standard error is read");
    assert_eq!((child.wait().expect("it ends").code(), &*rest), (Some(0), ""));
    assert!(table.exists());
}

#[test]
fn two_builders_at_once_agree() {
    let place = Place::new();
    let start = || place.start(&ANNOUNCED);
    let (one, other) = (start(), start());
    let outputs = [one, other].map(|child| {
        let ran: crate::place::Ran = child.wait_with_output().expect("it ends").into();
        ran.good()
    });
    let names = |output: &str| -> Vec<String> {
        output.lines().map(|line| line.split(": ").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(names(&outputs[0]), names(&outputs[1]));
    assert_eq!(names(&outputs[0]).len(), 3);
    assert!(names(&outputs[0]).iter().all(|name| Path::new(name).exists()));
    assert!(files(&place.path(CACHE), "partial").is_empty());
    place.run(&["solve", "tiles", EASY_15, "--solver", "idastar(pdb(6-6-3))"]).good();
}
