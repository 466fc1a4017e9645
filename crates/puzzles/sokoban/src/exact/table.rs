//! Numbers of records by where boxes are.

use crate::board::Bits;
use hashbrown::{HashTable, hash_table::Entry};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Hash table from sets of cells to numbers of records; the records store the sets.
#[derive(Default)]
pub(super) struct Table(HashTable<u32>);

fn hash<const W: usize>(boxes: &Bits<W>) -> u64 {
    let mut hasher = FxHasher::default();
    boxes.iter().for_each(|word| word.hash(&mut hasher));
    hasher.finish()
}

impl Table {
    /// The record of a set. If the set has no record, inserts the number `new`, which the caller
    /// must make the set's record.
    #[inline]
    pub(super) fn find<'r, const W: usize>(
        &mut self,
        boxes: &Bits<W>,
        new: u32,
        of: impl Fn(u32) -> &'r Bits<W>,
    ) -> Option<u32> {
        let is_same = |&record: &u32| of(record) == boxes;
        match self.0.entry(hash(boxes), is_same, |&record| hash(of(record))) {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(entry) => {
                entry.insert(new);
                None
            }
        }
    }

    /// The record of a set, if there is one.
    pub(super) fn get<'r, const W: usize>(
        &self,
        boxes: &Bits<W>,
        of: impl Fn(u32) -> &'r Bits<W>,
    ) -> Option<u32> {
        self.0.find(hash(boxes), |&record| of(record) == boxes).copied()
    }

    /// Upper bound of the bytes after one more insertion.
    pub(super) fn next_bytes(&self) -> u64 {
        let capacity = match self.0.len() == self.0.capacity() {
            // While the table grows, the old and the new table exist.
            true => 3 * self.0.capacity().max(4),
            false => self.0.capacity(),
        };
        // A number and a control byte for each slot; an eighth of the slots stays empty.
        (capacity * 5 * 8 / 7) as u64
    }
}
