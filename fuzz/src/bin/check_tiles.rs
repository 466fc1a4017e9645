//! The verifier of sliding tiles: puzzle, instance and solution, separated by `;`. No text panics;
//! a legal action can be undone; a right solution of letters has as many moves as letters.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_check::{apply, goal, is_goal, is_known, legal_actions, verify};

fuzz_target!(|text: &str| {
    let mut parts = text.splitn(3, ';');
    let (Some(puzzle), Some(instance)) = (parts.next(), parts.next()) else {
        return;
    };
    let solution = parts.next().unwrap_or("");
    if let Ok(verdict) = verify(puzzle, instance, solution) {
        assert!(is_known(puzzle));
        assert_eq!(verdict.value, verdict.length as i64);
        if solution.chars().all(|c| c.is_whitespace() || "UDLR".contains(c)) {
            let letters = solution.chars().filter(|c| !c.is_whitespace()).count();
            assert_eq!(verdict.length, letters as u64);
        }
    }
    let Ok(actions) = legal_actions(puzzle, instance) else {
        return;
    };
    assert!((2..=4).contains(&actions.len()));
    for action in actions {
        let after = apply(puzzle, instance, &action).expect("a legal action");
        let back = match action.as_str() {
            "U" => "D",
            "D" => "U",
            "L" => "R",
            _ => "L",
        };
        let before = apply(puzzle, &after, back).expect("the opposite action");
        assert_eq!(apply(puzzle, &before, &action), Ok(after));
    }
    let target = goal(puzzle, instance).expect("a board").expect("one goal");
    assert_eq!(is_goal(puzzle, &target), Ok(true));
});
