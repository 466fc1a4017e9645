//! Stubs of puzzles with different shapes against the traits of this crate. Each stub has real, if
//! simplified, rules and takes a walk, so that a trait that does not fit a puzzle fails here first.
//! `regret` compares the adaptor of that name with exhaustive enumeration.

mod cube;
mod lights;
mod regret;
mod sokoban;

use unriddle_conformance::Subject;
use unriddle_core::{GoalPuzzle, Puzzle, Rng, ScorePuzzle};

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

/// Checks the invariants of every puzzle. Returns the states of a random walk.
fn walk<P: Puzzle>(puzzle: &P, steps: usize) -> Vec<P::State> {
    let subject = Subject::new(puzzle).named("shape").steps(steps);
    unriddle_conformance::puzzle(&subject).unwrap();
    let mut rng = Rng::new(1);
    let mut states = vec![puzzle.initial_state()];
    for _ in 0..steps {
        let state = states[states.len() - 1];
        let count = puzzle.actions(&state).count() as u64;
        match puzzle.actions(&state).nth(rng.below(count) as usize) {
            Some(action) => states.push(puzzle.apply(&state, action)),
            None => break,
        }
    }
    states
}

/// Whether a shortest path of unit costs to a goal has this length (by breadth-first search).
fn distance<P: GoalPuzzle>(puzzle: &P, limit: usize) -> Option<usize> {
    let mut seen = std::collections::HashSet::from([puzzle.initial_state()]);
    let mut layer = vec![puzzle.initial_state()];
    for depth in 0..=limit {
        if layer.iter().any(|state| puzzle.is_goal(state)) {
            return Some(depth);
        }
        let children = layer.iter().flat_map(|s| puzzle.actions(s).map(|a| puzzle.apply(s, a)));
        layer = children.filter(|state| seen.insert(*state)).collect();
    }
    None
}

/// The best score by trying everything.
fn best_score<P: ScorePuzzle>(puzzle: &P, state: &P::State) -> i64 {
    let after =
        |action| puzzle.reward(state, action) + best_score(puzzle, &puzzle.apply(state, action));
    puzzle.actions(state).map(after).max().unwrap_or_else(|| puzzle.terminal_bonus(state))
}
