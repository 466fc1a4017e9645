//! Bytes of a table, and the free memory and disk space of the system.
//!
//! With the feature `os` files are mapped, tables in memory have huge pages, and the free memory
//! and disk space are known. Without it, as in a module without an operating system, files are read
//! into memory, and the free memory and disk space are unknown.

#[cfg(feature = "os")]
mod mapped;
#[cfg(not(feature = "os"))]
mod plain;

#[cfg(feature = "os")]
pub(crate) use mapped::{Bytes, free_disk, free_memory};
#[cfg(not(feature = "os"))]
pub(crate) use plain::{Bytes, free_disk, free_memory};
