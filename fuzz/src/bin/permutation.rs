//! Permutation puzzles: a file of any form, or an instance in standard form. No text panics; what is
//! read is written and read again, and the checker agrees on each legal move.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use unriddle_core::{Notation as _, Puzzle as _};
use unriddle_permutation::{
    definition::Definition, document, puzzle::Permutation, read, rules::Rules,
};

/// Most positions times moves of a puzzle whose rules are computed.
const FEW: usize = 2_000;

fn check(definition: Definition) {
    assert_eq!(definition.check(), Ok(()));
    let start = definition.starts.first().map_or(&definition.goal, |start| &start.state).clone();
    let text = document::text(&definition, &start);
    let read = document::parse(&text).expect("the standard form is read");
    assert_eq!(document::text(&read, &read.starts[0].state), text);
    if definition.goal.len() * definition.moves.len() > FEW || definition.goal.len() > 64 {
        return;
    }
    let rules = Arc::new(Rules::new(definition));
    rules.pieces();
    let puzzle = Permutation::<64>::new(Arc::clone(&rules), &start);
    let state = puzzle.initial_state();
    for step in puzzle.actions(&state).take(3) {
        let after = puzzle.state_text(&puzzle.apply(&state, step));
        let theirs = unriddle_check::apply("permutation", &text, &puzzle.solution_text(&[step]));
        let theirs = document::parse(&theirs.expect("a legal move")).expect("its text");
        assert_eq!(document::text(&theirs, &theirs.starts[0].state), after);
    }
}

fuzz_target!(|text: &str| {
    match document::parse(text) {
        Ok(definition) => check(definition),
        Err(error) => assert!(error.line >= 1 && error.column >= 1),
    }
    for name in ["a.toml", "a.json", "a.tws", "a.gap", "a.csv", ""] {
        match read::read(name, text) {
            Ok(definitions) => definitions.into_iter().take(3).for_each(check),
            Err(error) => assert!(error.line >= 1 && error.column >= 1),
        }
    }
});
