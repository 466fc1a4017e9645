//! Open list of a staged search: states with integer keys, the smallest key first.
//!
//! Either all states are kept, the newest first among equals (a binary heap), or one state for each
//! key, where the newest overwrites the previous one (a balanced tree). The entries are stored in a
//! separate column, whose free indices are chained and used again.

use super::Keep;
use crate::{
    chunked::Chunked,
    memory::{Full, left, reserve_heap},
    nodes::NONE,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

/// Open state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<S> {
    pub(super) state: S,
    /// Its number in the trace; for a free index, the next free index.
    pub(super) trace: u32,
    pub(super) g: u32,
}

/// Largest size of an entry in the tree: nodes have memory for eleven and hold at least five.
const TREE_BYTES: u64 = 32;

/// The open list.
#[derive(Debug)]
pub(super) struct Open<S> {
    entries: Chunked<Entry<S>>,
    free: u32,
    free_len: usize,
    keep: Keep,
    /// Key, age (smaller is newer) and entry of every state, if all are kept.
    heap: BinaryHeap<Reverse<(u32, u64, u32)>>,
    newest: u64,
    /// Entry of each key, if one state is kept per key.
    tree: BTreeMap<u32, u32>,
}

impl<S: Copy> Open<S> {
    pub(super) fn new(keep: Keep) -> Self {
        Self {
            entries: Chunked::default(),
            free: NONE,
            free_len: 0,
            keep,
            heap: BinaryHeap::new(),
            newest: u64::MAX,
            tree: BTreeMap::new(),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.entries.bytes() + self.heap_bytes() + self.tree.len() as u64 * TREE_BYTES
    }

    fn heap_bytes(&self) -> u64 {
        (self.heap.capacity() * size_of::<(u32, u64, u32)>()) as u64
    }

    /// Reserves memory for `count` more states.
    pub(super) fn reserve(&mut self, count: usize, room: u64) -> Result<(), Full> {
        let before = self.entries.bytes();
        let more = count.saturating_sub(self.free_len);
        if self.entries.len() + more >= NONE as usize {
            return Err(Full);
        }
        self.entries.reserve(more, room)?;
        let room = left(room, before, self.entries.bytes());
        match self.keep {
            Keep::OnePerScore if count as u64 * TREE_BYTES > room => Err(Full),
            Keep::OnePerScore => Ok(()),
            Keep::All => reserve_heap(&mut self.heap, count, room),
        }
    }

    fn add(&mut self, entry: Entry<S>) -> u32 {
        match self.free {
            NONE => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
            id => {
                let place = self.entries.get_mut(id as usize);
                self.free = place.trace;
                self.free_len -= 1;
                *place = entry;
                id
            }
        }
    }

    /// Adds a state, for which memory is reserved. Returns the state that it overwrites.
    pub(super) fn push(&mut self, key: u32, entry: Entry<S>) -> Option<Entry<S>> {
        match self.keep {
            Keep::All => {
                let id = self.add(entry);
                self.newest -= 1;
                self.heap.push(Reverse((key, self.newest, id)));
                None
            }
            Keep::OnePerScore => {
                if let Some(&id) = self.tree.get(&key) {
                    let old = self.entries.get_mut(id as usize);
                    return Some(std::mem::replace(old, entry));
                }
                let id = self.add(entry);
                self.tree.insert(key, id);
                None
            }
        }
    }

    /// Removes a state of the smallest key.
    pub(super) fn pop(&mut self) -> Option<Entry<S>> {
        let id = match self.keep {
            Keep::All => self.heap.pop()?.0.2,
            Keep::OnePerScore => self.tree.pop_first()?.1,
        };
        let place = self.entries.get_mut(id as usize);
        let entry = *place;
        place.trace = self.free;
        self.free = id;
        self.free_len += 1;
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(state: u8) -> Entry<u8> {
        Entry { state, trace: NONE, g: 0 }
    }

    #[test]
    fn the_newest_of_equals_comes_first_or_replaces_them() {
        for (keep, order) in [(Keep::All, &[5, 3, 2, 4, 1][..]), (Keep::OnePerScore, &[5, 4])] {
            let mut open = Open::new(keep);
            for round in 0..3 {
                let mut lost = 0;
                for (key, state) in [(9, 1), (2, 2), (2, 3), (9, 4), (2, 5)] {
                    open.reserve(1, u64::MAX).unwrap();
                    lost += usize::from(open.push(key, entry(state)).is_some());
                }
                let states: Vec<u8> = std::iter::from_fn(|| open.pop()).map(|e| e.state).collect();
                assert_eq!((&states[..], lost), (order, 5 - order.len()), "{round}");
                assert!(open.entries.len() <= 5);
            }
        }
    }
}
