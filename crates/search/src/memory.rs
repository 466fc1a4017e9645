//! Accounting of memory: every growth is asked for before it is made.
//!
//! A structure knows its own size in bytes and grows only within the *room* that its owner grants:
//! the limit less all that is accounted already. A growth that copies (a vector, a hash table) needs
//! room for the new copy beside the old one. A growth that does not fit leaves the structure as it is.

use std::mem::size_of;
use unriddle_core::{Quota, Stats};

/// A growth did not fit into the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// A search that accounts for what it holds.
pub(crate) trait Accounted {
    /// Bytes that it holds.
    fn bytes(&self) -> u64;

    /// Where the most that it held is written down.
    fn counters(&mut self) -> &mut Stats;

    /// Makes a growth within what the quota leaves: first without room, which succeeds where nothing has to
    /// grow.
    #[inline(always)]
    fn grow(
        &mut self,
        quota: &Quota,
        mut growth: impl FnMut(&mut Self, u64) -> Result<(), Full>,
    ) -> Result<(), Full> {
        if growth(self, 0).is_ok() {
            return Ok(());
        }
        let room = quota.bytes.saturating_sub(self.bytes());
        let result = growth(self, room);
        let bytes = self.bytes();
        let stats = self.counters();
        stats.peak_bytes = stats.peak_bytes.max(bytes);
        result
    }
}

/// Bytes that a vector holds.
pub(crate) fn vec_bytes<T>(v: &Vec<T>) -> u64 {
    (v.capacity() as u64).saturating_mul(size_of::<T>() as u64)
}

/// Makes place for `extra` more items: by doubling if that fits, else for just as many.
#[inline]
pub(crate) fn reserve<T>(v: &mut Vec<T>, extra: usize, room: u64) -> Result<(), Full> {
    if v.capacity() - v.len() >= extra {
        return Ok(());
    }
    grow(v, extra, room)
}

#[cold]
fn grow<T>(v: &mut Vec<T>, extra: usize, room: u64) -> Result<(), Full> {
    let exact = v.len() + extra;
    for capacity in [exact.max(v.capacity().saturating_mul(2)).max(8), exact] {
        if (capacity as u64).saturating_mul(size_of::<T>() as u64) <= room {
            v.reserve_exact(capacity - v.len());
            return Ok(());
        }
    }
    Err(Full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_grows_only_within_its_room() {
        let mut v: Vec<u32> = Vec::new();
        assert_eq!(reserve(&mut v, 1, 3), Err(Full));
        assert_eq!(reserve(&mut v, 1, 4), Ok(()));
        assert_eq!(v.capacity(), 1);
        assert_eq!(reserve(&mut v, 2, 1000), Ok(()));
        assert_eq!(v.capacity(), 8);
        assert_eq!(vec_bytes(&v), 32);
        assert_eq!(reserve(&mut v, 8, 0), Ok(()));
    }
}
