//! Kernels in operations of the framework, for any backend: the defaults of [`Kernels`].
//!
//! [`Kernels`]: super::kernels::Kernels

use super::operands::{AdamStep, Conv, Normed};
use super::tensors::{one_hot, unwrap, wrap};
use crate::architecture::{Grid, TAPS};
use burn::tensor::backend::Backend;
use burn::tensor::ops::{FloatTensor, IntTensor};
use burn::tensor::{Distribution, Tensor};

/// See [`Kernels::sums`].
pub(crate) fn sums<B: Backend>(weight: FloatTensor<B>, active: IntTensor<B>) -> FloatTensor<B> {
    let weight = wrap::<B, 2>(weight);
    let inputs = weight.dims()[0];
    unwrap(one_hot::<B>(active, inputs).matmul(weight))
}

/// See [`Kernels::sums_backward`].
pub(crate) fn sums_backward<B: Backend>(
    grad: FloatTensor<B>,
    active: IntTensor<B>,
    inputs: usize,
) -> FloatTensor<B> {
    unwrap(one_hot::<B>(active, inputs).transpose().matmul(wrap::<B, 2>(grad)))
}

/// Greatest divisor of `lines` up to 64.
///
/// Sums over all lines of a batch are computed in parts of this number, because a GPU computes each
/// output with few threads, and a layer has far fewer units than a GPU has threads.
fn divisor(lines: usize) -> usize {
    (2..=64).rev().find(|part| lines.is_multiple_of(*part)).unwrap_or(1)
}

/// See [`Kernels::column_sums`]. Adds up to 64 lines at a time until few enough are left.
pub(crate) fn column_sums<B: Backend>(x: FloatTensor<B>) -> FloatTensor<B> {
    let mut x = wrap::<B, 2>(x);
    loop {
        let [lines, units] = x.dims();
        let part = divisor(lines);
        if part == 1 || lines <= part {
            return unwrap(x.sum_dim(0));
        }
        let parts = x.reshape([lines / part, part, units]);
        x = parts.sum_dim(1).reshape([lines / part, units]);
    }
}

/// See [`Kernels::elu`].
pub(crate) fn elu<B: Backend>(x: FloatTensor<B>) -> FloatTensor<B> {
    let x = wrap::<B, 2>(x);
    unwrap(x.clone().clamp_min(0.0) + x.clamp_max(0.0).exp().sub_scalar(1.0))
}

/// See [`Kernels::elu_backward`].
pub(crate) fn elu_backward<B: Backend>(
    output: FloatTensor<B>,
    grad: FloatTensor<B>,
) -> FloatTensor<B> {
    let output = wrap::<B, 2>(output);
    unwrap(wrap::<B, 2>(grad) * output.clamp_max(0.0).add_scalar(1.0))
}

fn columns<B: Backend>(x: Tensor<B, 2>) -> Tensor<B, 2> {
    wrap(column_sums::<B>(unwrap(x)))
}

/// See [`Kernels::norm`].
pub(crate) fn norm<B: Backend>(
    x: FloatTensor<B>,
    gamma: FloatTensor<B>,
    beta: FloatTensor<B>,
    epsilon: f32,
) -> Normed<B> {
    let x = wrap::<B, 2>(x);
    let [lines, units] = x.dims();
    let mean = |x| columns::<B>(x).div_scalar(lines as f32);
    let middle = mean(x.clone());
    let centred = x - middle.clone();
    let variance = mean(centred.clone().square());
    let inverse = variance.clone().add_scalar(epsilon).sqrt().recip();
    let normed = centred * inverse.clone();
    let output =
        normed.clone() * wrap::<B, 1>(gamma).unsqueeze::<2>() + wrap::<B, 1>(beta).unsqueeze::<2>();
    Normed {
        output: unwrap(output),
        normed: unwrap(normed),
        inverse: unwrap(inverse.reshape([units])),
        mean: unwrap(middle.reshape([units])),
        variance: unwrap(variance.reshape([units])),
    }
}

/// See [`Kernels::norm_backward`].
pub(crate) fn norm_backward<B: Backend>(
    grad: FloatTensor<B>,
    normed: FloatTensor<B>,
    inverse: FloatTensor<B>,
    gamma: FloatTensor<B>,
) -> [FloatTensor<B>; 3] {
    let (grad, normed) = (wrap::<B, 2>(grad), wrap::<B, 2>(normed));
    let [rows, units] = grad.dims();
    let by_gamma = columns::<B>(grad.clone() * normed.clone());
    let by_beta = columns::<B>(grad.clone());
    let factor = (wrap::<B, 1>(gamma) * wrap::<B, 1>(inverse)).unsqueeze::<2>();
    let share = 1.0 / rows as f32;
    let by_x =
        (grad - by_beta.clone().mul_scalar(share) - normed * by_gamma.clone().mul_scalar(share))
            * factor;
    [unwrap(by_x), unwrap(by_gamma.reshape([units])), unwrap(by_beta.reshape([units]))]
}

