//! Convolutions of 3 × 3 cells on the CPU, forward and backward.
//!
//! Activations have a row for each cell of each state, `[states * cells, channels]`, and weights
//! are `[9 * inputs, channels]`. Biases, norms, activations and residuals are therefore the same as
//! in dense layers. A convolution is the product of the neighbourhoods of all cells with the
//! weights ("im2col", Chellapilla et al. 2006). The framework's own convolution takes about three
//! times as long in the backward pass.

use crate::architecture::{Grid, TAPS};
use gemm::{Parallelism, gemm};
use rayon::prelude::*;

/// States whose neighbourhoods are gathered together: they stay in the second-level cache.
const TOGETHER: usize = 4;

/// Number of parts of a batch, independent of the number of threads. Their gradients are added in
/// order, so that sums do not depend on threads.
const PARTS: usize = 16;

/// Matrix as a slice, with the distances between its rows and between its columns.
struct Matrix<'a>(&'a [f32], [usize; 2]);

impl Matrix<'_> {
    /// Whether all numbers of a matrix of that size are in the slice.
    fn holds(&self, [rows, columns]: [usize; 2]) -> bool {
        let [down, right] = self.1;
        rows == 0 || columns == 0 || (rows - 1) * down + (columns - 1) * right < self.0.len()
    }
}

/// Writes the product of matrices of `m` × `k` and `k` × `n` numbers to `to`, which has `n` numbers
/// a row; `add` adds the product to the contents of `to` instead.
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
    // SAFETY: the assertion shows that all three matrices are within their slices.
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

/// Gathers the neighbourhoods of all cells of some states.
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

/// Adds the gradients of the neighbourhoods to the gradients of their cells.
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

/// Convolution of rows of cells.
pub(super) fn forward(x: &[f32], weight: &[f32], channels: usize, grid: Grid) -> Vec<f32> {
    let (around, words) = (grid.around(), weight.len() / channels);
    let (cells, inputs) = (grid.cells(), words / TAPS);
    let mut out = vec![0.0; x.len() / inputs * channels];
    out.par_chunks_mut(TOGETHER * cells * channels)
        .zip(x.par_chunks(TOGETHER * cells * inputs))
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

/// Gradients by the input, where `needs_x` asks for them, and by the weights.
pub(super) fn backward(
    grad: &[f32],
    x: &[f32],
    weight: &[f32],
    channels: usize,
    grid: Grid,
    needs_x: bool,
) -> (Option<Vec<f32>>, Vec<f32>) {
    let (around, words) = (grid.around(), weight.len() / channels);
    let (cells, inputs) = (grid.cells(), words / TAPS);
    let states = x.len() / (cells * inputs);
    let of_part = states.div_ceil(PARTS).max(1) * cells;
    let mut by_x = vec![0.0; if needs_x { x.len() } else { 0 }];
    let mut parts: Vec<&mut [f32]> = by_x.chunks_mut(of_part * inputs).collect();
    parts.resize_with(states.div_ceil(of_part / cells), Default::default);
    let rows = x.par_chunks(of_part * inputs).zip(grad.par_chunks(of_part * channels));
    let sums: Vec<Vec<f32>> = (parts.into_par_iter().zip(rows))
        .map(|(mut by_x, (x, grad))| {
            let mut by_weight = vec![0.0; weight.len()];
            let (mut patches, mut of_patches) = (Vec::new(), Vec::new());
            let most = TOGETHER * cells;
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
