//! A growing array in chunks of fixed size. Its items never move, so that growing needs no second
//! copy and costs one chunk at a time.
//!
//! ```
//! use unriddle_search::chunked::Chunked;
//!
//! let mut numbers = Chunked::default();
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
/// Number of items in a chunk.
pub const CHUNK: usize = 1 << SHIFT;
const MASK: usize = CHUNK - 1;

/// A growing array of plain values.
#[derive(Debug)]
pub struct Chunked<T> {
    /// Chunks of capacity [`CHUNK`]; all before the last used one are full.
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T: Copy> Default for Chunked<T> {
    /// Creates an array without items and without memory.
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Copy> Chunked<T> {
    /// The number of items.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the array is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of the array.
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

    /// Mutable reference to the item at an index below [`len`](Self::len).
    #[inline]
    pub fn get_mut(&mut self, i: usize) -> &mut T {
        &mut self.chunks[i >> SHIFT][i & MASK]
    }

    /// Whether memory for `extra` more items is reserved.
    #[inline]
    pub fn has_place(&self, extra: usize) -> bool {
        self.len + extra <= self.chunks.len() << SHIFT
    }

    /// Reserves memory for `extra` more items.
    ///
    /// # Errors
    /// [`Full`] if the growth does not fit into `room` bytes.
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
        for _ in 0..more {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        Ok(())
    }

    /// Appends an item, for which memory is [reserved](Self::reserve).
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

    /// Removes all items from `len` on and keeps the memory.
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
    fn items_never_move() {
        let mut a = Chunked::default();
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
