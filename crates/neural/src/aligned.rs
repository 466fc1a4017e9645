//! Vectors of plain numbers that begin on a cache line, so that no vector load straddles two lines.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Bytes of a cache line, and of the widest vectors.
const LINE: usize = 64;

/// Numbers for which every pattern of bits is a value.
///
/// # Safety
/// The type has no padding, no invalid bit pattern, and an alignment and size that divide 64.
pub(crate) unsafe trait Plain: Copy + Default + 'static {}
// SAFETY: numbers have no padding and no invalid bit pattern, and their sizes divide 64.
unsafe impl Plain for f32 {}
// SAFETY: as above.
unsafe impl Plain for u32 {}
// SAFETY: as above.
unsafe impl Plain for i32 {}
// SAFETY: as above.
unsafe impl Plain for i16 {}
// SAFETY: as above.
unsafe impl Plain for u8 {}
// SAFETY: as above.
unsafe impl Plain for i8 {}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

/// A vector that begins on a cache line.
#[derive(Clone)]
pub(crate) struct Aligned<T> {
    lines: Vec<Line>,
    len: usize,
    of: PhantomData<T>,
}

/// Bytes of a huge page.
#[cfg(target_os = "linux")]
const HUGE: usize = 2 << 20;

/// Asks for huge pages, which reduce the misses of the translation buffer under random reads.
/// Vectors of fewer than two huge pages gain nothing.
fn huge_pages(lines: &mut [Line]) {
    #[cfg(target_os = "linux")]
    if size_of_val(lines) >= 2 * HUGE {
        let page = rustix::param::page_size();
        let range = lines.as_mut_ptr_range();
        let (from, to) = (range.start.cast::<u8>(), range.end as usize);
        let skipped = from.align_offset(page);
        let len = to.saturating_sub(from as usize + skipped) / page * page;
        // SAFETY: the range is within the borrowed lines, and this advice changes no bytes.
        let _ = unsafe {
            let from = from.wrapping_add(skipped).cast();
            rustix::mm::madvise(from, len, rustix::mm::Advice::LinuxHugepage)
        };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = lines;
}

impl<T: Plain> Aligned<T> {
    /// A vector of `len` zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        let mut vector = Self::default();
        vector.resize(len);
        vector
    }

    /// Sets the length to `len` numbers. Their values are unspecified: zeros or earlier contents.
    pub(crate) fn resize(&mut self, len: usize) {
        let lines = (len * size_of::<T>()).div_ceil(LINE);
        if lines > self.lines.len() {
            self.lines = vec![Line([0; LINE]); lines];
            huge_pages(&mut self.lines);
        }
        self.len = len;
    }

    /// Memory held, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.lines.len() * LINE
    }
}

impl Aligned<u8> {
    /// The bytes as little-endian words of four; up to three bytes at the end are left out. `None`
    /// on big-endian machines.
    pub(crate) fn words(&self) -> Option<&[u32]> {
        // SAFETY: the lines hold at least `len` initialised bytes, aligned to 64; any bits are a
        // word.
        let words =
            unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast::<u32>(), self.len / 4) };
        cfg!(target_endian = "little").then_some(words)
    }
}

impl<T> Default for Aligned<T> {
    fn default() -> Self {
        Self { lines: Vec::new(), len: 0, of: PhantomData }
    }
}

impl<T: Plain> Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the lines hold at least `len` numbers of initialised bytes, aligned to 64; any
        // bits are a valid value of a plain type.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl<T: Plain> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; the borrow is exclusive, and any plain value may be written to
        // bytes.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}
