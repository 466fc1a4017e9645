//! Tables of 4-bit entries: two to a byte, the even entry in the low half.

use crate::file::TableError;
use memmap2::{Mmap, MmapMut};
use std::ops::Range;

/// A read-only table of 4-bit entries, in memory or mapped from a file.
#[derive(Debug)]
pub struct Nibbles {
    map: Mmap,
    payload: Range<usize>,
    entries: u64,
}

impl Nibbles {
    /// A table whose entries are the `payload` bytes of a mapping.
    pub(crate) fn mapped(
        map: Mmap,
        payload: Range<usize>,
        entries: u64,
    ) -> Result<Self, TableError> {
        match payload.len() as u64 == entries.div_ceil(2) && payload.end <= map.len() {
            true => Ok(Self {
                map,
                payload,
                entries,
            }),
            false => Err(TableError::Truncated),
        }
    }

    /// A table of packed entries held in anonymous memory.
    ///
    /// # Errors
    /// No memory, or a wrong length.
    pub fn from_packed(bytes: &[u8], entries: u64) -> Result<Self, TableError> {
        if bytes.len() as u64 != entries.div_ceil(2) {
            return Err(TableError::Truncated);
        }
        // A mapping of no bytes is not allowed.
        let mut map = MmapMut::map_anon(bytes.len().max(1)).map_err(TableError::Memory)?;
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        map[..bytes.len()].copy_from_slice(bytes);
        let map = map.make_read_only().map_err(TableError::Memory)?;
        Self::mapped(map, 0..bytes.len(), entries)
    }

    /// The same table copied into anonymous memory with huge pages where the system has them: random
    /// lookups then miss the translation buffer far less often.
    ///
    /// # Errors
    /// No memory.
    pub fn resident(&self) -> Result<Self, TableError> {
        Self::from_packed(self.packed(), self.entries)
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

    /// The entry of an index below [`entries`](Self::entries).
    #[must_use]
    #[inline(always)]
    pub fn get(&self, index: u32) -> u8 {
        self.packed()[(index >> 1) as usize] >> ((index & 1) * 4) & 15
    }

    /// Begins to load the cache line of an entry.
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
