//! Sokoban: pushes and moves by hand, all forms of a board and of a solution, all kinds of invalid
//! texts, and the published solutions of the XSokoban levels.
//!
//! The published levels and solutions are not part of the project. Their folder is named by the
//! environment variable `UNRIDDLE_DATA`; without it the test that needs them prints a message and
//! is skipped.

use std::{collections::BTreeMap, fs, io::Write as _, path::PathBuf};
use unriddle_check::{
    CheckError, Verdict, apply, goal, is_goal, is_known, legal_actions, verify, verify_all,
};

const PUSHES: &str = "sokoban";
const MOVES: &str = "sokoban(measure=moves)";

/// Two boxes, each beside its goal.
const SMALL: &str = "
#######
#     #
# $.  #
#@ $. #
#     #
#######
";

/// Two steps and three pushes.
const CORRIDOR: &str = "9#|#@--$--.#|9#";

fn why(puzzle: &str, instance: &str, solution: &str) -> String {
    verify(puzzle, instance, solution).expect_err("this is wrong").to_string()
}

/// Value and length for pushes, then for moves.
fn worth(instance: &str, solution: &str) -> [(i64, u64); 2] {
    [PUSHES, MOVES].map(|puzzle| {
        let verdict = verify(puzzle, instance, solution)
            .unwrap_or_else(|error| panic!("{puzzle}\n{instance}\n{solution}\n{error}"));
        (verdict.value, verdict.length)
    })
}

fn sorted(mut actions: Vec<String>) -> Vec<String> {
    actions.sort();
    actions
}

/// The position after many actions.
fn after(puzzle: &str, instance: &str, actions: &[&str]) -> String {
    actions.iter().fold(instance.to_owned(), |text, action| {
        apply(puzzle, &text, action).unwrap_or_else(|error| panic!("{text}: {error}"))
    })
}

#[test]
fn pushes_and_moves_by_hand() {
    assert!(is_known(PUSHES) && is_known(MOVES));
    assert!(is_known("sokoban(measure=pushes)"));
    assert_eq!(worth(SMALL, "rRlluR"), [(2, 2), (6, 6)]);
    // Steps behind the last push belong to it.
    assert_eq!(worth(SMALL, "rRlluRdd"), [(2, 2), (8, 8)]);
    assert_eq!(worth(CORRIDOR, "rrRRR"), [(3, 3), (5, 5)]);
    let solved = "#####|#@-*#|#####";
    assert_eq!(worth(solved, ""), [(0, 0), (0, 0)]);
    // Without a push all steps are one action.
    assert_eq!(worth(solved, "rl"), [(0, 1), (2, 2)]);
    // A box can be pushed off its goal and back.
    assert_eq!(worth("#######|#@-*--#|#-----#|#######", "rRdrruL"), [(2, 2), (7, 7)]);
    for puzzle in [PUSHES, MOVES] {
        assert_eq!(goal(puzzle, SMALL), Ok(None));
        assert_eq!(is_goal(puzzle, SMALL), Ok(false));
        assert_eq!(is_goal(puzzle, solved), Ok(true));
    }
}

#[test]
fn each_solution_is_played_from_the_start() {
    let verdict = |value, length| Ok(Verdict { value, length });
    let solutions = ["rRlluR", "rR", "rRlluR"];
    let verdicts = verify_all(PUSHES, SMALL, solutions).unwrap();
    assert_eq!(verdicts[0], verdict(2, 2));
    assert!(verdicts[1].is_err());
    assert_eq!(verdicts[2], verdict(2, 2));
    let verdicts = verify_all(MOVES, SMALL, solutions).unwrap();
    assert_eq!(verdicts[0], verdict(6, 6));
    assert_eq!(verdicts[2], verdict(6, 6));
}

#[test]
fn letters_name_the_directions() {
    let start = "7#|#-----#|#--*--#|#-*+*-#|#--*--#|#-$---#|7#";
    for (letter, expected) in [
        ("u", "#######|#--$--#|#--+--#|#-*.*-#|#--*--#|#-$---#|#######"),
        ("d", "#######|#-----#|#--*--#|#-*.*-#|#--+--#|#-$$--#|#######"),
        ("l", "#######|#-----#|#--*--#|#$+.*-#|#--*--#|#-$---#|#######"),
        ("r", "#######|#-----#|#--*--#|#-*.+$#|#--*--#|#-$---#|#######"),
    ] {
        assert_eq!(apply(MOVES, start, letter).as_deref(), Ok(expected));
    }
}

