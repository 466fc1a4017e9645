//! Open list: node numbers by integer priority, smallest first.
//!
//! While all priorities are whole costs within a moderate range, entries are stored in buckets: a
//! row per priority, in it a stack per tie value, smallest first (for A* the estimate: larger g
//! comes first), each stack a chain of blocks from one arena. This takes constant time and about
//! 4.2 bytes per entry. The first priority with a fractional part (learned estimates) or far out of
//! range moves all entries, once, to a heap with four children per item: 12 bytes per entry. Among
//! equal keys the newest entry comes first in buckets, and the node with the largest number in the
//! heap.
//!
//! Entries are never changed or removed from within: a search that improves a node adds it again
//! and skips the stale entry later.
//!
//! Invariants: an entry that is rejected for lack of memory changes nothing; the order of entries
//! depends only on the order of pushes and pops.
//!
//! ```
//! use unriddle_core::heuristic::PRIORITY_UNIT;
//! use unriddle_search::open::Open;
//!
//! let mut open = Open::default();
//! for (node, (f, h)) in [(30, 9), (29, 4), (29, 3)].into_iter().enumerate() {
//!     let key = f * u64::from(PRIORITY_UNIT);
//!     open.reserve(key, h, 1, u64::MAX).unwrap();
//!     open.push(key, h, node as u32);
//! }
//! // The smallest f, and among equals the smallest h.
//! let nodes: Vec<u32> = std::iter::from_fn(|| open.pop()).map(|(_, node)| node).collect();
//! assert_eq!(nodes, [2, 1, 0]);
//! ```

use crate::{
    chunked::Chunked,
    memory::{Full, left, reserve, vec_bytes},
};
use unriddle_core::heuristic::PRIORITY_UNIT;

const UNIT: u64 = PRIORITY_UNIT as u64;
/// Rows, and slots of a row, of the bucket form.
const MAX_WIDTH: u64 = 1 << 16;
/// Slots of all rows together.
const MAX_SLOTS: usize = 1 << 18;
/// Words of a block: a link and entries.
const BLOCK: usize = 32;
const NONE: u32 = u32::MAX;

/// An open list.
#[derive(Debug)]
pub struct Open(Form);

#[derive(Debug)]
enum Form {
    /// Buckets for whole costs in a moderate range.
    Buckets(Buckets),
    /// Heap for all priorities.
    Heap(Heap),
}

impl Default for Open {
    /// Creates a list without entries.
    fn default() -> Self {
        Self(Form::Buckets(Buckets::new()))
    }
}

impl Open {
    /// Bytes of the list.
    pub fn bytes(&self) -> u64 {
        match &self.0 {
            Form::Buckets(b) => b.bytes(),
            Form::Heap(h) => h.bytes(),
        }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        match &self.0 {
            Form::Buckets(b) => b.len,
            Form::Heap(h) => h.entries.len(),
        }
    }

    /// Whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reserves memory for `count` entries, some of which have the priority `key` (in units of
    /// 1/1024) and the tie value `tie`. For entries of several kinds it is called once for each
    /// kind, with the full count.
    ///
    /// # Errors
    /// [`Full`] if the growth does not fit into `room` bytes.
    #[inline]
    pub fn reserve(&mut self, key: u64, tie: u32, count: usize, room: u64) -> Result<(), Full> {
        match &mut self.0 {
            Form::Buckets(b) => {
                if b.fits(key, tie) {
                    return b.reserve((key / UNIT) as usize, tie as usize, count, room);
                }
            }
            Form::Heap(h) => return h.entries.reserve(count, room),
        }
        self.convert(count, room)
    }

    /// Adds an entry, for which memory is [reserved](Self::reserve).
    #[inline]
    pub fn push(&mut self, key: u64, tie: u32, id: u32) {
        match &mut self.0 {
            Form::Buckets(b) => b.push((key / UNIT) as usize, tie as usize, id),
            Form::Heap(h) => h.push(key, id),
        }
    }

    /// The entry of the smallest key, with its key.
    #[inline]
    pub fn peek(&mut self) -> Option<(u64, u32)> {
        match &mut self.0 {
            Form::Buckets(b) => b.peek(),
            Form::Heap(h) => h.peek(),
        }
    }

    /// Removes the entry that [`peek`](Self::peek) returns.
    #[inline]
    pub fn pop(&mut self) -> Option<(u64, u32)> {
        match &mut self.0 {
            Form::Buckets(b) => b.pop(),
            Form::Heap(h) => h.pop(),
        }
    }

    /// Moves all entries to a heap, which for a while coexists with the buckets.
    #[cold]
    fn convert(&mut self, extra: usize, room: u64) -> Result<(), Full> {
        let mut heap = Heap::default();
        heap.entries.reserve(self.len() + extra, room)?;
        while let Some((key, id)) = self.pop() {
            heap.push(key, id);
        }
        self.0 = Form::Heap(heap);
        Ok(())
    }
}

