//! Hash index from states to node numbers that grows in small steps.
//!
//! Extendible hashing (Fagin, Nievergelt, Pippenger and Strong 1979): a directory, indexed by some
//! bits of the hash, points to segments; a full segment is split in two by the next bit. Each
//! segment is a [`hashbrown::HashTable`] of node numbers. Compared with one large table this avoids
//! the transient second copy (which decides how much of a memory limit can be used) and the long
//! pause of rehashing.
//!
//! Invariants: every hash with the low `bits` bits (above `SKIP`) of a segment is in that segment;
//! a segment is never filled beyond its capacity, so that an insertion after [`Index::reserve`]
//! does not allocate. Entries are found by `Eq` on the states; the hash only selects the segment.
//!
//! ```
//! use unriddle_search::index::{Index, hash};
//!
//! let states = ["left", "right"];
//! let hash_of = |id: u32| hash(&states[id as usize]);
//! let mut index = Index::default();
//! for id in 0..2 {
//!     index.reserve(hash_of(id), 1, u64::MAX, hash_of).unwrap();
//!     index.insert(hash_of(id), id, hash_of);
//! }
//! let found = index.find(hash(&"right"), |id| states[id as usize] == "right");
//! assert_eq!(found, Some(1));
//! ```

use crate::memory::{Full, bytes, left, reserve};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Hash bits that the segments use themselves.
const SKIP: u32 = 20;
/// Number of buckets of a segment that is split rather than doubled.
const SEGMENT: usize = 1 << 15;
/// Number of splits after which one segment is doubled instead: only a poor hash needs that many.
const MAX_BITS: u32 = 24;

/// The hash of a state: FxHash with a finaliser, because the index uses low, middle and high bits.
#[inline]
pub fn hash<S: Hash>(state: &S) -> u64 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    let h = hasher.finish();
    let h = (h ^ (h >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    h ^ (h >> 29)
}

#[derive(Debug)]
struct Segment {
    table: HashTable<u32>,
    bits: u32,
}

/// Hash index.
#[derive(Debug)]
pub struct Index {
    segments: Vec<Segment>,
    /// The directory; its length is a power of two.
    directory: Vec<u32>,
    /// Scratch of a split.
    moved: Vec<u32>,
    tables: u64,
}

impl Default for Index {
    /// Creates an index without entries.
    fn default() -> Self {
        Self {
            segments: vec![Segment { table: HashTable::new(), bits: 0 }],
            directory: vec![0],
            moved: Vec::new(),
            tables: 0,
        }
    }
}

impl Index {
    /// Bytes of the index.
    pub fn bytes(&self) -> u64 {
        self.tables + bytes!(self.segments, self.directory, self.moved)
    }

    #[inline]
    fn segment(&self, hash: u64) -> usize {
        self.directory[(hash >> SKIP) as usize & (self.directory.len() - 1)] as usize
    }

    /// The node with this hash for which `is_it` holds.
    #[inline]
    pub fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        self.segments[self.segment(hash)].table.find(hash, |&id| is_it(id)).copied()
    }

    /// Reserves memory for `extra` entries in the segment of `hash`; `hash_of` returns the hash of
    /// an existing entry.
    ///
    /// # Errors
    /// [`Full`] if the growth does not fit into `room` bytes.
    #[inline]
    pub fn reserve(
        &mut self,
        hash: u64,
        extra: usize,
        room: u64,
        hash_of: impl Fn(u32) -> u64,
    ) -> Result<(), Full> {
        let table = &self.segments[self.segment(hash)].table;
        if table.capacity() - table.len() >= extra {
            return Ok(());
        }
        self.grow(hash, extra, room, &hash_of)
    }

    #[cold]
    fn grow(
        &mut self,
        hash: u64,
        extra: usize,
        room: u64,
        hash_of: &dyn Fn(u32) -> u64,
    ) -> Result<(), Full> {
        let before = self.bytes();
        loop {
            let s = self.segment(hash);
            let Segment { table, bits } = &self.segments[s];
            if table.capacity() - table.len() >= extra {
                return Ok(());
            }
            let small = table.num_buckets() < SEGMENT;
            let room = left(room, before, self.bytes());
            if small || *bits >= MAX_BITS || table_buckets(extra) >= SEGMENT {
                self.double(s, extra, room, hash_of)?;
            } else {
                self.split(s, room, hash_of)?;
            }
        }
    }

    fn double(
        &mut self,
        s: usize,
        extra: usize,
        room: u64,
        hash_of: &dyn Fn(u32) -> u64,
    ) -> Result<(), Full> {
        let table = &mut self.segments[s].table;
        let buckets = table_buckets(table.len() + extra).max(2 * table.num_buckets());
        // A bucket takes its entry and a control byte; a group of control bytes is added at the
        // end.
        if (buckets * (size_of::<u32>() + 1) + 32) as u64 > room {
            return Err(Full);
        }
        self.tables -= table.allocation_size() as u64;
        let additional = buckets / 8 * 7 - table.len();
        table.reserve(additional.max(extra), |&id| hash_of(id));
        self.tables += table.allocation_size() as u64;
        Ok(())
    }

    fn split(&mut self, s: usize, room: u64, hash_of: &dyn Fn(u32) -> u64) -> Result<(), Full> {
        let bits = self.segments[s].bits;
        let buckets = self.segments[s].table.num_buckets();
        let bytes = self.segments[s].table.allocation_size() as u64 + 32;
        let Some(room) = room.checked_sub(bytes) else { return Err(Full) };
        let before = self.bytes();
        let rest = |i: &Self| left(room, before, i.bytes());
        reserve(&mut self.segments, 1, room)?;
        let (entries, room) = (self.segments[s].table.len(), rest(self));
        reserve(&mut self.moved, entries, room)?;
        if self.directory.len() == 1 << bits {
            let (len, room) = (self.directory.len(), rest(self));
            reserve(&mut self.directory, len, room)?;
            self.directory.extend_from_within(..);
        }
        self.moved.extend(self.segments[s].table.drain());
        let mut new = HashTable::with_capacity(buckets / 8 * 7);
        let old = &mut self.segments[s];
        let mut first = None;
        for id in self.moved.drain(..) {
            let h = hash_of(id);
            first = Some(h);
            let table = match (h >> SKIP >> bits) & 1 {
                0 => &mut old.table,
                _ => &mut new,
            };
            table.insert_unique(h, id, |&id| hash_of(id));
        }
        old.bits += 1;
        let pattern = (first.unwrap_or(0) >> SKIP) as usize & ((1 << bits) - 1) | 1 << bits;
        let number = self.segments.len() as u32;
        for i in (pattern..self.directory.len()).step_by(2 << bits) {
            self.directory[i] = number;
        }
        self.tables += new.allocation_size() as u64;
        self.segments.push(Segment { table: new, bits: bits + 1 });
        Ok(())
    }

    /// Adds a node that is not in the index, for which memory is [reserved](Self::reserve).
    #[inline]
    pub fn insert(&mut self, hash: u64, id: u32, hash_of: impl Fn(u32) -> u64) {
        let s = self.segment(hash);
        self.segments[s].table.insert_unique(hash, id, |&id| hash_of(id));
    }

    /// Removes all entries and keeps the memory.
    pub fn clear(&mut self) {
        for segment in &mut self.segments {
            segment.table.clear();
        }
    }
}

