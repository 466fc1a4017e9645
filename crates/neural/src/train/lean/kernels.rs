//! Inner loops, compiled for every level of vector instructions. Multiplications and additions are
//! separate operations, so that all levels give the same bits.

use crate::simd::versions;

/// Units of a strip: few enough that a strip of some hundred inputs stays in the first- or
/// second-level cache.
pub(super) const STRIP: usize = 16;

versions! {
    /// Gradients of a strip's columns and biases, from the gradients of each row's sums, which
    /// begin at `at`.
    pub(super) fn scatter(
        strip: &mut [f32],
        bias: &mut [f32],
        active: &[u32],
        groups: usize,
        slopes: &[f32],
        line: usize,
        at: usize,
    ) {
        let (columns, _) = strip.as_chunks_mut::<STRIP>();
        let mut total = [0.0f32; STRIP];
        total.copy_from_slice(&bias[..STRIP]);
        for (active, slopes) in active.chunks_exact(groups).zip(slopes.chunks_exact(line)) {
            let mut slope = [0.0f32; STRIP];
            slope.copy_from_slice(&slopes[at..at + STRIP]);
            for k in 0..STRIP {
                total[k] += slope[k];
            }
            for &i in active {
                let column = &mut columns[i as usize];
                for k in 0..STRIP {
                    column[k] += slope[k];
                }
            }
        }
        bias[..STRIP].copy_from_slice(&total);
    }
}

versions! {
    /// Copies the numbers at the given indices.
    pub(super) fn spread(from: &[f32], positions: &[u32], to: &mut [f32]) {
        for (to, &position) in to.iter_mut().zip(positions) {
            *to = from[position as usize];
        }
    }
}

versions! {
    /// Adds numbers at the given indices.
    pub(super) fn collect(from: &[f32], positions: &[u32], to: &mut [f32]) {
        for (&from, &position) in from.iter().zip(positions) {
            to[position as usize] += from;
        }
    }
}
