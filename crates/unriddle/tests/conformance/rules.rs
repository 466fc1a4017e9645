//! The rules themselves: against the independent checker, in texts, along random walks.

use crate::{Sample, any_action, sorted, walk};
use std::collections::HashMap;
use unriddle_core::{
    Blind, Budget, GoalPuzzle, Notation, Rng, Scalar, run, search::check_state_size,
};
use unriddle_search::{
    astar::{AStar, AStarConfig},
    beam::{Beam, BeamConfig},
    bfs::{Bfs, BfsConfig},
    idastar::IdaStar,
};

const STEPS: usize = 60;

/// At every step of a walk both implementations know the same actions, which lead to the same texts, and
/// call the same positions goals.
pub(crate) fn agree_with_the_checker<P: GoalPuzzle + Notation>(sample: &Sample<P>) {
    sample.each(|spec, start| {
        let mut rng = Rng::new(3);
        let mut state = start.initial_state();
        for _ in 0..STEPS {
            let text = start.state_text(&state);
            // Texts of actions are those of a solution that begins here.
            let here = (sample.read)(spec, &text);
            let ours = here
                .actions(&state)
                .map(|action| here.solution_text(&[action]));
            let theirs = unriddle_check::legal_actions(spec, &text).unwrap();
            assert_eq!(sorted(ours), sorted(theirs), "{spec}: {text}");
            let is_goal = unriddle_check::is_goal(spec, &text);
            assert_eq!(Ok(here.is_goal(&state)), is_goal, "{spec}: {text}");
            for action in here.actions(&state) {
                let child = here.state_text(&here.apply(&state, action));
                let action = here.solution_text(&[action]);
                let theirs = unriddle_check::apply(spec, &text, &action);
                assert_eq!(Ok(child), theirs, "{spec}: {text}: {action}");
            }
            let Some(action) = any_action(&here, &state, &mut rng) else {
                break;
            };
            state = here.apply(&state, action);
        }
    });
}

/// States and solutions read back as what was written.
pub(crate) fn texts_read_back<P: GoalPuzzle + Notation>(sample: &Sample<P>) {
    sample.each(|spec, start| {
        let mut rng = Rng::new(4);
        let mut state = start.initial_state();
        let mut actions = Vec::new();
        // No two states have the same text.
        let mut texts = HashMap::new();
        for _ in 0..STEPS {
            // States of two instances need not compare: a state may lean on its instance's start.
            let text = start.state_text(&state);
            let again = (sample.read)(spec, &text);
            assert_eq!(again.state_text(&again.initial_state()), text, "{spec}");
            assert!(texts.entry(text).or_insert(state) == &state, "{spec}");
            let written = start.solution_text(&actions);
            assert_eq!(
                start.parse_solution(&written).as_ref(),
                Ok(&actions),
                "{written}"
            );
            let Some(action) = any_action(&start, &state, &mut rng) else {
                break;
            };
            state = start.apply(&state, action);
            actions.push(action);
        }
        assert!(start.parse_solution("no solution at all").is_err());
    });
}

/// The cursor is a value; what is pruned as an inverse is one; what is left out as commuting has an
/// equal in the other order.
pub(crate) fn cursors_and_prunings_are_sound<P: GoalPuzzle + Notation>(sample: &Sample<P>) {
    check_state_size::<P>().unwrap();
    sample.each(|_, puzzle| {
        for state in walk(&puzzle, STEPS, 5) {
            let actions: Vec<_> = puzzle.actions(&state).collect();
            for (i, action) in actions.iter().enumerate() {
                assert!(!actions[..i].contains(action), "{action:?} is listed twice");
            }
            // A copy of a suspended cursor goes on where the cursor was.
            let mut cursor = puzzle.actions(&state);
            let first = cursor.next();
            let suspended = cursor;
            assert_eq!(cursor.count() + usize::from(first.is_some()), actions.len());
            assert_eq!(
                first.into_iter().chain(suspended).collect::<Vec<_>>(),
                actions
            );

            for &last in &actions {
                let child = puzzle.apply(&state, last);
                let after: Vec<_> = puzzle.actions_after(&child, last).collect();
                assert!(
                    after
                        .iter()
                        .all(|&a| puzzle.actions(&child).any(|b| a == b))
                );
                for next in puzzle.actions(&child) {
                    let grandchild = puzzle.apply(&child, next);
                    if puzzle.is_inverse(last, next) {
                        assert_eq!(grandchild, state, "{last:?} {next:?}");
                    } else {
                        assert!(after.contains(&next), "{next:?} may not be left out");
                    }
                    if puzzle.commutes_after(last, next) {
                        assert!(
                            kept_otherwise(&puzzle, &state, last, next),
                            "{last:?} {next:?}"
                        );
                    }
                }
            }
        }
    });
}

