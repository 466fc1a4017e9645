//! Automata that prune sequences of actions: of all sequences with the same effect a depth-first
//! search keeps the smallest.
//!
//! Sequences are ordered by cost, then by length, then action by action. A sequence is a *word* if
//! a smaller one is legal wherever it is and has exactly the same effect, and if no part of it is a
//! word. The smallest cheapest path to every state contains no word, so that a tree search with a
//! bound finds cheapest solutions without the paths that contain one; estimates may be
//! inconsistent. With a transposition table or a closed list this is unsound: a stored failure may
//! be due to the path on which it was stored.
//!
//! A puzzle takes part if the effect of its actions on a *generic* state, all of whose pieces are
//! distinct, depends only on the state's *legality class* ([`Effects`]): one class for a puzzle of
//! permutations, the blank's cell for sliding tiles. [`Automaton::of_puzzle`] takes the effects
//! from a puzzle's [`generic_states`](unriddle_core::Puzzle::generic_states).
//!
//! **Construction.** From each class sequences without a word are enumerated in their order; a
//! sequence whose generic state is known already is a word. Words are then made *relative*: a word
//! is kept without its class if from every class where it is legal it is a word or contains one.
//! The automaton of Aho and Corasick that finds them is minimised (Moore), so that a search carries
//! one number along a path and looks up one entry for each action.
//!
//! ```
//! use unriddle_core::Cost;
//! use unriddle_search::automaton::{Automaton, Effects};
//!
//! /// Two switches, a bit each: they commute, and each undoes itself.
//! struct Switches;
//!
//! impl Effects for Switches {
//!     fn actions(&self) -> usize {
//!         2
//!     }
//!     fn generic(&mut self, _: usize) -> u32 {
//!         0b00
//!     }
//!     fn apply(&mut self, state: u32, action: usize) -> Option<(u32, Cost)> {
//!         Some((state ^ 1 << action, 1))
//!     }
//! }
//!
//! let automaton = Automaton::new(&mut Switches, 4, 1_000_000)?;
//! // The words: 00 and 11 do nothing, and 10 is 01.
//! assert_eq!(automaton.words(), 3);
//! let first = automaton.next(Automaton::START, 0).expect("allowed");
//! assert_eq!(automaton.next(first, 0), None);
//! let both = automaton.next(first, 1).expect("allowed");
//! assert!((0..2).all(|action| automaton.next(both, action).is_none()));
//! # Ok::<(), unriddle_core::SearchError>(())
//! ```
//!
//! References: R. E. Korf and L. A. Taylor, "Pruning duplicate nodes in depth-first search" (AAAI
//! 1993), on finite-state machines from breadth-first search; R. C. Holte and N. Burch, "Automatic
//! move pruning for single-agent search" (AI Communications 27, 2014), on soundness.

mod generic;

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};
use unriddle_core::{Cost, SearchError};

/// Effects of a puzzle's actions on generic states, which have numbers: equal numbers are equal
/// states.
pub trait Effects {
    /// Number of actions.
    fn actions(&self) -> usize;

    /// Number of legality classes.
    fn classes(&self) -> usize {
        1
    }

    /// The generic state of a class.
    fn generic(&mut self, class: usize) -> u32;

    /// The class of a state.
    fn class(&self, state: u32) -> usize {
        let _ = state;
        0
    }

    /// The state after an action and the action's cost, or `None` where the action is illegal.
    fn apply(&mut self, state: u32, action: usize) -> Option<(u32, Cost)>;
}

/// A sequence of actions.
type Word = Box<[u8]>;

/// Entry of the table for an action that completes a word.
const FORBIDDEN: u32 = u32::MAX;

/// Automaton that refuses words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    actions: usize,
    /// The next state of each state and action.
    next: Vec<u32>,
    words: usize,
}

impl Automaton {
    /// The state before the first action.
    pub const START: u32 = 0;

