//! Memory maps, and the figures of the operating system.

use crate::error::TableError;
use memmap2::{Mmap, MmapMut};
use std::{fs::File, ops::Deref, path::Path};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Read-only bytes, mapped from a file or anonymous.
#[derive(Debug)]
pub(crate) struct Bytes(Mmap);

impl Bytes {
    /// The bytes of a file of `length` bytes.
    pub(crate) fn of_file(file: &File, path: &Path, _length: u64) -> Result<Self, TableError> {
        // SAFETY: the file is opened read-only, and a table is only ever replaced by a rename of a
        // finished file, never written in place. If a foreign process truncates the mapped file, a
        // signal ends this process, as with every mapped file.
        let map = unsafe { Mmap::map(file) }.map_err(TableError::io(path))?;
        Ok(Self(map))
    }

    /// A copy in memory, with huge pages where the system has them.
    pub(crate) fn copied(bytes: &[u8]) -> Result<Self, TableError> {
        // A mapping of no bytes is not allowed.
        let mut map = MmapMut::map_anon(bytes.len().max(1)).map_err(TableError::Memory)?;
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        map[..bytes.len()].copy_from_slice(bytes);
        Ok(Self(map.make_read_only().map_err(TableError::Memory)?))
    }

    /// The bytes of a vector, copied as by [`copied`](Self::copied).
    #[expect(clippy::needless_pass_by_value, reason = "the same methods as of bytes in memory")]
    pub(crate) fn owned(bytes: Vec<u8>) -> Result<Self, TableError> {
        Self::copied(&bytes)
    }

    /// Announces that all bytes are read next.
    pub(crate) fn will_be_read(&self) {
        #[cfg(unix)]
        let _ = self.0.advise(memmap2::Advice::WillNeed);
    }

    /// Announces that single bytes are read.
    pub(crate) fn will_be_looked_up(&self) {
        #[cfg(unix)]
        let _ = self.0.advise(memmap2::Advice::Random);
    }
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Bytes of memory that are free or can be freed; `None` if the system does not report them.
pub(crate) fn free_memory() -> Option<u64> {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kind).ok()?;
    // The free memory of a control group excludes its file cache, which the system can free: so its
    // limit is used.
    let limit = system.cgroup_limits().map(|limits| limits.total_memory);
    let free = system.available_memory();
    let free = limit.map_or(free, |limit| free.min(limit));
    (free > 0).then_some(free)
}

/// Free bytes on the disk of a folder, or of its first existing ancestor.
pub(crate) fn free_disk(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|folder| folder.exists())?;
    fs4::available_space(there).ok()
}
