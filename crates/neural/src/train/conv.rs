//! Convolutions of three by three places in training: the operation with gradients, in operations of the framework for any
//! device, and written out for the CPU.
//!
//! Activations have a row for each place of each state, `[states * places, channels]`, and weights are `[9 * inputs, channels]`, so that all
//! that follows a product (biases, norms, activations, residuals) is what it is for dense layers. A convolution is the product of
//! what lies around each place with the weights ("im2col", Chellapilla et al. 2006); on the CPU the framework's own takes about three times as long
//! on the way back.

use super::kernels::{Kernels, unwrap, wrap};
use super::network::Products;
use crate::architecture::{Grid, TAPS};
use burn::backend::autodiff::{
    checkpoint::base::Checkpointer,
    grads::Gradients,
    ops::{Backward, Ops},
};
use burn::tensor::{Tensor, backend::Backend, ops::FloatTensor};
use gemm::{Parallelism, gemm};
use rayon::prelude::*;

/// Its step back.
#[derive(Debug)]
pub(super) struct ConvStep;

impl<B: Kernels> Backward<B, 2> for ConvStep {
    /// Input and weight.
    type State = (FloatTensor<B>, FloatTensor<B>, Conv);

    fn backward(
        self,
        ops: Ops<Self::State, 2>,
        grads: &mut Gradients,
        _checkpointer: &mut Checkpointer,
    ) {
        let grad = grads.consume::<B>(&ops.node);
        let (x, weight, conv) = ops.state;
        let [of_x, of_weight] = ops.parents;
        let (by_x, by_weight) = B::conv_backward(grad, x, weight, conv, of_x.is_some());
        if let (Some(parent), Some(by_x)) = (of_x, by_x) {
            grads.register::<B>(parent.id, by_x);
        }
        if let Some(parent) = of_weight {
            grads.register::<B>(parent.id, by_weight);
        }
    }
}

/// A convolution: over which grid, and in which numbers a device computes its products.
#[derive(Clone, Copy, Debug)]
pub struct Conv {
    /// The places of a state.
    pub grid: Grid,
    /// The CPU's are in single precision in any case.
    pub products: Products,
}

/// In operations of the framework: products of matrices, too, as a device has them ready, while its own convolutions are compiled and tuned for each
/// shape first.
pub(super) mod plain {
    use super::*;

    /// Numbers of parts of the lines: gradients by the weight are a product for each part, and their sum, since one product over all lines has few outputs and
    /// would be the work of a few multiprocessors.
    const PARTS: [usize; 7] = [64, 32, 16, 8, 4, 2, 1];

    /// What lies around each place, `[lines, 9 * channels]`, in the numbers of the products.
    fn around<B: Backend>(x: Tensor<B, 2>, Conv { grid, products }: Conv) -> Tensor<B, 2> {
        let [lines, channels] = x.dims();
        let Grid { rows, columns } = grid;
        let states = lines / grid.places();
        let x = x.reshape([states, rows, columns, channels]);
        // The framework pads in single precision alone.
        let x = products.take(x.pad([(0, 0), (1, 1), (1, 1), (0, 0)], 0.0));
        let taps = (0..3).flat_map(|i| (0..3).map(move |j| [i, j]));
        let taps = taps
            .map(|[i, j]| (x.clone()).slice([0..states, i..i + rows, j..j + columns, 0..channels]));
        let all: Tensor<B, 4> = Tensor::cat(taps.collect(), 3);
        all.reshape([lines, TAPS * channels])
    }

    fn forward<B: Backend>(x: Tensor<B, 2>, weight: Tensor<B, 2>, conv: Conv) -> Tensor<B, 2> {
        let product = around(x, conv).matmul(conv.products.take(weight));
        conv.products.give(product)
    }

    /// See [`Kernels::conv`].
    pub(in super::super) fn conv<B: Backend>(
        x: FloatTensor<B>,
        weight: FloatTensor<B>,
        conv: Conv,
    ) -> FloatTensor<B> {
        unwrap(forward::<B>(wrap(x), wrap(weight), conv))
    }

    /// See [`Kernels::conv_backward`].
    pub(in super::super) fn conv_backward<B: Backend>(
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
            // The convolution of the gradient with the weights from the other side.
            let inputs = words / TAPS;
            let turned = weight.reshape([TAPS, inputs, channels]).flip([0]);
            let turned = turned.swap_dims(1, 2);
            let turned = turned.reshape([TAPS * channels, inputs]);
            unwrap(forward(grad.clone(), turned, conv))
        });
        let parts = PARTS.into_iter().find(|parts| lines % parts == 0);
        let parts = parts.unwrap_or(1);
        let seen = around(x, conv).reshape([parts, lines / parts, words]);
        let grad = (conv.products.take(grad)).reshape([parts, lines / parts, channels]);
        let by_weight = conv.products.give(seen.swap_dims(1, 2).matmul(grad));
        let by_weight = by_weight.sum_dim(0).reshape([words, channels]);
        (by_x, unwrap(by_weight))
    }
}

/// States whose surroundings are gathered together: they stay in the second-level cache.
const TOGETHER: usize = 4;

/// Parts of a batch. There are as many whatever the number of threads, and their gradients are added in order, so that sums do not depend on
/// threads.
const PARTS: usize = 16;

/// A matrix as a slice, and the distances between its rows and between its columns.
struct Matrix<'a>(&'a [f32], [usize; 2]);

impl Matrix<'_> {
    /// Whether all numbers of a matrix of that size are in the slice.
    fn holds(&self, [rows, columns]: [usize; 2]) -> bool {
        let [down, right] = self.1;
        rows == 0 || columns == 0 || (rows - 1) * down + (columns - 1) * right < self.0.len()
    }
}

