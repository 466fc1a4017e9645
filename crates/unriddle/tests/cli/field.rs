//! Inputs as people of the field write them, from the public data: each is read correctly.

use crate::place::{Place, Ran, field};
use std::{env, io::Write as _, path::PathBuf};

/// A cube that several files contain in different forms.
const CUBE: &str = "BBBUUFUUDLRDLRDUUFRRFUFFBBRDDBDDBLRDUFFDLLFRRLLLLBFRBU";

/// The folder of the files; `None`, with a message, without public data.
fn folder() -> Option<PathBuf> {
    let Some(data) = env::var_os("UNRIDDLE_DATA") else {
        // Not `eprintln!`: the test harness would swallow it.
        let _ = writeln!(std::io::stderr(), "SKIPPED: field cases (UNRIDDLE_DATA is not set)");
        return None;
    };
    Some(PathBuf::from(data).join("field"))
}

/// Runs the program in the folder of the files.
fn run(place: &Place, arguments: &[&str]) -> Option<Ran> {
    let mut command = place.command(arguments);
    let output = command.current_dir(folder()?).output().expect("the program runs");
    Some(output.into())
}

/// Instances of a file in the notation of records, without names.
fn converted(place: &Place, puzzle: &str, file: &str) -> Option<Vec<String>> {
    let out = run(place, &["convert", puzzle, "--file", file])?.good();
    let bare = |line: &str| line.rsplit_once(": ").map_or(line, |(_, text)| text).to_owned();
    Some(out.lines().map(bare).collect())
}

/// Fields of the records of a solve.
fn solved(place: &Place, arguments: &[&str], code: i32, name: &str) -> Option<Vec<String>> {
    let all = ["solve"].into_iter().chain(arguments.iter().copied()).chain(["--format", "jsonl"]);
    let ran = run(place, &all.collect::<Vec<_>>())?;
    assert_eq!(ran.code, Some(code), "{arguments:?}: {}{}", ran.out, ran.err);
    // Every solution passes the check of its record.
    let checked = place.feed(&["check", "--file", "-"], &ran.out);
    assert_eq!(checked.code, Some(0), "{arguments:?}: {}", checked.out);
    Some(ran.out.lines().map(|line| field(line, name).trim_matches('"').to_owned()).collect())
}

#[test]
fn cubes_are_read_in_every_form() {
    let place = Place::new();
    for (file, count) in [
        ("cube-faces-on-lines.txt", 1),
        ("cube-net.txt", 1),
        ("cube-lower-case-stickers.txt", 2),
        ("cube-colour-letters.txt", 1),
    ] {
        let Some(cubes) = converted(&place, "cube", file) else { return };
        assert_eq!(cubes.len(), count, "{file}");
        let same = if file.contains("lower") { &cubes[0] } else { CUBE };
        assert!(cubes.iter().all(|cube| cube == same), "{file}: {cubes:?}");
    }
    for file in ["cube-commutator.txt", "cube-kociemba-output.txt"] {
        let Some(cubes) = converted(&place, "cube", file) else { return };
        assert!(cubes.len() == 2 && cubes[0] == cubes[1], "{file}: {cubes:?}");
    }
    let fast = ["cube(size=2)", "R U' F2", "--preset", "fast"];
    assert_eq!(solved(&place, &fast, 0, "value"), Some(vec!["4".to_owned()]));
}

#[test]
fn cubes_are_solved_as_they_are_held() {
    let place = Place::new();
    let arguments = ["cube", "--file", "cube-held.txt", "--preset", "fast"];
    let Some(solutions) = solved(&place, &arguments, 0, "solution") else { return };
    assert_eq!((solutions.len(), &*solutions[0], &*solutions[3]), (4, "R'", "R'"));
    assert!(place.run(&["check", "cube", "y R", "R'"]).good().starts_with("1: right"));
}

#[test]
fn orders_of_faces_are_options() {
    let place = Place::new();
    let Some(ran) = run(&place, &["convert", "cube", "--file", "cube-face-order.txt"]) else {
        return;
    };
    // The message names the order that makes the first text a cube.
    assert!(ran.err.contains("ULFRBD"), "{}", ran.err);
    let line = "oyyoyywggbbgbbgyogrwwrrrryyobbwggbrrrrwyowwggyoowwboob";
    let cube = place.run(&["convert", "cube(order=ULFRBD)", line]).good();
    assert_eq!(cube, place.run(&["convert", "cube", "R U2 F' L D"]).good());
}