#[test]
fn boards_are_read_in_all_forms() {
    // The text after a step down, for moves: it shows where everything was.
    let expected = "-|--#####|###-.-#|#--$*@#|########";
    for board in [
        // Lines, with blanks at their ends, among blank lines.
        "\n \t\n-\n  #####  \n### .@#\n#  $* #   \n########\n\n  \n",
        "-\r\n  #####\r\n### .@#\r\n#  $* #\r\n########\r\n",
        // Other signs.
        "-\n__#####\n###-.p#\n#__bB-#\n########",
        // Parts of a line.
        "-|--#####|###-.@#|#--$*-#|########",
        "  -|  #####|### .@#|#  $* #|########|  ",
        "-|  #####|### .@#\n#  $* #|########|",
        "-|  #####|### .@#|\n#  $* #|########",
        // Counts.
        "-|2-5#|3#-.@#|#2-$*-#|8#",
        "1-\n2 5#\n3# .p#\n#2 b1B1-#\n08#99-",
        // A row without signs.
        "|--#####|###-.@#|#--$*-#|########",
    ] {
        assert_eq!(apply(MOVES, board, "d").as_deref(), Ok(expected), "{board}");
    }
    // Rows without signs below and between, and cells outside the walls, stay.
    for (board, expected) in [
        ("-\n\n-\n #####\n #@$.#\n #####\n\n.$\n\n-", "-|-|-|-#####|-#-@*#|-#####|-|.$|-|-"),
        ("#####||#####|#@$.#|5#||", "#####|-|#####|#-@*#|#####|-"),
        // Blanks at the beginning of a text in one line do not matter, of one in more lines they
        // do.
        ("\n   5#|#@$.#|5#\n", "#####|#-@*#|#####"),
        ("  5#|  #@$.#\n  5#", "--#####|--#-@*#|--#####"),
    ] {
        assert_eq!(apply(MOVES, board, "r").as_deref(), Ok(expected));
    }
    // Player and box on goals.
    assert_eq!(
        apply(MOVES, "6#|#+$-.#|#--$-#|6#", "R").as_deref(),
        Ok("######|#.@$.#|#--$-#|######")
    );
    for board in ["6#|#P$--#|6#", "6#|#+$--#|6#"] {
        assert_eq!(apply(MOVES, board, "R").as_deref(), Ok("######|#.@$-#|######"));
    }
}

#[test]
fn boards_of_most_rows_and_columns() {
    let wide = "255#|#@$.250-#|255#|";
    assert_eq!(worth(wide, "R"), [(1, 1), (1, 1)]);
    // Floor at the end of a row adds no column.
    assert_eq!(worth("5#|#@$.#99999999999999999999999-|5#", "R")[0], (1, 1));
    for long in [
        "256#|#@$.#|5#",
        "5#250-#|#@$.#|5#",
        "99999999999999999999999#|#@$.#|5#",
        "99999999999999999999999-#|#@$.#|5#",
    ] {
        assert_eq!(why(PUSHES, long, ""), "instance: row 1 has more than 255 columns");
    }
    assert_eq!(why(PUSHES, "5#|#@$.#|256#", ""), "instance: row 3 has more than 255 columns");
    let high = |rows: usize| format!("5#|#@$.#|{}5#", "#---#|".repeat(rows - 3));
    assert_eq!(worth(&high(255), "R"), [(1, 1), (1, 1)]);
    assert_eq!(why(PUSHES, &high(256), ""), "instance: there are more than 255 rows");
    let lines = format!("\n\n{}\n\n", high(255).replace('|', "\n"));
    assert_eq!(worth(&lines, "R"), [(1, 1), (1, 1)]);
}

