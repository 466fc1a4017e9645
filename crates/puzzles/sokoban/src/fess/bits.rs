//! Sets of cells as words of bits.

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
    a.iter().zip(b).all(|(a, b)| a & !b == 0)
}

#[inline]
pub(crate) fn meet(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// How many are in both.
#[inline]
pub(crate) fn common(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

/// The cells, in order.
pub(crate) fn cells(set: &[u64]) -> impl Iterator<Item = Id> + '_ {
    set.iter().enumerate().flat_map(|(i, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                (i * 64) as Id + bit as Id
            })
        })
    })
}
