use crate::{
    definition::{Definition, product},
    read::{read, samples},
};

fn of(text: &str) -> Result<Definition, String> {
    let read = read("a.tws", text);
    read.map(|mut all| all.remove(0)).map_err(|error| error.to_string())
}

fn changed(from: &str, to: &str) -> Result<Definition, String> {
    assert!(samples::TWS.contains(from), "{from}");
    of(&samples::TWS.replacen(from, to, 1))
}

fn names(definition: &Definition) -> Vec<&str> {
    definition.moves.iter().map(|step| &*step.name).collect()
}

/// The state of pieces and orientations after moves whose orientations belong to the pieces.
#[test]
fn old_moves_turn_the_piece_that_they_move() {
    let text = "Name x\nSet A 3 4\nSolved\nA\n1 2 3\nEnd\nMove p\nA\n2 3 1\n1 2 0\nEnd\nMove q\nA\n1 3 2\n0 3 1\nEnd\n";
    let definition = of(text).unwrap();
    let array = |name: &str| {
        let found = definition.moves.iter().find(|step| step.name == name);
        &found.unwrap().array[..]
    };
    let moves = [("p", [1, 2, 0], [1, 2, 0]), ("q", [0, 2, 1], [0, 3, 1])];
    let mut pieces = [(0, 0), (1, 0), (2, 0)];
    let mut total: Vec<u16> = (0..12).collect();
    for step in [0, 1, 1, 0, 1, 0, 0] {
        let (name, from, turns) = moves[step];
        total = product(&total, array(name));
        pieces = [0, 1, 2].map(|place: usize| {
            let (piece, orientation) = pieces[from[place]];
            (piece, (orientation + turns[from[place]]) % 4)
        });
        let labels: Vec<u16> = pieces
            .iter()
            .flat_map(|&(piece, o)| (0..4).map(move |slot| piece * 4 + (slot + 4 - o) % 4))
            .collect();
        assert_eq!(total, labels);
    }
}

#[test]
fn sequences_are_moves_and_aliases_are_names() {
    let more = "End\nMoveAlias T S'\nMoveSequence W T R\nMoveSequence V R Zv\nMoveSequence Q R2\nMove Zv\nEDGES\n2 1 3 4\nEnd\n";
    let definition =
        of(&samples::TWS.replace("0 1 0 1\nEnd\n", &format!("0 1 0 1\n{more}"))).unwrap();
    let names = names(&definition);
    assert_eq!(names[..6], ["R", "R'", "S", "S'", "W", "W'"]);
    assert!(names.contains(&"V") && !names.contains(&"Zv") && !names.contains(&"Q"));
    let array =
        |name: &str| &definition.moves.iter().find(|step| step.name == name).unwrap().array[..];
    assert_eq!(array("W"), product(array("S'"), array("R")));
}

#[test]
fn rotations_follow_the_rule_of_their_names() {
    for (name, expected) in [
        ("x", true),
        ("y2", true),
        ("z'", true),
        ("Uv", true),
        ("D_BLv", true),
        ("v", false),
        ("X", false),
        ("xx", false),
        ("2Uv", false),
        ("", false),
        ("uv", false),
    ] {
        assert_eq!(super::is_rotation(name), expected, "{name}");
    }
}

#[test]
fn question_marks_share_labels() {
    let definition = changed("1 2 3 4\nEDGES", "? 2 ? 2\n0 ? 1 ?\nEDGES").unwrap();
    assert_eq!(definition.goal[..4], [0, 1, 0, 1], "no orientation is visible");
    assert_eq!(definition.labels[..2], ["C?", "C2"]);
    let definition = changed("1 2 3 4\nEDGES", "1 2 3 4\n? 0 2 0\nEDGES").unwrap();
    assert_eq!(definition.goal[..9], [0, 0, 0, 1, 2, 3, 5, 6, 4]);
}

#[test]
fn illegal_slots_are_positions_with_labels() {
    let definition =
        changed("Move R\n", "Illegal CORNERS 2 4 1\nIllegal EDGES 4 1\nMove R\n").unwrap();
    let corners = [(3, 9), (3, 10), (3, 11), (3, 0), (3, 1), (3, 2)];
    assert_eq!(definition.illegal, [&corners[..], &[(18, 12), (18, 13)]].concat());
    let text = samples::TWS_NEW.replacen("MoveT", "Illegal EDGES 4 1\nMoveT", 1);
    assert_eq!(of(&text).unwrap().illegal, [(18, 12), (18, 13)]);
}

#[test]
fn malformed_files_are_rejected_with_their_positions() {
    for (from, to, expected) in [
        ("2 3 1 4", "2 3 1 5", "line 15, column 7: expected a place from 1 to 4, found `5`"),
        ("2 3 1 4", "2 3 2 4", "line 15, column 1: no permutation: position 1 occurs twice"),
        ("2 3 1 4", "2 3 1", "line 15, column 1: expected 4 numbers, found 3"),
        ("2 1 0 0", "2 1 3 0", "line 16, column 5: expected an orientation from 0 to 2, found `3`"),
        ("2 1 0 0", "0 0 0 0\n0 0 0 0", "line 17, column 1: expected at most two lines of numbers"),
        (
            "Move R",
            "Moves R",
            "line 13, column 1: expected Move, MoveTransformation, MoveAlias, MoveSequence or Illegal, found `Moves`",
        ),
        ("Move R", "Move", "line 13, column 1: expected `Move NAME`, found 1 words"),
        ("Move S", "Move R", "line 21, column 6: two moves are called `R`"),
        (
            "Move S",
            "Illegal CORNERS 1 5\nMove S",
            "line 21, column 19: expected a piece of `CORNERS`, found 5",
        ),
        (
            "Move S",
            "Illegal CORNERS 1 1\nMove S",
            "line 21, column 19: expected a piece that the solved state has elsewhere, found 1",
        ),
        (
            "Move S",
            "Illegal CORNER 1 4\nMove S",
            "line 21, column 9: expected the name of a set, found `CORNER`",
        ),
        (
            "Move S",
            "MoveSequence W R  Y\nMove S",
            "line 21, column 19: expected a move of the puzzle, found `Y`",
        ),
        (
            "Set EDGES 4 2",
            "Set EDGES 4",
            "line 4, column 1: expected `Set NAME PIECES ORIENTATIONS`, found 3 words",
        ),
        ("Set EDGES", "Set CORNERS", "line 4, column 5: two sets of pieces are called `CORNERS`"),
        (
            "EDGES\n1 2 3 4",
            "EDGES\nEnd\n1 2 3 4",
            "line 10, column 1: expected a line of numbers, found none",
        ),
        (
            "CORNERS\n1 2",
            "CORNER\n1 2",
            "line 7, column 1: expected `End` or the name of a further set, found `CORNER`",
        ),
        ("Solved", "Move", "line 6, column 1: expected `Move` after the solved state only"),
    ] {
        assert_eq!(changed(from, to).map(|_| ()), Err(expected.to_owned()), "{to}");
    }
    let unfinished = samples::TWS.strip_suffix("End\n").unwrap();
    let expected = "line 21, column 1: expected `End` after this block, found the end of the file";
    assert_eq!(of(unfinished).map(|_| ()), Err(expected.to_owned()));
    assert!(of("Name x\nSet A 3 1\n").unwrap_err().contains("expected a solved state"));
    assert!(of("Set A 3 1\nSolved\nEnd").unwrap_err().contains("expected at least one move"));
}
