//! Permutation puzzles: the direction of cycles, inverses, wildcards, illegal states, all forms of
//! labels, and every way in which a text can be wrong.

use unriddle_check::{apply, goal, is_goal, is_known, legal_actions, verify, verify_all};

const PUZZLE: &str = "permutation";

const TOY: &str = "positions 6; name toy; moves l=(0,1,2) l'=~l r=(2,3)(4,5) s=(); \
                   goal A A B B C C; start A B A B C C; net 0 1 . / 2 3 .";

fn why(instance: &str, solution: &str) -> String {
    verify(PUZZLE, instance, solution).expect_err("this is wrong").to_string()
}

/// A puzzle of three positions with other sections.
fn small(sections: &str) -> String {
    format!("positions 3; moves l=(0,1,2) m=~l; {sections}")
}

#[test]
fn cycles_bring_the_label_of_the_next_position() {
    assert!(is_known(PUZZLE));
    let start = small("goal abc; start abc");
    // Position 0 has the label of position 1.
    assert_eq!(apply(PUZZLE, &start, "l").unwrap(), small("goal abc; start bca"));
    assert_eq!(apply(PUZZLE, &start, "m").unwrap(), small("goal abc; start cab"));
    for solution in ["", "l m", "m l", "l l l", "m m m", "l.m", "l.l l m.m.m"] {
        let solved = verify(PUZZLE, &start, solution).map(|verdict| verdict.length);
        let moves = solution.chars().filter(|sign| sign.is_alphabetic()).count();
        assert_eq!(solved, Ok(moves as u64), "{solution}");
    }
    assert!(verify(PUZZLE, &start, "l l").is_err());
    // Several cycles, and positions that stay; also the inverse of several cycles.
    let two = "positions 6; moves r=(1,0)(5,3,4) q=~r; goal 012345; start 012345";
    let [inverse, after] =
        ["102534", "102453"].map(|state| two.replace("start 012345", &format!("start {state}")));
    assert_eq!(apply(PUZZLE, two, "r"), Ok(after));
    assert_eq!(apply(PUZZLE, two, "q"), Ok(inverse));
}

#[test]
fn texts_keep_the_sections_and_the_form_of_the_start() {
    let after = TOY.replace("start A B A B C C", "start B A A B C C");
    assert_eq!(apply(PUZZLE, TOY, "l").unwrap(), after);
    assert_eq!(apply(PUZZLE, &after, "l'").unwrap(), TOY);
    assert_eq!(apply(PUZZLE, TOY, "s").unwrap(), TOY);
    assert_eq!(legal_actions(PUZZLE, TOY).unwrap(), ["l", "l'", "r", "s"]);
    let solved = TOY.replace("start A B A B C C", "start A A B B C C");
    assert_eq!(goal(PUZZLE, TOY), Ok(Some(solved.clone())));
    assert_eq!(is_goal(PUZZLE, &solved), Ok(true));
    assert_eq!(is_goal(PUZZLE, TOY), Ok(false));
    // Any order of sections, any blanks, a last semicolon.
    let text = "start\tABABCC ;;goal  AABBCC;moves x=(0,1)\n;positions 6;";
    let expected = "start BAABCC; goal AABBCC; moves x=(0,1); positions 6";
    assert_eq!(apply(PUZZLE, text, "x").unwrap(), expected);
    // The goal has labels that do not fit in one word.
    let mixed = "positions 2; moves x=(0,1); goal up do; start ab";
    let expected = "positions 2; moves x=(0,1); goal up do; start up do";
    assert_eq!(goal(PUZZLE, mixed), Ok(Some(expected.to_owned())));
    // The label of a single position is a word.
    let single = "positions 1; moves x=(0) y=~x; goal abc; start abc";
    assert_eq!(apply(PUZZLE, single, "y").unwrap(), single);
}

#[test]
fn wildcards_are_positions_that_may_differ() {
    let toy = |count: usize| format!("wildcards {count}; {TOY}");
    assert_eq!(is_goal(PUZZLE, &toy(1)), Ok(false));
    assert_eq!(is_goal(PUZZLE, &toy(2)), Ok(true));
    assert!(goal(PUZZLE, &toy(0)).unwrap().is_some());
    assert_eq!(goal(PUZZLE, &toy(2)), Ok(None));
    assert_eq!(
        why(&toy(1), "s"),
        "after 1 move the goal is not reached: 2 positions differ from the goal, but at most 1 may"
    );
}

#[test]
fn illegal_labels_are_refused_and_nothing_changes() {
    let toy = format!("illegal 3=A 0=C; {TOY}");
    assert_eq!(legal_actions(PUZZLE, &toy).unwrap(), ["l", "l'", "s"]);
    assert_eq!(why(&toy, "l r"), "move 2 (`r`) is illegal: position 3 must not have the label `A`");
    // `r` is legal where it brings another label.
    assert!(apply(PUZZLE, &toy.replace("start A B A B", "start A A B B"), "r").is_ok());
    // Label c is at position 2 already: a move that leaves it there is illegal as well.
    let inside = "positions 3; moves x=(0,1) y=(1,2); illegal 2=c; goal abc; start abc";
    assert_eq!(legal_actions(PUZZLE, inside).unwrap(), ["y"]);
    // An illegal move of one solution does not change the start of the next one.
    let verdicts = verify_all(PUZZLE, inside, ["y x", "x", "y y", "y"]).unwrap();
    assert!(verdicts.iter().all(Result::is_err));
    assert_eq!(verdicts[3].clone().unwrap_err().to_string(), {
        "after 1 move the goal is not reached: 2 positions differ from the goal"
    });
}