#[test]
fn texts_that_are_no_board() {
    for (instance, message) in [
        ("", "there is no player"),
        (" \n\n", "there is no player"),
        ("|", "there is no player"),
        ("#####|#-$.#|#####", "there is no player"),
        (
            "######\n#@$.@#\n######",
            "a second player is in row 2, column 5 (the first one in row 2, column 2)",
        ),
        (
            "######\n#@$.-#\n#---+#\n######",
            "a second player is in row 3, column 5 (the first one in row 2, column 2)",
        ),
        (
            "6#|#2@$.#|6#",
            "a second player is in row 2, column 3 (the first one in row 2, column 2)",
        ),
        ("####|#@-#|####", "there are no boxes"),
        ("####|#+-#|####", "there are no boxes"),
        ("#####|#@$-#|#####", "there are 1 box and 0 goals"),
        ("######|#@$$*#|######", "there are 3 boxes and 1 goal"),
        ("######|#+$..#|######", "there are 1 box and 3 goals"),
        // The number of goals is looked at before the walls.
        ("@$", "there are 1 box and 0 goals"),
        (
            "@$.",
            "the player can leave the board: no walls keep him from its edge in row 1, column 1",
        ),
        (
            "#####|#@$.-|#####",
            "the player can leave the board: no walls keep him from its edge in row 2, column 5",
        ),
        (
            "#####|#@$.|#####",
            "the player can leave the board: no walls keep him from its edge in row 2, column 5",
        ),
        (
            "#####|-@$.#|#####",
            "the player can leave the board: no walls keep him from its edge in row 2, column 1",
        ),
        (
            "##-##|#@$.#|#####",
            "the player can leave the board: no walls keep him from its edge in row 1, column 3",
        ),
        // Through a box that he could not push.
        (
            "#####|#@$.#|###$#|#.--#|#*-##",
            "the player can leave the board: no walls keep him from its edge in row 5, column 2",
        ),
        // Missing cells of a short row are floor.
        (
            "5#|#-@|#$.#|5#",
            "the player can leave the board: no walls keep him from its edge in row 2, column 5",
        ),
        ("\n###\n# x#", "line 3, column 3: `x` is no sign of a board"),
        ("\n  ###|#@$x#", "line 2, column 10: `x` is no sign of a board"),
        ("###\n\t#@", "line 2, column 1: `\\t` is no sign of a board"),
        ("3#4x", "line 1, column 4: `x` is no sign of a board"),
        ("###|#²", "line 1, column 6: `²` is no sign of a board"),
        ("###|#0#", "line 1, column 6: the count is 0"),
        ("###|#00@", "line 1, column 6: the count is 0"),
        ("#12|#", "line 1, column 2: no sign is behind the count"),
        ("###\n#12", "line 2, column 2: no sign is behind the count"),
    ] {
        for puzzle in [PUSHES, MOVES] {
            assert_eq!(why(puzzle, instance, ""), format!("instance: {message}"), "{instance}");
        }
    }
    // Corners do not let him out.
    let corners = "-###|#@$.#|-###";
    assert_eq!(worth(corners, "R"), [(1, 1), (1, 1)]);
}

#[test]
fn solutions_are_read_in_all_forms() {
    for solution in [
        "rrRRR",
        "rrrrr",
        "RRRRR",
        "RrrRr",
        " r r\n\tR R\r\n R\n",
        "2r3R",
        "5r",
        "05R",
        "2r3(R)",
        "(2r)(3R)",
        "1(2(r)1(3(R)))",
        "2(r)rr1R",
        "2(2r)r",
        "2 ( r ) 3\nR",
        "9()rr3R99999999999999999999(3())",
    ] {
        assert_eq!(worth(CORRIDOR, solution), [(3, 3), (5, 5)], "{solution}");
    }
    assert_eq!(worth(CORRIDOR, "12(rl)2r3R"), [(3, 3), (29, 29)]);
    // Two digits with a blank between are one count.
    assert_eq!(worth(CORRIDOR, "1 2(rl)2r3R"), [(3, 3), (29, 29)]);
    // As many letters as there may be.
    assert_eq!(verify(PUSHES, CORRIDOR, "4999997(rl)2r3Rl").map(|verdict| verdict.value), Ok(3));
    for (solution, message) in [
        ("4999997(rl)2r3Rll", "with character 17 there are more than 10000000 letters"),
        ("10000001r", "with character 9 there are more than 10000000 letters"),
        ("9999999999999999999999999r", "with character 26 there are more than 10000000 letters"),
        ("9999(9999r)", "with character 11 there are more than 10000000 letters"),
        ("9(9(9(9(9(9(9(9r)))))))", "with character 23 there are more than 10000000 letters"),
        ("rrx", "character 3 is `x`; the letters are u, d, l and r"),
        ("r\n\u{7}", "character 3 is `\\u{7}`; the letters are u, d, l and r"),
        ("r²", "character 2 is `²`; the letters are u, d, l and r"),
        ("r,r", "character 2 is `,`; the letters are u, d, l and r"),
        ("r 0r", "character 3 begins a count of 0"),
        ("r00r", "character 2 begins a count of 0"),
        ("0(r)", "character 1 begins a count of 0"),
        ("r)", "character 2 is a `)` without a `(`"),
        ("2(r))R", "character 5 is a `)` without a `(`"),
        ("r2(rR", "character 3 is a `(` without a `)`"),
        ("(r(r)", "character 1 is a `(` without a `)`"),
        ("r12", "no letter is behind the count that begins with character 2"),
        ("(r12)", "no letter is behind the count that begins with character 3"),
    ] {
        for puzzle in [PUSHES, MOVES] {
            assert_eq!(
                why(puzzle, CORRIDOR, solution),
                format!("solution: {message}"),
                "{solution}"
            );
        }
    }
}

