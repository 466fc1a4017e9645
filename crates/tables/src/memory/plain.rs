//! Bytes in the memory of the process.

use crate::error::TableError;
use std::{fs::File, io::Read as _, ops::Deref, path::Path};

/// Read-only bytes.
#[derive(Debug)]
pub(crate) struct Bytes(Box<[u8]>);

impl Bytes {
    /// The bytes of a file of `length` bytes.
    pub(crate) fn of_file(mut file: &File, path: &Path, length: u64) -> Result<Self, TableError> {
        let mut bytes = empty(usize::try_from(length).unwrap_or(usize::MAX))?;
        file.read_to_end(&mut bytes).map_err(TableError::io(path))?;
        Ok(Self(bytes.into()))
    }

    /// A copy.
    pub(crate) fn copied(bytes: &[u8]) -> Result<Self, TableError> {
        let mut copy = empty(bytes.len())?;
        copy.extend_from_slice(bytes);
        Ok(Self(copy.into()))
    }

    /// The bytes of a vector.
    #[expect(clippy::unnecessary_wraps, reason = "the same methods as of mapped bytes")]
    pub(crate) fn owned(bytes: Vec<u8>) -> Result<Self, TableError> {
        Ok(Self(bytes.into()))
    }

    /// Announces that all bytes are read next: there is nobody to hear it.
    #[expect(clippy::unused_self, reason = "the same methods as of mapped bytes")]
    pub(crate) fn will_be_read(&self) {}

    /// Announces that single bytes are read: there is nobody to hear it.
    #[expect(clippy::unused_self, reason = "the same methods as of mapped bytes")]
    pub(crate) fn will_be_looked_up(&self) {}
}

/// An empty vector with the capacity of `length` bytes.
fn empty(length: usize) -> Result<Vec<u8>, TableError> {
    let mut bytes = Vec::new();
    let reserved = bytes.try_reserve_exact(length);
    reserved.map_err(|error| TableError::Memory(std::io::Error::other(error)))?;
    Ok(bytes)
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Bytes of memory that are free: not known.
pub(crate) fn free_memory() -> Option<u64> {
    None
}

/// Free bytes on a disk: not known.
pub(crate) fn free_disk(_: &Path) -> Option<u64> {
    None
}
