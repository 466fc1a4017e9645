//! Operations of the training that the framework lacks, or computes slowly.

use super::operands::{AdamStep, Conv, Normed};
use super::tensors::one_hot;
use crate::architecture::{Grid, TAPS};
use burn::tensor::backend::Backend;
use burn::tensor::{Distribution, Int, Tensor};

/// Operations of a backend without gradients. The defaults are operations of the framework, for any
/// backend; the CPU's are written out.
pub trait Kernels: Backend {
    /// Row r of the result is the sum of the rows `active[r]` of `weight`.
    fn sums(weight: Tensor<Self, 2>, active: Tensor<Self, 2, Int>) -> Tensor<Self, 2> {
        let inputs = weight.dims()[0];
        one_hot(active, inputs).matmul(weight)
    }

    /// Gradient of [`sums`](Self::sums) by its weight.
    fn sums_backward(
        grad: Tensor<Self, 2>,
        active: Tensor<Self, 2, Int>,
        inputs: usize,
    ) -> Tensor<Self, 2> {
        one_hot(active, inputs).transpose().matmul(grad)
    }

    /// Sums of the columns of `[lines, units]`, as `[1, units]`. Adds up to 64 lines at a time
    /// until few enough are left.
    fn column_sums(mut x: Tensor<Self, 2>) -> Tensor<Self, 2> {
        loop {
            let [lines, units] = x.dims();
            let part = divisor(lines);
            if part == 1 || lines <= part {
                return x.sum_dim(0);
            }
            let parts = x.reshape([lines / part, part, units]);
            x = parts.sum_dim(1).reshape([lines / part, units]);
        }
    }

    /// Convolution of 3 × 3 cells of `x`, which has a row for each cell of each state.
    fn conv(x: Tensor<Self, 2>, weight: Tensor<Self, 2>, conv: Conv) -> Tensor<Self, 2> {
        let product = around(x, conv).matmul(conv.products.lower(weight));
        conv.products.raise(product)
    }

    /// Gradients of [`conv`](Self::conv) by `x`, where `needs_x` asks for it, and by the weight.
    fn conv_backward(
        grad: Tensor<Self, 2>,
        x: Tensor<Self, 2>,
        weight: Tensor<Self, 2>,
        conv: Conv,
        needs_x: bool,
    ) -> (Option<Tensor<Self, 2>>, Tensor<Self, 2>) {
        let ([words, channels], [lines, _]) = (weight.dims(), grad.dims());
        let by_x = needs_x.then(|| {
            // The gradient by `x` is the convolution of `grad` with the weights in reversed order
            // of cells.
            let inputs = words / TAPS;
            let turned = weight.reshape([TAPS, inputs, channels]).flip([0]).swap_dims(1, 2);
            Self::conv(grad.clone(), turned.reshape([TAPS * channels, inputs]), conv)
        });
        // One product per part, then the sum of the parts.
        let parts = divisor(lines);
        let seen = around(x, conv).reshape([parts, lines / parts, words]);
        let grad = conv.products.lower(grad).reshape([parts, lines / parts, channels]);
        let by_weight = conv.products.raise(seen.swap_dims(1, 2).matmul(grad));
        (by_x, by_weight.sum_dim(0).reshape([words, channels]))
    }

    /// Exponential linear unit.
    fn elu(x: Tensor<Self, 2>) -> Tensor<Self, 2> {
        x.clone().clamp_min(0.0) + x.clamp_max(0.0).exp().sub_scalar(1.0)
    }

    /// Gradient of [`elu`](Self::elu), from its output.
    fn elu_backward(output: Tensor<Self, 2>, grad: Tensor<Self, 2>) -> Tensor<Self, 2> {
        grad * output.clamp_max(0.0).add_scalar(1.0)
    }

