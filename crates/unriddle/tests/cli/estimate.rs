//! `unriddle estimate`: heuristics beside exact distances.

use crate::place::Place;

const BOARD: &str = "8 6 7 2 5 4 3 0 1";

/// Rows of the table of offsets, without the header.
fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().skip(1).map(|line| line.rsplitn(10, ',').collect()).collect()
}

#[test]
fn all_states_of_a_board_are_compared() {
    let place = Place::new();
    let whole = ["estimate", "tiles", BOARD, "--format", "json", "--heuristic", "manhattan"];
    let json = place.run(&whole).good();
    let found: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    // All 8-puzzles but the goal; two are 31 moves away, the farthest.
    assert_eq!(found[0]["states"], 181_439);
    let distances = found[0]["distances"].as_array().expect("distances");
    assert_eq!(distances.len(), 31);
    assert_eq!((&distances[30]["distance"], &distances[30]["states"]), (&31.into(), &2.into()));
    // Manhattan distance is admissible, and exact for the neighbours of the goal.
    assert_eq!(found[0]["offsets"][0]["overestimated"], 0);
    assert_eq!(found[0]["offsets"][0]["largest"], 0.0);
    assert_eq!(distances[0]["mean"], 1.0);
    let text = place.run(&["estimate", "tiles", BOARD, "--heuristic", "manhattan"]).good();
    assert!(text.starts_with("manhattan: 181,439 states without the goals\n"), "{text}");
    assert!(text.contains("offset 0.000 (none): 0 overestimated"), "{text}");
}

#[test]
fn an_offset_is_calibrated_on_drawn_states() {
    let place = Place::new();
    let table = |more: &[&str]| {
        let given = ["estimate", "tiles", BOARD, "--format", "csv", "--heuristic", "net(tiles8)"];
        place.run(&[&given, more].concat()).good()
    };
    let out = table(&["--calibrate", "10", "--calibrate", "10k"]);
    let rows = rows(&out);
    // In reverse: mean, largest, smallest, by more than one, share, overestimated, offset.
    let of = |row: &[&str], column: usize| row[column].parse::<f64>().expect("a number");
    let (none, few, many, all) = (&rows[0], &rows[1], &rows[2], &rows[3]);
    assert!(of(none, 5) > of(few, 5) && of(few, 5) > of(many, 5), "{out}");
    assert_eq!((of(none, 6), of(all, 5), of(all, 1)), (0.0, 0.0, 0.0), "{out}");
    // Without an offset the largest error is the offset that is needed.
    assert_eq!(of(none, 1), of(all, 6), "{out}");
    assert_eq!(out, table(&["--calibrate", "10", "--calibrate", "10k"]));
    assert_ne!(out, table(&["--calibrate", "10", "--calibrate", "10k", "--seed", "1"]));
}

#[test]
fn lost_states_are_counted_and_not_compared() {
    let place = Place::new();
    let level = "#######|#.@-$-#|#-----#|#######";
    let text = place.run(&["estimate", "sokoban", level, "--heuristic", "nearest"]).good();
    assert!(text.contains("left out, as no goal can be reached: "), "{text}");
}

#[test]
fn large_instances_scores_and_wrong_heuristics_are_refused() {
    let place = Place::new();
    let refused = |given: &[&str], code: i32| place.run(&[&["estimate"], given].concat()).bad(code);
    let few = refused(&["tiles", BOARD, "--heuristic", "blind", "--states", "1000"], 32);
    assert_eq!(few, "the instance has more than 1,000 states; the limit is too low");
    let score = refused(&["samegame", "1 1", "--heuristic", "blind"], 32);
    assert!(score.contains("has no costs to a goal"), "{score}");
    let wrong = refused(&["tiles", BOARD, "--heuristic", "manhatan"], 2);
    assert!(wrong.starts_with("--heuristic, column 1: unknown heuristic"), "{wrong}");
    assert!(refused(&["tiles", BOARD], 2).contains("--heuristic"));
    let none = refused(&["tiles", BOARD, "--heuristic", "blind", "--calibrate", "0"], 2);
    assert!(none.contains("at least one state must be drawn"), "{none}");
}
