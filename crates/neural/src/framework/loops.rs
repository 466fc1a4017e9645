//! Inner loops of the training, compiled for every level of vector instructions. Multiplications
//! and additions are separate operations, so that all levels give the same bits.

use super::operands::AdamStep;
use crate::architecture::{Activation, LEAK};
use crate::simd::versions;

/// Columns worked on together: eight registers of AVX2.
pub(super) const TILE: usize = 64;

/// e^x - 1 for x <= 0, to about 1e-7.
#[inline(always)]
fn exp_less_one(x: f32) -> f32 {
    const MAGIC: f32 = 12_582_912.0; // 1.5 * 2^23: adding it rounds to a whole number
    let x = x.max(-87.0);
    let t = x * std::f32::consts::LOG2_E + MAGIC;
    let n = t - MAGIC;
    let r = x - n * 0.693_359_4 - n * -2.121_944_4e-4;
    let p = 1.0
        + r * (1.0
            + r * (0.5
                + r * (1.666_666_6e-1
                    + r * (4.166_579_6e-2 + r * (8.333_452e-3 + r * 1.398_199_9e-3)))));
    f32::from_bits(p.to_bits().wrapping_add(t.to_bits() << 23)) - 1.0
}

versions! {
    /// Exponential linear unit.
    pub(crate) fn elu(x: &[f32], y: &mut [f32]) {
        for (y, &x) in y.iter_mut().zip(x) {
            *y = x.max(0.0) + exp_less_one(x.min(0.0));
        }
    }
}

versions! {
    /// A step of Adam.
    pub(crate) fn adam(
        value: &mut [f32],
        gradient: &[f32],
        first: &mut [f32],
        second: &mut [f32],
        step: &AdamStep,
    ) {
        let shrink = 1.0 - step.rate * step.decay;
        let rate = step.rate / step.correction_1;
        let root = 1.0 / step.correction_2;
        let AdamStep { beta_1, beta_2, epsilon, scale, .. } = *step;
        let moments = first.iter_mut().zip(second);
        for ((value, &gradient), (first, second)) in value.iter_mut().zip(gradient).zip(moments) {
            let gradient = gradient * scale;
            *first = beta_1 * *first + (1.0 - beta_1) * gradient;
            *second = beta_2 * *second + (1.0 - beta_2) * gradient * gradient;
            *value = shrink * *value - rate * *first / ((*second * root).sqrt() + epsilon);
        }
    }
}

versions! {
    /// Moves numbers towards `new` by a share of the distance.
    pub(crate) fn blend(old: &mut [f32], new: &[f32], share: f32) {
        for (old, &new) in old.iter_mut().zip(new) {
            *old += share * (new - *old);
        }
    }
}

versions! {
    /// Multiplies gradients by the derivatives of an activation, which follow from its values.
    pub(crate) fn bent(values: &[f32], slopes: &mut [f32], activation: Activation) {
        let pairs = slopes.iter_mut().zip(values);
        match activation {
            Activation::Relu => pairs.for_each(|(slope, &x)| {
                *slope = if x > 0.0 { *slope } else { 0.0 };
            }),
            Activation::Elu => pairs.for_each(|(slope, &x)| *slope *= x.min(0.0) + 1.0),
            Activation::Leaky => pairs.for_each(|(slope, &x)| {
                *slope = if x > 0.0 { *slope } else { LEAK * *slope };
            }),
        }
    }
}

versions! {
    /// Writes the sums of columns and biases of `N` units to the numbers of each row from `at` on.
    pub(crate) fn sums[const N: usize](
        columns: &[f32],
        bias: &[f32; N],
        active: &[u32],
        groups: usize,
        to: &mut [f32],
        line: usize,
        at: usize,
    ) {
        let (columns, _) = columns.as_chunks::<N>();
        for (active, to) in active.chunks_exact(groups).zip(to.chunks_exact_mut(line)) {
            let mut sum = [0.0f32; N];
            for &i in active {
                let column = &columns[i as usize];
                for k in 0..N {
                    sum[k] += column[k];
                }
            }
            let to = &mut to[at..at + N];
            for k in 0..N {
                to[k] = sum[k] + bias[k];
            }
        }
    }
}

