//! A cache of the extra moves of recent relations.
//!
//! Positions that differ only in cells, foundations and bottoms have the same circles of waiting
//! cards, and so do many neighbours of a position. The table answers them without a search. An
//! entry is found by comparing the cards beneath all cards, never by only a hash; a newer entry
//! overwrites an older one in its slot. The table doubles with the number of positions kept, up to
//! [`MOST`] entries.

use crate::pack::Packed;
use unriddle_search::memory::{Full, vec_bytes};

const FEWEST: usize = 1 << 8;
const MOST: usize = 1 << 20;

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: Packed,
    extra: u8,
}

const NOTHING: u8 = u8::MAX;

/// The table.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    entries: Vec<Entry>,
}

impl Memo {
    pub(crate) fn bytes(&self) -> u64 {
        vec_bytes(&self.entries)
    }

    /// Whether the table would do better for `positions` positions if it were larger.
    #[inline]
    pub(crate) fn is_small(&self, positions: usize) -> bool {
        let len = self.entries.len();
        len == 0 || (positions > len && len < MOST)
    }

    /// Doubles the table.
    pub(crate) fn grow(&mut self, room: u64) -> Result<(), Full> {
        let len = self.entries.len();
        let new = (2 * len).max(FEWEST);
        if (new * size_of::<Entry>()) as u64 > room {
            // The table works as well at its present size.
            return if len > 0 { Ok(()) } else { Err(Full) };
        }
        let nothing = Entry { key: Packed::default(), extra: NOTHING };
        let old = std::mem::replace(&mut self.entries, vec![nothing; new]);
        for entry in old.iter().filter(|entry| entry.extra != NOTHING) {
            self.set(entry.key, entry.extra);
        }
        Ok(())
    }

    #[inline]
    fn place(&self, key: &Packed) -> usize {
        (key.mixed() >> 32) as usize & self.entries.len().wrapping_sub(1)
    }

    /// The extra moves of a relation, if they are known.
    #[inline]
    pub(crate) fn get(&self, key: &Packed) -> Option<u8> {
        let entry = self.entries.get(self.place(key))?;
        (entry.extra != NOTHING && entry.key == *key).then_some(entry.extra)
    }

    /// Stores the extra moves of a relation.
    #[inline]
    pub(crate) fn set(&mut self, key: Packed, extra: u8) {
        let place = self.place(&key);
        if let Some(entry) = self.entries.get_mut(place) {
            *entry = Entry { key, extra };
        }
    }
}
