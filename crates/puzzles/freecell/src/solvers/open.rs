//! The open list: stacks by estimate, and a two-level set of the non-empty stacks.
//!
//! Among equal estimates, the newest entry comes first. Pushing and popping take constant time; the
//! slots of popped entries are reused.

use unriddle_search::{
    memory::{Full, reserve_least, vec_bytes},
    nodes::NONE,
};

/// Number of stacks; greater estimates are clamped.
pub(super) const STACKS: usize = 4096;
/// Most entries.
const MOST: usize = 1 << 31;

/// An open move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<M> {
    pub(super) parent: u32,
    next: u32,
    pub(super) action: M,
}

/// The open list.
#[derive(Debug)]
pub(super) struct Open<M> {
    entries: Vec<Entry<M>>,
    free: u32,
    heads: Vec<u32>,
    some: [u64; STACKS / 64],
    words: u64,
}

impl<M: Copy> Open<M> {
    pub(super) fn new() -> Self {
        Self {
            entries: Vec::new(),
            free: NONE,
            heads: Vec::new(),
            some: [0; STACKS / 64],
            words: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.free = NONE;
        self.some = [0; STACKS / 64];
        self.words = 0;
    }

    pub(super) fn bytes(&self) -> u64 {
        vec_bytes(&self.entries) + vec_bytes(&self.heads)
    }

    /// Bytes of a list that can hold a number of entries.
    pub(super) fn bytes_of(entries: usize) -> u64 {
        (entries * size_of::<Entry<M>>() + STACKS * size_of::<u32>()) as u64
    }

    /// Number of entries, taken ones included until they are used again.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether `extra` entries fit without growth.
    #[inline(always)]
    pub(super) fn has_room(&self, extra: usize) -> bool {
        self.entries.capacity() - self.entries.len() >= extra
    }

    pub(super) fn reserve(&mut self, extra: usize, mut room: u64) -> Result<(), Full> {
        if self.entries.len() + extra > MOST {
            return Err(Full);
        }
        if self.heads.is_empty() {
            let bytes = (STACKS * size_of::<u32>()) as u64;
            room = room.checked_sub(bytes).ok_or(Full)?;
            self.heads = vec![NONE; STACKS];
        }
        reserve_least(&mut self.entries, extra, 1024, room)
    }

    #[inline(always)]
    pub(super) fn push(&mut self, score: i32, parent: u32, action: M) {
        let score = score.clamp(0, STACKS as i32 - 1) as usize;
        let (word, bit) = (score / 64, 1 << (score % 64));
        let next = if self.some[word] & bit != 0 { self.heads[score] } else { NONE };
        let entry = Entry { parent, next, action };
        let id = self.free;
        if id == NONE {
            self.heads[score] = self.entries.len() as u32;
            self.entries.push(entry);
        } else {
            self.free = self.entries[id as usize].next;
            self.entries[id as usize] = entry;
            self.heads[score] = id;
        }
        self.some[word] |= bit;
        self.words |= 1 << word;
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Entry<M>> {
        if self.words == 0 {
            return None;
        }
        let word = self.words.trailing_zeros() as usize;
        let bit = self.some[word].trailing_zeros() as usize;
        let score = word * 64 + bit;
        let id = self.heads[score];
        let entry = self.entries[id as usize];
        self.heads[score] = entry.next;
        if entry.next == NONE {
            self.some[word] &= self.some[word] - 1;
            if self.some[word] == 0 {
                self.words &= self.words - 1;
            }
        }
        self.entries[id as usize].next = self.free;
        self.free = id;
        Some(entry)
    }
}