#[test]
fn illegal_letters_are_named_by_number_and_rule() {
    let illegal = |number, action: &str, why: &str| {
        Err(CheckError::Illegal { number, action: action.to_owned(), why: why.to_owned() })
    };
    for (solution, pushes, moves) in [
        // A wall.
        (
            "l",
            illegal(1, "l", "a wall is in row 4, column 1"),
            illegal(1, "l", "a wall is in row 4, column 1"),
        ),
        (
            "ddrr",
            illegal(1, "dd", "letter 2 (`d`): a wall is in row 6, column 2"),
            illegal(2, "d", "a wall is in row 6, column 2"),
        ),
        // After a push: the steps that lead to the wall are an action of their own.
        (
            "rRddr",
            illegal(2, "dd", "letter 2 (`d`): a wall is in row 6, column 4"),
            illegal(4, "d", "a wall is in row 6, column 4"),
        ),
        (
            "rR3(R)",
            illegal(3, "R", "a box is in row 4, column 6, and behind it is a wall"),
            illegal(4, "R", "a box is in row 4, column 6, and behind it is a wall"),
        ),
        // Case does not matter, the letter is written as it was.
        (
            "RRdD",
            illegal(2, "dD", "letter 2 (`D`): a wall is in row 6, column 4"),
            illegal(4, "D", "a wall is in row 6, column 4"),
        ),
    ] {
        assert_eq!(verify(PUSHES, SMALL, solution), pushes, "{solution}");
        assert_eq!(verify(MOVES, SMALL, solution), moves, "{solution}");
    }
    let row = "8#|#@$$..-#|8#";
    for puzzle in [PUSHES, MOVES] {
        assert_eq!(
            verify(puzzle, row, "R"),
            illegal(1, "R", "a box is in row 2, column 3, and behind it is another box",)
        );
    }
    // The number counts the letter after it, even if there was a push before.
    assert_eq!(
        apply(PUSHES, SMALL, "rRddd").map_err(|error| error.to_string()),
        Err("move 1 (`rRddd`) is illegal: letter 4 (`d`): a wall is in row 6, column 4".to_owned())
    );
    // Texts that are no action.
    assert_eq!(
        apply(MOVES, SMALL, "rR").map_err(|error| error.to_string()),
        Err("move 1 (`rR`) is illegal: an action is one letter".to_owned())
    );
    assert_eq!(
        apply(PUSHES, SMALL, "rRR").map_err(|error| error.to_string()),
        Err("move 1 (`rRR`) is illegal: letter 3 (`R`): an action has one push".to_owned())
    );
    for puzzle in [PUSHES, MOVES] {
        assert_eq!(
            apply(puzzle, SMALL, " ").map_err(|error| error.to_string()),
            Err("move 1 (` `) is illegal: there is no letter".to_owned())
        );
        assert_eq!(
            apply(puzzle, SMALL, "x").map_err(|error| error.to_string()),
            Err("move 1 (`x`) is illegal: character 1 is `x`; the letters are u, d, l and r"
                .to_owned())
        );
    }
}

#[test]
fn boxes_that_are_missing_are_counted() {
    assert_eq!(
        why(PUSHES, SMALL, ""),
        "after 0 moves the goal is not reached: 2 boxes are not on goals"
    );
    assert_eq!(
        why(PUSHES, SMALL, "rR"),
        "after 1 move the goal is not reached: 1 box is not on a goal"
    );
    assert_eq!(
        why(MOVES, SMALL, "rR"),
        "after 2 moves the goal is not reached: 1 box is not on a goal"
    );
    // A box that the player can never get to, even one at the edge.
    for outside in ["#####|#@$.#|#####|.$", "#####$|#@$.#.|#####"] {
        assert_eq!(
            why(PUSHES, outside, "R"),
            "after 1 move the goal is not reached: 1 box is not on a goal"
        );
        assert_eq!(legal_actions(PUSHES, outside).unwrap(), ["R"]);
    }
    assert_eq!(worth("#####*|#@$.#|#####", "R"), [(1, 1), (1, 1)]);
}

