//! Abilities that a puzzle may have: each test is named after its ability.

use crate::{Sample, walk};
use std::collections::{BTreeSet, HashSet};
use unriddle_core::{Backward, Features, Notation, Ranked, Reversible, Symmetric};

const STEPS: usize = 60;

/// Every action is undone by its inverse, and by no other name.
pub(crate) fn reversible<P: Reversible + Notation>(sample: &Sample<P>) {
    sample.each(|_, puzzle| {
        for state in walk(&puzzle, STEPS, 11) {
            for action in puzzle.actions(&state) {
                let child = puzzle.apply(&state, action);
                let back = puzzle.inverse(action);
                assert!(
                    puzzle.actions(&child).any(|a| a == back),
                    "{back:?} is not legal"
                );
                assert_eq!(puzzle.apply(&child, back), state, "{action:?} {back:?}");
                assert_eq!(puzzle.inverse(back), action);
            }
        }
    });
}

/// Predecessors are exactly those whose actions lead here; goal states are goals.
pub(crate) fn backward<P: Backward + Notation>(sample: &Sample<P>) {
    sample.each(|_, puzzle| {
        let goals = puzzle.goal_states();
        assert!(!goals.is_empty() && goals.iter().all(|goal| puzzle.is_goal(goal)));
        for state in walk(&puzzle, STEPS, 12) {
            let mut seen = HashSet::new();
            puzzle.predecessors(&state, &mut |before, action| {
                assert!(
                    puzzle.actions(&before).any(|a| a == action),
                    "{action:?} is not legal"
                );
                assert_eq!(puzzle.apply(&before, action), state, "{action:?}");
                assert!(
                    seen.insert((before, format!("{action:?}"))),
                    "{action:?} twice"
                );
            });
            for action in puzzle.actions(&state) {
                let child = puzzle.apply(&state, action);
                let mut times = 0;
                puzzle.predecessors(&child, &mut |before, by| {
                    times += usize::from(before == state && by == action);
                });
                assert_eq!(times, 1, "{action:?} is missing backward");
            }
        }
    });
}

/// Updating the active features of a parent gives those of the child.
pub(crate) fn features<P: Features + Notation>(sample: &Sample<P>) {
    sample.each(|_, puzzle| {
        let active = |state: &P::State| {
            let mut set = BTreeSet::new();
            puzzle.active(state, &mut |i| {
                assert!((i as usize) < puzzle.feature_len(), "{i} is out of range");
                assert!(set.insert(i), "{i} twice");
            });
            set
        };
        for state in walk(&puzzle, STEPS, 13) {
            for action in puzzle.actions(&state) {
                let mut set = active(&state);
                puzzle.delta(&state, action, &mut |i, on| {
                    assert!(if on { set.insert(i) } else { set.remove(&i) }, "{i} {on}");
                });
                let child = puzzle.apply(&state, action);
                assert_eq!(set, active(&child), "{action:?}");
                assert!(
                    child == state || set != active(&state),
                    "two states with equal features"
                );
            }
        }
    });
}

/// Ranks are below their number and lead back to the state.
#[allow(dead_code)] // No puzzle has this ability yet.
pub(crate) fn ranked<P: Ranked + Notation>(sample: &Sample<P>) {
    sample.each(|_, puzzle| {
        for state in walk(&puzzle, STEPS, 14) {
            let rank = puzzle.rank(&state);
            assert!(rank < puzzle.ranks());
            assert_eq!(puzzle.unrank(rank), Some(state));
        }
        assert_eq!(puzzle.unrank(puzzle.ranks()), None);
    });
}

/// The representative of an orbit represents itself, and its neighbours are those of the state.
#[allow(dead_code)] // No puzzle has this ability yet.
pub(crate) fn symmetric<P: Symmetric + Notation>(sample: &Sample<P>) {
    sample.each(|_, puzzle| {
        let around = |state: &P::State| -> HashSet<P::State> {
            puzzle
                .actions(state)
                .map(|a| puzzle.canonical(&puzzle.apply(state, a)))
                .collect()
        };
        for state in walk(&puzzle, STEPS, 15) {
            let canonical = puzzle.canonical(&state);
            assert_eq!(puzzle.canonical(&canonical), canonical);
            assert_eq!(around(&canonical), around(&state));
        }
    });
}
