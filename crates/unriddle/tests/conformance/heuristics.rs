//! Heuristics: incremental equals full, and what they promise holds on edges and near the goal.

use crate::{Sample, any_action, walk};
use std::collections::{BTreeMap, HashMap};
use unriddle_core::{Backward, Cost, Guarantee, Heuristic, Notation, Rng};
use unriddle_tables::{Cache, cache::Policy};

const STEPS: usize = 300;
/// How many states around the goal have their true distance computed.
const NEAR: usize = 4000;

/// Makes the heuristic for every instance and checks it there.
pub(crate) fn keeps_its_word<P, H>(sample: &Sample<P>, make: impl Fn(&Cache) -> H)
where
    P: Backward + Notation,
    H: Heuristic<P>,
{
    let heuristic = make(&Cache::new(None, 2, Policy::default()));
    let guarantee = heuristic.guarantee();
    sample.each(|_, puzzle| {
        incremental_is_full(&puzzle, &heuristic);
        if guarantee == Guarantee::Consistent {
            for state in walk(&puzzle, STEPS, 21) {
                consistent_at(&puzzle, &heuristic, &state);
            }
        }
        if guarantee.is_admissible() {
            let mut informed = false;
            for (state, distance) in distances(&puzzle) {
                let h = estimate(&puzzle, &heuristic, &state);
                assert!(
                    h.is_some_and(|h| h <= distance),
                    "{h:?} of {distance}: {state:?}"
                );
                assert!(distance > 0 || puzzle.is_goal(&state));
                informed |= h > Some(0);
                if guarantee == Guarantee::Consistent {
                    consistent_at(&puzzle, &heuristic, &state);
                }
            }
            let blind = std::any::type_name::<H>().ends_with("Blind");
            assert!(informed != blind, "a heuristic that knows nothing");
        }
    });
}

fn estimate<P: Backward, H: Heuristic<P>>(
    puzzle: &P,
    heuristic: &H,
    state: &P::State,
) -> Option<Cost> {
    heuristic.root(puzzle, state).map(|(h, _)| h)
}

/// The memo that is handed from parent to child along a walk gives what is computed from scratch, on the
/// walk and beside it.
fn incremental_is_full<P: Backward, H: Heuristic<P>>(puzzle: &P, heuristic: &H) {
    let mut rng = Rng::new(22);
    let mut state = puzzle.initial_state();
    let Some((_, mut memo)) = heuristic.root(puzzle, &state) else {
        return;
    };
    for step in 0..STEPS {
        for action in puzzle.actions(&state) {
            // A hint may never change anything.
            heuristic.prefetch(puzzle, &state, &memo, action);
            let child = puzzle.apply(&state, action);
            let found = heuristic.child(puzzle, &state, &memo, action, &child);
            let full = estimate(puzzle, heuristic, &child);
            assert_eq!(
                found.map(|(h, _)| h),
                full,
                "step {step}, {action:?}: {child:?}"
            );
        }
        let Some(action) = any_action(puzzle, &state, &mut rng) else {
            return;
        };
        let child = puzzle.apply(&state, action);
        let Some((_, next)) = heuristic.child(puzzle, &state, &memo, action, &child) else {
            return;
        };
        (state, memo) = (child, next);
    }
}

/// Along every action the estimate falls by at most the action's cost.
fn consistent_at<P: Backward, H: Heuristic<P>>(puzzle: &P, heuristic: &H, state: &P::State) {
    for action in puzzle.actions(state) {
        let child = puzzle.apply(state, action);
        let Some(after) = estimate(puzzle, heuristic, &child) else {
            continue;
        };
        let before = estimate(puzzle, heuristic, state);
        let cost = puzzle.action_cost(state, action);
        assert!(
            before.is_some_and(|before| before <= cost + after),
            "{before:?} before {action:?} of cost {cost}, {after} after it: {state:?}"
        );
    }
}

/// The states nearest to a goal and their distances to it, by walking backward (Dijkstra).
fn distances<P: Backward>(puzzle: &P) -> HashMap<P::State, Cost> {
    let mut open: BTreeMap<Cost, Vec<P::State>> = BTreeMap::from([(0, puzzle.goal_states())]);
    let mut closed = HashMap::new();
    while let Some((cost, states)) = open.pop_first() {
        for state in states {
            if closed.len() >= NEAR {
                return closed;
            }
            if closed.contains_key(&state) {
                continue;
            }
            closed.insert(state, cost);
            puzzle.predecessors(&state, &mut |before, action| {
                let cost = cost + puzzle.action_cost(&before, action);
                open.entry(cost).or_default().push(before);
            });
        }
    }
    closed
}
