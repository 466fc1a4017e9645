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
//! **Construction.** Class by class, sequences without a word are enumerated in their order; a
//! sequence whose generic state is known already is a word or contains one. An automaton of shorter
//! words leaves out most of the latter. Only the states of one class are in memory at a time.
//! Words are then made *relative*: a word is kept without its class if from every class where it is
//! legal it is a word or contains one. The automaton of Aho and Corasick that finds them is
//! minimised (Moore), so that a search carries one number along a path and looks up one entry for
//! each action.
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
mod table;
mod words;

use table::{FORBIDDEN, Roots, minimal, table};
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

    /// The generic state of a class. All other numbers may be forgotten.
    fn generic(&mut self, class: usize) -> u32;

    /// The class of a state.
    fn class(&self, state: u32) -> usize {
        let _ = state;
        0
    }

    /// The state after an action and the action's cost, or `None` where the action is illegal.
    fn apply(&mut self, state: u32, action: usize) -> Option<(u32, Cost)>;
}

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

    /// The automaton of the words of at most `depth` actions. From each class the enumeration ends
    /// early, and finds fewer words, where it would keep more than `limit` sequences: it takes
    /// memory for the states of these sequences.
    ///
    /// # Errors
    /// More than 255 actions.
    pub fn new(effects: &mut dyn Effects, depth: usize, limit: usize) -> Result<Self, SearchError> {
        let actions = effects.actions();
        if actions > usize::from(u8::MAX) {
            let message = format!("an automaton has at most 255 actions, and these are {actions}");
            return Err(SearchError::TooLarge(message));
        }
        let words = words::relative(effects, depth, limit);
        let all = words.iter().map(|word| (0, &**word));
        let next = minimal(actions, &table(&Roots::one(actions), all));
        Ok(Self { actions, next, words: words.len() })
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
