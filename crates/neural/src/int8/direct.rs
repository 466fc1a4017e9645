//! The first layer for long inputs, whose columns exceed the first-level cache: short sums of
//! columns of bytes.
//!
//! The columns of one strip fill half of the second-level cache, and few rows of a block change in
//! the same way. An updated row therefore adds and subtracts columns directly, where shorter inputs
//! use tables of differences. Consecutive rows of the same parent often subtract the same columns,
//! because actions on the same part of a state do. These are subtracted once for both rows.

use super::scale::SHIFT;
use crate::{
    aligned::Aligned,
    first::{First, SHORT, Shape},
    simd::{Level, versions},
    updates::Updates,
};
use std::ops::Range;

/// Lengths of the input for which columns are bytes. An index has 16 bits.
pub(super) const MANY: Range<usize> = 2_048..65_537;

/// Converts a unit's weight to its byte, and the byte back to the weight.
#[inline(always)]
fn biased(unit: usize, weight: i8) -> i8 {
    match unit % 2 {
        0 => weight ^ i8::MIN,
        _ => weight,
    }
}

/// Columns of bytes. The bytes of units with even numbers are biased: 128 more than the weight,
/// without a sign. Two units thus form one 16-bit number: 256 times the weight of the odd unit plus
/// the biased weight of the even unit. The sum of such numbers and the sum of their upper halves
/// determine the sums of both units.
pub(super) struct Columns {
    /// Columns; the start of the sums is stored in `start`.
    first: First<i8, SHORT>,
    /// Start of the sums, in whole strips.
    start: Aligned<i16>,
    /// By how many bits sums are finer than bytes.
    shift: u32,
}

/// Nearest weight that a byte can hold.
fn held(weight: f64) -> i8 {
    weight.round().clamp(f64::from(-i8::MAX), f64::from(i8::MAX)) as i8
}

impl Columns {
    /// Number of bits, [`SHIFT`] at most, by which weights are finer than a byte of the activation.
    /// The result minimises the squared error of the weights, which comprises rounding and the
    /// limits of a byte. `weights` are in steps of the activation.
    pub(super) fn shift(weights: impl Iterator<Item = f64>) -> u32 {
        let mut lost = [0.0_f64; SHIFT as usize + 1];
        for weight in weights {
            for (shift, lost) in lost.iter_mut().enumerate() {
                let finer = f64::from(1_u32 << shift);
                let found = f64::from(held(weight * finer)) / finer;
                *lost += (found - weight).powi(2);
            }
        }
        let least = (0..=SHIFT).min_by(|&a, &b| lost[a as usize].total_cmp(&lost[b as usize]));
        least.unwrap_or(SHIFT)
    }

    /// Columns for `units` units. `weight` returns the weight of (unit, input), and `start` the
    /// start of the sums of a unit, both in steps of sums, which are by `shift` bits finer than
    /// bytes.
    pub(super) fn new(
        shape: Shape,
        weight: impl Fn(usize, usize) -> f64,
        start: impl Fn(usize) -> i16,
        shift: u32,
    ) -> Self {
        let byte = |unit, input| biased(unit, held(weight(unit, input)));
        let mut starts = Aligned::zeros(shape.units.next_multiple_of(SHORT));
        for (unit, to) in starts[..shape.units].iter_mut().enumerate() {
            *to = start(unit);
        }
        Self { first: First::new(shape, byte, |_| 0), start: starts, shift }
    }

    /// Memory held, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.first.bytes() + self.start.bytes()
    }
}

/// Columns that the rows of a block subtract and add.
#[derive(Default)]
pub(super) struct Lists {
    rows: Vec<RowChanges>,
    /// For each row, the columns that it subtracts, unless the row before has subtracted them, and
    /// the columns that it adds.
    indices: Vec<u16>,
}

struct RowChanges {
    /// Number of the parent in the block.
    parent: u32,
    /// `None` if parent and columns are the same as in the row before.
    subtracts: Option<u32>,
    adds: u32,
}

impl Lists {
    /// Lists of a block of checked updated rows.
    pub(super) fn of_updates(&mut self, updates: &Updates, [parents, block]: &[Range<usize>; 2]) {
        self.rows.clear();
        self.indices.clear();
        let mut before = None;
        for row in block.clone() {
            let (parent, gone, come) = updates.row(row);
            let is_known = before == Some((parent, gone));
            let list = if is_known { &[] } else { gone };
            let indices = list.iter().chain(come).map(|&index| index as u16);
            self.indices.extend(indices);
            self.rows.push(RowChanges {
                parent: parent - parents.start as u32,
                subtracts: (!is_known).then_some(gone.len() as u32),
                adds: come.len() as u32,
            });
            before = Some((parent, gone));
        }
    }

