//! Lights Out: the neighbours of a press, all forms of a board, and every way in which a text can
//! be wrong.

use unriddle_check::{apply, goal, is_goal, is_known, legal_actions, verify};

const FLAT: &str = "lightsout";
const TORUS: &str = "lightsout(torus=on)";

fn why(puzzle: &str, instance: &str, solution: &str) -> String {
    verify(puzzle, instance, solution).expect_err("this is wrong").to_string()
}

#[test]
fn a_press_toggles_its_neighbours() {
    assert!(is_known(FLAT) && is_known(TORUS));
    let dark = "000/000/000";
    assert_eq!(apply(FLAT, dark, "1,1").unwrap(), "010/111/010");
    assert_eq!(apply(FLAT, dark, "0,0").unwrap(), "110/100/000");
    assert_eq!(apply(TORUS, dark, "0,0").unwrap(), "111/100/100");
    // Neighbours on two sides are toggled once.
    assert_eq!(apply(TORUS, "00/00", "0,0").unwrap(), "11/10");
    assert_eq!(apply(TORUS, "0", "0,0").unwrap(), "1/");
    assert_eq!(legal_actions(FLAT, "10/01").unwrap(), ["0,0", "0,1", "1,0", "1,1"]);
    assert_eq!(goal(FLAT, "10/01"), Ok(Some("00/00".to_owned())));
}

#[test]
fn boards_are_read_in_all_forms() {
    for board in ["111010000", "###\n.#.\n...", "1 1 1 / 0,1,0 / 0 0 0\n", "\n111/\n\n010/000/"] {
        assert_eq!(is_goal(FLAT, board), Ok(false));
        let verdict = verify(FLAT, board, "0,1").unwrap();
        assert_eq!((verdict.value, verdict.length), (1, 1), "{board}");
    }
    assert_eq!(verify(FLAT, "0", "").unwrap().value, 0);
}

#[test]
fn mistakes_are_named() {
    assert_eq!(why(FLAT, "11/10", ""), "after 0 moves the goal is not reached: 3 lights are on");
    assert_eq!(
        why(FLAT, "11/10", "0,0 2,0"),
        "move 2 (`2,0`) is illegal: the board has 2 rows and 2 columns, counted from 0"
    );
    assert_eq!(
        why(FLAT, "11/10", "0,0 up"),
        "solution: word 2 is `up`; a press is row,column, such as 0,3"
    );
    assert_eq!(why(FLAT, "11/1x", ""), "instance: line 1: `x` is neither 0 nor 1");
    assert_eq!(why(FLAT, "11/1", ""), "instance: row 1 is not as long as the first one");
    assert_eq!(why(FLAT, " ", ""), "instance: there are no rows");
    assert_eq!(
        why(FLAT, "101", ""),
        "instance: one line of 3 signs is no square of at most 200 rows"
    );
    assert_eq!(
        why(FLAT, &"1/".repeat(201), ""),
        "instance: there are more than 200 rows or columns"
    );
    assert_eq!(why("lightsout(torus=maybe)", "1", ""), "puzzle: torus is on or off, not `maybe`");
    assert_eq!(why("lightsout(size=3)", "1", ""), "puzzle: lightsout has no parameter `size`");
}
