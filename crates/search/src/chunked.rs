//! A growing array in chunks of fixed size: it never moves its items, so that growing needs no
//! second copy and costs one chunk at a time.
//!
//! ```
//! use unriddle_search::chunked::Chunked;
//!
//! let mut numbers = Chunked::new();
//! for number in 0..10_000u32 {
//!     numbers.reserve(1, u64::MAX).unwrap();
//!     numbers.push(number);
//! }
//! assert_eq!((*numbers.get(9_999), numbers.len()), (9_999, 10_000));
//! assert!(numbers.reserve(10_000, 100).is_err());
//! ```

use crate::memory::{Full, reserve, vec_bytes};
use std::mem::size_of;

const SHIFT: usize = 12;
/// Items in a chunk.
pub const CHUNK: usize = 1 << SHIFT;
const MASK: usize = CHUNK - 1;

/// A growing array of plain values.
#[derive(Debug)]
pub struct Chunked<T> {
    /// Each of capacity [`CHUNK`]; all before the last used one are filled.
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T: Copy> Default for Chunked<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy> Chunked<T> {
    /// An array without items and without memory.
    pub fn new() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }

    /// The number of items.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that it holds.
    pub fn bytes(&self) -> u64 {
        self.chunks.len() as u64 * Self::chunk_bytes() + vec_bytes(&self.chunks)
    }

    fn chunk_bytes() -> u64 {
        (CHUNK * size_of::<T>()) as u64
    }

    /// The item at an index below [`len`](Self::len).
    #[inline]
    pub fn get(&self, i: usize) -> &T {
        &self.chunks[i >> SHIFT][i & MASK]
    }

    /// The item at an index below [`len`](Self::len), to be changed.
    #[inline]
    pub fn get_mut(&mut self, i: usize) -> &mut T {
        &mut self.chunks[i >> SHIFT][i & MASK]
    }

    /// Whether there is place for `extra` more items.
    #[inline]
    pub fn has_place(&self, extra: usize) -> bool {
        self.len + extra <= self.chunks.len() << SHIFT
    }

    /// Makes place for `extra` more items.
    ///
    /// # Errors
    /// [`Full`] if that does not fit into `room` bytes.
    #[inline]
    pub fn reserve(&mut self, extra: usize, room: u64) -> Result<(), Full> {
        if self.has_place(extra) {
            return Ok(());
        }
        self.grow(extra, room)
    }

    #[cold]
    fn grow(&mut self, extra: usize, room: u64) -> Result<(), Full> {
        let more = (self.len + extra).div_ceil(CHUNK) - self.chunks.len();
        let Some(room) = room.checked_sub(more as u64 * Self::chunk_bytes()) else {
            return Err(Full);
        };
        reserve(&mut self.chunks, more, room)?;
        self.chunks.extend((0..more).map(|_| Vec::with_capacity(CHUNK)));
        Ok(())
    }

    /// Appends an item; the place was made by [`reserve`](Self::reserve).
    #[inline]
    pub fn push(&mut self, item: T) {
        self.chunks[self.len >> SHIFT].push(item);
        self.len += 1;
    }

    /// Removes the last item.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        self.chunks[self.len >> SHIFT].pop()
    }

    /// Forgets all items from `len` on and keeps the memory.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        let used = self.len.div_ceil(CHUNK);
        for (i, chunk) in self.chunks.iter_mut().enumerate().take(used).skip(len >> SHIFT) {
            chunk.truncate(len.saturating_sub(i << SHIFT));
        }
        self.len = len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stay_where_they_are() {
        let mut a = Chunked::new();
        assert_eq!(a.reserve(1, 100), Err(Full));
        for i in 0..3 * CHUNK + 5 {
            a.reserve(1, u64::MAX).unwrap();
            a.push(i as u32);
        }
        let bytes = a.bytes();
        assert!(bytes >= 16 * CHUNK as u64 && bytes < 17 * CHUNK as u64);
        assert!((0..a.len()).all(|i| *a.get(i) == i as u32));
        assert_eq!(a.pop(), Some(3 * CHUNK as u32 + 4));
        a.truncate(CHUNK + 1);
        assert_eq!((a.len(), *a.get(CHUNK), a.bytes()), (CHUNK + 1, CHUNK as u32, bytes));
        a.push(7);
        assert_eq!(*a.get(CHUNK + 1), 7);
        a.truncate(0);
        assert_eq!(a.pop(), None);
        a.push(1);
        assert_eq!((*a.get(0), a.len()), (1, 1));
    }
}