    /// Batch norm of a training batch.
    fn norm(
        x: Tensor<Self, 2>,
        gamma: Tensor<Self, 1>,
        beta: Tensor<Self, 1>,
        epsilon: f32,
    ) -> Normed<Self> {
        let [lines, units] = x.dims();
        let mean = |x| Self::column_sums(x).div_scalar(lines as f32);
        let middle = mean(x.clone());
        let centred = x - middle.clone();
        let variance = mean(centred.clone().square());
        let inverse = variance.clone().add_scalar(epsilon).sqrt().recip();
        let normed = centred * inverse.clone();
        Normed {
            output: normed.clone() * gamma.unsqueeze::<2>() + beta.unsqueeze::<2>(),
            normed,
            inverse: inverse.reshape([units]),
            mean: middle.reshape([units]),
            variance: variance.reshape([units]),
        }
    }

    /// Gradients of [`norm`](Self::norm) by input, gamma and beta.
    fn norm_backward(
        grad: Tensor<Self, 2>,
        normed: Tensor<Self, 2>,
        inverse: Tensor<Self, 1>,
        gamma: Tensor<Self, 1>,
    ) -> (Tensor<Self, 2>, [Tensor<Self, 1>; 2]) {
        let [rows, units] = grad.dims();
        let by_gamma = Self::column_sums(grad.clone() * normed.clone());
        let by_beta = Self::column_sums(grad.clone());
        let factor = (gamma * inverse).unsqueeze::<2>();
        let share = 1.0 / rows as f32;
        let by_x = (grad
            - by_beta.clone().mul_scalar(share)
            - normed * by_gamma.clone().mul_scalar(share))
            * factor;
        (by_x, [by_gamma, by_beta].map(|sums| sums.reshape([units])))
    }

    /// Zero where a unit is dropped, 1 / keep elsewhere.
    fn mask(shape: [usize; 2], keep: f32, seed: u64, device: &Self::Device) -> Tensor<Self, 2> {
        Self::seed(device, seed);
        let mask = Tensor::random(shape, Distribution::Bernoulli(f64::from(keep)), device);
        mask.div_scalar(keep)
    }

    /// Value, first and second moment after a step.
    fn adam<const D: usize>(
        value: Tensor<Self, D>,
        grad: Tensor<Self, D>,
        [first, second]: [Tensor<Self, D>; 2],
        step: &AdamStep,
    ) -> [Tensor<Self, D>; 3] {
        let grad = grad.mul_scalar(step.scale);
        let first = first.mul_scalar(step.beta_1) + grad.clone().mul_scalar(1.0 - step.beta_1);
        let second = second.mul_scalar(step.beta_2) + grad.square().mul_scalar(1.0 - step.beta_2);
        let root = second.clone().div_scalar(step.correction_2).sqrt().add_scalar(step.epsilon);
        let change = first.clone().mul_scalar(step.rate / step.correction_1) / root;
        let value = value.mul_scalar(1.0 - step.rate * step.decay) - change;
        [value, first, second]
    }

    /// `old + share * (new - old)`
    fn blend<const D: usize>(
        old: Tensor<Self, D>,
        new: Tensor<Self, D>,
        share: f32,
    ) -> Tensor<Self, D> {
        old.clone() + (new - old).mul_scalar(share)
    }
}

/// Greatest divisor of `lines` up to 64.
///
/// Sums over all lines of a batch are computed in parts of this number, because a GPU computes each
/// output with few threads, and a layer has far fewer units than a GPU has threads.
fn divisor(lines: usize) -> usize {
    (2..=64).rev().find(|part| lines.is_multiple_of(*part)).unwrap_or(1)
}

/// Neighbourhoods of all cells, `[lines, 9 * channels]`, in the precision of the products.
fn around<B: Backend>(x: Tensor<B, 2>, Conv { grid, products }: Conv) -> Tensor<B, 2> {
    let [lines, channels] = x.dims();
    let Grid { rows, columns } = grid;
    let states = lines / grid.cells();
    let x = x.reshape([states, rows, columns, channels]);
    // The framework pads only in f32.
    let x = products.lower(x.pad([(0, 0), (1, 1), (1, 1), (0, 0)], 0.0));
    let taps = (0..TAPS).map(|tap| {
        let (i, j) = (tap / 3, tap % 3);
        x.clone().slice([0..states, i..i + rows, j..j + columns, 0..channels])
    });
    let all: Tensor<B, 4> = Tensor::cat(taps.collect(), 3);
    all.reshape([lines, TAPS * channels])
}
