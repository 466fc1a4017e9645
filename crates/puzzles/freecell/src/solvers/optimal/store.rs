//! The generated positions: nodes that never move, and an index over them.
//!
//! A node holds all data of its position in half a cache line, and the index distinguishes nearly
//! all positions without an access to a node: the search waits mostly for memory, and a general
//! store ([`unriddle_search::nodes`]), whose columns are separate, takes a tenth longer.
//!
//! The index is cut into parts that grow one after the other, so that a growth needs little
//! additional memory; an entry holds 32 bits of the hash and the node's number, and positions are
//! compared whole before they count as equal.

use super::{order::Last, pending::Pending};
use crate::pack::Packed;
use unriddle_search::{
    chunked::Chunked,
    memory::{Full, left},
    nodes::NONE,
};

/// A generated position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) packed: Packed,
    pub(crate) parent: u32,
    /// Moves from the start.
    pub(crate) g: u16,
    /// Extra moves that are still needed at least.
    pub(crate) extra: u8,
    pub(crate) closed: bool,
    /// Restriction of the next moves.
    pub(crate) pending: Pending,
    /// The last move.
    pub(crate) last: Last,
}

const PART_BITS: u32 = 9;
const PARTS: usize = 1 << PART_BITS;

/// Entries of a part: the hash's upper half, then the node's number plus one; 0 is free.
#[derive(Debug, Default)]
struct Part {
    slots: Vec<u64>,
    used: usize,
}

/// The store.
#[derive(Debug)]
pub(crate) struct Store {
    nodes: Chunked<Node>,
    parts: Vec<Part>,
    slots: usize,
}

impl Store {
    pub(crate) fn new() -> Self {
        Self {
            nodes: Chunked::default(),
            parts: (0..PARTS).map(|_| Part::default()).collect(),
            slots: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.nodes.bytes() + (self.slots * size_of::<u64>() + PARTS * size_of::<Part>()) as u64
    }

    #[inline(always)]
    pub(crate) fn node(&self, id: u32) -> &Node {
        self.nodes.get(id as usize)
    }

    #[inline(always)]
    pub(crate) fn node_mut(&mut self, id: u32) -> &mut Node {
        self.nodes.get_mut(id as usize)
    }

    /// The first entry of the index at which a position may be; 0 if it is not stored.
    ///
    /// The latency of memory bounds the search for positions. A loop that reads the first entries
    /// of several positions, before a second loop reads their nodes, waits once for all of them.
    #[inline]
    pub(crate) fn first(&self, hash: u64) -> u64 {
        let slots = &self.parts[hash as usize % PARTS].slots;
        let at = (hash >> 32) as usize & slots.len().wrapping_sub(1);
        slots.get(at).copied().unwrap_or(0)
    }

    /// The node of a position, of which [`first`](Self::first) is known.
    #[inline]
    pub(crate) fn find_from(&self, first: u64, hash: u64, packed: &Packed) -> Option<u32> {
        let tag = hash >> 32;
        let mut slot = first;
        let mut at = tag as usize;
        while slot != 0 {
            if slot >> 32 == tag {
                let id = (slot as u32).wrapping_sub(1);
                if self.node(id).packed == *packed {
                    return Some(id);
                }
            }
            at += 1;
            let slots = &self.parts[hash as usize % PARTS].slots;
            slot = slots[at & (slots.len() - 1)];
        }
        None
    }

    /// The node of a position.
    #[inline]
    pub(crate) fn find(&self, hash: u64, packed: &Packed) -> Option<u32> {
        self.find_from(self.first(hash), hash, packed)
    }

    /// Reserves memory for `extra` more nodes with hashes of `hash`'s part.
    #[inline]
    pub(crate) fn reserve(&mut self, hash: u64, extra: usize, room: u64) -> Result<(), Full> {
        let part = &self.parts[hash as usize % PARTS];
        if self.nodes.has_place(extra) && (part.used + extra) * 4 <= part.slots.len() * 3 {
            return Ok(());
        }
        self.grow(hash, extra, room)
    }

    #[cold]
    fn grow(&mut self, hash: u64, extra: usize, room: u64) -> Result<(), Full> {
        if self.len() + extra >= NONE as usize {
            return Err(Full);
        }
        let before = self.bytes();
        self.nodes.reserve(extra, room)?;
        let part = hash as usize % PARTS;
        let needed = (self.parts[part].used + extra) * 4;
        let old = self.parts[part].slots.len();
        if needed <= old * 3 {
            return Ok(());
        }
        let new = needed.div_ceil(3).next_power_of_two().max(old * 2).max(64);
        if (new * size_of::<u64>()) as u64 > left(room, before, self.bytes()) {
            return Err(Full);
        }
        let slots = std::mem::replace(&mut self.parts[part].slots, vec![0; new]);
        let fresh = &mut self.parts[part].slots;
        for slot in slots.into_iter().filter(|&slot| slot != 0) {
            let mut at = (slot >> 32) as usize & (new - 1);
            while fresh[at] != 0 {
                at = (at + 1) & (new - 1);
            }
            fresh[at] = slot;
        }
        self.slots += new - old;
        Ok(())
    }

    /// Adds a node of a new position; memory has been reserved.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64, node: Node) -> u32 {
        let id = self.len() as u32;
        self.nodes.push(node);
        let part = &mut self.parts[hash as usize % PARTS];
        let mask = part.slots.len() - 1;
        let mut at = (hash >> 32) as usize & mask;
        while part.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        part.slots[at] = hash >> 32 << 32 | u64::from(id + 1);
        part.used += 1;
        id
    }
}
