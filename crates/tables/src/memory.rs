//! Bytes of a table, and what the system says about its memory and its disks.
//!
//! With the feature `os` files are mapped, tables in memory have huge pages, and the free memory and
//! the free space of disks are known. Without it, which also serves a module without an operating
//! system, files are read into memory, and nothing is known.

#[cfg(feature = "os")]
mod mapped;
#[cfg(not(feature = "os"))]
mod plain;

#[cfg(feature = "os")]
pub(crate) use mapped::{Bytes, free_disk, free_memory};
#[cfg(not(feature = "os"))]
pub(crate) use plain::{Bytes, free_disk, free_memory};
