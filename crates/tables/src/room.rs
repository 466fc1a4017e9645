//! Checks whether a table fits into memory and on the disk.

use crate::{build::Build, error::TableError};
use std::path::Path;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Bytes of memory that are free or can be freed; `None` if the system does not report them.
fn memory() -> Option<u64> {
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
fn disk(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|folder| folder.exists())?;
    fs4::available_space(there).ok()
}

/// Checks whether a table that does not exist can be built.
///
/// # Errors
/// [`TableError::NoRoom`].
pub(crate) fn to_build(what: &dyn Build) -> Result<(), TableError> {
    check(what, "memory", what.peak(), memory())
}

/// Checks whether a table can be stored in a folder.
///
/// # Errors
/// [`TableError::NoRoom`].
pub(crate) fn to_store(what: &dyn Build, folder: &Path) -> Result<(), TableError> {
    check(what, "disk space in the cache folder", what.bytes(), disk(folder))
}

fn check(
    what: &dyn Build,
    place: &'static str,
    needed: u64,
    free: Option<u64>,
) -> Result<(), TableError> {
    match free.filter(|&free| free < needed) {
        None => Ok(()),
        Some(free) => {
            let (key, hint) = (what.key(), String::new());
            Err(TableError::NoRoom { key, place, needed, free, hint })
        }
    }
}
