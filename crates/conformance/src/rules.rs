//! The rules: states, cursors, inverses and prunings along random walks.

use crate::{
    Subject, Violation,
    generic::generic,
    subject::{both, hold},
};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use unriddle_core::{Cost, GoalPuzzle, Puzzle, Score, ScorePuzzle, search::check_state_size};

/// States that are compared with each other: all pairs.
const COMPARED: usize = 400;

/// Checks the promises of every puzzle.
///
/// All answers are deterministic. No action is listed twice, and a copy of a suspended cursor
/// continues at the same action. `actions_after` omits only inverses, and an inverse leads back.
/// Equal states have equal hashes. States are small enough for searches.
///
/// # Errors
/// The first broken promise.
pub fn puzzle<P: Puzzle>(subject: &Subject<'_, P>) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    check_state_size::<P>().map_err(|error| subject.broken(error.to_string()))?;
    let start = puzzle.initial_state();
    hold(start == puzzle.initial_state(), || {
        subject.broken("the start is another one when it is asked for again")
    })?;
    let mut seen = Vec::new();
    for state in subject.states() {
        let actions: Vec<_> = puzzle.actions(&state).collect();
        cursor(subject, &state, &actions)?;
        for &last in &actions {
            let child = puzzle.apply(&state, last);
            hold(child == puzzle.apply(&state, last), || {
                let what = "an action leads to another state when it is applied again";
                subject.edge(what, &state, last)
            })?;
            inverses(subject, &state, last, &child)?;
            if seen.len() < COMPARED {
                seen.push(child);
            }
        }
    }
    same_states_same_hashes(subject, &seen)
}

fn cursor<P: Puzzle>(
    subject: &Subject<'_, P>,
    state: &P::State,
    actions: &[P::Action],
) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    hold(puzzle.actions(state).eq(actions.iter().copied()), || {
        subject.at("the actions are others when they are listed again", state)
    })?;
    for (i, action) in actions.iter().enumerate() {
        hold(!actions[..i].contains(action), || {
            subject.edge("an action is listed twice", state, *action)
        })?;
    }
    let mut cursor = puzzle.actions(state);
    for given in 0..=actions.len() {
        let suspended = cursor;
        hold(suspended.eq(actions[given..].iter().copied()), || {
            let what = format!("a copy of the cursor continues elsewhere after {given} actions");
            subject.at(what, state)
        })?;
        cursor.next();
    }
    Ok(())
}

fn inverses<P: Puzzle>(
    subject: &Subject<'_, P>,
    state: &P::State,
    last: P::Action,
    child: &P::State,
) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    let legal: Vec<_> = puzzle.actions(child).collect();
    let after: Vec<_> = puzzle.actions_after(child, last).collect();
    let edge = |what, next: P::Action| subject.edge(what, state, last).with_debug("next", next);
    for &next in &after {
        hold(legal.contains(&next), || {
            edge("`actions_after` lists an action that `actions` does not", next)
        })?;
    }
    for &next in &legal {
        if puzzle.is_inverse(last, next) {
            let back = puzzle.apply(child, next);
            hold(back == *state, || {
                let what = "`is_inverse` holds for an action that does not lead back";
                edge(what, next).with("leads to", subject.text(&back))
            })?;
        } else {
            hold(after.contains(&next), || {
                edge("`actions_after` leaves out an action that is no inverse of the last", next)
            })?;
        }
    }
    Ok(())
}

fn same_states_same_hashes<P: Puzzle>(
    subject: &Subject<'_, P>,
    seen: &[P::State],
) -> Result<(), Violation> {
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let hashes: Vec<u64> = seen.iter().map(|state| hasher.hash_one(state)).collect();
    for (i, one) in seen.iter().enumerate() {
        for (j, other) in seen.iter().enumerate().take(i + 1) {
            let found = |what| subject.at(what, one).with("other", subject.text(other));
            let (there, back) = (one.eq(other), other.eq(one));
            hold(there == back, || found("equality of states is not symmetric"))?;
            hold(one != other || hashes[i] == hashes[j], || {
                found("two equal states have different hashes")
            })?;
            hold(i != j || one == other, || found("a state does not equal itself"))?;
        }
    }
    Ok(())
}

