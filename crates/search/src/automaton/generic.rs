//! The automaton of a puzzle, from its generic states.

use super::{Automaton, Effects};
use rustc_hash::FxHashMap;
use std::{
    any::TypeId,
    sync::{Arc, Mutex, PoisonError},
};
use unriddle_core::{Cost, GoalPuzzle};

/// Most sequences that the enumeration of an automaton keeps where its depth is not given: a table
/// of some 100 KiB, made in tenths of a second.
const SEQUENCES: usize = 1 << 18;

/// Most sequences from each class where the depth is given: at most a gigabyte while the automaton
/// is made.
const MOST_SEQUENCES: usize = 1 << 22;

/// Most actions of a word where the depth is not given.
const DEPTH: usize = 16;

/// Automata that are kept.
const KEPT: usize = 16;

/// Generic states of a puzzle, by number.
struct Generic<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    starts: Vec<P::State>,
    actions: usize,
    states: Vec<P::State>,
    numbers: FxHashMap<P::State, u32>,
}

impl<'a, P: GoalPuzzle> Generic<'a, P> {
    /// `None` for a puzzle without generic states.
    fn new(puzzle: &'a P) -> Option<Self> {
        let starts = puzzle.generic_states();
        let codes = starts.iter().flat_map(|state| puzzle.actions(state));
        let most = codes.map(|action| puzzle.action_code(action)).max()?;
        let (states, numbers) = (Vec::new(), FxHashMap::default());
        Some(Self { puzzle, starts, actions: usize::from(most) + 1, states, numbers })
    }

    fn number(&mut self, state: P::State) -> u32 {
        let states = &mut self.states;
        *self.numbers.entry(state).or_insert_with(|| {
            states.push(state);
            states.len() as u32 - 1
        })
    }

    /// The effects of single actions on the generic states, in words. They decide the effects of
    /// all sequences.
    fn rules(&self) -> String {
        let mut rules = String::new();
        for state in &self.starts {
            for action in self.puzzle.actions(state) {
                let (code, cost) =
                    (self.puzzle.action_code(action), self.puzzle.action_cost(state, action));
                let after = self.puzzle.apply(state, action);
                rules += &format!("{state:?} {code} {cost} {after:?};");
            }
        }
        rules
    }
}

impl<P: GoalPuzzle> Effects for Generic<'_, P> {
    fn actions(&self) -> usize {
        self.actions
    }
    fn classes(&self) -> usize {
        self.starts.len()
    }
    fn generic(&mut self, class: usize) -> u32 {
        self.states.clear();
        self.numbers.clear();
        self.number(self.starts[class])
    }
    fn class(&self, state: u32) -> usize {
        self.puzzle.legality_class(&self.states[state as usize])
    }
    fn apply(&mut self, state: u32, action: usize) -> Option<(u32, Cost)> {
        let (puzzle, state) = (self.puzzle, self.states[state as usize]);
        let is_meant = |one: &P::Action| usize::from(puzzle.action_code(*one)) == action;
        let action = puzzle.actions(&state).find(is_meant)?;
        let cost = puzzle.action_cost(&state, action);
        Some((self.number(puzzle.apply(&state, action)), cost))
    }
}

/// A puzzle's type, its rules and the depth of words.
type Key = (TypeId, String, Option<usize>);

/// The automata of the process, the last ones used at the end.
static KNOWN: Mutex<Vec<(Key, Arc<Automaton>)>> = Mutex::new(Vec::new());

impl Automaton {
    /// The automaton of a puzzle's words of at most `depth` actions, or of as many as leave its
    /// table small; `None` for a puzzle without generic states
    /// ([`Puzzle::generic_states`](unriddle_core::Puzzle::generic_states)). The process keeps the
    /// last ones.
    pub fn of_puzzle<P: GoalPuzzle>(puzzle: &P, depth: Option<usize>) -> Option<Arc<Self>> {
        let mut generic = Generic::new(puzzle)?;
        let key = (TypeId::of::<P>(), generic.rules(), depth);
        // One thread builds an automaton that several of them want.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().position(|(of, _)| *of == key).map(|at| known.remove(at).1);
        let made = || {
            let small = (DEPTH, SEQUENCES / generic.classes());
            let (depth, limit) = depth.map_or(small, |depth| (depth, MOST_SEQUENCES));
            Self::new(&mut generic, depth, limit).ok().map(Arc::new)
        };
        let automaton = found.or_else(made)?;
        if known.len() == KEPT {
            known.remove(0);
        }
        known.push((key, automaton.clone()));
        Some(automaton)
    }
}
