//! The shapes of puzzles to come against the traits of this crate: each stub has real, if simplified, rules
//! and takes a walk, so that a trait that does not fit a puzzle fails here first. `regret` compares the
//! adaptor of that name with exhaustive enumeration.

mod cube;
mod lights;
mod regret;
mod sokoban;

use std::collections::BTreeSet;
use unriddle_core::{
    Features, GoalPuzzle, Puzzle, Reversible, Rng, ScorePuzzle, search::check_state_size,
};

/// A cursor over the members of a bit set of up to 64·W small numbers.
#[derive(Clone, Copy)]
struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    const EMPTY: Self = Self([0; W]);

    fn has(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }
    fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }
}

impl<const W: usize> Iterator for Bits<W> {
    type Item = usize;
    fn next(&mut self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        let bit = self.0[word].trailing_zeros() as usize;
        self.0[word] &= self.0[word] - 1;
        Some(word * 64 + bit)
    }
}

/// Walks at random and holds every state against what the traits promise. Gives the states on the way.
fn walk<P: Puzzle>(puzzle: &P, steps: usize) -> Vec<P::State> {
    check_state_size::<P>().expect("searches accept this state");
    let mut rng = Rng::new(1);
    let mut state = puzzle.initial_state();
    let mut states = vec![state];
    for _ in 0..steps {
        let actions: Vec<P::Action> = puzzle.actions(&state).collect();
        let Some(&action) = actions.get(rng.below(actions.len() as u64) as usize) else {
            break;
        };
        // A copy of the cursor goes on where the cursor was suspended.
        let mut cursor = puzzle.actions(&state);
        let first = cursor.next();
        let suspended = cursor;
        assert_eq!(cursor.count(), actions.len() - 1);
        assert_eq!(
            first.into_iter().chain(suspended).collect::<Vec<_>>(),
            actions
        );

        let child = puzzle.apply(&state, action);
        let after: Vec<P::Action> = puzzle.actions_after(&child, action).collect();
        for next in puzzle.actions(&child) {
            let grandchild = puzzle.apply(&child, next);
            if puzzle.is_inverse(action, next) {
                assert_eq!(grandchild, state, "{action:?} {next:?}");
            } else {
                assert!(after.contains(&next), "{next:?} may not be left out");
            }
            if puzzle.commutes_after(action, next) {
                assert!(
                    kept_otherwise(puzzle, &state, &grandchild),
                    "{action:?} {next:?}"
                );
            }
        }
        state = child;
        states.push(state);
    }
    states
}

/// Whether at most two actions that are not left out lead from one state to the other.
fn kept_otherwise<P: Puzzle>(puzzle: &P, from: &P::State, to: &P::State) -> bool {
    from == to
        || puzzle.actions(from).any(|first| {
            let between = puzzle.apply(from, first);
            between == *to
                || puzzle.actions(&between).any(|second| {
                    !puzzle.commutes_after(first, second) && puzzle.apply(&between, second) == *to
                })
        })
}

fn inverses_lead_back<P: Reversible>(puzzle: &P, states: &[P::State]) {
    for state in states {
        for action in puzzle.actions(state) {
            let child = puzzle.apply(state, action);
            let back = puzzle.inverse(action);
            assert!(puzzle.actions(&child).any(|a| a == back));
            assert_eq!(puzzle.apply(&child, back), *state);
        }
    }
}

fn features_agree<P: Features>(puzzle: &P, states: &[P::State]) {
    let active = |state: &P::State| {
        let mut set = BTreeSet::new();
        puzzle.active(state, &mut |i| {
            assert!((i as usize) < puzzle.feature_len() && set.insert(i));
        });
        set
    };
    for state in states {
        for action in puzzle.actions(state) {
            let mut set = active(state);
            puzzle.delta(state, action, &mut |i, on| {
                assert!(if on { set.insert(i) } else { set.remove(&i) });
            });
            assert_eq!(set, active(&puzzle.apply(state, action)), "{action:?}");
        }
    }
}

/// Whether a shortest path of unit costs to a goal has this length (by breadth-first search).
fn distance<P: GoalPuzzle>(puzzle: &P, limit: usize) -> Option<usize> {
    let mut seen = std::collections::HashSet::from([puzzle.initial_state()]);
    let mut layer = vec![puzzle.initial_state()];
    for depth in 0..=limit {
        if layer.iter().any(|state| puzzle.is_goal(state)) {
            return Some(depth);
        }
        let children = layer
            .iter()
            .flat_map(|s| puzzle.actions(s).map(|a| puzzle.apply(s, a)));
        layer = children.filter(|state| seen.insert(*state)).collect();
    }
    None
}

/// The best score by trying everything.
fn best_score<P: ScorePuzzle>(puzzle: &P, state: &P::State) -> i64 {
    let after =
        |action| puzzle.reward(state, action) + best_score(puzzle, &puzzle.apply(state, action));
    puzzle
        .actions(state)
        .map(after)
        .max()
        .unwrap_or_else(|| puzzle.terminal_bonus(state))
}
