//! Sets of cells as words of bits. Plain loops: iterators over two slices are not compiled into
//! their callers here.
#![allow(clippy::needless_range_loop)]

use crate::level::Id;

#[inline]
pub(crate) fn has(set: &[u64], cell: Id) -> bool {
    set[usize::from(cell) / 64] >> (cell % 64) & 1 == 1
}

#[inline]
pub(crate) fn set(set: &mut [u64], cell: Id) {
    set[usize::from(cell) / 64] |= 1 << (cell % 64);
}

#[inline]
pub(crate) fn clear(set: &mut [u64], cell: Id) {
    set[usize::from(cell) / 64] &= !(1 << (cell % 64));
}

/// Whether all of `a` are in `b`.
#[inline]
pub(crate) fn within(a: &[u64], b: &[u64]) -> bool {
    let mut rest = 0;
    for i in 0..a.len().min(b.len()) {
        rest |= a[i] & !b[i];
    }
    rest == 0
}

#[inline]
pub(crate) fn meet(a: &[u64], b: &[u64]) -> bool {
    let mut both = 0;
    for i in 0..a.len().min(b.len()) {
        both |= a[i] & b[i];
    }
    both != 0
}

/// Number of cells in both sets.
#[inline]
pub(crate) fn common(a: &[u64], b: &[u64]) -> u32 {
    let mut count = 0;
    for i in 0..a.len().min(b.len()) {
        count += (a[i] & b[i]).count_ones();
    }
    count
}

/// The cells, in order.
pub(crate) fn cells(set: &[u64]) -> Cells<'_> {
    Cells { set, word: 0, rest: set.first().copied().unwrap_or(0) }
}

/// The cells of a set, in order.
pub(crate) struct Cells<'a> {
    set: &'a [u64],
    word: usize,
    rest: u64,
}

impl Iterator for Cells<'_> {
    type Item = Id;

    #[inline]
    fn next(&mut self) -> Option<Id> {
        while self.rest == 0 {
            self.word += 1;
            self.rest = *self.set.get(self.word)?;
        }
        let bit = self.rest.trailing_zeros() as usize;
        self.rest &= self.rest - 1;
        Some((self.word * 64 + bit) as Id)
    }
}
