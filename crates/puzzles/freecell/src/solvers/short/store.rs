//! What the beam keeps: the states of all layers of a pass, with a hash index over them.
//!
//! The index is an open-addressing table of words, half of the hash above the number of a node, so that
//! most probes end without a look at a node; equality of nodes is that of their exact keys. The same
//! structure holds the candidates of the next layer.
//!
//! Complexity: a step per look-up in the mean; at most half of the index is in use. Growth is asked for
//! beforehand ([`Pool::reserve`]) and stays within the room that is granted.

use crate::{Move, Table};

/// No node: the parent of a pass's first state.
pub(super) const NONE: u32 = u32::MAX;

/// A growth did not fit into the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

/// A state and how it was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) table: Table,
    pub(super) parent: u32,
    pub(super) action: Move,
}

/// Nodes, each state once.
#[derive(Debug, Default)]
pub(super) struct Pool {
    nodes: Vec<Node>,
    index: Vec<u64>,
}

/// The bytes of a vector.
pub(super) fn vec_bytes<T>(v: &Vec<T>) -> u64 {
    (v.capacity() * size_of::<T>()) as u64
}

/// Makes place for more items, by doubling if that fits.
#[inline(always)]
pub(super) fn reserve<T>(v: &mut Vec<T>, extra: usize, room: u64) -> Result<(), Full> {
    if v.capacity() - v.len() >= extra {
        return Ok(());
    }
    let exact = v.len() + extra;
    for capacity in [exact.max(v.capacity().saturating_mul(2)), exact] {
        if (capacity as u64).saturating_mul(size_of::<T>() as u64) <= room {
            v.reserve_exact(capacity - v.len());
            return Ok(());
        }
    }
    Err(Full)
}

impl Pool {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, id: usize) -> &Node {
        &self.nodes[id]
    }

    pub(super) fn bytes(&self) -> u64 {
        vec_bytes(&self.nodes) + vec_bytes(&self.index)
    }

    /// Makes place for more nodes.
    #[inline(always)]
    pub(super) fn reserve(&mut self, extra: usize, room: u64) -> Result<(), Full> {
        reserve(&mut self.nodes, extra, room)?;
        if (self.nodes.len() + extra) * 2 > self.index.len() {
            self.widen(extra, room)?;
        }
        Ok(())
    }

    #[cold]
    fn widen(&mut self, extra: usize, room: u64) -> Result<(), Full> {
        let slots = ((self.nodes.len() + extra) * 2)
            .next_power_of_two()
            .max(1024);
        if slots as u64 * size_of::<u64>() as u64 > room
            || self.nodes.len() + extra >= NONE as usize
        {
            return Err(Full);
        }
        self.index = vec![0; slots];
        for id in 0..self.nodes.len() {
            let hash = self.nodes[id].table.hash_word();
            let slot = self.free(hash);
            self.index[slot] = Self::word(hash, id);
        }
        Ok(())
    }

    #[inline(always)]
    fn word(hash: u64, id: usize) -> u64 {
        hash >> 32 << 32 | (id as u64 + 1)
    }

    /// The empty slot of a hash.
    #[inline(always)]
    fn free(&self, hash: u64) -> usize {
        let mask = self.index.len() - 1;
        let mut slot = hash as usize & mask;
        while self.index[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Whether a state is in it.
    #[inline(always)]
    pub(super) fn contains(&self, table: &Table) -> bool {
        let hash = table.hash_word();
        let mask = self.index.len().wrapping_sub(1);
        let mut slot = hash as usize & mask;
        while let Some(&word) = self.index.get(slot) {
            if word == 0 {
                return false;
            }
            if word >> 32 == hash >> 32 && self.nodes[word as u32 as usize - 1].table == *table {
                return true;
            }
            slot = (slot + 1) & mask;
        }
        false
    }

    /// Adds a node whose state is not in it; place was reserved.
    #[inline(always)]
    pub(super) fn push(&mut self, node: Node) {
        let hash = node.table.hash_word();
        let slot = self.free(hash);
        self.index[slot] = Self::word(hash, self.nodes.len());
        self.nodes.push(node);
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.index.fill(0);
    }
}
