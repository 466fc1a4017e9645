//! Memory accounting: every growth is requested before it is made.
//!
//! A structure knows its own size in bytes and grows only within the *allowance* that its owner
//! grants (parameter `room`): the limit minus everything that is accounted already. A growth that
//! copies (a vector, a hash table) needs the allowance for the new copy beside the old one. A
//! growth that does not fit leaves the structure unchanged.
//!
//! ```
//! use unriddle_search::memory::{Full, reserve, vec_bytes};
//!
//! let mut path: Vec<u32> = Vec::new();
//! // Ten numbers take 40 bytes.
//! assert_eq!(reserve(&mut path, 10, 39), Err(Full));
//! assert_eq!(reserve(&mut path, 10, 40), Ok(()));
//! path.extend(0..10);
//! assert_eq!(vec_bytes(&path), 40);
//! ```

use std::collections::BinaryHeap;
use std::mem::size_of;
use unriddle_core::{Solution, Stats};

/// A growth did not fit into the allowance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// Search that accounts for its memory.
///
/// ```
/// use unriddle_core::Stats;
/// use unriddle_search::memory::{Accounted, Full, reserve, vec_bytes};
///
/// /// Search in which only the path grows.
/// struct Walk {
///     path: Vec<u8>,
///     stats: Stats,
/// }
///
/// impl Accounted for Walk {
///     fn bytes(&self) -> u64 {
///         vec_bytes(&self.path)
///     }
///     fn counters(&mut self) -> &mut Stats {
///         &mut self.stats
///     }
/// }
///
/// let mut walk = Walk { path: Vec::new(), stats: Stats::default() };
/// let limit = 100;
/// while walk.grow(limit, |walk, room| reserve(&mut walk.path, 1, room)).is_ok() {
///     walk.path.push(0);
/// }
/// // The new copy of a vector coexists with the old one: both together never exceed the limit.
/// assert!(walk.path.len() >= 50 && walk.stats.peak_bytes <= limit);
/// ```
pub trait Accounted {
    /// Bytes of all accounted structures.
    fn bytes(&self) -> u64;

    /// Counters with the peak of the accounted bytes.
    fn counters(&mut self) -> &mut Stats;

    /// Makes a growth within a limit of `limit` bytes in all. The growth is tried first with an
    /// allowance of 0, which succeeds if nothing has to grow.
    ///
    /// # Errors
    /// [`Full`] if the growth does not fit; it may be tried again under a higher limit.
    #[inline(always)]
    fn grow(
        &mut self,
        limit: u64,
        mut growth: impl FnMut(&mut Self, u64) -> Result<(), Full>,
    ) -> Result<(), Full> {
        if growth(self, 0).is_ok() {
            return Ok(());
        }
        let before = self.bytes();
        let result = growth(self, limit.saturating_sub(before));
        self.note_growth(before);
        result
    }

    /// Raises the peak after a growth from `before` bytes. The initial structures of a search may
    /// exceed a limit that allows no growth: they raise no peak.
    #[cold]
    fn note_growth(&mut self, before: u64) {
        if self.bytes() != before {
            self.note_peak();
        }
    }

    /// Raises the peak to the present size.
    fn note_peak(&mut self) {
        let bytes = self.bytes();
        let stats = self.counters();
        stats.peak_bytes = stats.peak_bytes.max(bytes);
    }
}

/// The rest of the allowance `room` after a structure has grown from `before` to `now` bytes.
///
/// ```
/// assert_eq!(unriddle_search::memory::left(100, 20, 50), 70);
/// ```
#[must_use]
#[inline]
pub fn left(room: u64, before: u64, now: u64) -> u64 {
    room.saturating_add(before).saturating_sub(now)
}

/// Bytes of a vector's buffer.
///
/// ```
/// assert_eq!(unriddle_search::memory::vec_bytes(&Vec::<u64>::with_capacity(3)), 24);
/// ```
#[must_use]
pub fn vec_bytes<T>(v: &Vec<T>) -> u64 {
    (v.capacity() as u64).saturating_mul(size_of::<T>() as u64)
}

/// Structure with a size in bytes.
pub(crate) trait Bytes {
    /// Bytes of the structure's buffers.
    fn bytes(&self) -> u64;
}

