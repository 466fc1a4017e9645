//! Whether there is room for a table, in memory and on the disk.

use crate::{build::Build, error::TableError};
use std::path::Path;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Bytes of memory that are free, or can be freed; `None` where the system does not say.
fn memory() -> Option<u64> {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kind).ok()?;
    // What a group of processes has free leaves out what its files take, which the system gives back: its limit is what counts.
    let limit = system.cgroup_limits().map(|limits| limits.total_memory);
    let free = system.available_memory();
    let free = limit.map_or(free, |limit| free.min(limit));
    (free > 0).then_some(free)
}

/// Bytes that are free on the disk of a folder, or of the folder that it will lie in.
fn disk(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|folder| folder.exists())?;
    fs4::available_space(there).ok()
}

/// Finds out whether a table that is not there can be built and stored.
///
/// # Errors
/// [`TableError::NoRoom`].
pub(crate) fn check(what: &dyn Build, folder: Option<&Path>) -> Result<(), TableError> {
    let no_room = |place, needed, free| TableError::NoRoom {
        key: what.key(),
        place,
        needed,
        free,
        hint: String::new(),
    };
    let needed = what.peak();
    match memory() {
        Some(free) if free < needed => return Err(no_room("memory", needed, free)),
        _ => {}
    }
    let needed = what.bytes();
    match folder.and_then(disk) {
        Some(free) if free < needed => Err(no_room("disk space in the cache folder", needed, free)),
        _ => Ok(()),
    }
}
