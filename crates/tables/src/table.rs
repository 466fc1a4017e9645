//! Tables of small entries, in memory or mapped from a file.

use crate::error::TableError;
use memmap2::{Mmap, MmapMut};
use std::ops::Range;

/// How wide the entries of a table are. Several entries of a byte begin at its lowest bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// A bit.
    Bit,
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
            Self::Bit => 1,
            Self::Nibble => 4,
            Self::Byte => 8,
        }
    }

    /// Bytes that `entries` entries take.
    #[must_use]
    pub const fn bytes(self, entries: u64) -> u64 {
        match self {
            Self::Bit => entries.div_ceil(8),
            Self::Nibble => entries.div_ceil(2),
            Self::Byte => entries,
        }
    }
}

/// A read-only table, in memory or mapped from a file. Who reads it knows how wide its entries are.
#[derive(Debug)]
pub struct Table {
    map: Mmap,
    payload: Range<usize>,
    entries: u64,
    width: Width,
}

impl Table {
    /// A table whose entries are the `payload` bytes of a mapping.
    pub(crate) fn mapped(
        map: Mmap,
        payload: Range<usize>,
        entries: u64,
        width: Width,
    ) -> Result<Self, TableError> {
        match payload.len() as u64 == width.bytes(entries) && payload.end <= map.len() {
            true => Ok(Self { map, payload, entries, width }),
            false => Err(TableError::Truncated),
        }
    }

    /// A table of packed entries held in anonymous memory.
    ///
    /// # Errors
    /// No memory, or a wrong length.
    pub fn from_packed(bytes: &[u8], entries: u64, width: Width) -> Result<Self, TableError> {
        if bytes.len() as u64 != width.bytes(entries) {
            return Err(TableError::Truncated);
        }
        // A mapping of no bytes is not allowed.
        let mut map = MmapMut::map_anon(bytes.len().max(1)).map_err(TableError::Memory)?;
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        map[..bytes.len()].copy_from_slice(bytes);
        let map = map.make_read_only().map_err(TableError::Memory)?;
        Self::mapped(map, 0..bytes.len(), entries, width)
    }

    /// The same table copied into anonymous memory with huge pages where the system has them: random
    /// lookups then miss the translation buffer far less often.
    ///
    /// # Errors
    /// No memory.
    pub fn resident(&self) -> Result<Self, TableError> {
        Self::from_packed(self.packed(), self.entries, self.width)
    }

    /// How wide entries are.
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
        &self.map[self.payload.start..self.payload.end]
    }

    /// The entry of an index below [`entries`](Self::entries), of a table of nibbles.
    #[must_use]
    #[inline(always)]
    pub fn get(&self, index: u32) -> u8 {
        self.packed()[(index >> 1) as usize] >> ((index & 1) * 4) & 15
    }

    /// The same for tables of more than 2³² entries.
    #[must_use]
    #[inline(always)]
    pub fn nibble(&self, index: u64) -> u8 {
        self.packed()[(index >> 1) as usize] >> ((index & 1) * 4) & 15
    }

    /// Begins to load the cache line of an entry, of a table of nibbles.
    #[inline(always)]
    pub fn prefetch(&self, index: u32) {
        let packed = self.packed();
        #[cfg(target_arch = "x86_64")]
        if let Some(byte) = packed.get((index >> 1) as usize) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch has no effect but on the caches, and the address is that of a byte of
            // the table.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (packed, index);
    }
}