    /// The automaton of the words of at most `depth` actions. The depth is lowered where more than
    /// `limit` sequences would be kept.
    ///
    /// # Errors
    /// More than 255 actions.
    pub fn new(effects: &mut dyn Effects, depth: usize, limit: usize) -> Result<Self, SearchError> {
        let actions = effects.actions();
        if actions > usize::from(u8::MAX) {
            let message = format!("an automaton has at most 255 actions, and these are {actions}");
            return Err(SearchError::TooLarge(message));
        }
        let found = Enumeration::new(effects).run(depth, limit);
        Ok(Self::of(actions, &relative(effects, &found)))
    }

    /// The automaton that finds any of the words.
    fn of(actions: usize, words: &[Word]) -> Self {
        const NONE: u32 = u32::MAX;
        let mut next: Vec<u32> = vec![NONE; actions];
        let mut ends = vec![false];
        for word in words {
            let mut at = 0;
            for &action in word {
                let entry = at * actions + usize::from(action);
                if next[entry] == NONE {
                    next[entry] = ends.len() as u32;
                    ends.push(false);
                    next.resize(next.len() + actions, NONE);
                }
                at = next[entry] as usize;
            }
            ends[at] = true;
        }
        // Breadth first, so that the longest proper suffix of a state is complete before it.
        let mut suffix = vec![0_u32; ends.len()];
        let mut open = VecDeque::from([0_usize]);
        while let Some(at) = open.pop_front() {
            let from = suffix[at] as usize;
            for action in 0..actions {
                let entry = at * actions + action;
                let by_suffix = if at == 0 { 0 } else { next[from * actions + action] };
                if next[entry] == NONE {
                    next[entry] = by_suffix;
                } else {
                    let child = next[entry] as usize;
                    suffix[child] = by_suffix;
                    ends[child] |= ends[by_suffix as usize];
                    open.push_back(child);
                }
            }
        }
        let live: Vec<usize> = (0..ends.len()).filter(|&state| !ends[state]).collect();
        let rows = live.iter().map(|&state| &next[state * actions..(state + 1) * actions]);
        let mut number = vec![FORBIDDEN; ends.len()];
        for (new, &old) in live.iter().enumerate() {
            number[old] = new as u32;
        }
        let table: Vec<u32> = rows.flatten().map(|&to| number[to as usize]).collect();
        let (next, words) = (minimal(actions, &table), words.len());
        Self { actions, next, words }
    }

    /// The state after an action, or `None` if the action completes a word.
    #[inline]
    #[must_use]
    pub fn next(&self, state: u32, action: usize) -> Option<u32> {
        let next = self.next[state as usize * self.actions + action];
        (next != FORBIDDEN).then_some(next)
    }

    /// Number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.next.len() / self.actions.max(1)
    }

    /// Number of words that it finds.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    /// Memory of its table in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.next) as u64
    }
}

/// Joins states from which the same sequences are refused (Moore). The start keeps number 0.
fn minimal(actions: usize, next: &[u32]) -> Vec<u32> {
    let states = next.len() / actions.max(1);
    let mut class = vec![0_u32; states];
    let mut count = 1;
    loop {
        let mut rows: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
        let of = |to: &u32| if *to == FORBIDDEN { FORBIDDEN } else { class[*to as usize] };
        let refined: Vec<u32> = (0..states)
            .map(|state| {
                let row = next[state * actions..(state + 1) * actions].iter().map(of).collect();
                let fresh = rows.len() as u32;
                *rows.entry((class[state], row)).or_insert(fresh)
            })
            .collect();
        let finer = rows.len();
        class = refined;
        if finer == count {
            break;
        }
        count = finer;
    }
    let mut table = vec![FORBIDDEN; count * actions];
    for state in 0..states {
        for action in 0..actions {
            let to = next[state * actions + action];
            if to != FORBIDDEN {
                table[class[state] as usize * actions + action] = class[to as usize];
            }
        }
    }
    table
}

