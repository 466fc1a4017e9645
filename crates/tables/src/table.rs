//! Tables of small entries, in memory or mapped from a file.

use crate::{error::TableError, memory::Bytes};
use std::ops::Range;

/// Width of the entries of a table. Several entries of a byte begin at its lowest bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// Four bits: two entries to a byte.
    #[default]
    Nibble,
    /// A byte.
    Byte,
}

impl Width {
    /// Bits of an entry.
    #[must_use]
    pub const fn bits(self) -> u64 {
        match self {
            Self::Nibble => 4,
            Self::Byte => 8,
        }
    }

    /// Bytes of `entries` entries.
    #[must_use]
    pub const fn bytes(self, entries: u64) -> u64 {
        match self {
            Self::Nibble => entries.div_ceil(2),
            Self::Byte => entries,
        }
    }
}

/// Read-only table, in memory or mapped from a file. The reader knows the width of its entries.
#[derive(Debug)]
pub struct Table {
    bytes: Bytes,
    payload: Range<usize>,
    entries: u64,
    width: Width,
}

impl Table {
    /// Creates a table whose entries are the `payload` of some bytes.
    pub(crate) fn of(
        bytes: Bytes,
        payload: Range<usize>,
        entries: u64,
        width: Width,
    ) -> Result<Self, TableError> {
        match payload.len() as u64 == width.bytes(entries) && payload.end <= bytes.len() {
            true => Ok(Self { bytes, payload, entries, width }),
            false => Err(TableError::Truncated),
        }
    }

    /// Creates a table of packed entries in anonymous memory.
    ///
    /// # Errors
    /// No memory, or a wrong length.
    pub fn from_packed(bytes: &[u8], entries: u64, width: Width) -> Result<Self, TableError> {
        if bytes.len() as u64 != width.bytes(entries) {
            return Err(TableError::Truncated);
        }
        Self::of(Bytes::copied(bytes)?, 0..bytes.len(), entries, width)
    }

    /// Copies the table into anonymous memory with huge pages where the system has them: random
    /// lookups then miss the translation buffer far less often.
    ///
    /// # Errors
    /// No memory.
    pub fn resident(&self) -> Result<Self, TableError> {
        Self::from_packed(self.packed(), self.entries, self.width)
    }

    /// Width of the entries.
    #[must_use]
    pub fn width(&self) -> Width {
        self.width
    }

    /// Number of entries.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Size in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.payload.len() as u64
    }

    /// The packed entries.
    #[must_use]
    #[inline(always)]
    pub fn packed(&self) -> &[u8] {
        &self.bytes[self.payload.start..self.payload.end]
    }

    /// The entry of an index below [`entries`](Self::entries), of a table of nibbles.
    #[must_use]
    #[inline(always)]
    pub fn get(&self, index: u32) -> u8 {
        self.packed()[(index >> 1) as usize] >> ((index & 1) * 4) & 15
    }

    /// The entry of an index in a table of nibbles, also beyond 2³² entries.
    #[must_use]
    #[inline(always)]
    pub fn nibble(&self, index: u64) -> u8 {
        self.packed()[(index >> 1) as usize] >> ((index & 1) * 4) & 15
    }

    /// Begins to load the cache line of an entry, of a table of nibbles.
    #[inline(always)]
    pub fn prefetch(&self, index: u32) {
        prefetch(self.packed(), (index >> 1) as usize);
    }
}

/// Begins to load the cache line of an item.
#[inline(always)]
pub fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = items.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch only affects the caches, and the address is within the list.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}
