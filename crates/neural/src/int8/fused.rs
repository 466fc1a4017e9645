//! The first layer of updated rows in explicit vectors of AVX-512: the sums of a strip stay in a
//! register until they are bytes.
//!
//! The function replaces `first::updated` for short sums. There the compiler's loops check each
//! index and keep sums in memory, which takes as long as the sums themselves.

use super::scale::SHIFT;
use crate::{
    first::{First, SHORT, Strip, Strips},
    updates::Plan,
};
use core::arch::x86_64::*;

/// Strip of columns or sums as two vectors.
type Pair = (__m512i, __m512i);

/// A strip.
///
/// # Safety
/// The CPU has AVX-512.
#[inline(always)]
unsafe fn load<T: Copy>(from: &T) -> Pair {
    const { assert!(size_of::<T>() == 2 * SHORT) };
    let from: *const __m512i = std::ptr::from_ref(from).cast();
    // SAFETY: the caller's promise.
    unsafe { (_mm512_loadu_si512(from), _mm512_loadu_si512(from.add(1))) }
}

/// The sum of two strips.
///
/// # Safety
/// The CPU has AVX-512.
#[inline(always)]
unsafe fn plus(a: Pair, b: Pair) -> Pair {
    // SAFETY: the caller's promise; so for all functions below.
    unsafe { (_mm512_add_epi16(a.0, b.0), _mm512_add_epi16(a.1, b.1)) }
}

/// The difference of two strips.
///
/// # Safety
/// The CPU has AVX-512.
#[inline(always)]
unsafe fn minus(a: Pair, b: Pair) -> Pair {
    // SAFETY: as above.
    unsafe { (_mm512_sub_epi16(a.0, b.0), _mm512_sub_epi16(a.1, b.1)) }
}

/// Writes a strip.
///
/// # Safety
/// The CPU has AVX-512.
#[inline(always)]
unsafe fn store(to: &mut [i16; SHORT], a: Pair) {
    let to: *mut __m512i = to.as_mut_ptr().cast();
    // SAFETY: as above; a strip has two vectors.
    unsafe {
        _mm512_storeu_si512(to, a.0);
        _mm512_storeu_si512(to.add(1), a.1);
    }
}

/// Sum of a strip and of the strips with the given numbers.
///
/// # Safety
/// The CPU has AVX-512, and each number is less than the number of strips.
#[inline(always)]
unsafe fn add<T: Copy>(mut sum: Pair, strips: &[T], places: &[u32]) -> Pair {
    debug_assert!(places.iter().all(|&place| (place as usize) < strips.len()));
    let (fours, rest) = places.as_chunks::<4>();
    // SAFETY: the caller's promise.
    unsafe {
        for &[a, b, c, d] in fours {
            sum = plus(sum, load(strips.get_unchecked(a as usize)));
            sum = plus(sum, load(strips.get_unchecked(b as usize)));
            sum = plus(sum, load(strips.get_unchecked(c as usize)));
            sum = plus(sum, load(strips.get_unchecked(d as usize)));
        }
        for &place in rest {
            sum = plus(sum, load(strips.get_unchecked(place as usize)));
        }
    }
    sum
}

/// As [`shift_updated`](super::quantise::shift_updated).
///
/// # Panics
/// If rows of `to` are shorter than whole strips.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn rectified(
    first: &First<i16, SHORT>,
    active: &[u32],
    plan: &Plan,
    strips: &mut Strips<i16, SHORT>,
    to: &mut [u8],
    stride: usize,
) {
    let Strips { parents, differences, .. } = strips;
    for (strip, (columns, start)) in first.strips().enumerate() {
        let begin = strip * SHORT;
        parents.clear();
        for row in active.chunks_exact(first.groups()) {
            let mut sums = Strip([0; SHORT]);
            // SAFETY: the CPU has the instructions, and all indices are numbers of columns.
            unsafe {
                let sum = add(load(start), columns, row);
                store(&mut sums.0, sum);
            }
            parents.push(sums);
        }
        let (mut of_runs, mut rows, mut adds) =
            (&plan.differences[..], &plan.rows[..], &plan.adds[..]);
        let mut to = to.chunks_mut(stride);
        for &(count, own) in &plan.runs {
            let (of_run, rest) = of_runs.split_at(own);
            of_runs = rest;
            differences.clear();
            for &(gone, come) in of_run {
                let mut difference = Strip([0; SHORT]);
                // SAFETY: as above.
                unsafe {
                    let come = load(columns.get_unchecked(come as usize));
                    let by = minus(come, load(columns.get_unchecked(gone as usize)));
                    store(&mut difference.0, by);
                }
                differences.push(difference);
            }
            let (of_run, rest) = rows.split_at(count);
            rows = rest;
            for (&(parent, changes), to) in of_run.iter().zip(&mut to) {
                let (places, rest) = adds.split_at(changes as usize);
                adds = rest;
                let to = to[begin..].first_chunk_mut::<SHORT>();
                let to = to.expect("rows of whole strips");
                // SAFETY: the CPU has the instructions, and the plan's numbers are numbers of its
                // differences.
                unsafe {
                    let sums = add(load(&parents[parent as usize]), differences, places);
                    let zero = _mm512_setzero_si512();
                    let low = _mm512_max_epi16(_mm512_srai_epi16(sums.0, SHIFT), zero);
                    let high = _mm512_max_epi16(_mm512_srai_epi16(sums.1, SHIFT), zero);
                    let to: *mut __m256i = to.as_mut_ptr().cast();
                    _mm256_storeu_si256(to, _mm512_cvtusepi16_epi8(low));
                    _mm256_storeu_si256(to.add(1), _mm512_cvtusepi16_epi8(high));
                }
            }
        }
    }
}
