//! The inner step of matrix products, for every kind of vectors and numbers.
//!
//! A step multiplies one *word* of an input, spread over all lanes, by a vector of words of
//! weights, one lane per unit, and adds the products to sums. A word has 32 bits: one f32, four
//! bytes, or two 16-bit numbers. The surrounding loops (tiles, panels, remainders) are one generic
//! function in `dense`. A kernel therefore has few lines, and the emulated kernels of the tests use
//! the same loops as the kernels of CPUs on which the tests do not run.

use crate::aligned::Plain;

/// Kind of vectors, and the operations of one step.
///
/// Vectors are read and written through aligned pointers. In a program that is built for CPUs
/// without AVX, the compiler splits an unaligned access into two halves and loses a quarter of the
/// speed.
pub(crate) trait Kernel {
    /// Word of 32 bits of an input or of weights.
    type Word: Plain;
    /// A sum.
    type Sum: Plain;
    /// A vector of words.
    type Words: Copy;
    /// A vector of sums.
    type Sums: Copy;
    /// Sums of a vector.
    const LANES: usize = size_of::<Self::Sums>() / size_of::<Self::Sum>();
    /// Rows of a tile: as many as keep two vectors of sums each in registers.
    const ROWS: usize;

    /// A word in every lane.
    ///
    /// # Safety
    /// The CPU has the kernel's instructions.
    unsafe fn spread(word: Self::Word) -> Self::Words;
    /// Adds the products of an input and weights to sums.
    ///
    /// # Safety
    /// The CPU has the kernel's instructions.
    unsafe fn step(sums: Self::Sums, input: Self::Words, weights: Self::Words) -> Self::Sums;
}

/// Products of f32 without explicit vectors. `FUSED` rounds once per step, as CPUs with fused
/// multiplication and addition do.
pub(crate) struct PlainF32<const LANES: usize, const ROWS: usize, const FUSED: bool>;

impl<const L: usize, const R: usize, const FUSED: bool> Kernel for PlainF32<L, R, FUSED> {
    type Word = f32;
    type Sum = f32;
    type Words = [f32; L];
    type Sums = [f32; L];
    const ROWS: usize = R;

    #[inline(always)]
    unsafe fn spread(word: f32) -> [f32; L] {
        [word; L]
    }
    #[inline(always)]
    unsafe fn step(mut sums: [f32; L], input: [f32; L], weights: [f32; L]) -> [f32; L] {
        for i in 0..L {
            sums[i] = if FUSED {
                input[i].mul_add(weights[i], sums[i])
            } else {
                input[i] * weights[i] + sums[i]
            };
        }
        sums
    }
}

/// Products of four bytes without explicit vectors: unsigned inputs, signed weights.
pub(crate) struct PlainBytes<const LANES: usize, const ROWS: usize>;

impl<const L: usize, const R: usize> Kernel for PlainBytes<L, R> {
    type Word = u32;
    type Sum = i32;
    type Words = [u32; L];
    type Sums = [i32; L];
    const ROWS: usize = R;

    #[inline(always)]
    unsafe fn spread(word: u32) -> [u32; L] {
        [word; L]
    }
    #[inline(always)]
    unsafe fn step(mut sums: [i32; L], input: [u32; L], weights: [u32; L]) -> [i32; L] {
        for i in 0..L {
            let (x, w) = (input[i].to_le_bytes(), weights[i].to_le_bytes());
            for j in 0..4 {
                sums[i] += i32::from(x[j]) * i32::from(w[j] as i8);
            }
        }
        sums
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Fma256, Fma512, Madd256, Vnni512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Kernel;
    use core::arch::x86_64::*;

    /// Products of f32 with AVX2 and FMA.
    pub(crate) struct Fma256;

    impl Kernel for Fma256 {
        type Word = f32;
        type Sum = f32;
        type Words = __m256;
        type Sums = __m256;
        const ROWS: usize = 6;

        #[inline(always)]
        unsafe fn spread(word: f32) -> __m256 {
            // SAFETY: the caller's promise; so for all functions below.
            unsafe { _mm256_set1_ps(word) }
        }
        #[inline(always)]
        unsafe fn step(sums: __m256, input: __m256, weights: __m256) -> __m256 {
            // SAFETY: as above.
            unsafe { _mm256_fmadd_ps(input, weights, sums) }
        }
    }

    /// Products of f32 with AVX-512.
    pub(crate) struct Fma512;

    impl Kernel for Fma512 {
        type Word = f32;
        type Sum = f32;
        type Words = __m512;
        type Sums = __m512;
        const ROWS: usize = 12;

        #[inline(always)]
        unsafe fn spread(word: f32) -> __m512 {
            // SAFETY: the caller's promise; so for all functions below.
            unsafe { _mm512_set1_ps(word) }
        }
        #[inline(always)]
        unsafe fn step(sums: __m512, input: __m512, weights: __m512) -> __m512 {
            // SAFETY: as above.
            unsafe { _mm512_fmadd_ps(input, weights, sums) }
        }
    }

    /// Products of two 16-bit numbers with AVX2. Inputs and weights are widened bytes: their
    /// products and sums of two are exact, whereas the instruction for bytes would saturate.
    pub(crate) struct Madd256;

    impl Kernel for Madd256 {
        type Word = u32;
        type Sum = i32;
        type Words = __m256i;
        type Sums = __m256i;
        const ROWS: usize = 6;

        #[inline(always)]
        unsafe fn spread(word: u32) -> __m256i {
            // SAFETY: the caller's promise; so for all functions below.
            unsafe { _mm256_set1_epi32(word as i32) }
        }
        #[inline(always)]
        unsafe fn step(sums: __m256i, input: __m256i, weights: __m256i) -> __m256i {
            // SAFETY: as above.
            unsafe { _mm256_add_epi32(sums, _mm256_madd_epi16(input, weights)) }
        }
    }

    /// Products of four bytes with AVX-512 VNNI, without saturation.
    pub(crate) struct Vnni512;

    impl Kernel for Vnni512 {
        type Word = u32;
        type Sum = i32;
        type Words = __m512i;
        type Sums = __m512i;
        const ROWS: usize = 12;

        #[inline(always)]
        unsafe fn spread(word: u32) -> __m512i {
            // SAFETY: the caller's promise; so for all functions below.
            unsafe { _mm512_set1_epi32(word as i32) }
        }
        #[inline(always)]
        unsafe fn step(sums: __m512i, input: __m512i, weights: __m512i) -> __m512i {
            // The bytes of the second argument are unsigned, the bytes of the third one signed.
            // SAFETY: as above.
            unsafe { _mm512_dpbusd_epi32(sums, input, weights) }
        }
    }
}