    /// Lists of rows without changes: each row is its own parent.
    pub(super) fn of_rows(&mut self, rows: usize) {
        self.rows.clear();
        self.indices.clear();
        self.rows.extend((0..rows as u32).map(|parent| RowChanges {
            parent,
            subtracts: Some(0),
            adds: 0,
        }));
    }
}

/// The sums of a strip.
///
/// # Safety of all functions
/// The CPU has the instructions.
trait Sums: Copy {
    /// Start of sums of `groups` columns. Updates add and subtract equal numbers of columns, so
    /// that this number stays the same.
    ///
    /// # Safety
    /// As above.
    unsafe fn load(from: &[i16; SHORT], groups: usize) -> Self;
    /// # Safety
    /// As above.
    unsafe fn plus(self, column: &[i8; SHORT]) -> Self;
    /// # Safety
    /// As above.
    unsafe fn minus(self, column: &[i8; SHORT]) -> Self;
    /// Writes the bytes of rectified units, `shift` bits coarser.
    ///
    /// # Safety
    /// As above.
    unsafe fn bytes(self, shift: u32, to: &mut [u8; SHORT]);
}

impl Sums for [i16; SHORT] {
    #[inline(always)]
    unsafe fn load(from: &[i16; SHORT], _: usize) -> Self {
        *from
    }

    #[inline(always)]
    unsafe fn plus(mut self, column: &[i8; SHORT]) -> Self {
        for i in 0..SHORT {
            self[i] = self[i].wrapping_add(i16::from(biased(i, column[i])));
        }
        self
    }

    #[inline(always)]
    unsafe fn minus(mut self, column: &[i8; SHORT]) -> Self {
        for i in 0..SHORT {
            self[i] = self[i].wrapping_sub(i16::from(biased(i, column[i])));
        }
        self
    }