/// Stack of entries: its top block and the number of entries in it.
#[derive(Clone, Copy, Debug)]
struct Slot {
    head: u32,
    used: u32,
}

const EMPTY: Slot = Slot { head: NONE, used: 0 };

/// Slots of one priority.
#[derive(Debug, Default)]
struct Row {
    slots: Vec<Slot>,
    /// All slots below are empty.
    low: usize,
    len: usize,
}

/// Buckets of entries.
#[derive(Debug, Default)]
struct Buckets {
    rows: Vec<Row>,
    /// All rows below are empty.
    low: usize,
    len: usize,
    /// Capacity of all slots.
    slots: usize,
    blocks: Chunked<[u32; BLOCK]>,
    /// The first of the chain of unused blocks.
    free: u32,
    free_len: usize,
}

impl Buckets {
    fn new() -> Self {
        Self { free: NONE, ..Self::default() }
    }

    fn bytes(&self) -> u64 {
        (self.slots * size_of::<Slot>()) as u64 + vec_bytes(&self.rows) + self.blocks.bytes()
    }

    #[inline]
    fn fits(&self, key: u64, tie: u32) -> bool {
        key.is_multiple_of(UNIT)
            && key / UNIT < MAX_WIDTH
            && u64::from(tie) < MAX_WIDTH
            && self.slots <= MAX_SLOTS
    }

    #[inline]
    fn reserve(&mut self, row: usize, slot: usize, count: usize, room: u64) -> Result<(), Full> {
        if let Some(s) = self.rows.get(row).and_then(|r| r.slots.get(slot)) {
            // Each of many entries may be the first of a block.
            let has_place = s.head != NONE && (s.used as usize) < BLOCK - 1;
            if count <= self.free_len || (has_place && count == 1) {
                return Ok(());
            }
        }
        self.grow(row, slot, count, room)
    }

    #[cold]
    fn grow(&mut self, row: usize, slot: usize, count: usize, room: u64) -> Result<(), Full> {
        let before = self.bytes();
        let rest = |b: &Self| left(room, before, b.bytes());
        if row >= self.rows.len() {
            let more = row + 1 - self.rows.len();
            reserve(&mut self.rows, more, room)?;
            self.rows.resize_with(row + 1, Row::default);
        }
        let room = rest(self);
        let slots = &mut self.rows[row].slots;
        if slot >= slots.len() {
            let old = slots.capacity();
            reserve(slots, slot + 1 - slots.len(), room)?;
            slots.resize(slot + 1, EMPTY);
            self.slots += slots.capacity() - old;
        }
        let more = count.saturating_sub(self.free_len);
        let room = rest(self);
        self.blocks.reserve(more, room)?;
        for _ in 0..more {
            let id = self.blocks.len() as u32;
            self.blocks.push([self.free; BLOCK]);
            self.free = id;
            self.free_len += 1;
        }
        Ok(())
    }

    #[inline]
    fn push(&mut self, row: usize, slot: usize, id: u32) {
        let r = &mut self.rows[row];
        let s = &mut r.slots[slot];
        if s.head == NONE || s.used as usize == BLOCK - 1 {
            let new = self.free;
            let block = self.blocks.get_mut(new as usize);
            self.free = block[0];
            self.free_len -= 1;
            block[0] = s.head;
            *s = Slot { head: new, used: 0 };
        }
        s.used += 1;
        self.blocks.get_mut(s.head as usize)[s.used as usize] = id;
        r.len += 1;
        r.low = r.low.min(slot);
        self.low = self.low.min(row);
        self.len += 1;
    }

    /// The row and slot of the smallest key.
    #[inline]
    fn settle(&mut self) -> Option<(usize, usize)> {
        if self.len == 0 {
            return None;
        }
        while self.rows[self.low].len == 0 {
            self.low += 1;
        }
        let row = &mut self.rows[self.low];
        while row.slots[row.low].head == NONE {
            row.low += 1;
        }
        Some((self.low, row.low))
    }

    #[inline]
    fn peek(&mut self) -> Option<(u64, u32)> {
        let (row, slot) = self.settle()?;
        let s = self.rows[row].slots[slot];
        let id = self.blocks.get(s.head as usize)[s.used as usize];
        Some((row as u64 * UNIT, id))
    }

    #[inline]
    fn pop(&mut self) -> Option<(u64, u32)> {
        let (row, slot) = self.settle()?;
        let r = &mut self.rows[row];
        let s = &mut r.slots[slot];
        let block = self.blocks.get_mut(s.head as usize);
        let id = block[s.used as usize];
        s.used -= 1;
        if s.used == 0 {
            let next = block[0];
            block[0] = self.free;
            self.free = s.head;
            self.free_len += 1;
            *s = match next {
                NONE => EMPTY,
                head => Slot { head, used: BLOCK as u32 - 1 },
            };
        }
        r.len -= 1;
        self.len -= 1;
        Some((row as u64 * UNIT, id))
    }
}

/// A heap of entries: the two halves of the key and the node, packed.
#[derive(Debug, Default)]
struct Heap {
    entries: Chunked<[u32; 3]>,
}