#[test]
fn for_pushes_the_player_is_on_the_first_cell() {
    assert_eq!(
        apply(PUSHES, SMALL, "rR").as_deref(),
        Ok("#######|#@----#|#-$.--#|#---*-#|#-----#|#######")
    );
    assert_eq!(after(MOVES, SMALL, &["r", "R"]), "#######|#-----#|#-$.--#|#--@*-#|#-----#|#######");
    // Steps without a push leave the text unchanged.
    assert_eq!(
        apply(PUSHES, SMALL, "dr").as_deref(),
        Ok("#######|#@----#|#-$.--#|#--$.-#|#-----#|#######")
    );
    // He does not get past the box.
    assert_eq!(apply(PUSHES, "8#|#.-$-@-#|8#", "lL").as_deref(), Ok("########|#.$@---#|########"));
    // The first cell is a goal.
    assert_eq!(
        apply(PUSHES, "8#|#.-$-@-#|#----###|8#", "lL").as_deref(),
        Ok("########|#+$----#|#----###|########")
    );
}

#[test]
fn legal_actions_by_hand() {
    let room = "
#######
#@    #
#     #
#  $. #
#     #
#######
";
    // The walks: of the shortest ones the first in alphabetical order, around the box.
    assert_eq!(sorted(legal_actions(PUSHES, room).unwrap()), ["dddrrU", "ddrR", "drrD", "drrrdL"]);
    assert_eq!(sorted(legal_actions(MOVES, room).unwrap()), ["d", "r"]);
    // The player is beside the box already.
    let beside = "#######|#--.--#|#-@$--#|#-----#|#######";
    assert_eq!(sorted(legal_actions(PUSHES, beside).unwrap()), ["R", "drU", "drruL", "urD"]);
    assert_eq!(sorted(legal_actions(MOVES, beside).unwrap()), ["R", "d", "l", "u"]);
    // Boxes at walls and beside each other.
    let tight = "#######|#@$$-.#|#-----#|#-$.-.#|#######";
    assert_eq!(sorted(legal_actions(PUSHES, tight).unwrap()), ["ddR", "drrdL"]);
    let stuck = "#######|#@$$..#|#######";
    assert!(legal_actions(PUSHES, stuck).unwrap().is_empty());
    assert!(legal_actions(MOVES, stuck).unwrap().is_empty());
}

#[test]
fn walks_are_the_first_of_all_words() {
    // A pillar and two boxes; no walk to a box is longer than eight letters.
    let start = "######|#.-.##|#-$--#|#--$@#|#-#--#|######";
    // All walks of a length, which grows by one letter each round, in alphabetical order, including
    // walks that turn back, with their ends.
    let mut walks = vec![(String::new(), start.to_owned())];
    // By the position after a push the first of all words that lead to it.
    let mut expected: BTreeMap<String, String> = BTreeMap::new();
    for _ in 0..=9 {
        let mut longer = Vec::new();
        for (walk, text) in &walks {
            for letter in sorted(legal_actions(MOVES, text).unwrap()) {
                let next = apply(MOVES, text, &letter).unwrap();
                let word = format!("{walk}{letter}");
                if letter == letter.to_uppercase() {
                    expected.entry(next).or_insert(word);
                } else {
                    longer.push((word, next));
                }
            }
        }
        walks = longer;
    }
    let expected = sorted(expected.into_values().collect());
    assert!(expected.iter().any(|word| word.len() == 9), "{expected:?}");
    assert_eq!(sorted(legal_actions(PUSHES, start).unwrap()), expected);
}

/// The smallest number of actions, by a search that knows nothing of the crate's inside.
fn fewest(puzzle: &str, instance: &str) -> Option<u64> {
    let mut seen = std::collections::HashSet::from([instance.to_owned()]);
    let mut queue = std::collections::VecDeque::from([(instance.to_owned(), 0)]);
    while let Some((text, length)) = queue.pop_front() {
        if is_goal(puzzle, &text).unwrap() {
            return Some(length);
        }
        for action in legal_actions(puzzle, &text).unwrap() {
            let next = apply(puzzle, &text, &action).unwrap();
            if seen.insert(next.clone()) {
                queue.push_back((next, length + 1));
            }
        }
    }
    None
}

