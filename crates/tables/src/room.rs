//! Checks whether a table fits into memory and on the disk.

use crate::{
    build::Build,
    error::TableError,
    memory::{free_disk, free_memory},
};
use std::path::Path;

/// Checks whether a table that does not exist can be built.
///
/// # Errors
/// [`TableError::NoRoom`].
pub(crate) fn to_build(what: &dyn Build) -> Result<(), TableError> {
    check(what, "memory", what.peak(), free_memory())
}

/// Checks whether a table can be stored in a folder.
///
/// # Errors
/// [`TableError::NoRoom`].
pub(crate) fn to_store(what: &dyn Build, folder: &Path) -> Result<(), TableError> {
    check(what, "disk space in the cache folder", what.bytes(), free_disk(folder))
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