/// Writes the product of matrices of `m` × `k` and `k` × `n` numbers to `to`, which has `n` numbers a row, or adds it to what is there.
fn multiply(
    to: &mut [f32],
    [m, n, k]: [usize; 3],
    left: &Matrix<'_>,
    right: &Matrix<'_>,
    add: bool,
) {
    assert!(to.len() >= m * n && left.holds([m, k]) && right.holds([k, n]));
    let ([left_row, left_column], [right_row, right_column]) = (left.1, right.1);
    let whole = |stride: usize| stride as isize;
    // SAFETY: all three matrices lie within their slices, as was just seen.
    unsafe {
        gemm(
            m,
            n,
            k,
            to.as_mut_ptr(),
            1,
            whole(n),
            add,
            left.0.as_ptr(),
            whole(left_column),
            whole(left_row),
            right.0.as_ptr(),
            whole(right_column),
            whole(right_row),
            1.0,
            1.0,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

/// The places around each place of a grid.
fn around(grid: Grid) -> Vec<[Option<usize>; TAPS]> {
    (0..grid.places()).map(|place| grid.around(place)).collect()
}

/// Gathers what lies around each place of some states.
fn gather(x: &[f32], inputs: usize, around: &[[Option<usize>; TAPS]], to: &mut [f32]) {
    let states = x.chunks_exact(around.len() * inputs);
    for (x, to) in states.zip(to.chunks_exact_mut(around.len() * TAPS * inputs)) {
        for (to, from) in to.chunks_exact_mut(inputs).zip(around.iter().flatten()) {
            match *from {
                Some(place) => to.copy_from_slice(&x[place * inputs..][..inputs]),
                None => to.fill(0.0),
            }
        }
    }
}

/// Adds gradients of what lies around each place to those of the places.
fn scatter(patches: &[f32], inputs: usize, around: &[[Option<usize>; TAPS]], to: &mut [f32]) {
    let states = patches.chunks_exact(around.len() * TAPS * inputs);
    for (patches, to) in states.zip(to.chunks_exact_mut(around.len() * inputs)) {
        for (from, place) in patches.chunks_exact(inputs).zip(around.iter().flatten()) {
            let Some(place) = *place else { continue };
            let to = &mut to[place * inputs..][..inputs];
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        }
    }
}

/// The convolution of rows of places, on the CPU.
pub(super) fn forward(x: &[f32], weight: &[f32], channels: usize, grid: Grid) -> Vec<f32> {
    let (around, words) = (around(grid), weight.len() / channels);
    let (places, inputs) = (grid.places(), words / TAPS);
    let mut out = vec![0.0; x.len() / inputs * channels];
    out.par_chunks_mut(TOGETHER * places * channels)
        .zip(x.par_chunks(TOGETHER * places * inputs))
        .for_each_init(Vec::new, |patches, (out, x)| {
            let lines = x.len() / inputs;
            patches.resize(lines * words, 0.0);
            gather(x, inputs, &around, patches);
            let left = Matrix(patches, [words, 1]);
            let right = Matrix(weight, [channels, 1]);
            multiply(out, [lines, channels, words], &left, &right, false);
        });
    out
}

/// The gradients by its input, where it is needed, and by its weights.
pub(super) fn backward(
    grad: &[f32],
    (x, weight): (&[f32], &[f32]),
    channels: usize,
    grid: Grid,
    needs_x: bool,
) -> (Option<Vec<f32>>, Vec<f32>) {
    let (around, words) = (around(grid), weight.len() / channels);
    let (places, inputs) = (grid.places(), words / TAPS);
    let states = x.len() / (places * inputs);
    let of_part = states.div_ceil(PARTS).max(1) * places;
    let mut by_x = vec![0.0; if needs_x { x.len() } else { 0 }];
    let mut parts: Vec<&mut [f32]> = by_x.chunks_mut(of_part * inputs).collect();
    parts.resize_with(states.div_ceil(of_part / places), Default::default);
    let rows = x.par_chunks(of_part * inputs).zip(grad.par_chunks(of_part * channels));
    let sums: Vec<Vec<f32>> = (parts.into_par_iter().zip(rows))
        .map(|(mut by_x, (x, grad))| {
            let mut by_weight = vec![0.0; weight.len()];
            let (mut patches, mut of_patches) = (Vec::new(), Vec::new());
            let most = TOGETHER * places;
            for (x, grad) in x.chunks(most * inputs).zip(grad.chunks(most * channels)) {
                let lines = x.len() / inputs;
                patches.resize(lines * words, 0.0);
                gather(x, inputs, &around, &mut patches);
                let (left, right) = (Matrix(&patches, [1, words]), Matrix(grad, [channels, 1]));
                multiply(&mut by_weight, [words, channels, lines], &left, &right, true);
                if needs_x {
                    of_patches.resize(lines * words, 0.0);
                    let right = Matrix(weight, [1, channels]);
                    let sizes = [lines, words, channels];
                    multiply(&mut of_patches, sizes, &Matrix(grad, [channels, 1]), &right, false);
                    let (own, rest) = by_x.split_at_mut(x.len());
                    scatter(&of_patches, inputs, &around, own);
                    by_x = rest;
                }
            }
            by_weight
        })
        .collect();
    let mut by_weight = vec![0.0; weight.len()];
    for sum in &sums {
        by_weight.iter_mut().zip(sum).for_each(|(to, x)| *to += x);
    }
    (needs_x.then_some(by_x), by_weight)
}
