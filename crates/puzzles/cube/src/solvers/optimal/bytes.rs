//! Sixteen bytes as a vector, with vector instructions if the program is built for CPUs with SSSE3.

#[cfg(all(target_arch = "x86_64", target_feature = "ssse3"))]
mod vector {
    use std::arch::x86_64::{
        __m128i, _mm_add_epi8, _mm_and_si128, _mm_cmpeq_epi8, _mm_cvtsi128_si32, _mm_min_epu8,
        _mm_movemask_epi8, _mm_shuffle_epi8, _mm_slli_epi16, _mm_sub_epi8,
    };

    /// Sixteen bytes.
    #[derive(Clone, Copy, Debug)]
    #[repr(transparent)]
    pub(crate) struct Bytes(__m128i);

    impl Bytes {
        #[inline(always)]
        pub(crate) fn new(bytes: [u8; 16]) -> Self {
            // SAFETY: any sixteen bytes are a value of the vector type.
            Self(unsafe { std::mem::transmute::<[u8; 16], __m128i>(bytes) })
        }

        /// Selects bytes: `result[i] = self[places[i] & 15]`. Bytes of `places` are below 128.
        #[inline(always)]
        pub(crate) fn at(self, places: Self) -> Self {
            // SAFETY: the program is built for CPUs with SSSE3.
            unsafe { Self(_mm_shuffle_epi8(self.0, places.0)) }
        }

        #[inline(always)]
        pub(crate) fn plus(self, other: Self) -> Self {
            // SAFETY: the program is built for CPUs with SSSE3.
            unsafe { Self(_mm_add_epi8(self.0, other.0)) }
        }

        #[inline(always)]
        pub(crate) fn and(self, other: Self) -> Self {
            // SAFETY: the program is built for CPUs with SSSE3.
            unsafe { Self(_mm_and_si128(self.0, other.0)) }
        }

        /// Takes `by` away from bytes that are not less.
        #[inline(always)]
        pub(crate) fn reduced(self, by: Self) -> Self {
            // SAFETY: the program is built for CPUs with SSSE3.
            unsafe { Self(_mm_min_epu8(self.0, _mm_sub_epi8(self.0, by.0))) }
        }

        /// Mask of the bytes whose bit `7 - UP` is set.
        #[inline(always)]
        pub(crate) fn mask<const UP: i32>(self) -> u32 {
            // SAFETY: the program is built for CPUs with SSSE3.
            unsafe { _mm_movemask_epi8(_mm_slli_epi16::<UP>(self.0)) as u32 }
        }

        /// The first four bytes.
        #[inline(always)]
        pub(crate) fn first(self) -> u32 {
            // SAFETY: the program is built for CPUs with SSSE3.
            unsafe { _mm_cvtsi128_si32(self.0) as u32 }
        }

        #[inline(always)]
        pub(crate) fn is(self, other: Self) -> bool {
            // SAFETY: the program is built for CPUs with SSSE3.
            unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, other.0)) == 0xffff }
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "ssse3")))]
mod vector {
    use std::array::from_fn;

    /// Sixteen bytes.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Bytes([u8; 16]);

    impl Bytes {
        #[inline(always)]
        pub(crate) fn new(bytes: [u8; 16]) -> Self {
            Self(bytes)
        }

        /// Selects bytes: `result[i] = self[places[i] & 15]`. Bytes of `places` are below 128.
        #[inline(always)]
        pub(crate) fn at(self, places: Self) -> Self {
            Self(from_fn(|i| self.0[usize::from(places.0[i] & 15)]))
        }

        #[inline(always)]
        pub(crate) fn plus(self, other: Self) -> Self {
            Self(from_fn(|i| self.0[i].wrapping_add(other.0[i])))
        }

        #[inline(always)]
        pub(crate) fn and(self, other: Self) -> Self {
            Self(from_fn(|i| self.0[i] & other.0[i]))
        }

        /// Takes `by` away from bytes that are not less.
        #[inline(always)]
        pub(crate) fn reduced(self, by: Self) -> Self {
            Self(from_fn(|i| self.0[i].min(self.0[i].wrapping_sub(by.0[i]))))
        }

        /// Mask of the bytes whose bit `7 - UP` is set.
        #[inline(always)]
        pub(crate) fn mask<const UP: i32>(self) -> u32 {
            let bit = |i: usize| u32::from(self.0[i] >> (7 - UP) & 1) << i;
            (0..16).fold(0, |mask, i| mask | bit(i))
        }

        /// The first four bytes.
        #[inline(always)]
        pub(crate) fn first(self) -> u32 {
            u32::from_le_bytes([self.0[0], self.0[1], self.0[2], self.0[3]])
        }

        #[inline(always)]
        pub(crate) fn is(self, other: Self) -> bool {
            self.0 == other.0
        }
    }
}

pub(crate) use vector::Bytes;

/// The same byte sixteen times.
#[inline(always)]
pub(crate) fn all(byte: u8) -> Bytes {
    Bytes::new([byte; 16])
}
