//! Products of rows with packed weights (the blocking of Goto and van de Geijn 2008).
//!
//! Weights are packed once, when a network is loaded, into panels of two vectors of units. A panel
//! has one line of words per word of input. The product of a tile of rows and a panel keeps its
//! sums in registers while it walks down the words. The walk is cut into slices, so that a slice of
//! a panel stays in the first-level cache while all rows pass over it. Products are added to the
//! biases that `sums` holds at the beginning.
//!
//! Each sum is computed by the same operations in the same order whatever the other rows are, so
//! results do not depend on how a batch is split.

use crate::aligned::{Aligned, Plain};
#[cfg(target_arch = "x86_64")]
use crate::kernels::{Fma256, Fma512, Madd256, Vnni512};
use crate::kernels::{Kernel, PlainBytes, PlainF32};
use crate::simd::{Kind, Level};

/// Words of a slice. With AVX2, 32 KiB of a panel then pass between the caches per row of tiles;
/// slices of 256 and 384 words are slower by some percent.
const SLICE: usize = 512;

/// Distance in numbers between two rows of sums or activations of `units` units. A row holds whole
/// panels and strips. It is an odd number of cache lines (of 4-byte numbers), because rows at a
/// distance of a multiple of 4 KiB would compete for the same cache sets.
pub(crate) fn stride(units: usize) -> usize {
    units.next_multiple_of(64) + 16
}

/// Weights, packed in panels.
pub(crate) struct Packed<W> {
    /// Words of a row of input.
    words: usize,
    units: usize,
    /// Units of a panel.
    width: usize,
    data: Aligned<W>,
}

impl<W: Plain> Packed<W> {
    /// Packs the weights of `units` units into panels of `width` units. `word` returns the word for
    /// (unit, position in the input).
    pub(crate) fn new(
        words: usize,
        units: usize,
        width: usize,
        word: impl Fn(usize, usize) -> W,
    ) -> Self {
        let mut data = Aligned::zeros(units.next_multiple_of(width) * words);
        for (p, panel) in data.chunks_exact_mut(width * words).enumerate() {
            for (k, line) in panel.chunks_exact_mut(width).enumerate() {
                for (unit, to) in (p * width..units).zip(line) {
                    *to = word(unit, k);
                }
            }
        }
        Self { words, units, width, data }
    }

    /// Memory held, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.data.bytes()
    }
}

/// Units of a panel at a level: two vectors.
pub(crate) fn width(level: Level) -> usize {
    match level.kind() {
        Kind::Portable => 8,
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2 => 16,
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512 => 32,
    }
}

/// Bytes in a word of quantised input at a level. The kernel of AVX2 takes them widened to 16 bits.
pub(crate) fn bytes_per_word(level: Level) -> usize {
    match level.kind() {
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2 => 2,
        _ => 4,
    }
}

/// Rows of input and their sums. Strides are the distances between rows, in elements.
pub(crate) struct Rows<'a, W, S> {
    /// Number of rows.
    pub(crate) rows: usize,
    /// Input, row after row.
    pub(crate) input: &'a [W],
    /// Distance between two rows of the input.
    pub(crate) input_stride: usize,
    /// Sums, to which the products are added.
    pub(crate) sums: &'a mut [S],
    /// Distance between two rows of the sums.
    pub(crate) sums_stride: usize,
}

/// Whether multiplication and addition are fused and round once, as on CPUs with this in their base
/// instructions.
const FUSED: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));

/// Adds the products of rows and weights to sums, in single precision.
pub(crate) fn multiply_f32(level: Level, weights: &Packed<f32>, rows: &mut Rows<'_, f32, f32>) {
    multiply_floats::<false>(level, weights, rows);
}

/// The same for a transposed input: word after word, each with one number per row, and
/// `input_stride` numbers between two words.
#[cfg(feature = "train")]
pub(crate) fn multiply_turned(level: Level, weights: &Packed<f32>, rows: &mut Rows<'_, f32, f32>) {
    multiply_floats::<true>(level, weights, rows);
}

fn multiply_floats<const TURNED: bool>(
    level: Level,
    weights: &Packed<f32>,
    rows: &mut Rows<'_, f32, f32>,
) {
    type Plain = PlainF32<4, 6, FUSED>;
    // SAFETY: the level proves that the CPU has the kernel's instructions.
    unsafe {
        match level.kind() {
            Kind::Portable => run::<Plain, TURNED>(weights, rows, multiply::<Plain, TURNED>),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => run::<Fma256, TURNED>(weights, rows, avx2::<Fma256, TURNED>),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => run::<Fma512, TURNED>(weights, rows, avx512::<Fma512, TURNED>),
        }
    }
}

/// Adds the products of rows and weights to sums, in words of [`bytes_per_word`] bytes. Exact.
pub(crate) fn multiply_bytes(level: Level, weights: &Packed<u32>, rows: &mut Rows<'_, u32, i32>) {
    type Plain = PlainBytes<4, 4>;
    // SAFETY: as for floats.
    unsafe {
        match level.kind() {
            Kind::Portable => run::<Plain, false>(weights, rows, multiply::<Plain, false>),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => run::<Madd256, false>(weights, rows, avx2::<Madd256, false>),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => run::<Vnni512, false>(weights, rows, avx512::<Vnni512, false>),
        }
    }
}

/// [`multiply`], compiled for AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2<K: Kernel, const TURNED: bool>(
    weights: &Packed<K::Word>,
    rows: &mut Rows<'_, K::Word, K::Sum>,
) {
    // SAFETY: the caller's promise.
    unsafe { multiply::<K, TURNED>(weights, rows) }
}

