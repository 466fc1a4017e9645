//! The states that a staged search has seen since its table was last emptied.
//!
//! Open addressing over 8-byte slots (stamp, tag, number) with the states in a chunked column beside them.
//! Emptying raises the stamp, so that it costs nothing: a slot of another stamp is free. The table starts
//! small and doubles as it fills, half of its slots at most, so that short searches touch little memory.
//!
//! Invariants: the slots are a power of two and more than twice the states, so that every probe ends; a
//! state is found by `Eq`, the tag only says where looking is worth while.

use crate::{
    chunked::Chunked,
    index::hash,
    memory::{Full, vec_bytes},
};
use unriddle_core::State;

/// Slots of the smallest table.
const SMALLEST: usize = 64;

/// A set of states.
#[derive(Debug)]
pub(super) struct Visited<S> {
    /// Stamp (16 bits), tag (16 bits), number of the state (32 bits).
    slots: Vec<u64>,
    states: Chunked<S>,
    /// At least 1 once there are slots: 0 marks those that were never used.
    stamp: u64,
}

/// The slot's content but for the number.
#[inline(always)]
fn head(stamp: u64, hash: u64) -> u64 {
    stamp << 48 | hash >> 48 << 32
}

impl<S: State> Visited<S> {
    pub(super) fn new() -> Self {
        Self {
            slots: Vec::new(),
            states: Chunked::new(),
            stamp: 1,
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        vec_bytes(&self.slots) + self.states.bytes()
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// Makes place for one more state.
    #[inline(always)]
    pub(super) fn reserve(&mut self, room: u64) -> Result<(), Full> {
        let before = self.states.bytes();
        self.states.reserve(1, room)?;
        if (self.states.len() + 1) * 2 < self.slots.len() {
            return Ok(());
        }
        let room = room
            .saturating_add(before)
            .saturating_sub(self.states.bytes());
        self.grow(room)
    }

    #[cold]
    fn grow(&mut self, room: u64) -> Result<(), Full> {
        let len = (self.slots.len() * 2).max(SMALLEST);
        // The old slots are there until the new ones are filled.
        if (len * size_of::<u64>()) as u64 > room {
            return Err(Full);
        }
        self.slots = Vec::new();
        self.slots.reserve_exact(len);
        self.slots.resize(len, 0);
        self.stamp = 1;
        for id in 0..self.states.len() {
            let hash = hash(self.states.get(id));
            let mut place = hash as usize & (len - 1);
            while self.slots[place] != 0 {
                place = (place + 1) & (len - 1);
            }
            self.slots[place] = head(self.stamp, hash) | id as u64;
        }
        Ok(())
    }

    /// Adds a state, for which place was made, unless it is there. Whether it was new.
    #[inline(always)]
    pub(super) fn insert(&mut self, state: &S) -> bool {
        let hash = hash(state);
        let mask = self.slots.len() - 1;
        let head = head(self.stamp, hash);
        let mut place = hash as usize & mask;
        loop {
            let slot = self.slots[place];
            if slot >> 48 != self.stamp {
                self.slots[place] = head | self.states.len() as u64;
                self.states.push(*state);
                return true;
            }
            if slot >> 32 == head >> 32 && self.states.get(slot as u32 as usize) == state {
                return false;
            }
            place = (place + 1) & mask;
        }
    }

    /// Forgets all states and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.states.truncate(0);
        self.stamp += 1;
        if self.stamp >> 16 != 0 {
            self.slots.fill(0);
            self.stamp = 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_it_has_seen_since_it_was_emptied() {
        let mut visited = Visited::new();
        assert_eq!(visited.reserve(100), Err(Full));
        for round in 0..3u64 {
            for key in 0..10_000 {
                visited.reserve(u64::MAX).unwrap();
                assert!(visited.insert(&(key * 7 + round)));
                visited.reserve(u64::MAX).unwrap();
                assert!(!visited.insert(&(key / 2 * 7 + round)));
            }
            assert_eq!(visited.len(), 10_000);
            let bytes = visited.bytes();
            visited.clear();
            assert_eq!((visited.len(), visited.bytes()), (0, bytes));
        }
        for _ in 0..70_000 {
            visited.reserve(u64::MAX).unwrap();
            assert!(visited.insert(&5));
            visited.clear();
        }
    }
}