/// Words with the class that they begin in.
#[derive(Default)]
struct Words(FxHashSet<(usize, Word)>);

impl Words {
    /// Whether a part of the sequence that ends at its end is a word; `classes` are those before
    /// each action.
    fn ends(&self, classes: &[usize], sequence: &[u8]) -> bool {
        let is_word = |at: usize| self.0.contains(&(classes[at], sequence[at..].into()));
        (0..sequence.len()).any(is_word)
    }

    /// Whether any part of the sequence is a word.
    fn are_in(&self, classes: &[usize], sequence: &[u8]) -> bool {
        (1..=sequence.len()).any(|end| self.ends(&classes[..end], &sequence[..end]))
    }
}

/// A sequence that is to be looked at, from a class.
struct Candidate {
    from: usize,
    /// The classes before each action.
    classes: Vec<usize>,
    sequence: Vec<u8>,
    /// The state after it.
    state: u32,
}

/// Enumeration of sequences in their order.
struct Enumeration<'a> {
    effects: &'a mut dyn Effects,
    /// Candidates by cost and length.
    open: BTreeMap<(u64, usize), Vec<Candidate>>,
    /// States that sequences from each class lead to.
    known: Vec<FxHashSet<u32>>,
    words: Words,
    kept: usize,
}

impl<'a> Enumeration<'a> {
    fn new(effects: &'a mut dyn Effects) -> Self {
        let classes = effects.classes();
        let mut start = |from| {
            let state = effects.generic(from);
            Candidate { from, classes: Vec::new(), sequence: Vec::new(), state }
        };
        let starts = (0..classes).map(&mut start).collect();
        Self {
            open: BTreeMap::from([((0, 0), starts)]),
            known: vec![FxHashSet::default(); classes],
            words: Words::default(),
            kept: 0,
            effects,
        }
    }

    fn run(mut self, depth: usize, limit: usize) -> Words {
        while let Some(((cost, length), mut candidates)) = self.open.pop_first() {
            // Costs that differ make lists of several parents.
            candidates.sort_by(|a, b| (a.from, &a.sequence).cmp(&(b.from, &b.sequence)));
            for candidate in candidates {
                if self.words.ends(&candidate.classes, &candidate.sequence) {
                    continue;
                }
                if !self.known[candidate.from].insert(candidate.state) {
                    self.words.0.insert((candidate.from, candidate.sequence.into()));
                    continue;
                }
                self.kept += 1;
                if length < depth && self.kept <= limit {
                    self.extend(cost, &candidate);
                }
            }
        }
        self.words
    }

    fn extend(&mut self, cost: u64, parent: &Candidate) {
        let class = self.effects.class(parent.state);
        for action in 0..self.effects.actions() {
            let Some((state, more)) = self.effects.apply(parent.state, action) else { continue };
            let classes = [&parent.classes[..], &[class]].concat();
            let sequence = [&parent.sequence[..], &[action as u8]].concat();
            let at = (cost + u64::from(more), sequence.len());
            let child = Candidate { from: parent.from, classes, sequence, state };
            self.open.entry(at).or_default().push(child);
        }
    }
}

/// The words that are refused from every class where they are legal, without their class, in order.
fn relative(effects: &mut dyn Effects, words: &Words) -> Vec<Word> {
    let mut distinct: Vec<&Word> = words.0.iter().map(|(_, word)| word).collect();
    distinct.sort_by_key(|word| (word.len(), *word));
    distinct.dedup();
    let all = effects.classes();
    let mut is_refused = |from: usize, word: &Word| {
        let (mut state, mut classes) = (effects.generic(from), Vec::with_capacity(word.len()));
        for &action in word {
            classes.push(effects.class(state));
            match effects.apply(state, action.into()) {
                Some((next, _)) => state = next,
                None => return true,
            }
        }
        words.are_in(&classes, word)
    };
    distinct.retain(|word| (0..all).all(|from| is_refused(from, word)));
    distinct.into_iter().cloned().collect()
}
