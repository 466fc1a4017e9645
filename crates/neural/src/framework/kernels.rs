//! Operations of the training that the framework lacks, or computes slowly.

use super::operands::{AdamStep, Conv, Normed};
use super::plain;
use burn::tensor::backend::Backend;
use burn::tensor::ops::{FloatTensor, IntTensor};

/// Operations of a backend without gradients. The defaults suit any backend; the CPU's are written
/// out.
pub trait Kernels: Backend {
    /// Row r of the result is the sum of the rows `active[r]` of `weight`.
    fn sums(weight: FloatTensor<Self>, active: IntTensor<Self>) -> FloatTensor<Self> {
        plain::sums::<Self>(weight, active)
    }

    /// Gradient of [`sums`](Self::sums) by its weight.
    fn sums_backward(
        grad: FloatTensor<Self>,
        active: IntTensor<Self>,
        inputs: usize,
    ) -> FloatTensor<Self> {
        plain::sums_backward::<Self>(grad, active, inputs)
    }

    /// Sums of the columns of `[lines, units]`, as `[1, units]`.
    fn column_sums(x: FloatTensor<Self>) -> FloatTensor<Self> {
        plain::column_sums::<Self>(x)
    }

    /// Convolution of 3 × 3 cells of `x`, which has a row for each cell of each state.
    fn conv(x: FloatTensor<Self>, weight: FloatTensor<Self>, conv: Conv) -> FloatTensor<Self> {
        plain::conv::<Self>(x, weight, conv)
    }

    /// Gradients of [`conv`](Self::conv) by `x`, where `needs_x` asks for it, and by the weight.
    fn conv_backward(
        grad: FloatTensor<Self>,
        x: FloatTensor<Self>,
        weight: FloatTensor<Self>,
        conv: Conv,
        needs_x: bool,
    ) -> (Option<FloatTensor<Self>>, FloatTensor<Self>) {
        plain::conv_backward::<Self>(grad, x, weight, conv, needs_x)
    }

    /// Exponential linear unit.
    fn elu(x: FloatTensor<Self>) -> FloatTensor<Self> {
        plain::elu::<Self>(x)
    }

    /// Gradient of [`elu`](Self::elu), from its output.
    fn elu_backward(output: FloatTensor<Self>, grad: FloatTensor<Self>) -> FloatTensor<Self> {
        plain::elu_backward::<Self>(output, grad)
    }

    /// Batch norm of a training batch.
    fn norm(
        x: FloatTensor<Self>,
        gamma: FloatTensor<Self>,
        beta: FloatTensor<Self>,
        epsilon: f32,
    ) -> Normed<Self> {
        plain::norm::<Self>(x, gamma, beta, epsilon)
    }

    /// Gradients of [`norm`](Self::norm) by input, gamma and beta.
    fn norm_backward(
        grad: FloatTensor<Self>,
        normed: FloatTensor<Self>,
        inverse: FloatTensor<Self>,
        gamma: FloatTensor<Self>,
    ) -> [FloatTensor<Self>; 3] {
        plain::norm_backward::<Self>(grad, normed, inverse, gamma)
    }

    /// Zero where a unit is dropped, 1 / keep elsewhere.
    fn mask(shape: [usize; 2], keep: f32, seed: u64, device: &Self::Device) -> FloatTensor<Self> {
        plain::mask::<Self>(shape, keep, seed, device)
    }

    /// Value, first and second moment after a step.
    fn adam(
        value: FloatTensor<Self>,
        grad: FloatTensor<Self>,
        first: FloatTensor<Self>,
        second: FloatTensor<Self>,
        step: &AdamStep,
    ) -> [FloatTensor<Self>; 3] {
        plain::adam::<Self>(value, grad, first, second, step)
    }

    /// `old + share * (new - old)`
    fn blend(old: FloatTensor<Self>, new: FloatTensor<Self>, share: f32) -> FloatTensor<Self> {
        plain::blend::<Self>(old, new, share)
    }
}