/// See [`Kernels::mask`].
pub(crate) fn mask<B: Backend>(
    shape: [usize; 2],
    keep: f32,
    seed: u64,
    device: &B::Device,
) -> FloatTensor<B> {
    B::seed(device, seed);
    let mask = Tensor::<B, 2>::random(shape, Distribution::Bernoulli(f64::from(keep)), device);
    unwrap(mask.div_scalar(keep))
}

/// See [`Kernels::adam`].
pub(crate) fn adam<B: Backend>(
    value: FloatTensor<B>,
    grad: FloatTensor<B>,
    first: FloatTensor<B>,
    second: FloatTensor<B>,
    step: &AdamStep,
) -> [FloatTensor<B>; 3] {
    // The operations are element-wise, so the rank does not matter.
    let (value, grad) = (wrap::<B, 1>(value), wrap::<B, 1>(grad));
    let grad = grad.mul_scalar(step.scale);
    let first =
        wrap::<B, 1>(first).mul_scalar(step.beta_1) + grad.clone().mul_scalar(1.0 - step.beta_1);
    let second =
        wrap::<B, 1>(second).mul_scalar(step.beta_2) + grad.square().mul_scalar(1.0 - step.beta_2);
    let root = second.clone().div_scalar(step.correction_2).sqrt().add_scalar(step.epsilon);
    let change = first.clone().mul_scalar(step.rate / step.correction_1) / root;
    let value = value.mul_scalar(1.0 - step.rate * step.decay) - change;
    [unwrap(value), unwrap(first), unwrap(second)]
}

/// See [`Kernels::blend`].
pub(crate) fn blend<B: Backend>(
    old: FloatTensor<B>,
    new: FloatTensor<B>,
    share: f32,
) -> FloatTensor<B> {
    let (old, new) = (wrap::<B, 1>(old), wrap::<B, 1>(new));
    unwrap(old.clone() + (new - old).mul_scalar(share))
}

/// Neighbourhoods of all cells, `[lines, 9 * channels]`, in the precision of the products.
fn around<B: Backend>(x: Tensor<B, 2>, Conv { grid, products }: Conv) -> Tensor<B, 2> {
    let [lines, channels] = x.dims();
    let Grid { rows, columns } = grid;
    let states = lines / grid.cells();
    let x = x.reshape([states, rows, columns, channels]);
    // The framework pads only in f32.
    let x = products.lower(x.pad([(0, 0), (1, 1), (1, 1), (0, 0)], 0.0));
    let taps = (0..3).flat_map(|i| (0..3).map(move |j| [i, j]));
    let taps =
        taps.map(|[i, j]| (x.clone()).slice([0..states, i..i + rows, j..j + columns, 0..channels]));
    let all: Tensor<B, 4> = Tensor::cat(taps.collect(), 3);
    all.reshape([lines, TAPS * channels])
}

fn forward<B: Backend>(x: Tensor<B, 2>, weight: Tensor<B, 2>, conv: Conv) -> Tensor<B, 2> {
    let product = around(x, conv).matmul(conv.products.lower(weight));
    conv.products.raise(product)
}

/// See [`Kernels::conv`].
pub(crate) fn conv<B: Backend>(
    x: FloatTensor<B>,
    weight: FloatTensor<B>,
    conv: Conv,
) -> FloatTensor<B> {
    unwrap(forward::<B>(wrap(x), wrap(weight), conv))
}

/// See [`Kernels::conv_backward`].
pub(crate) fn conv_backward<B: Backend>(
    grad: FloatTensor<B>,
    x: FloatTensor<B>,
    weight: FloatTensor<B>,
    conv: Conv,
    needs_x: bool,
) -> (Option<FloatTensor<B>>, FloatTensor<B>) {
    let (grad, x): (Tensor<B, 2>, Tensor<B, 2>) = (wrap(grad), wrap(x));
    let weight: Tensor<B, 2> = wrap(weight);
    let ([words, channels], [lines, _]) = (weight.dims(), grad.dims());
    let by_x = needs_x.then(|| {
        // The gradient by `x` is the convolution of `grad` with the weights in reversed order of
        // cells.
        let inputs = words / TAPS;
        let turned = weight.reshape([TAPS, inputs, channels]).flip([0]);
        let turned = turned.swap_dims(1, 2);
        let turned = turned.reshape([TAPS * channels, inputs]);
        unwrap(forward(grad.clone(), turned, conv))
    });
    // One product per part, then the sum of the parts.
    let parts = divisor(lines);
    let seen = around(x, conv).reshape([parts, lines / parts, words]);
    let grad = (conv.products.lower(grad)).reshape([parts, lines / parts, channels]);
    let by_weight = conv.products.raise(seen.swap_dims(1, 2).matmul(grad));
    let by_weight = by_weight.sum_dim(0).reshape([words, channels]);
    (by_x, unwrap(by_weight))
}
