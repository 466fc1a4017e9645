//! Bounded transposition table: for as many states as fit, the cheapest g of a visit.
//!
//! The table consists of sets of eight entries. The number of sets grows by linear hashing (Litwin
//! 1980), one set split at a time, so that there is neither a second copy nor a pause, up to a size
//! limit. From then on entries replace each other: in a full set first an entry of an older
//! iteration is replaced, then the entry with the largest g, whose subtree is the smallest.
//!
//! An entry is found by `Eq` on the state. Losing an entry never changes an answer, only the work.
//!
//! ```
//! use unriddle_search::{index::hash, table::Table};
//!
//! let mut table = Table::default();
//! table.widen(&0, 1 << 20);
//! table.put(hash(&7u64), &7, 12, 1);
//! assert_eq!(table.get(hash(&7u64), &7), Some((12, 1)));
//! assert_eq!(table.get(hash(&8u64), &8), None);
//! ```

use crate::{chunked::Chunked, index::hash, memory::Full};
use unriddle_core::State;

/// Number of entries of a set.
const WAYS: usize = 8;

/// Visit of a state.
#[derive(Clone, Copy, Debug)]
struct Entry<S> {
    state: S,
    g: u32,
    /// The iteration of the visit; 0 marks an empty entry.
    iteration: u32,
}

/// Transposition table.
#[derive(Debug)]
pub struct Table<S> {
    sets: Chunked<[Entry<S>; WAYS]>,
    /// There are 2^bits + split sets; the sets before `split`, and their twins, use one hash bit
    /// more.
    bits: u32,
    split: usize,
    len: usize,
    /// Whether an entry was replaced since the last growth.
    evicted: bool,
}

impl<S: State> Default for Table<S> {
    /// Creates a table without entries and without memory.
    fn default() -> Self {
        Self { sets: Chunked::default(), bits: 0, split: 0, len: 0, evicted: false }
    }
}

impl<S: State> Table<S> {
    /// Bytes of the table.
    pub fn bytes(&self) -> u64 {
        self.sets.bytes()
    }

    /// Whether the table should grow: half of the entries are used, or one was replaced.
    #[inline]
    pub fn is_crowded(&self) -> bool {
        self.evicted || self.len * 2 >= self.sets.len() * WAYS
    }

    #[inline]
    fn set(&self, hash: u64) -> usize {
        let short = hash as usize & ((1 << self.bits) - 1);
        if short < self.split { hash as usize & ((2 << self.bits) - 1) } else { short }
    }

    /// The cheapest known g of a state, and the iteration of that visit.
    #[inline]
    pub fn get(&self, hash: u64, state: &S) -> Option<(u32, u32)> {
        if self.sets.is_empty() {
            return None;
        }
        self.sets
            .get(self.set(hash))
            .iter()
            .find(|e| e.iteration != 0 && e.state == *state)
            .map(|e| (e.g, e.iteration))
    }

    /// Notes a visit, unless an entry is better.
    #[inline]
    pub fn put(&mut self, hash: u64, state: &S, g: u32, iteration: u32) {
        if self.sets.is_empty() {
            return;
        }
        let set = self.set(hash);
        let set = self.sets.get_mut(set);
        let same = set.iter().position(|e| e.iteration != 0 && e.state == *state);
        let place = same.unwrap_or_else(|| victim(set));
        if set[place].iteration == 0 {
            self.len += 1;
        } else if same.is_none() {
            self.evicted = true;
        }
        set[place] = Entry { state: *state, g, iteration };
    }

    /// Grows while it is crowded and takes at most `most` bytes. Unused entries contain `filler`,
    /// which may be any state. Returns whether the table has grown.
    pub fn widen(&mut self, filler: &S, most: u64) -> bool {
        let before = self.sets.len();
        while self.is_crowded() {
            let room = most.saturating_sub(self.bytes());
            if self.grow(filler, room).is_err() {
                break;
            }
        }
        self.sets.len() > before
    }

    /// Adds a set by splitting one; unused entries contain `filler`, which may be any state.
    ///
    /// # Errors
    /// [`Full`] if another set does not fit into `room` bytes.
    pub fn grow(&mut self, filler: &S, room: u64) -> Result<(), Full> {
        self.sets.reserve(1, room)?;
        self.evicted = false;
        let empty = Entry { state: *filler, g: 0, iteration: 0 };
        if self.sets.is_empty() {
            self.sets.push([empty; WAYS]);
            return Ok(());
        }
        let old = self.sets.get_mut(self.split);
        let mut new = [empty; WAYS];
        for (entry, place) in old.iter_mut().zip(&mut new) {
            if entry.iteration != 0 && hash(&entry.state) >> self.bits & 1 == 1 {
                std::mem::swap(entry, place);
            }
        }
        self.sets.push(new);
        self.split += 1;
        if self.split == 1 << self.bits {
            self.split = 0;
            self.bits += 1;
        }
        Ok(())
    }
}

/// Bytes that a table leaves to the path beside it.
const PATH_RESERVE: u64 = 1 << 16;

/// Maximum size of a table beside a path of `path` bytes under a limit of `limit` bytes: the path
/// must be able to double.
///
/// ```
/// assert_eq!(unriddle_search::table::beside(1_000, 1 << 20), (1 << 20) - (1 << 16) - 3_000);
/// ```
#[must_use]
pub fn beside(path: u64, limit: u64) -> u64 {
    limit.saturating_sub(3 * path + PATH_RESERVE)
}

/// The entry of a set that is replaced next.
fn victim<S>(set: &[Entry<S>; WAYS]) -> usize {
    let worth = |i: &usize| (set[*i].iteration, u32::MAX - set[*i].g);
    (0..WAYS).min_by_key(worth).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_keeps_the_largest_subtrees() {
        let mut table = Table::default();
        assert_eq!(table.get(hash(&5u64), &5), None);
        table.put(hash(&5u64), &5, 1, 1);
        assert!(table.is_crowded());
        let mut room = 2_000_000;
        for key in 0..100_000u64 {
            while table.is_crowded() {
                let bytes = table.bytes();
                match table.grow(&0, room) {
                    Ok(()) => room -= table.bytes() - bytes,
                    Err(Full) => break,
                }
            }
            assert!(table.get(hash(&key), &key).is_none());
            table.put(hash(&key), &key, key as u32, 1);
            assert_eq!(table.get(hash(&key), &key), Some((key as u32, 1)));
        }
        assert!(table.bytes() <= 2_000_000);
        let kept = (0..100_000u64).filter(|k| table.get(hash(k), k).is_some()).count();
        assert!(kept > 65_000, "{kept}");
        // Small g stays: such states have the largest subtrees.
        let early = (0..10_000u64).filter(|k| table.get(hash(k), k).is_some()).count();
        assert!(early > 8_500, "{early}");
    }

    #[test]
    fn old_iterations_give_way_first() {
        let mut table = Table::default();
        table.grow(&0, u64::MAX).unwrap();
        for key in 1..=WAYS as u64 + 1 {
            let iteration = if key == 2 { 1 } else { 2 };
            table.put(hash(&key), &key, key as u32, iteration);
        }
        assert_eq!(table.get(hash(&2u64), &2), None);
        table.put(hash(&99u64), &99, 0, 2);
        let last = WAYS as u64 + 1;
        assert_eq!(table.get(hash(&last), &last), None);
        assert_eq!(table.get(hash(&99u64), &99), Some((0, 2)));
    }
}