#[test]
fn words_are_names_before_they_are_several_names() {
    let text = "positions 3; moves a=(0,1) -b=(1,2) a.-b=(); goal abc; start abc";
    assert_eq!(verify(PUZZLE, text, "a.-b").unwrap().length, 1);
    assert_eq!(verify(PUZZLE, text, "a.a -b.-b").unwrap().length, 4);
    for (solution, number, word) in [("a b", 2, "b"), ("a.", 1, "a."), ("a a..a", 2, "a..a")] {
        let notation = "expected the name of a move, or names separated by dots";
        let expected = format!("solution: word {number} is `{word}`; {notation}");
        assert_eq!(why(text, solution), expected);
    }
    let error = apply(PUZZLE, text, "c").unwrap_err().to_string();
    assert_eq!(error, "move 1 (`c`) is illegal: there is no move of this name");
}

#[test]
fn invalid_instances_are_refused() {
    let names = "name, positions, moves, goal, start, wildcards, illegal, net";
    let of_moves = |moves: &str| format!("positions 3; moves {moves}; goal abc; start abc");
    let many: String = (0..257).map(|number| format!(" m{number}=()")).collect();
    let rest = "goal abc; start abc";
    let cases = [
        (small("goal abc; begin abc"), format!("unknown section `begin`; sections are {names}")),
        (small("goal abc; goal abc; start abc"), "there are two sections `goal`".to_owned()),
        (small("goal abc"), "there is no section `start`, which is required".to_owned()),
        (String::new(), "there is no section `positions`, which is required".to_owned()),
        (of_moves("a"), "`moves` has the word `a`; expected NAME=CYCLES".to_owned()),
        (of_moves("=(0,1)"), "`moves` has the word `=(0,1)`; expected NAME=CYCLES".to_owned()),
        (of_moves("a=() a=()"), "two moves are called `a`".to_owned()),
        (of_moves(""), "there are 0 moves, expected 1 to 256".to_owned()),
        (of_moves(&many), "there are 257 moves, expected 1 to 256".to_owned()),
        (of_moves("a=~b b=()"), "move `a`: no move before it is called `b`".to_owned()),
        (of_moves("a=~a"), "move `a`: no move before it is called `a`".to_owned()),
        (of_moves("a=0,1"), "move `a`: `0,1` is not in parentheses, as in (0,1)(2,3)".to_owned()),
        (of_moves("a=("), "move `a`: `(` is not in parentheses, as in (0,1)(2,3)".to_owned()),
        (of_moves("a=(0,3)"), "move `a`: `3` is no position from 0 to 2".to_owned()),
        (of_moves("a=(0,)"), "move `a`: `` is no position from 0 to 2".to_owned()),
        (of_moves("a=(0)1)"), "move `a`: `0)1` is no position from 0 to 2".to_owned()),
        (of_moves("a=(0,1)(2,0)"), "move `a`: position 0 occurs twice".to_owned()),
        (small("goal ab; start abc"), "`goal` has 2 labels, expected 3".to_owned()),
        (small("goal abc; start a b"), "`start` has 2 labels, expected 3".to_owned()),
        (small("goal abc; start a"), "`start` has 1 label, expected 3".to_owned()),
        (
            small(&format!("{rest}; wildcards 4")),
            "`wildcards` is not one number from 0 to 3".to_owned(),
        ),
        (
            small(&format!("{rest}; illegal 3=a")),
            "`illegal` has the word `3=a`; expected POSITION=LABEL, position 0 to 2".to_owned(),
        ),
        (
            small(&format!("{rest}; illegal 1=")),
            "`illegal` has the word `1=`; expected POSITION=LABEL, position 0 to 2".to_owned(),
        ),
    ];
    for (instance, expected) in cases {
        assert_eq!(why(&instance, ""), format!("instance: {expected}"), "{instance}");
    }
    for word in ["0", "513", "-1", "3 3", "three"] {
        let instance = small(rest).replace("positions 3", &format!("positions {word}"));
        let expected = "instance: `positions` is not one number from 1 to 512";
        assert_eq!(why(&instance, ""), expected, "{word}");
    }
    let error = verify("permutation(size=3)", TOY, "").unwrap_err().to_string();
    assert_eq!(error, "puzzle: permutation has no parameter `size`");
}

#[test]
fn the_largest_puzzle_is_read() {
    let labels: String = (0..512).map(|number| format!(" N{number}")).collect();
    let cycle: Vec<String> = (0..512).map(|number| number.to_string()).collect();
    let mut moves = format!("m0=({})", cycle.join(","));
    for number in 1..256 {
        moves += &format!(" m{number}=~m{}", number - 1);
    }
    let text = format!("positions 512; moves {moves}; goal{labels}; start{labels}");
    assert_eq!(verify(PUZZLE, &text, "m0 m255").unwrap().value, 2);
    assert_eq!(legal_actions(PUZZLE, &text).unwrap().len(), 256);
}
