//! Kernels on the CPU: each is one pass over memory, on all threads of rayon's pool, with AVX2
//! where the CPU has it.

use burn::tensor::ops::{FloatTensor, FloatTensorOps, IntTensor};
use burn::tensor::{DType, Shape, TensorData};
use burn_flex::{Flex, FlexDevice, FlexTensor};
use rayon::prelude::*;

use super::conv;
use super::kernels::Kernels;
use super::operands::{AdamStep, Conv, Normed};

/// Columns worked on together: eight registers of AVX2.
const TILE: usize = 64;
/// Elements per piece of work in passes over whole tensors.
const PIECE: usize = 16 * 1024;

/// Compiles a function twice: for any CPU, and with AVX2 and FMA for CPUs that have them.
macro_rules! twice {
    ($(#[$meta:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) $body:block) => {
        $(#[$meta])*
        fn $name($($arg: $type),*) {
            #[inline(always)]
            fn plain($($arg: $type),*) $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn wide($($arg: $type),*) { plain($($arg),*) }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    // SAFETY: the CPU has the instructions that the function was compiled for.
                    return unsafe { wide($($arg),*) };
                }
            }
            plain($($arg),*)
        }
    };
}

fn make(values: Vec<f32>, shape: impl Into<Shape>) -> FlexTensor {
    FlexTensor::from_data(TensorData::new(values, shape))
}

/// The elements in row-major order; a copy only if they are stored in another order.
fn flat(tensor: FlexTensor) -> FlexTensor {
    assert_eq!(tensor.dtype(), DType::F32, "kernels work on f32");
    if tensor.is_contiguous() && tensor.layout().start_offset() == 0 {
        tensor
    } else {
        tensor.to_contiguous()
    }
}

fn values(tensor: &FlexTensor) -> &[f32] {
    &tensor.storage::<f32>()[..tensor.layout().num_elements()]
}

fn sizes(tensor: &FlexTensor) -> [usize; 2] {
    let shape = tensor.layout().shape();
    [shape[0], shape[1]]
}

/// Active indices, all below `inputs`.
fn indices(active: &FlexTensor, inputs: usize) -> Vec<u32> {
    let check = |i: i64| {
        assert!((0..inputs as i64).contains(&i), "active index {i} of {inputs}");
        i as u32
    };
    let n = active.layout().num_elements();
    match active.dtype() {
        DType::I32 => active.storage::<i32>()[..n].iter().map(|&i| check(i64::from(i))).collect(),
        DType::I64 => active.storage::<i64>()[..n].iter().map(|&i| check(i)).collect(),
        other => panic!("indices of type {other:?}"),
    }
}

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

twice! {
    fn elu_piece(x: &[f32], y: &mut [f32]) {
        for (y, &x) in y.iter_mut().zip(x) {
            *y = x.max(0.0) + exp_less_one(x.min(0.0));
        }
    }
}

twice! {
    fn elu_backward_piece(y: &[f32], grad: &mut [f32]) {
        for (grad, &y) in grad.iter_mut().zip(y) {
            *grad *= y.min(0.0) + 1.0;
        }
    }
}

twice! {
    fn adam_piece(value: &mut [f32], grad: &[f32], first: &mut [f32], second: &mut [f32], step: &AdamStep) {
        let shrink = 1.0 - step.rate * step.decay;
        let rate = step.rate / step.correction_1;
        let root = 1.0 / step.correction_2;
        let (beta_1, beta_2) = (step.beta_1, step.beta_2);
        for (((value, &grad), first), second) in value.iter_mut().zip(grad).zip(first).zip(second) {
            let grad = grad * step.scale;
            *first = beta_1 * *first + (1.0 - beta_1) * grad;
            *second = beta_2 * *second + (1.0 - beta_2) * grad * grad;
            *value = shrink * *value - rate * *first / ((*second * root).sqrt() + step.epsilon);
        }
    }
}

twice! {
    fn blend_piece(old: &mut [f32], new: &[f32], share: f32) {
        for (old, &new) in old.iter_mut().zip(new) {
            *old += share * (new - *old);
        }
    }
}

twice! {
    /// Sums of some rows for one tile of units.
    fn sums_piece(tile: &[f32], active: &[u32], groups: usize, out: &mut [f32], units: usize, at: usize) {
        for (active, out) in active.chunks_exact(groups).zip(out.chunks_exact_mut(units)) {
            let mut sum = [0.0f32; TILE];
            for &i in active {
                let row = &tile[i as usize * TILE..i as usize * TILE + TILE];
                for (sum, &x) in sum.iter_mut().zip(row) {
                    *sum += x;
                }
            }
            out[at..at + TILE].copy_from_slice(&sum);
        }
    }
}

