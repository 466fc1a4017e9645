//! Morpion Solitaire: the first moves of the cross, lines that touch, a game by hand, and every way
//! in which a text can be wrong.

use unriddle_check::{apply, goal, is_goal, is_known, legal_actions, verify};

const DISJOINT: &str = "morpion";
const TOUCHING: &str = "morpion(rule=5t)";

const CROSS: &str = "...oooo...\n...o..o...\n...o..o...\noooo..oooo\no........o\n\
                     o........o\noooo..oooo\n...o..o...\n...o..o...\n...oooo...";

fn why(puzzle: &str, instance: &str, solution: &str) -> String {
    verify(puzzle, instance, solution).expect_err("this is wrong").to_string()
}

/// The known number: 20 moves prolong a side of the cross, 8 join points across a gap.
#[test]
fn the_cross_has_28_first_moves() {
    for puzzle in [DISJOINT, TOUCHING] {
        assert_eq!(legal_actions(puzzle, CROSS).unwrap().len(), 28);
        assert_eq!(is_goal(puzzle, CROSS), Ok(false));
    }
    assert!(is_known(DISJOINT) && is_known(TOUCHING));
    assert_eq!(goal(DISJOINT, CROSS), Ok(None));
}

#[test]
fn points_and_lines_are_in_the_text() {
    // The new point is outside of the picture, which grows to both sides.
    let after = apply(DISJOINT, "oooo", "18,15--2").unwrap();
    assert_eq!(after, ".ooooo\n......\n14,15-+2");
    assert_eq!(is_goal(DISJOINT, &after), Ok(true));
    let verdict = verify(DISJOINT, "oooo", "18,15--2").unwrap();
    assert_eq!((verdict.value, verdict.length), (1, 1));
}

/// By rule 5T a line may begin where another one of its direction ends.
#[test]
fn lines_touch_by_one_rule_only() {
    let beside = "oooooooo.\n11,15-+2";
    assert_eq!(verify(TOUCHING, beside, "19,15--2").map(|verdict| verdict.value), Ok(1));
    assert_eq!(
        why(DISJOINT, beside, "19,15--2"),
        "move 1 (`19,15--2`) is illegal: 1 of its points belong to another line of its direction, 0 may"
    );
}

#[test]
fn errors_name_the_mistake() {
    for (puzzle, instance, solution, reason) in [
        ("morpion(rule=4t)", "o", "", "the rule of morpion is 5d or 5t, not `4t`"),
        ("morpion(rules=5t)", "o", "", "morpion has no parameter `rules`"),
        (DISJOINT, "", "", "there are no rows"),
        (DISJOINT, "oa", "", "line 1 is no row"),
        (DISJOINT, "o\noo", "", "line 2 is not as long"),
        (DISJOINT, "ooooo\n13,15-0", "", "there is no point at"),
        (DISJOINT, "oooo", "18,15", "word 1 is `18,15`; a move is"),
        (DISJOINT, "oooo", "18,15-+3", "word 1 is"),
        (DISJOINT, "oooo", "17,15--2", "there is a point at 17,15 already"),
        (DISJOINT, "oooo", "19,15--2", "there is no point at 18,15"),
        (DISJOINT, "oooo", "31,15-0", "the line leaves the board of 32 by 32 cells"),
        (
            DISJOINT,
            "oooo",
            "",
            "after 0 moves the goal is not reached: 2 moves are left, the first is 13,15-+2",
        ),
        (DISJOINT, "oooo", "18,15--2 13,15-+2", "move 2 (`13,15-+2`) is illegal"),
    ] {
        let found = why(puzzle, instance, solution);
        assert!(found.contains(reason), "{instance}, {solution}: {found}");
    }
    let row = "o".repeat(33);
    assert!(why(DISJOINT, &row, "").contains("more than 32"));
}