impl<T> Bytes for Vec<T> {
    fn bytes(&self) -> u64 {
        vec_bytes(self)
    }
}

impl<A> Bytes for Solution<A> {
    fn bytes(&self) -> u64 {
        vec_bytes(&self.actions)
    }
}

impl<T: Bytes> Bytes for Option<T> {
    fn bytes(&self) -> u64 {
        self.as_ref().map_or(0, T::bytes)
    }
}

/// Sum of the bytes of structures.
macro_rules! bytes {
    ($($structure:expr),+ $(,)?) => {{
        #[allow(unused_imports)]
        use $crate::memory::Bytes as _;
        0 $(+ $structure.bytes())+
    }};
}
pub(crate) use bytes;

/// Implements [`Accounted`] for a search with the field `stats`: its size is the sum of the fields
/// that are named.
macro_rules! accounted {
    ($name:ident<P: $puzzle:path $(, $type:ident: $bound:path)*>: $($field:ident),+) => {
        impl<P: $puzzle $(, $type: $bound)*> $crate::memory::Accounted
            for $name<'_, P $(, $type)*>
        {
            fn bytes(&self) -> u64 {
                $crate::memory::bytes!($(self.$field),+)
            }

            fn counters(&mut self) -> &mut ::unriddle_core::Stats {
                &mut self.stats
            }
        }
    };
}
pub(crate) use accounted;

/// Reserves memory for `extra` more items: by doubling if that fits, else for exactly as many.
///
/// # Errors
/// [`Full`] if not even the exact growth fits into `room` bytes.
///
/// ```
/// use unriddle_search::memory::{Full, reserve};
/// let mut v = vec![1u8; 8];
/// assert_eq!(reserve(&mut v, 1, 8), Err(Full));
/// assert_eq!(reserve(&mut v, 1, 9), Ok(()));
/// assert_eq!(v.capacity(), 9);
/// ```
#[inline]
pub fn reserve<T>(v: &mut Vec<T>, extra: usize, room: u64) -> Result<(), Full> {
    reserve_least(v, extra, 8, room)
}

/// As [`reserve`], but for at least `least` items, if that fits: so that a structure that will be
/// large does not grow many times at first.
///
/// # Errors
/// [`Full`] if not even `extra` items fit into `room` bytes.
///
/// ```
/// use unriddle_search::memory::reserve_least;
/// let mut v: Vec<u8> = Vec::new();
/// reserve_least(&mut v, 1, 128, 1000).unwrap();
/// assert_eq!(v.capacity(), 128);
/// ```
#[inline]
pub fn reserve_least<T>(v: &mut Vec<T>, extra: usize, least: usize, room: u64) -> Result<(), Full> {
    if v.capacity() - v.len() >= extra {
        return Ok(());
    }
    grow(v, extra, least, room)
}

#[cold]
fn grow<T>(v: &mut Vec<T>, extra: usize, least: usize, room: u64) -> Result<(), Full> {
    let more = growth(v.len(), v.capacity(), extra, least, size_of::<T>(), room);
    more.map(|more| v.reserve_exact(more))
}

/// [`reserve`] for a heap.
pub(crate) fn reserve_heap<T: Ord>(
    heap: &mut BinaryHeap<T>,
    extra: usize,
    room: u64,
) -> Result<(), Full> {
    if heap.capacity() - heap.len() < extra {
        let more = growth(heap.len(), heap.capacity(), extra, 8, size_of::<T>(), room)?;
        heap.reserve_exact(more);
    }
    Ok(())
}

/// Number of items of `size` bytes beyond its length for which a contiguous structure allocates
/// when it has to grow. The function is the same for all types of items.
fn growth(
    len: usize,
    capacity: usize,
    extra: usize,
    least: usize,
    size: usize,
    room: u64,
) -> Result<usize, Full> {
    let exact = len + extra;
    let doubled = exact.max(capacity.saturating_mul(2)).max(least);
    let fits = |&c: &usize| (c as u64).saturating_mul(size as u64) <= room;
    let capacity = [doubled, exact].into_iter().find(fits).ok_or(Full)?;
    Ok(capacity - len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_grows_only_within_its_allowance() {
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