/// Whether a sequence of at most two actions that is not left out leads to where *last, next* leads, and
/// costs no more.
fn kept_otherwise<P: GoalPuzzle>(
    puzzle: &P,
    state: &P::State,
    last: P::Action,
    next: P::Action,
) -> bool {
    let child = puzzle.apply(state, last);
    let end = puzzle.apply(&child, next);
    let cost = puzzle.action_cost(state, last) + puzzle.action_cost(&child, next);
    end == *state
        || puzzle.actions(state).any(|first| {
            let between = puzzle.apply(state, first);
            let paid = puzzle.action_cost(state, first);
            let mut seconds = puzzle.actions(&between);
            between == end && paid <= cost
                || seconds.any(|second| {
                    puzzle.apply(&between, second) == end
                        && paid + puzzle.action_cost(&between, second) <= cost
                        && !puzzle.commutes_after(first, second)
                })
        })
}

/// Texts of states at the end of a solution, found by a beam.
fn last_states<P: GoalPuzzle + Notation>(puzzle: &P) -> Vec<String> {
    let blind = Scalar(Blind);
    let config = BeamConfig {
        width: 3_000,
        max_depth: 60,
        ..BeamConfig::default()
    };
    let mut beam = Beam::new(puzzle, &blind, config).unwrap();
    let outcome = run(&mut beam, &Budget::default(), &mut ()).unwrap();
    let Some(best) = outcome.best() else {
        return Vec::new();
    };
    let mut states = vec![puzzle.initial_state()];
    for &action in &best.actions {
        states.push(puzzle.apply(&states[states.len() - 1], action));
    }
    let last = states.iter().rev().skip(1).take(4);
    last.map(|state| puzzle.state_text(state)).collect()
}

/// Solutions found near a goal: the checker counts the same value and length. At a goal the empty
/// solution is found, and nothing is expanded for it.
pub(crate) fn solutions_are_worth_what_the_checker_says<P: GoalPuzzle + Notation>(
    sample: &Sample<P>,
) {
    let solved = std::cell::Cell::new(false);
    sample.each(|spec, start| {
        let text = start.state_text(&start.initial_state());
        let Some(goal) = unriddle_check::goal(spec, &text).unwrap() else {
            return;
        };
        let at_goal = (sample.read)(spec, &goal);
        let mut near = vec![goal; 3];
        match at_goal.actions(&at_goal.initial_state()).next() {
            Some(_) => near.extend([1, 6, 12].map(|steps| {
                let state = *walk(&at_goal, steps, 6).last().unwrap();
                at_goal.state_text(&state)
            })),
            // No way leads back: the last states of a solution are near the goal.
            None => near.extend(last_states(&start)),
        }
        let mut lengths = Vec::new();
        for text in near {
            let puzzle = (sample.read)(spec, &text);
            let state = puzzle.initial_state();
            let estimate = Scalar(Blind);
            let mut bfs = Bfs::new(&puzzle, BfsConfig::default()).unwrap();
            let mut astar = AStar::new(&puzzle, &estimate, AStarConfig::default()).unwrap();
            let mut idastar = IdaStar::new(&puzzle, &Blind).unwrap();
            let budget = Budget::default();
            for outcome in [
                run(&mut bfs, &budget, &mut ()).unwrap(),
                run(&mut astar, &budget, &mut ()).unwrap(),
                run(&mut idastar, &budget, &mut ()).unwrap(),
            ] {
                assert!(outcome.is_optimal());
                let best = outcome.best().unwrap();
                let solution = puzzle.solution_text(&best.actions);
                let verdict = unriddle_check::verify(spec, &text, &solution).unwrap();
                assert_eq!(
                    (verdict.value, verdict.length),
                    (best.value, best.actions.len() as u64)
                );
                assert_eq!(best.actions.is_empty(), puzzle.is_goal(&state), "{text}");
                lengths.push(best.actions.len());
            }
        }
        assert!(lengths[..3] == [0; 3], "{lengths:?}");
        solved.set(solved.get() || lengths.iter().any(|&length| length > 0));
    });
    assert!(solved.get(), "no instance with a solution");
}
