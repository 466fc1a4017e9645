//! Hashes of the positions of a short search.
//!
//! A slot has 48 bits of the hash and the generation of the search: beginning another search is an
//! increment. Positions whose 48 bits agree are taken for equal: a search of some thousand
//! positions loses one of them in a million searches, and the exhaustive search does not use this
//! table.

/// Slots of a new table.
const LEAST: usize = 512;

/// The table.
#[derive(Debug)]
pub(in crate::solvers) struct Seen {
    slots: Vec<u64>,
    generation: u64,
    mask: usize,
}

impl Seen {
    pub(in crate::solvers) fn new() -> Self {
        Self { slots: Vec::new(), generation: 0, mask: 0 }
    }

    /// Number of slots for a number of positions: each adds one or two hashes.
    pub(in crate::solvers) fn slots(positions: u64) -> usize {
        (positions.saturating_mul(3).max(LEAST as u64).next_power_of_two()) as usize
    }

    /// Empties the table, for at most a number of slots.
    pub(in crate::solvers) fn clear(&mut self, slots: usize) {
        if self.slots.len() < slots {
            self.slots = vec![0; slots];
            self.generation = 0;
        }
        self.mask = slots - 1;
        self.generation += 1;
        if self.generation >= 1 << 16 {
            self.slots.fill(0);
            self.generation = 1;
        }
    }

    pub(in crate::solvers) fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// Number of slots that the search uses.
    #[inline(always)]
    pub(in crate::solvers) fn size(&self) -> usize {
        self.mask + 1
    }

    /// The slot of a hash, or the free slot for it.
    #[inline(always)]
    fn slot(&self, hash: u64) -> (usize, bool) {
        let word = hash << 16 | self.generation;
        // The bits that the slot does not keep, mixed with others.
        let mut at = (hash >> 48 ^ hash >> 20) as usize & self.mask;
        loop {
            let slot = self.slots.get(at).copied().unwrap_or(0);
            if slot == word {
                return (at, true);
            }
            if slot & 0xffff != self.generation {
                return (at, false);
            }
            at = (at + 1) & self.mask;
        }
    }

    /// Whether a hash was added.
    #[inline(always)]
    pub(in crate::solvers) fn contains(&self, hash: u64) -> bool {
        self.slot(hash).1
    }

    /// Adds a hash if it is new; returns whether it is.
    #[inline(always)]
    pub(in crate::solvers) fn insert_new(&mut self, hash: u64) -> bool {
        let (at, is_known) = self.slot(hash);
        if let Some(slot) = self.slots.get_mut(at)
            && !is_known
        {
            *slot = hash << 16 | self.generation;
        }
        !is_known
    }

    /// Adds a hash.
    #[inline(always)]
    pub(in crate::solvers) fn insert(&mut self, hash: u64) {
        let (at, _) = self.slot(hash);
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = hash << 16 | self.generation;
        }
    }
}