const ARITY: usize = 4;

/// Order of entries: by the key, then the larger node number first.
#[inline]
fn rank(e: &[u32; 3]) -> (u64, u32) {
    (u64::from(e[0]) << 32 | u64::from(e[1]), !e[2])
}

impl Heap {
    fn bytes(&self) -> u64 {
        self.entries.bytes()
    }

    fn push(&mut self, key: u64, id: u32) {
        let entry = [(key >> 32) as u32, key as u32, id];
        let mut i = self.entries.len();
        self.entries.push(entry);
        while i > 0 {
            let parent = (i - 1) / ARITY;
            let above = *self.entries.get(parent);
            if rank(&above) <= rank(&entry) {
                break;
            }
            *self.entries.get_mut(i) = above;
            i = parent;
        }
        *self.entries.get_mut(i) = entry;
    }

    fn peek(&self) -> Option<(u64, u32)> {
        if self.entries.is_empty() {
            return None;
        }
        let top = self.entries.get(0);
        Some((rank(top).0, top[2]))
    }

    fn pop(&mut self) -> Option<(u64, u32)> {
        let top = self.peek()?;
        let entry = self.entries.pop()?;
        let len = self.entries.len();
        if len == 0 {
            return Some(top);
        }
        let mut i = 0;
        loop {
            let first = i * ARITY + 1;
            let below = first..(first + ARITY).min(len);
            let Some(least) = below.min_by_key(|&j| rank(self.entries.get(j))) else { break };
            let item = *self.entries.get(least);
            if rank(&entry) <= rank(&item) {
                break;
            }
            *self.entries.get_mut(i) = item;
            i = least;
        }
        *self.entries.get_mut(i) = entry;
        Some(top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn push(open: &mut Open, key: u64, tie: u32, id: u32) {
        open.reserve(key, tie, 1, u64::MAX).unwrap();
        open.push(key, tie, id);
    }

    #[test]
    fn a_push_without_memory_changes_nothing() {
        let mut open = Open::default();
        assert_eq!(open.reserve(3 * UNIT, 2, 1, 10), Err(Full));
        assert_eq!(open.peek(), None);
        for id in 0..100 {
            push(&mut open, 3 * UNIT, 2, id);
        }
        // A fractional key asks for the heap, which does not fit.
        assert_eq!(open.reserve(5, 0, 1, 100), Err(Full));
        assert_eq!(open.len(), 100);
        assert_eq!(open.pop(), Some((3 * UNIT, 99)));
        push(&mut open, 5, 0, 7);
        assert!(matches!(open.0, Form::Heap(_)));
        assert_eq!(open.pop(), Some((5, 7)));
        assert_eq!(open.pop(), Some((3 * UNIT, 98)));
    }

    #[test]
    fn reserves_many_at_once() {
        let mut open = Open::default();
        for round in 0..5u32 {
            open.reserve(UNIT, 0, 100, u64::MAX).unwrap();
            let bytes = open.bytes();
            (0..100).for_each(|i| open.push(UNIT, 0, round * 100 + i));
            assert_eq!(open.bytes(), bytes);
        }
        assert!((0..500).rev().all(|id| open.pop() == Some((UNIT, id))));
        assert_eq!(open.pop(), None);
    }

    proptest! {
        /// Against a sorted list: keys come in order, ties by tie value (buckets), newest first.
        #[test]
        fn pops_in_order(ops in prop::collection::vec((0u64..40, 0u32..20, 0u32..4), 1..400)) {
            let mut open = Open::default();
            let mut list: Vec<(u64, u32, u32)> = Vec::new();
            for (i, (f, tie, op)) in ops.into_iter().enumerate() {
                if op == 0 {
                    let least = list.iter().map(|e| (e.0, e.1, !e.2)).min();
                    let popped = open.pop();
                    prop_assert_eq!(popped, least.map(|(f, _, id)| (f * UNIT, !id)));
                    list.retain(|e| Some(e.2) != popped.map(|p| p.1));
                } else {
                    push(&mut open, f * UNIT, tie, i as u32);
                    list.push((f, tie, i as u32));
                }
                prop_assert_eq!(open.len(), list.len());
            }
        }

        #[test]
        fn the_heap_pops_in_order(keys in prop::collection::vec(0u64..5000, 1..400)) {
            let mut open = Open::default();
            push(&mut open, 1, 0, NONE - 1);
            for (&key, id) in keys.iter().zip(0..) {
                push(&mut open, key, 3, id);
            }
            prop_assert!(matches!(open.0, Form::Heap(_)));
            let mut sorted: Vec<(u64, u32)> = keys.iter().zip(0..).map(|(&k, id)| (k, !id)).collect();
            sorted.push((1, !(NONE - 1)));
            sorted.sort_unstable();
            for (key, id) in sorted {
                prop_assert_eq!(open.pop(), Some((key, !id)));
            }
            prop_assert_eq!(open.pop(), None);
        }
    }
}