versions! {
    /// Gradients of the weight for one tile of units, over all rows.
    pub(crate) fn sums_backward(
        tile: &mut [f32],
        active: &[u32],
        groups: usize,
        grad: &[f32],
        units: usize,
        at: usize,
    ) {
        for (active, grad) in active.chunks_exact(groups).zip(grad.chunks_exact(units)) {
            let grad: &[f32; TILE] = grad[at..at + TILE].try_into().expect("a tile");
            for &i in active {
                let row = &mut tile[i as usize * TILE..i as usize * TILE + TILE];
                for (row, &x) in row.iter_mut().zip(grad) {
                    *row += x;
                }
            }
        }
    }
}

versions! {
    /// Adds rows of as many numbers as `sum` has.
    pub(crate) fn add_rows(rows: &[f32], sum: &mut [f32]) {
        for row in rows.chunks_exact(sum.len().max(1)) {
            for (sum, &x) in sum.iter_mut().zip(row) {
                *sum += x;
            }
        }
    }
}

versions! {
    /// Adds the squares of the distances from the mean.
    pub(crate) fn add_squares(rows: &[f32], mean: &[f32], sum: &mut [f32]) {
        for row in rows.chunks_exact(sum.len()) {
            for ((sum, &x), &mean) in sum.iter_mut().zip(row).zip(mean) {
                *sum += (x - mean) * (x - mean);
            }
        }
    }
}

versions! {
    /// Adds rows of `a`, and their products with rows of `b`.
    pub(crate) fn add_products(a: &[f32], b: &[f32], sum_a: &mut [f32], sum_ab: &mut [f32]) {
        let units = sum_a.len();
        for (a, b) in a.chunks_exact(units).zip(b.chunks_exact(units)) {
            let sums = sum_a.iter_mut().zip(sum_ab.iter_mut());
            for ((sum_a, sum_ab), (&a, &b)) in sums.zip(a.iter().zip(b)) {
                *sum_a += a;
                *sum_ab += a * b;
            }
        }
    }
}

versions! {
    /// Normalises rows: `(x - mean) * inverse`, and this with `gamma` and `beta`.
    pub(crate) fn norm(
        x: &[f32],
        mean: &[f32],
        inverse: &[f32],
        gamma: &[f32],
        beta: &[f32],
        normed: &mut [f32],
        output: &mut [f32],
    ) {
        let units = mean.len();
        let outputs = normed.chunks_exact_mut(units).zip(output.chunks_exact_mut(units));
        for (x, (normed, output)) in x.chunks_exact(units).zip(outputs) {
            for i in 0..units {
                let n = (x[i] - mean[i]) * inverse[i];
                normed[i] = n;
                output[i] = n * gamma[i] + beta[i];
            }
        }
    }
}

versions! {
    /// Converts gradients by the output of a norm to gradients by its input.
    pub(crate) fn norm_backward(
        grad: &mut [f32],
        normed: &[f32],
        factor: &[f32],
        by_gamma: &[f32],
        by_beta: &[f32],
    ) {
        let units = factor.len();
        for (grad, normed) in grad.chunks_exact_mut(units).zip(normed.chunks_exact(units)) {
            for i in 0..units {
                grad[i] = (grad[i] - by_beta[i] - normed[i] * by_gamma[i]) * factor[i];
            }
        }
    }
}

versions! {
    /// Numbers of a mask from `start` on: `scale` where a random number is below `below`, else 0.
    pub(crate) fn mask(out: &mut [f32], start: u64, seed: u64, below: u32, scale: f32) {
        for (k, out) in out.iter_mut().enumerate() {
            // Two rounds of a 32-bit mix of the element's number and the seed.
            let mut h = (start.wrapping_add(k as u64) as u32) ^ (seed as u32);
            h = (h ^ (h >> 16)).wrapping_mul(0x7feb_352d);
            h = (h ^ (h >> 15)).wrapping_mul(0x846c_a68b);
            h ^= (seed >> 32) as u32;
            h = (h ^ (h >> 16)).wrapping_mul(0x7feb_352d);
            h = (h ^ (h >> 15)).wrapping_mul(0x846c_a68b);
            h ^= h >> 16;
            *out = if h < below { scale } else { 0.0 };
        }
    }
}