/// Number of buckets of a table for `entries` entries, filled to at most seven eighths.
fn table_buckets(entries: usize) -> usize {
    (entries * 8).div_ceil(7).max(8).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use unriddle_core::Rng;

    fn fill(keys: &[u64], limit: u64, hash_of: impl Fn(&u64) -> u64) -> (Index, usize) {
        let mut index = Index::default();
        for (i, key) in keys.iter().enumerate() {
            let h = hash_of(key);
            let room = limit.saturating_sub(index.bytes());
            if index.reserve(h, 1, room, |id| hash_of(&keys[id as usize])).is_err() {
                return (index, i);
            }
            index.insert(h, i as u32, |id| hash_of(&keys[id as usize]));
            assert!(index.bytes() <= limit);
        }
        (index, keys.len())
    }

    #[test]
    fn finds_inserted_nodes() {
        let mut rng = Rng::new(1);
        let keys: Vec<u64> = (0..300_000).map(|_| rng.next_u64() >> 8).collect();
        let known: HashMap<u64, u32> = (0..).zip(&keys).map(|(i, &k)| (k, i)).collect();
        let (mut index, n) = fill(&keys, u64::MAX, hash);
        assert_eq!(n, keys.len());
        for key in &keys {
            let found = index.find(hash(key), |id| keys[id as usize] == *key);
            assert_eq!(found, known.get(key).copied());
        }
        assert_eq!(index.find(hash(&1u64), |id| keys[id as usize] == 1), None);
        let bytes = index.bytes();
        index.clear();
        assert_eq!(index.find(hash(&keys[0]), |_| true), None);
        assert_eq!(index.bytes(), bytes);
    }

    #[test]
    fn uses_most_of_its_memory() {
        let keys: Vec<u64> = (0..1_000_000).collect();
        let (index, n) = fill(&keys, 3_000_000, hash);
        assert!(n < keys.len());
        assert!(index.bytes() > 2_500_000, "{}", index.bytes());
        assert!((0..n as u64).all(|k| index.find(hash(&k), |id| u64::from(id) == k).is_some()));
    }

    /// Equal hashes must not split without end.
    #[test]
    fn a_poor_hash_is_slow_but_sound() {
        let keys: Vec<u64> = (0..60_000).collect();
        let poor = |k: &u64| (k & 0xff) << 40;
        let (index, n) = fill(&keys, u64::MAX, poor);
        assert_eq!(n, keys.len());
        assert!(keys.iter().all(|k| index.find(poor(k), |id| u64::from(id) == *k).is_some()));
    }
}
