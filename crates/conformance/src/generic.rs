//! Generic states: actions have the same effects on them and on every other state of the class.

use crate::{
    Subject, Violation,
    subject::{both, hold},
};
use std::collections::HashMap;
use unriddle_core::{Cost, GoalPuzzle};

/// Number of states on which sequences are compared with their effects on a generic state.
const COMPARED: usize = 20;

/// Sequences from a generic state.
const SEQUENCES: usize = 4_000;

/// An action's code, its cost, and the class of the state after it.
type Edge = (u8, Cost, usize);

/// Checks that the class of a state decides its actions, their costs and the next classes, and that
/// sequences with equal effects on a generic state have equal effects on others of its class.
pub(crate) fn generic<P: GoalPuzzle>(subject: &Subject<'_, P>) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    let generic = puzzle.generic_states();
    let edges = |state: &P::State| -> Vec<Edge> {
        let edge = |action| {
            let after = puzzle.legality_class(&puzzle.apply(state, action));
            (puzzle.action_code(action), puzzle.action_cost(state, action), after)
        };
        let mut edges: Vec<Edge> = puzzle.actions(state).map(edge).collect();
        edges.sort_unstable();
        edges
    };
    let mut sequences = Vec::new();
    for (class, state) in generic.iter().enumerate() {
        let found = puzzle.legality_class(state);
        hold(found == class, || {
            subject
                .at("a generic state is not of its class", state)
                .with("class", both(&class, &found))
        })?;
        let edges = edges(state);
        hold(edges.windows(2).all(|pair| pair[0].0 != pair[1].0), || {
            subject.at("two actions have the same code", state)
        })?;
        sequences.push(equal_pairs(puzzle, state));
    }
    let Some(first) = generic.first() else { return Ok(()) };
    for (at, state) in subject.states().enumerate() {
        let class = puzzle.legality_class(&state);
        let of = generic.get(class);
        hold(of.is_some_and(|of| edges(of) == edges(&state)), || {
            let what = "a state and the generic state of its class have different actions";
            subject.at(what, &state).with("generic", subject.text(of.unwrap_or(first)))
        })?;
        for (one, other) in sequences[class].iter().filter(|_| at < COMPARED) {
            let [one, other] = [one, other].map(|codes| played(puzzle, &state, codes));
            hold(one == other, || {
                let what =
                    "sequences with equal effects on a generic state lead to different states";
                subject.at(what, &state)
            })?;
        }
    }
    Ok(())
}

/// The state after actions with these codes.
fn played<P: GoalPuzzle>(puzzle: &P, state: &P::State, codes: &[u8]) -> Option<P::State> {
    codes.iter().try_fold(*state, |state, code| {
        let action = puzzle.actions(&state).find(|action| puzzle.action_code(*action) == *code)?;
        Some(puzzle.apply(&state, action))
    })
}

/// Pairs of short sequences that lead from a state to the same state.
fn equal_pairs<P: GoalPuzzle>(puzzle: &P, state: &P::State) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut known = HashMap::from([(*state, Vec::new())]);
    let mut layer = vec![(*state, Vec::new())];
    let (mut pairs, mut count) = (Vec::new(), 0);
    while !layer.is_empty() && count < SEQUENCES {
        let mut next = Vec::new();
        for (state, codes) in layer {
            for action in puzzle.actions(&state) {
                count += 1;
                let child = puzzle.apply(&state, action);
                let codes = [&codes[..], &[puzzle.action_code(action)]].concat();
                match known.get(&child) {
                    Some(before) => pairs.push((before.clone(), codes)),
                    None => {
                        known.insert(child, codes.clone());
                        next.push((child, codes));
                    }
                }
                if count >= SEQUENCES {
                    return pairs;
                }
            }
        }
        layer = next;
    }
    pairs
}
