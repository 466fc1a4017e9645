//! Set of states, numbered in the order of insertion, that is emptied at no cost.
//!
//! Open addressing over 8-byte slots (stamp, tag, number) with the states in a separate chunked
//! column. Emptying raises the stamp: a slot with another stamp is free. The table starts small and
//! doubles as it fills, up to half of its slots, so that short searches touch little memory.
//!
//! In contrast to [`nodes`](crate::nodes) a growth copies all slots; in return memory can be
//! reserved before the states are known.
//!
//! Invariants: the number of slots is a power of two and more than twice the number of states, so
//! that every probe ends; a state is found by `Eq`, and the tag only skips slots of other states.
//!
//! ```
//! use unriddle_search::{index::hash, visited::Visited};
//!
//! let mut layer = Visited::default();
//! layer.reserve(3, u64::MAX).unwrap();
//! let new = [7u64, 9, 7].map(|state| layer.insert(hash(&state), &state));
//! assert_eq!(new, [true, true, false]);
//! assert_eq!(layer.find(hash(&9u64), &9), Some(1));
//! layer.clear();
//! assert_eq!(layer.find(hash(&9u64), &9), None);
//! ```

use crate::{
    chunked::Chunked,
    index::hash,
    memory::{Full, left, vec_bytes},
};
use unriddle_core::State;

/// Slots of the smallest table.
const SMALLEST: usize = 64;

/// A set of states.
#[derive(Debug)]
pub struct Visited<S> {
    /// Stamp (16 bits), tag (16 bits), number of the state (32 bits).
    slots: Vec<u64>,
    states: Chunked<S>,
    /// At least 1 once there are slots: 0 marks slots that were never used.
    stamp: u64,
}

/// Content of a slot without the number.
#[inline(always)]
fn head(stamp: u64, hash: u64) -> u64 {
    stamp << 48 | hash >> 48 << 32
}

impl<S: State> Default for Visited<S> {
    /// Creates a set without states and without memory.
    fn default() -> Self {
        Self { slots: Vec::new(), states: Chunked::default(), stamp: 1 }
    }
}

impl<S: State> Visited<S> {
    /// Bytes of the set.
    pub fn bytes(&self) -> u64 {
        vec_bytes(&self.slots) + self.states.bytes()
    }

    /// The number of states.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether the set is empty.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The state of a number below [`len`](Self::len).
    #[inline(always)]
    pub fn state(&self, id: u32) -> &S {
        self.states.get(id as usize)
    }

    /// Reserves memory for `extra` more states.
    ///
    /// # Errors
    /// [`Full`] if the growth does not fit into `room` bytes.
    #[inline(always)]
    pub fn reserve(&mut self, extra: usize, room: u64) -> Result<(), Full> {
        let before = self.states.bytes();
        self.states.reserve(extra, room)?;
        if (self.states.len() + extra) * 2 < self.slots.len() {
            return Ok(());
        }
        let room = left(room, before, self.states.bytes());
        self.grow(extra, room)
    }

    #[cold]
    fn grow(&mut self, extra: usize, room: u64) -> Result<(), Full> {
        // The number of a state has 32 bits.
        if self.states.len() + extra > u32::MAX as usize {
            return Err(Full);
        }
        let len = ((self.states.len() + extra) * 2 + 1).next_power_of_two().max(SMALLEST);
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

    /// The number of a state, whose hash is given; `None` if the set does not contain it.
    #[inline(always)]
    pub fn find(&self, hash: u64, state: &S) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.place(hash, state).ok()
    }

    /// The number of a state, or the free slot for it.
    #[inline(always)]
    fn place(&self, hash: u64, state: &S) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let head = head(self.stamp, hash);
        let mut place = hash as usize & mask;
        loop {
            let slot = self.slots[place];
            if slot >> 48 != self.stamp {
                return Err(place);
            }
            let id = slot as u32;
            if slot >> 32 == head >> 32 && self.states.get(id as usize) == state {
                return Ok(id);
            }
            place = (place + 1) & mask;
        }
    }

    /// Adds a state, whose hash is given and for which memory is reserved, unless the set contains
    /// it. Returns whether the state is new.
    #[inline(always)]
    pub fn insert(&mut self, hash: u64, state: &S) -> bool {
        let Err(place) = self.place(hash, state) else { return false };
        self.slots[place] = head(self.stamp, hash) | self.states.len() as u64;
        self.states.push(*state);
        true
    }

    /// Adds a state, whose hash is given and for which memory is reserved, without a test whether
    /// the set contains it. A state that is added twice has two numbers, and [`find`](Self::find)
    /// returns the older one.
    #[inline(always)]
    pub fn push(&mut self, hash: u64, state: &S) {
        let mask = self.slots.len() - 1;
        let mut place = hash as usize & mask;
        while self.slots[place] >> 48 == self.stamp {
            place = (place + 1) & mask;
        }
        self.slots[place] = head(self.stamp, hash) | self.states.len() as u64;
        self.states.push(*state);
    }

    /// Removes all states and keeps the memory.
    pub fn clear(&mut self) {
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

    fn insert(visited: &mut Visited<u64>, key: u64) -> bool {
        visited.insert(hash(&key), &key)
    }

    #[test]
    fn finds_states_added_since_the_last_clear() {
        let mut visited = Visited::default();
        assert_eq!(visited.reserve(1, 100), Err(Full));
        for round in 0..3u64 {
            for key in 0..10_000 {
                visited.reserve(1, u64::MAX).unwrap();
                assert!(insert(&mut visited, key * 7 + round));
                visited.reserve(1, u64::MAX).unwrap();
                assert!(!insert(&mut visited, key / 2 * 7 + round));
            }
            assert_eq!(visited.len(), 10_000);
            let bytes = visited.bytes();
            visited.clear();
            assert_eq!((visited.len(), visited.bytes()), (0, bytes));
        }
        for _ in 0..70_000 {
            visited.reserve(1, u64::MAX).unwrap();
            assert!(insert(&mut visited, 5));
            visited.clear();
        }
    }
}
