//! Conformance: what every puzzle must keep, checked by walking about in it.
//!
//! A puzzle needs one module here with one line per size or variant:
//!
//! ```text
//! conformance!(side3: sample(), [reversible, backward, features], { manhattan: |_| Manhattan::new() });
//! ```
//!
//! the instances, the abilities that the puzzle has, and its heuristics. What is checked of all of them is
//! in [`rules`] (against the independent checker, in texts), of the abilities in [`abilities`], of the
//! heuristics in [`heuristics`].

mod abilities;
mod freecell;
mod heuristics;
mod morpion;
mod rules;
mod samegame;
mod scores;
mod tiles;

use std::fmt::Debug;
use unriddle_core::{Notation, Puzzle, Rng};

/// Instances of a puzzle, as texts.
pub(crate) struct Sample<P> {
    /// Specs of the puzzle, each with the text of an instance.
    pub(crate) instances: Vec<(&'static str, String)>,
    /// Reads an instance under a spec.
    pub(crate) read: fn(&str, &str) -> P,
}

impl<P: Puzzle + Notation> Sample<P> {
    /// Calls `visit` for every instance with its spec.
    pub(crate) fn each(&self, visit: impl Fn(&'static str, P)) {
        for (spec, text) in &self.instances {
            visit(spec, (self.read)(spec, text));
        }
    }
}

/// A legal action of a state, at random; `None` where there is none.
pub(crate) fn any_action<P: Puzzle>(
    puzzle: &P,
    state: &P::State,
    rng: &mut Rng,
) -> Option<P::Action> {
    let count = puzzle.actions(state).count() as u64;
    puzzle.actions(state).nth(rng.below(count) as usize)
}

/// The states of a random walk from the start, the start included.
pub(crate) fn walk<P: Puzzle>(puzzle: &P, steps: usize, seed: u64) -> Vec<P::State> {
    let mut rng = Rng::new(seed);
    let mut states = vec![puzzle.initial_state()];
    while states.len() <= steps {
        let state = states[states.len() - 1];
        match any_action(puzzle, &state, &mut rng) {
            Some(action) => states.push(puzzle.apply(&state, action)),
            None => break,
        }
    }
    states
}

/// Sorted, for comparison as a set.
pub(crate) fn sorted<T: Ord + Debug>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort();
    items
}

/// The tests of one size or variant of a puzzle.
macro_rules! conformance {
    (
        $name:ident: $sample:expr,
        [$($ability:ident),* $(,)?],
        {$($heuristic:ident: $make:expr),* $(,)?}
    ) => {
        mod $name {
            use super::*;

            #[test]
            fn rules_agree_with_the_checker() {
                crate::rules::agree_with_the_checker(&$sample);
            }
            #[test]
            fn texts_read_back() {
                crate::rules::texts_read_back(&$sample);
            }
            #[test]
            fn cursors_and_prunings_are_sound() {
                crate::rules::cursors_and_prunings_are_sound(&$sample);
            }
            #[test]
            fn solutions_are_worth_what_the_checker_says() {
                crate::rules::solutions_are_worth_what_the_checker_says(&$sample);
            }
            $(
                #[test]
                fn $ability() {
                    crate::abilities::$ability(&$sample);
                }
            )*
            $(
                #[test]
                fn $heuristic() {
                    crate::heuristics::keeps_its_word(&$sample, $make);
                }
            )*
        }
    };
}
pub(crate) use conformance;
