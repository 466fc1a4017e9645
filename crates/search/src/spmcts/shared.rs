//! Statistics that equal states of all searches share: a tally of the reward *from* the state on,
//! so that it does not depend on the path to the state or its score.
//!
//! Identity is `Eq` on the states. A state takes its own size and 32 bytes, and 5.7 to 11.4 in the
//! index. States are never removed.

use super::tree::Tally;
use crate::{
    index::hash,
    memory::{Bytes, Full, left},
    nodes::Nodes,
};
use unriddle_core::{Score, State};

/// Tallies by state.
#[derive(Debug)]
pub(super) struct Shared<S>(Nodes<S, (), Tally>);

impl<S: State> Bytes for Shared<S> {
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

impl<S: State> Shared<S> {
    pub(super) fn new() -> Self {
        Self(Nodes::default())
    }

    /// Reserves memory for a state, which [`enter`](Self::enter) requires.
    pub(super) fn reserve(&mut self, state: &S, room: u64) -> Result<(), Full> {
        let hash = hash(state);
        if self.0.find(hash, state).is_some() {
            return Ok(());
        }
        let before = self.bytes();
        self.0.reserve(1, room)?;
        let room = left(room, before, self.bytes());
        self.0.reserve_index(hash, 1, room)
    }

    /// The tally of a state, which is added if it is new.
    pub(super) fn enter(&mut self, state: &S) -> Tally {
        let hash = hash(state);
        match self.0.find(hash, state) {
            Some(id) => *self.0.record(id),
            None => {
                self.0.push(hash, *state, Some(()), Tally::EMPTY);
                Tally::EMPTY
            }
        }
    }

    /// Adds the reward from a state on.
    pub(super) fn add(&mut self, state: &S, earned: Score) {
        if let Some(id) = self.0.find(hash(state), state) {
            self.0.record_mut(id).add(earned);
        }
    }
}