#[test]
fn boards_of_tiles_are_read_in_every_form() {
    let place = Place::new();
    for (file, solution) in [
        ("tiles-matrix.txt", "LU"),
        ("tiles-matrix-4.txt", "LU"),
        ("tiles-size-header.txt", ""),
        ("tiles-digits.txt", ""),
        ("tiles-rectangle.txt", ""),
    ] {
        let arguments = ["tiles", "--file", file];
        let Some(values) = solved(&place, &arguments, 0, "value") else { return };
        assert_eq!(values, ["2"], "{file}");
        let found = solved(&place, &arguments, 0, "solution").unwrap_or_default();
        assert!(solution.is_empty() || found == [solution], "{file}: {found:?}");
    }
    let snail = ["tiles(goal=snail)", "--file", "tiles-snail.txt"];
    assert_eq!(solved(&place, &snail, 0, "value"), Some(vec!["1".to_owned()]));
    assert_eq!(run(&place, &["solve", "tiles", "tiles-snail.txt"]).and_then(|r| r.code), Some(10));
}

#[test]
fn levels_of_sokoban_are_read_in_every_form() {
    let place = Place::new();
    for (file, value) in [
        ("sokoban-latin1.sok", "1"),
        ("sokoban-windows-1252.txt", "1"),
        ("sokoban-interior-row.sok", "1"),
        ("sokoban-hash-comment.txt", "1"),
        ("sokoban.slc", "1"),
        ("sokoban-letters.xsb", "2"),
    ] {
        let Some(values) = solved(&place, &["sokoban", "--file", file], 0, "value") else { return };
        assert!(
            !values.is_empty() && values.iter().all(|found| found == value),
            "{file}: {values:?}"
        );
    }
    let broken = ["sokoban", "--file", "sokoban-one-broken.xsb"];
    assert_eq!(solved(&place, &broken, 31, "status").unwrap_or_default()[1], "refused");
    // A level that is wider than usual is read where it fits.
    let wide = solved(&place, &["sokoban", "--file", "sokoban-one-too-wide.xsb"], 0, "value");
    let wide = wide.unwrap_or_default();
    assert_eq!((wide.len(), &*wide[0], &*wide[2]), (3, "1", "1"));
}

#[test]
fn exhausted_levels_are_refuted() {
    let place = Place::new();
    let file = ["sokoban", "--file", "sokoban-exhausted.xsb"];
    let Some(statuses) = solved(&place, &file, 0, "status") else { return };
    assert_eq!(statuses, ["unsolvable"; 8]);
    let Some(ran) = run(&place, &["validate", "sokoban", "--file", file[2]]) else { return };
    assert_eq!((ran.code, ran.out.matches("unsolvable (proved)").count()), (Some(10), 8));
}

#[test]
fn other_puzzles_are_read_in_every_form() {
    let place = Place::new();
    // One board or three: the message names both readings.
    let Some(ran) = run(&place, &["solve", "samegame", "--file", "samegame-double-spaced.txt"])
    else {
        return;
    };
    let message = ran.bad(31);
    assert!(message.contains("if the rows are one board, or write a title"), "{message}");
    let id = place.run(&["convert", "samegame", "3x3c3s2:1,2,3,1,2,2,3,3,3"]).good();
    assert_eq!(id.trim_end().lines().count(), 3, "{id}");
    let lights = ["lightsout", "--file", "lightsout-x-and-dash.txt"];
    assert_eq!(solved(&place, &lights, 0, "value"), Some(vec!["2".to_owned()]));
    let Some(ran) =
        run(&place, &["validate", "lightsout", "--file", "lightsout-three-presses.txt"])
    else {
        return;
    };
    assert!(ran.out.contains("optimal solutions: 1"), "{}", ran.out);
    let zero = run(&place, &["convert", "freecell", "--file", "freecell-zero-for-ten.txt"]);
    let deal = place.run(&["convert", "freecell", "617"]).good();
    assert_eq!(zero.map(Ran::good), Some(deal));
}

#[test]
fn assignments_are_read_in_every_form() {
    let place = Place::new();
    for file in ["qap-best-known-in-header.dat", "qap-optimum-and-best-known.qap"] {
        let Some(values) = solved(&place, &["qap", file], 0, "value") else { return };
        assert_eq!(values, ["20"], "{file}");
    }
    let check = ["check", "qap", "qap-best-known-in-header.dat", "--file", "qap.sln"];
    let Some(ran) = run(&place, &check) else { return };
    assert!(ran.good().starts_with("1: right: 20"));
    for (puzzle, file, value) in [
        ("party(puzzle=party-puzzle.json)", "party-same-name-twice.csv", "600"),
        ("party(puzzle=party-budget.json)", "party-budget.csv", "-152"),
    ] {
        let values = solved(&place, &[puzzle, file], 0, "value").unwrap_or_default();
        assert_eq!(values, [value], "{file}");
    }
    let other = "party-price-by-another-name.csv";
    let Some(ran) = run(&place, &["solve", "party(puzzle=party-puzzle.json)", other]) else {
        return;
    };
    assert!(ran.err.contains("cost") || ran.err.contains("column"), "{}", ran.err);
}