    #[inline(always)]
    unsafe fn bytes(self, shift: u32, to: &mut [u8; SHORT]) {
        for i in 0..SHORT {
            to[i] = (self[i] >> shift).clamp(0, 255) as u8;
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use crate::first::SHORT;
    use crate::int8::direct::Sums;
    use core::arch::x86_64::*;

    /// Sums of two units each, and sums of their upper halves, all modulo 2^16.
    #[derive(Clone, Copy)]
    pub(super) struct Two(__m512i, __m512i);

    const _: () = assert!(size_of::<Two>() == size_of::<[i16; SHORT]>());

    /// The numbers of a column, and their upper halves.
    ///
    /// # Safety
    /// The CPU has AVX-512.
    #[inline(always)]
    unsafe fn halves(column: &[i8; SHORT]) -> Two {
        // SAFETY: the caller's promise; so for all functions below.
        unsafe {
            let both = _mm512_loadu_si512(column.as_ptr().cast());
            Two(both, _mm512_srai_epi16::<8>(both))
        }
    }

    impl Sums for Two {
        #[inline(always)]
        unsafe fn load(from: &[i16; SHORT], groups: usize) -> Self {
            let bias = (groups as i16).wrapping_mul(128);
            let (mut both, mut upper) = ([0; SHORT / 2], [0; SHORT / 2]);
            let units = from.as_chunks::<2>().0;
            for ((both, upper), [even, odd]) in both.iter_mut().zip(&mut upper).zip(units) {
                *both = even.wrapping_sub(bias).wrapping_add(odd << 8);
                *upper = *odd;
            }
            // SAFETY: as above.
            unsafe {
                Self(
                    _mm512_loadu_si512(both.as_ptr().cast()),
                    _mm512_loadu_si512(upper.as_ptr().cast()),
                )
            }
        }

        #[inline(always)]
        unsafe fn plus(self, column: &[i8; SHORT]) -> Self {
            // SAFETY: as above.
            unsafe {
                let Two(both, upper) = halves(column);
                Self(_mm512_add_epi16(self.0, both), _mm512_add_epi16(self.1, upper))
            }
        }

        #[inline(always)]
        unsafe fn minus(self, column: &[i8; SHORT]) -> Self {
            // SAFETY: as above.
            unsafe {
                let Two(both, upper) = halves(column);
                Self(_mm512_sub_epi16(self.0, both), _mm512_sub_epi16(self.1, upper))
            }
        }

        #[inline(always)]
        unsafe fn bytes(self, shift: u32, to: &mut [u8; SHORT]) {
            // SAFETY: as above; the slice has a byte for each sum.
            unsafe {
                let by = _mm_cvtsi32_si128(shift as i32);
                let (zero, most) = (_mm512_setzero_si512(), _mm512_set1_epi16(255));
                let byte = |sums| {
                    let coarse = _mm512_sra_epi16(sums, by);
                    _mm512_min_epi16(_mm512_max_epi16(coarse, zero), most)
                };
                let even = byte(_mm512_sub_epi16(self.0, _mm512_slli_epi16::<8>(self.1)));
                let odd = _mm512_slli_epi16::<8>(byte(self.1));
                _mm512_storeu_si512(to.as_mut_ptr().cast(), _mm512_or_si512(even, odd));
            }
        }
    }
}

/// As [`shift_directly`], by one kind of vectors.
///
/// # Safety
/// The CPU has the instructions of `S`, and all indices are numbers of columns.
#[inline(always)]
unsafe fn directly<S: Sums>(
    columns: &Columns,
    active: &[u32],
    lists: &Lists,
    to: &mut [u8],
    stride: usize,
) {
    let (groups, shift) = (columns.first.groups(), columns.shift);
    let strips = columns.first.strips().zip(columns.start.as_chunks::<SHORT>().0);
    for (strip, ((columns, _), start)) in strips.enumerate() {
        let begin = strip * SHORT;
        // SAFETY: the caller's promise.
        let start = unsafe { S::load(start, groups) };
        // SAFETY: as above.
        let column = |index: usize| unsafe { columns.get_unchecked(index) };
        // SAFETY: as above.
        let plus = |sums: S, index: usize| unsafe { sums.plus(column(index)) };
        // SAFETY: as above.
        let minus = |sums: S, index: usize| unsafe { sums.minus(column(index)) };
        let (mut of, mut parent, mut rest) = (None, start, start);
        let mut indices = &lists.indices[..];
        for (row, to) in lists.rows.iter().zip(to.chunks_mut(stride)) {
            if of != Some(row.parent) {
                of = Some(row.parent);
                let active = &active[row.parent as usize * groups..][..groups];
                let active = active.iter().map(|&index| index as usize);
                parent = active.fold(start, plus);
            }
            if let Some(subtracts) = row.subtracts {
                let (gone, others) = indices.split_at(subtracts as usize);
                indices = others;
                rest = gone.iter().map(|&index| usize::from(index)).fold(parent, minus);
            }
            let (come, others) = indices.split_at(row.adds as usize);
            indices = others;
            let sums = come.iter().map(|&index| usize::from(index)).fold(rest, plus);
            let to = to[begin..].first_chunk_mut::<SHORT>();
            let to = to.expect("rows of whole strips");
            // SAFETY: as above.
            unsafe { sums.bytes(shift, to) };
        }
    }
}

versions! {
    /// [`shift_directly`] without explicit vectors.
    fn plain(columns: &Columns, active: &[u32], lists: &Lists, to: &mut [u8], stride: usize) {
        // SAFETY: plain numbers need no instructions, and rows were checked.
        unsafe { directly::<[i16; SHORT]>(columns, active, lists, to, stride) };
    }
}

/// As [`shift_directly`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512(columns: &Columns, active: &[u32], lists: &Lists, to: &mut [u8], stride: usize) {
    // SAFETY: this function is compiled for the instructions, and rows were checked.
    unsafe { directly::<x86::Two>(columns, active, lists, to, stride) };
}

/// Writes the first layer of checked updated rows, whose parents have the indices `active`, as
/// bytes of short sums. The rows of `to` begin at distances of `stride`.
///
/// # Panics
/// If `stride` is less than whole strips.
pub(super) fn shift_directly(
    level: Level,
    columns: &Columns,
    active: &[u32],
    lists: &Lists,
    to: &mut [u8],
    stride: usize,
) {
    match level.kind() {
        // SAFETY: a level proves that the CPU has its instructions.
        #[cfg(target_arch = "x86_64")]
        crate::simd::Kind::Avx512 => unsafe { avx512(columns, active, lists, to, stride) },
        _ => plain(level, columns, active, lists, to, stride),
    }
}