twice! {
    /// Gradients of the weight for one tile of units, over all rows.
    fn sums_backward_piece(tile: &mut [f32], active: &[u32], groups: usize, grad: &[f32], units: usize, at: usize) {
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

twice! {
    fn add_rows(rows: &[f32], sum: &mut [f32]) {
        for row in rows.chunks_exact(sum.len()) {
            for (sum, &x) in sum.iter_mut().zip(row) {
                *sum += x;
            }
        }
    }
}

twice! {
    fn add_squares(rows: &[f32], mean: &[f32], sum: &mut [f32]) {
        for row in rows.chunks_exact(sum.len()) {
            for ((sum, &x), &mean) in sum.iter_mut().zip(row).zip(mean) {
                *sum += (x - mean) * (x - mean);
            }
        }
    }
}

twice! {
    fn add_products(a: &[f32], b: &[f32], sum_a: &mut [f32], sum_ab: &mut [f32]) {
        let units = sum_a.len();
        for (a, b) in a.chunks_exact(units).zip(b.chunks_exact(units)) {
            for (((sum_a, sum_ab), &a), &b) in sum_a.iter_mut().zip(sum_ab.iter_mut()).zip(a).zip(b) {
                *sum_a += a;
                *sum_ab += a * b;
            }
        }
    }
}

twice! {
    fn norm_piece(x: &[f32], mean: &[f32], inverse: &[f32], gamma: &[f32], beta: &[f32], normed: &mut [f32], output: &mut [f32]) {
        let units = mean.len();
        for ((x, normed), output) in x.chunks_exact(units).zip(normed.chunks_exact_mut(units)).zip(output.chunks_exact_mut(units)) {
            for i in 0..units {
                let n = (x[i] - mean[i]) * inverse[i];
                normed[i] = n;
                output[i] = n * gamma[i] + beta[i];
            }
        }
    }
}

twice! {
    fn norm_backward_piece(grad: &mut [f32], normed: &[f32], factor: &[f32], by_gamma: &[f32], by_beta: &[f32]) {
        let units = factor.len();
        for (grad, normed) in grad.chunks_exact_mut(units).zip(normed.chunks_exact(units)) {
            for i in 0..units {
                grad[i] = (grad[i] - by_beta[i] - normed[i] * by_gamma[i]) * factor[i];
            }
        }
    }
}

twice! {
    fn mask_piece(out: &mut [f32], start: u64, seed: u64, below: u32, scale: f32) {
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

/// Rows per piece of work. It does not depend on the number of threads, and therefore neither do
/// sums.
fn rows_per_piece(units: usize) -> usize {
    (8 * PIECE / units.max(1)).clamp(1, 1024)
}

fn column_sums(
    rows: usize,
    units: usize,
    add: impl Fn(std::ops::Range<usize>, &mut [f32]) + Sync,
    width: usize,
) -> Vec<f32> {
    let per = rows_per_piece(units);
    let parts: Vec<Vec<f32>> = (0..rows.div_ceil(per))
        .into_par_iter()
        .map(|piece| {
            let mut sum = vec![0.0; width];
            add(piece * per * units..((piece + 1) * per).min(rows) * units, &mut sum);
            sum
        })
        .collect();
    let mut total = vec![0.0; width];
    for part in &parts {
        add_rows(part, &mut total);
    }
    total
}

impl Kernels for Flex {
    fn sums(weight: FloatTensor<Self>, active: IntTensor<Self>) -> FloatTensor<Self> {
        let weight = flat(weight);
        let [inputs, units] = sizes(&weight);
        let [rows, groups] = sizes(&active);
        let active = indices(&active.to_contiguous(), inputs);
        let weight = values(&weight);
        let mut out = vec![0.0f32; rows * units];
        if units % TILE != 0 || units == 0 {
            let per = rows_per_piece(units * groups);
            out.par_chunks_mut(per * units).zip(active.par_chunks(per * groups)).for_each(
                |(out, active)| {
                    for (out, active) in
                        out.chunks_exact_mut(units).zip(active.chunks_exact(groups))
                    {
                        for &i in active {
                            add_rows(&weight[i as usize * units..][..units], out);
                        }
                    }
                },
            );
            return make(out, [rows, units]);
        }
        let packed: Vec<Vec<f32>> = (0..units / TILE)
            .into_par_iter()
            .map(|tile| {
                let mut packed = Vec::with_capacity(inputs * TILE);
                for row in weight.chunks_exact(units) {
                    packed.extend_from_slice(&row[tile * TILE..tile * TILE + TILE]);
                }
                packed
            })
            .collect();
        let per = rows.div_ceil(4 * rayon::current_num_threads()).max(1);
        out.par_chunks_mut(per * units).zip(active.par_chunks(per * groups)).for_each(
            |(out, active)| {
                for (k, tile) in packed.iter().enumerate() {
                    sums_piece(tile, active, groups, out, units, k * TILE);
                }
            },
        );
        make(out, [rows, units])
    }

    fn sums_backward(
        grad: FloatTensor<Self>,
        active: IntTensor<Self>,
        inputs: usize,
    ) -> FloatTensor<Self> {
        let grad = flat(grad);
        let [_, units] = sizes(&grad);
        let [_, groups] = sizes(&active);
        let active = indices(&active.to_contiguous(), inputs);
        let grad = values(&grad);
        let mut out = vec![0.0f32; inputs * units];
        if units % TILE != 0 || units == 0 {
            for (active, grad) in active.chunks_exact(groups).zip(grad.chunks_exact(units)) {
                for &i in active {
                    add_rows(grad, &mut out[i as usize * units..][..units]);
                }
            }
            return make(out, [inputs, units]);
        }
        let packed: Vec<Vec<f32>> = (0..units / TILE)
            .into_par_iter()
            .map(|k| {
                let mut tile = vec![0.0; inputs * TILE];
                sums_backward_piece(&mut tile, &active, groups, grad, units, k * TILE);
                tile
            })
            .collect();
        out.par_chunks_mut(units).enumerate().with_min_len(16).for_each(|(i, row)| {
            for (row, tile) in row.chunks_exact_mut(TILE).zip(&packed) {
                row.copy_from_slice(&tile[i * TILE..i * TILE + TILE]);
            }
        });
        make(out, [inputs, units])
    }

    fn column_sums(x: FloatTensor<Self>) -> FloatTensor<Self> {
        Self::float_sum_dim(x, 0)
    }

    fn conv(
        x: FloatTensor<Self>,
        weight: FloatTensor<Self>,
        Conv { grid, .. }: Conv,
    ) -> FloatTensor<Self> {
        let (x, weight) = (flat(x), flat(weight));
        let ([lines, _], [_, channels]) = (sizes(&x), sizes(&weight));
        let out = conv::forward(values(&x), values(&weight), channels, grid);
        make(out, [lines, channels])
    }

    fn conv_backward(
        grad: FloatTensor<Self>,
        x: FloatTensor<Self>,
        weight: FloatTensor<Self>,
        Conv { grid, .. }: Conv,
        needs_x: bool,
    ) -> (Option<FloatTensor<Self>>, FloatTensor<Self>) {
        let (grad, x, weight) = (flat(grad), flat(x), flat(weight));
        let (of_x, of_weight) = (sizes(&x), sizes(&weight));
        let (by_x, by_weight) =
            conv::backward(values(&grad), values(&x), values(&weight), of_weight[1], grid, needs_x);
        (by_x.map(|by_x| make(by_x, of_x)), make(by_weight, of_weight))
    }

    fn elu(x: FloatTensor<Self>) -> FloatTensor<Self> {
        let x = flat(x);
        let shape = x.layout().shape().clone();
        let x = values(&x);
        let mut y = vec![0.0; x.len()];
        y.par_chunks_mut(PIECE).zip(x.par_chunks(PIECE)).for_each(|(y, x)| elu_piece(x, y));
        make(y, shape)
    }

    fn elu_backward(output: FloatTensor<Self>, grad: FloatTensor<Self>) -> FloatTensor<Self> {
        let output = flat(output);
        let mut grad = flat(grad);
        let n = grad.layout().num_elements();
        grad.storage_mut::<f32>()[..n]
            .par_chunks_mut(PIECE)
            .zip(values(&output).par_chunks(PIECE))
            .for_each(|(grad, y)| elu_backward_piece(y, grad));
        grad
    }

    fn norm(
        x: FloatTensor<Self>,
        gamma: FloatTensor<Self>,
        beta: FloatTensor<Self>,
        epsilon: f32,
    ) -> Normed<Self> {
        let (x, gamma, beta) = (flat(x), flat(gamma), flat(beta));
        let [rows, units] = sizes(&x);
        let (x, gamma, beta) = (values(&x), values(&gamma), values(&beta));
        let share = 1.0 / rows as f32;
        let mut mean = column_sums(rows, units, |at, sum| add_rows(&x[at], sum), units);
        mean.iter_mut().for_each(|m| *m *= share);
        let mut variance =
            column_sums(rows, units, |at, sum| add_squares(&x[at], &mean, sum), units);
        variance.iter_mut().for_each(|v| *v *= share);
        let inverse: Vec<f32> = variance.iter().map(|v| 1.0 / (v + epsilon).sqrt()).collect();
        let mut normed = vec![0.0; x.len()];
        let mut output = vec![0.0; x.len()];
        let per = rows_per_piece(units) * units;
        normed.par_chunks_mut(per).zip(output.par_chunks_mut(per)).zip(x.par_chunks(per)).for_each(
            |((normed, output), x)| {
                norm_piece(x, &mean, &inverse, gamma, beta, normed, output);
            },
        );
        Normed {
            output: make(output, [rows, units]),
            normed: make(normed, [rows, units]),
            inverse: make(inverse, [units]),
            mean: make(mean, [units]),
            variance: make(variance, [units]),
        }
    }

    fn norm_backward(
        grad: FloatTensor<Self>,
        normed: FloatTensor<Self>,
        inverse: FloatTensor<Self>,
        gamma: FloatTensor<Self>,
    ) -> [FloatTensor<Self>; 3] {
        let mut grad = flat(grad);
        let (normed, inverse, gamma) = (flat(normed), flat(inverse), flat(gamma));
        let [rows, units] = sizes(&grad);
        let n = values(&normed);
        let g = values(&grad);
        let mut sums = column_sums(
            rows,
            units,
            |at, sum| {
                let (by_beta, by_gamma) = sum.split_at_mut(units);
                add_products(&g[at.clone()], &n[at], by_beta, by_gamma);
            },
            2 * units,
        );
        let by_gamma = sums.split_off(units);
        let by_beta = sums;
        let share = 1.0 / rows as f32;
        let scaled = |x: &[f32]| x.iter().map(|x| x * share).collect::<Vec<f32>>();
        let (mean_gamma, mean_beta) = (scaled(&by_gamma), scaled(&by_beta));
        let factor: Vec<f32> =
            values(&inverse).iter().zip(values(&gamma)).map(|(i, g)| i * g).collect();
        let per = rows_per_piece(units) * units;
        grad.storage_mut::<f32>()[..rows * units]
            .par_chunks_mut(per)
            .zip(n.par_chunks(per))
            .for_each(|(grad, normed)| {
                norm_backward_piece(grad, normed, &factor, &mean_gamma, &mean_beta);
            });
        [grad, make(by_gamma, [units]), make(by_beta, [units])]
    }

    fn mask(shape: [usize; 2], keep: f32, seed: u64, _device: &FlexDevice) -> FloatTensor<Self> {
        let mut out = vec![0.0; shape[0] * shape[1]];
        let below = (f64::from(keep) * 4_294_967_296.0).min(4_294_967_295.0) as u32;
        out.par_chunks_mut(PIECE).enumerate().for_each(|(k, out)| {
            mask_piece(out, (k * PIECE) as u64, seed, below, 1.0 / keep);
        });
        make(out, shape)
    }

    fn adam(
        value: FloatTensor<Self>,
        grad: FloatTensor<Self>,
        first: FloatTensor<Self>,
        second: FloatTensor<Self>,
        step: &AdamStep,
    ) -> [FloatTensor<Self>; 3] {
        let (mut value, grad) = (flat(value), flat(grad));
        let (mut first, mut second) = (flat(first), flat(second));
        let n = grad.layout().num_elements();
        value.storage_mut::<f32>()[..n]
            .par_chunks_mut(PIECE)
            .zip(values(&grad).par_chunks(PIECE))
            .zip(first.storage_mut::<f32>()[..n].par_chunks_mut(PIECE))
            .zip(second.storage_mut::<f32>()[..n].par_chunks_mut(PIECE))
            .for_each(|(((value, grad), first), second)| {
                adam_piece(value, grad, first, second, step);
            });
        [value, first, second]
    }

    fn blend(old: FloatTensor<Self>, new: FloatTensor<Self>, share: f32) -> FloatTensor<Self> {
        let (mut old, new) = (flat(old), flat(new));
        let n = new.layout().num_elements();
        old.storage_mut::<f32>()[..n]
            .par_chunks_mut(PIECE)
            .zip(values(&new).par_chunks(PIECE))
            .for_each(|(old, new)| blend_piece(old, new, share));
        old
    }
}