/// Checks the promises of a goal puzzle: all promises of [`puzzle`], and that for two actions that
/// `commutes_after` omits, another sequence is kept that has the same result and costs no more.
/// Actions have the same effects on generic states and on other states of their classes.
///
/// # Errors
/// The first broken promise.
pub fn goal<P: GoalPuzzle>(subject: &Subject<'_, P>) -> Result<(), Violation> {
    puzzle(subject)?;
    let puzzle = subject.puzzle;
    let cost = |state: &P::State, action| puzzle.action_cost(state, action);
    for state in subject.states() {
        hold(puzzle.is_goal(&state) == puzzle.is_goal(&state), || {
            subject.at("a state is a goal only sometimes", &state)
        })?;
        for action in puzzle.actions(&state) {
            let (first, again) = (cost(&state, action), cost(&state, action));
            hold(first == again, || {
                let found = subject.edge("an action costs more at times", &state, action);
                found.with("costs", both(&first, &again))
            })?;
        }
        commuting(subject, &state, |state, action| Score::from(cost(state, action)))?;
    }
    generic(subject)
}

/// Checks the promises of a score puzzle: all promises of [`puzzle`]; a state is terminal exactly
/// if it has no action; rewards are deterministic; and for two actions that `commutes_after` omits,
/// another sequence is kept that earns no less.
///
/// # Errors
/// The first broken promise.
pub fn score<P: ScorePuzzle>(subject: &Subject<'_, P>) -> Result<(), Violation> {
    puzzle(subject)?;
    let puzzle = subject.puzzle;
    let reward = |state: &P::State, action| puzzle.reward(state, action);
    for state in subject.states() {
        hold(puzzle.is_terminal(&state) == puzzle.actions(&state).next().is_none(), || {
            subject.at("`is_terminal` differs from whether a legal action exists", &state)
        })?;
        let (first, again) = (puzzle.terminal_bonus(&state), puzzle.terminal_bonus(&state));
        hold(first == again, || {
            let found = subject.at("the terminal bonus differs at times", &state);
            found.with("bonuses", both(&first, &again))
        })?;
        for action in puzzle.actions(&state) {
            let (first, again) = (reward(&state, action), reward(&state, action));
            hold(first == again, || {
                let found = subject.edge("an action earns more at times", &state, action);
                found.with("rewards", both(&first, &again))
            })?;
        }
        // A reward is a cost with the opposite sign.
        commuting(subject, &state, |state, action| -reward(state, action))?;
    }
    Ok(())
}

/// Pairs that are left out from a state have an equal that is kept.
fn commuting<P: Puzzle>(
    subject: &Subject<'_, P>,
    state: &P::State,
    cost: impl Fn(&P::State, P::Action) -> Score,
) -> Result<(), Violation> {
    let puzzle = subject.puzzle;
    for last in puzzle.actions(state) {
        let child = puzzle.apply(state, last);
        for next in puzzle.actions(&child) {
            if !puzzle.commutes_after(last, next) {
                continue;
            }
            let end = puzzle.apply(&child, next);
            let most = cost(state, last) + cost(&child, next);
            hold(kept(puzzle, state, &end, most, &cost), || {
                let what = "`commutes_after` leaves out two actions, and no others that are kept \
                            lead there for the same cost";
                let found = subject.edge(what, state, last);
                found.with_debug("next", next).with("leads to", subject.text(&end))
            })?;
        }
    }
    Ok(())
}

/// Whether a sequence of at most two actions that are not omitted leads from `state` to `end` for a
/// cost of at most `most`.
fn kept<P: Puzzle>(
    puzzle: &P,
    state: &P::State,
    end: &P::State,
    most: Score,
    cost: &impl Fn(&P::State, P::Action) -> Score,
) -> bool {
    end == state && most >= 0
        || puzzle.actions(state).any(|first| {
            let between = puzzle.apply(state, first);
            let paid = cost(state, first);
            between == *end && paid <= most
                || puzzle.actions(&between).any(|second| {
                    puzzle.apply(&between, second) == *end
                        && paid + cost(&between, second) <= most
                        && !puzzle.commutes_after(first, second)
                })
        })
}

/// The cost of an edge in the type of sums.
pub(crate) fn cost_of<P: GoalPuzzle>(puzzle: &P, state: &P::State, action: P::Action) -> u64 {
    let cost: Cost = puzzle.action_cost(state, action);
    u64::from(cost)
}