#[test]
fn boxes_or_goals_may_be_left_over() {
    let (more_boxes, more_goals) = ("######|#@$$.#|#----#|######", "#####|#@$.#|#--.#|#####");
    for (extra, instance, refused) in [
        ("boxes", more_boxes, None),
        ("any", more_boxes, None),
        ("goals", more_boxes, Some("there are 2 boxes and 1 goal")),
        ("none", more_boxes, Some("there are 2 boxes and 1 goal")),
        ("goals", more_goals, None),
        ("any", more_goals, None),
        ("boxes", more_goals, Some("there are 1 box and 2 goals")),
        ("any", "#####|#@$-#|#####", Some("there are 1 box and 0 goals")),
    ] {
        let puzzle = format!("sokoban(extra={extra}, signs=\"B=$\")");
        let found = is_goal(&puzzle, instance).map_err(|error| error.to_string());
        let refused = refused.map(|why| format!("instance: {why}"));
        assert_eq!(found.err(), refused, "{puzzle} {instance}");
    }
    let puzzle = "sokoban(extra=any)";
    assert_eq!(verify(puzzle, more_goals, "R").map(|verdict| verdict.value), Ok(1));
    assert_eq!(
        why(puzzle, more_boxes, ""),
        "after 0 moves the goal is not reached: 1 goal has no box"
    );
    let solved = "######|#@-$*#|#----#|######";
    assert_eq!(is_goal(puzzle, solved), Ok(true));
    assert_eq!(fewest(puzzle, "######|#-$-.#|#@-$-#|#----#|######"), Some(2));
}

#[test]
fn a_search_finds_the_fewest_actions() {
    for (instance, pushes, moves) in [
        (SMALL, Some(2), Some(4)),
        (CORRIDOR, Some(3), Some(5)),
        ("#####|#@$-#|#--.#|#####", None, None),
        // The box has to go around a corner: right, then down.
        ("######|#----#|#@$--#|#----#|##-.-#|######", Some(3), Some(5)),
    ] {
        assert_eq!(fewest(PUSHES, instance), pushes, "{instance}");
        assert_eq!(fewest(MOVES, instance), moves, "{instance}");
    }
}

#[test]
fn invalid_specs_are_rejected() {
    for (puzzle, message) in [
        ("sokoban(measure=steps)", "measure is pushes or moves, not `steps`"),
        ("sokoban(extra=walls)", "extra must be `none`, `boxes`, `goals` or `any`, not `walls`"),
        ("sokoban(metric=moves)", "sokoban has no parameter `metric`"),
        ("sokoban(measure=moves, size=3)", "sokoban has no parameter `size`"),
    ] {
        assert_eq!(why(puzzle, SMALL, ""), format!("puzzle: {message}"));
    }
}

/// A file of the published levels. Without it, prints a message and returns `None`.
fn data(name: &str) -> Option<String> {
    let Some(folder) = std::env::var_os("UNRIDDLE_DATA") else {
        // Not `eprintln!`: the test harness would swallow it.
        let _ = writeln!(std::io::stderr(), "SKIPPED: sokoban/{name} (UNRIDDLE_DATA is not set)");
        return None;
    };
    let path = PathBuf::from(folder).join("sokoban").join(name);
    Some(fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

#[test]
fn published_solutions_of_the_xsokoban_levels() {
    let (Some(levels), Some(solutions)) = (data("xsokoban90.xsb"), data("xsokoban90_best.csv"))
    else {
        return;
    };
    // Levels and their titles, each apart by a blank line.
    let levels: Vec<&str> = levels
        .split("\n\n")
        .filter(|text| !text.trim().is_empty() && !text.trim_start().starts_with(';'))
        .collect();
    assert_eq!(levels.len(), 90);
    let mut compared = 0;
    for line in solutions.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        if fields[4].is_empty() {
            // No solution is known.
            continue;
        }
        let number = |field: usize| fields[field].parse::<i64>().unwrap();
        let level = levels[number(0) as usize - 1];
        let (boxes, pushes, moves) = (number(1), number(2), number(3));
        let signs = level.chars().filter(|sign| ['$', '*'].contains(sign));
        assert_eq!(signs.count() as i64, boxes, "level {}", fields[0]);
        assert_eq!(
            worth(level, fields[4]),
            [(pushes, pushes as u64), (moves, moves as u64)],
            "level {}",
            fields[0]
        );
        compared += 1;
    }
    assert_eq!(compared, 88);
}