/// [`multiply`], compiled for AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma")]
unsafe fn avx512<K: Kernel, const TURNED: bool>(
    weights: &Packed<K::Word>,
    rows: &mut Rows<'_, K::Word, K::Sum>,
) {
    // SAFETY: the caller's promise.
    unsafe { multiply::<K, TURNED>(weights, rows) }
}

/// Product with a kernel, compiled for its instructions.
type Compiled<W, S> = unsafe fn(&Packed<W>, &mut Rows<'_, W, S>);

/// Checks that the buffers hold everything that the kernel reads and writes, then runs it.
///
/// # Safety
/// The CPU has the kernel's instructions.
unsafe fn run<K: Kernel, const TURNED: bool>(
    weights: &Packed<K::Word>,
    rows: &mut Rows<'_, K::Word, K::Sum>,
    kernel: Compiled<K::Word, K::Sum>,
) {
    let Some(last) = rows.rows.checked_sub(1) else {
        return;
    };
    let padded = weights.units.next_multiple_of(weights.width);
    assert!(weights.width == 2 * K::LANES);
    // Panels and rows of sums are whole vectors, which are loaded as such.
    assert!(rows.sums.as_ptr().addr().is_multiple_of(64) && rows.sums_stride.is_multiple_of(16));
    assert!(weights.data.len() == padded * weights.words);
    assert!(padded <= rows.sums_stride);
    // Number of lines of the input, and numbers of each line.
    let (lines, each) =
        if TURNED { (weights.words, rows.rows) } else { (rows.rows, weights.words) };
    assert!(lines > 0 && each <= rows.input_stride);
    assert!(rows.input.len() >= (lines - 1) * rows.input_stride + each);
    assert!(rows.sums.len() >= last * rows.sums_stride + padded);
    // SAFETY: the buffers reach as far as the last row and panel, weights are aligned
    // by their type and sums as was just seen, and the rest is the caller's promise.
    unsafe { kernel(weights, rows) }
}

/// Multiplies in tiles, over slices, panels and rows.
///
/// # Safety
/// The CPU has the kernel's instructions, and the buffers hold as much as `run` checks.
#[inline(always)]
unsafe fn multiply<K: Kernel, const TURNED: bool>(
    weights: &Packed<K::Word>,
    rows: &mut Rows<'_, K::Word, K::Sum>,
) {
    let input = rows.input.as_ptr();
    let sums = rows.sums.as_mut_ptr();
    let panels = weights.units.div_ceil(weights.width);
    for from in (0..weights.words).step_by(SLICE) {
        let words = SLICE.min(weights.words - from);
        for panel in 0..panels {
            // SAFETY: in bounds by the caller's promise.
            let weights = unsafe {
                let place = (panel * weights.words + from) * weights.width;
                weights.data.as_ptr().add(place)
            };
            let mut row = 0;
            while row < rows.rows {
                // SAFETY: in bounds by the caller's promise; a tile has no more rows than are left.
                unsafe {
                    let input = if TURNED {
                        input.add(from * rows.input_stride + row)
                    } else {
                        input.add(row * rows.input_stride + from)
                    };
                    let sums = sums.add(row * rows.sums_stride + panel * 2 * K::LANES);
                    let strides = [rows.input_stride, rows.sums_stride];
                    let at = Tile { words, input, weights, sums, strides };
                    row += match rows.rows - row {
                        12.. if K::ROWS == 12 => tile::<K, 12, TURNED>(at),
                        6.. if K::ROWS >= 6 => tile::<K, 6, TURNED>(at),
                        4.. => tile::<K, 4, TURNED>(at),
                        2.. => tile::<K, 2, TURNED>(at),
                        _ => tile::<K, 1, TURNED>(at),
                    };
                }
            }
        }
    }
}

/// Operands of a tile: some rows and one slice of a panel.
#[derive(Clone, Copy)]
struct Tile<W, S> {
    words: usize,
    input: *const W,
    weights: *const W,
    sums: *mut S,
    /// Strides of the input and of the sums.
    strides: [usize; 2],
}

/// Multiplies `R` rows by one slice of a panel. Returns `R`.
///
/// # Safety
/// The CPU has the kernel's instructions; the pointers are valid for that many rows, words and
/// units, and weights and sums are aligned to vectors.
#[inline(always)]
unsafe fn tile<K: Kernel, const R: usize, const TURNED: bool>(at: Tile<K::Word, K::Sum>) -> usize {
    let Tile { words, input, mut weights, sums, strides: [input_stride, sums_stride] } = at;
    // SAFETY: the caller's promise.
    unsafe {
        let sums =
            |r: usize, half: usize| sums.add(r * sums_stride + half * K::LANES).cast::<K::Sums>();
        let mut acc = [[sums(0, 0).read(); 2]; R];
        for (r, acc) in acc.iter_mut().enumerate() {
            *acc = [sums(r, 0).read(), sums(r, 1).read()];
        }
        for word in 0..words {
            let w = weights.cast::<[K::Words; 2]>().read();
            weights = weights.add(2 * K::LANES);
            for (r, acc) in acc.iter_mut().enumerate() {
                let place = if TURNED { word * input_stride + r } else { r * input_stride + word };
                let x = K::spread(*input.add(place));
                acc[0] = K::step(acc[0], x, w[0]);
                acc[1] = K::step(acc[1], x, w[1]);
            }
        }
        for (r, acc) in acc.iter().enumerate() {
            sums(r, 0).write(acc[0]);
            sums(r, 1).write(acc[1]);
        }
    }
    R
}

#[cfg(test)]
mod tests;
