//! Accounting of memory: every growth is asked for before it is made.
//!
//! A structure knows its own size in bytes and grows only within the *room* that its owner grants:
//! the limit less all that is accounted already. A growth that copies (a vector, a hash table) needs
//! room for the new copy beside the old one. A growth that does not fit leaves the structure as it is.

use std::mem::size_of;

/// A growth did not fit into the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

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
