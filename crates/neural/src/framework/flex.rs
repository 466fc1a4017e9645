//! Kernels on the CPU: each is one pass over memory, on all threads of rayon's pool.

use super::conv;
use super::kernels::Kernels;
use super::loops::{self, TILE, add_products, add_rows, add_squares};
use super::operands::{AdamStep, Conv, Normed};
use super::tensors::{unwrap, wrap};
use crate::architecture::Activation;
use crate::simd::Level;
use burn::tensor::{DType, Int, Tensor, TensorData};
use burn_flex::{Flex, FlexDevice, FlexTensor};
use rayon::prelude::*;
use std::ops::Range;

/// Elements per piece of work in passes over whole tensors.
const PIECE: usize = 16 * 1024;

fn make<const D: usize>(values: Vec<f32>, shape: [usize; D]) -> Tensor<Flex, D> {
    wrap(FlexTensor::from_data(TensorData::new(values, shape)))
}

/// The elements in row-major order; a copy only if they are stored in another order.
fn flat<const D: usize>(tensor: Tensor<Flex, D>) -> FlexTensor {
    let tensor = unwrap(tensor);
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

fn values_mut(tensor: &mut FlexTensor) -> &mut [f32] {
    let n = tensor.layout().num_elements();
    &mut tensor.storage_mut::<f32>()[..n]
}

/// Active indices, all below `inputs`.
fn indices(active: Tensor<Flex, 2, Int>, inputs: usize) -> Vec<u32> {
    let active = active.into_primitive().to_contiguous();
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

/// Rows per piece of work. It does not depend on the number of threads, and therefore neither do
/// sums.
fn rows_per_piece(units: usize) -> usize {
    (8 * PIECE / units.max(1)).clamp(1, 1024)
}

fn column_sums(
    rows: usize,
    units: usize,
    add: impl Fn(Range<usize>, &mut [f32]) + Sync,
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
        add_rows(Level::best(), part, &mut total);
    }
    total
}

impl Kernels for Flex {
    fn sums(weight: Tensor<Self, 2>, active: Tensor<Self, 2, Int>) -> Tensor<Self, 2> {
        let ([inputs, units], [rows, groups]) = (weight.dims(), active.dims());
        let (weight, active) = (flat(weight), indices(active, inputs));
        let weight = values(&weight);
        let mut out = vec![0.0f32; rows * units];
        if units % TILE != 0 || units == 0 {
            let per = rows_per_piece(units * groups);
            let pieces = out.par_chunks_mut(per * units).zip(active.par_chunks(per * groups));
            pieces.for_each(|(out, active)| {
                let rows = out.chunks_exact_mut(units).zip(active.chunks_exact(groups));
                for (out, active) in rows {
                    for &i in active {
                        add_rows(Level::best(), &weight[i as usize * units..][..units], out);
                    }
                }
            });
            return make(out, [rows, units]);
        }
        let packed: Vec<Vec<f32>> = (0..units / TILE)
            .into_par_iter()
            .map(|tile| {
                let rows = weight.chunks_exact(units);
                rows.flat_map(|row| &row[tile * TILE..][..TILE]).copied().collect()
            })
            .collect();
        let per = rows.div_ceil(4 * rayon::current_num_threads()).max(1);
        let pieces = out.par_chunks_mut(per * units).zip(active.par_chunks(per * groups));
        pieces.for_each(|(out, active)| {
            for (k, tile) in packed.iter().enumerate() {
                let (zeros, at) = ([0.0; TILE], k * TILE);
                loops::sums(Level::best(), tile, &zeros, active, groups, out, units, at);
            }
        });
        make(out, [rows, units])
    }

    fn sums_backward(
        grad: Tensor<Self, 2>,
        active: Tensor<Self, 2, Int>,
        inputs: usize,
    ) -> Tensor<Self, 2> {
        let ([_, units], [_, groups]) = (grad.dims(), active.dims());
        let (grad, active) = (flat(grad), indices(active, inputs));
        let grad = values(&grad);
        let mut out = vec![0.0f32; inputs * units];
        if units % TILE != 0 || units == 0 {
            for (active, grad) in active.chunks_exact(groups).zip(grad.chunks_exact(units)) {
                for &i in active {
                    add_rows(Level::best(), grad, &mut out[i as usize * units..][..units]);
                }
            }
            return make(out, [inputs, units]);
        }
        let packed: Vec<Vec<f32>> = (0..units / TILE)
            .into_par_iter()
            .map(|k| {
                let mut tile = vec![0.0; inputs * TILE];
                let level = Level::best();
                loops::sums_backward(level, &mut tile, &active, groups, grad, units, k * TILE);
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

    fn column_sums(x: Tensor<Self, 2>) -> Tensor<Self, 2> {
        x.sum_dim(0)
    }

    fn conv(x: Tensor<Self, 2>, weight: Tensor<Self, 2>, conv: Conv) -> Tensor<Self, 2> {
        let ([lines, _], [_, channels]) = (x.dims(), weight.dims());
        let out = conv::forward(values(&flat(x)), values(&flat(weight)), channels, conv.grid);
        make(out, [lines, channels])
    }

    fn conv_backward(
        grad: Tensor<Self, 2>,
        x: Tensor<Self, 2>,
        weight: Tensor<Self, 2>,
        Conv { grid, .. }: Conv,
        needs_x: bool,
    ) -> (Option<Tensor<Self, 2>>, Tensor<Self, 2>) {
        let (of_x, of_weight) = (x.dims(), weight.dims());
        let [grad, x, weight] = [grad, x, weight].map(flat);
        let (by_x, by_weight) =
            conv::backward(values(&grad), values(&x), values(&weight), of_weight[1], grid, needs_x);
        (by_x.map(|by_x| make(by_x, of_x)), make(by_weight, of_weight))
    }

    fn elu(x: Tensor<Self, 2>) -> Tensor<Self, 2> {
        let (shape, x) = (x.dims(), flat(x));
        let x = values(&x);
        let mut y = vec![0.0; x.len()];
        let pieces = y.par_chunks_mut(PIECE).zip(x.par_chunks(PIECE));
        pieces.for_each(|(y, x)| loops::elu(Level::best(), x, y));
        make(y, shape)
    }

    fn elu_backward(output: Tensor<Self, 2>, grad: Tensor<Self, 2>) -> Tensor<Self, 2> {
        let (output, mut grad) = (flat(output), flat(grad));
        let pieces = values_mut(&mut grad).par_chunks_mut(PIECE);
        let pieces = pieces.zip(values(&output).par_chunks(PIECE));
        pieces.for_each(|(grad, y)| loops::bent(Level::best(), y, grad, Activation::Elu));
        wrap(grad)
    }

    fn norm(
        x: Tensor<Self, 2>,
        gamma: Tensor<Self, 1>,
        beta: Tensor<Self, 1>,
        epsilon: f32,
    ) -> Normed<Self> {
        let ([rows, units], level) = (x.dims(), Level::best());
        let (x, gamma, beta) = (flat(x), flat(gamma), flat(beta));
        let (x, gamma, beta) = (values(&x), values(&gamma), values(&beta));
        let share = 1.0 / rows as f32;
        let mut mean = column_sums(rows, units, |at, sum| add_rows(level, &x[at], sum), units);
        mean.iter_mut().for_each(|m| *m *= share);
        let mut variance =
            column_sums(rows, units, |at, sum| add_squares(level, &x[at], &mean, sum), units);
        variance.iter_mut().for_each(|v| *v *= share);
        let inverse: Vec<f32> = variance.iter().map(|v| 1.0 / (v + epsilon).sqrt()).collect();
        let (mut normed, mut output) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        let per = rows_per_piece(units) * units;
        let pieces = normed.par_chunks_mut(per).zip(output.par_chunks_mut(per));
        pieces.zip(x.par_chunks(per)).for_each(|((normed, output), x)| {
            loops::norm(level, x, &mean, &inverse, gamma, beta, normed, output);
        });
        Normed {
            output: make(output, [rows, units]),
            normed: make(normed, [rows, units]),
            inverse: make(inverse, [units]),
            mean: make(mean, [units]),
            variance: make(variance, [units]),
        }
    }

    fn norm_backward(
        grad: Tensor<Self, 2>,
        normed: Tensor<Self, 2>,
        inverse: Tensor<Self, 1>,
        gamma: Tensor<Self, 1>,
    ) -> (Tensor<Self, 2>, [Tensor<Self, 1>; 2]) {
        let ([rows, units], level) = (grad.dims(), Level::best());
        let (mut grad, normed) = (flat(grad), flat(normed));
        let (g, n) = (values(&grad), values(&normed));
        let add = |at: Range<usize>, sum: &mut [f32]| {
            let (by_beta, by_gamma) = sum.split_at_mut(units);
            add_products(level, &g[at.clone()], &n[at], by_beta, by_gamma);
        };
        let mut by_beta = column_sums(rows, units, add, 2 * units);
        let by_gamma = by_beta.split_off(units);
        let share = 1.0 / rows as f32;
        let scaled = |x: &[f32]| x.iter().map(|x| x * share).collect::<Vec<f32>>();
        let (mean_gamma, mean_beta) = (scaled(&by_gamma), scaled(&by_beta));
        let (inverse, gamma) = (flat(inverse), flat(gamma));
        let factor = values(&inverse).iter().zip(values(&gamma)).map(|(i, g)| i * g);
        let factor: Vec<f32> = factor.collect();
        let per = rows_per_piece(units) * units;
        let pieces = values_mut(&mut grad).par_chunks_mut(per).zip(n.par_chunks(per));
        pieces.for_each(|(grad, normed)| {
            loops::norm_backward(level, grad, normed, &factor, &mean_gamma, &mean_beta);
        });
        (wrap(grad), [by_gamma, by_beta].map(|sums| make(sums, [units])))
    }

    fn mask(shape: [usize; 2], keep: f32, seed: u64, _device: &FlexDevice) -> Tensor<Self, 2> {
        let mut out = vec![0.0; shape[0] * shape[1]];
        let below = (f64::from(keep) * 4_294_967_296.0).min(4_294_967_295.0) as u32;
        out.par_chunks_mut(PIECE).enumerate().for_each(|(k, out)| {
            loops::mask(Level::best(), out, (k * PIECE) as u64, seed, below, 1.0 / keep);
        });
        make(out, shape)
    }

    fn adam<const D: usize>(
        value: Tensor<Self, D>,
        grad: Tensor<Self, D>,
        [first, second]: [Tensor<Self, D>; 2],
        step: &AdamStep,
    ) -> [Tensor<Self, D>; 3] {
        let (mut value, grad) = (flat(value), flat(grad));
        let (mut first, mut second) = (flat(first), flat(second));
        let moments = values_mut(&mut first).par_chunks_mut(PIECE);
        let moments = moments.zip(values_mut(&mut second).par_chunks_mut(PIECE));
        let pieces = values_mut(&mut value).par_chunks_mut(PIECE);
        let pieces = pieces.zip(values(&grad).par_chunks(PIECE)).zip(moments);
        pieces.for_each(|((value, grad), (first, second))| {
            loops::adam(Level::best(), value, grad, first, second, step);
        });
        [value, first, second].map(wrap)
    }

    fn blend<const D: usize>(
        old: Tensor<Self, D>,
        new: Tensor<Self, D>,
        share: f32,
    ) -> Tensor<Self, D> {
        let (mut old, new) = (flat(old), flat(new));
        let pieces = values_mut(&mut old).par_chunks_mut(PIECE);
        let pieces = pieces.zip(values(&new).par_chunks(PIECE));
        pieces.for_each(|(old, new)| loops::blend(Level::best(), old, new, share));
        wrap(old)
    }
}
