//! Layers of a network, with gradients (`Autodiff`) and without.

use super::kernels::Kernels;
use super::operands::{Conv, Normed};
use super::tensors::{unwrap, wrap};
use burn::backend::Autodiff;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::NoCheckpointing;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops};
use burn::tensor::backend::Backend;
use burn::tensor::ops::FloatTensor;
use burn::tensor::{Int, Tensor};

/// The [`Kernels`] as layers of a network.
pub trait LayerOps: Backend {
    /// See [`Kernels::sums`].
    fn train_sums(weight: Tensor<Self, 2>, active: Tensor<Self, 2, Int>) -> Tensor<Self, 2>;
    /// `x` with the biases added to each line; their gradients are [`Kernels::column_sums`].
    fn train_bias(x: Tensor<Self, 2>, bias: Tensor<Self, 1>) -> Tensor<Self, 2>;
    /// See [`Kernels::conv`].
    fn train_conv(x: Tensor<Self, 2>, weight: Tensor<Self, 2>, conv: Conv) -> Tensor<Self, 2>;
    /// See [`Kernels::elu`].
    fn train_elu(x: Tensor<Self, 2>) -> Tensor<Self, 2>;
    /// Output, mean and variance; see [`Kernels::norm`].
    fn train_norm(
        x: Tensor<Self, 2>,
        gamma: Tensor<Self, 1>,
        beta: Tensor<Self, 1>,
        epsilon: f32,
    ) -> (Tensor<Self, 2>, [Tensor<Self, 1>; 2]);
    /// See [`Kernels::mask`].
    fn train_mask(
        shape: [usize; 2],
        keep: f32,
        seed: u64,
        device: &Self::Device,
    ) -> Tensor<Self, 2>;
}

impl<B: Kernels> LayerOps for B {
    fn train_sums(weight: Tensor<B, 2>, active: Tensor<B, 2, Int>) -> Tensor<B, 2> {
        B::sums(weight, active)
    }
    fn train_bias(x: Tensor<B, 2>, bias: Tensor<B, 1>) -> Tensor<B, 2> {
        x + bias.unsqueeze::<2>()
    }
    fn train_conv(x: Tensor<B, 2>, weight: Tensor<B, 2>, conv: Conv) -> Tensor<B, 2> {
        B::conv(x, weight, conv)
    }
    fn train_elu(x: Tensor<B, 2>) -> Tensor<B, 2> {
        B::elu(x)
    }
    fn train_norm(
        x: Tensor<B, 2>,
        gamma: Tensor<B, 1>,
        beta: Tensor<B, 1>,
        epsilon: f32,
    ) -> (Tensor<B, 2>, [Tensor<B, 1>; 2]) {
        let Normed { output, mean, variance, .. } = B::norm(x, gamma, beta, epsilon);
        (output, [mean, variance])
    }
    fn train_mask(shape: [usize; 2], keep: f32, seed: u64, device: &B::Device) -> Tensor<B, 2> {
        B::mask(shape, keep, seed, device)
    }
}

/// Backward pass of an operation: a function of the gradient by its output, and of the parents that
/// need gradients. It returns the gradients by the parents.
struct Step<F>(F);

impl<F> std::fmt::Debug for Step<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Step")
    }
}

impl<B, const N: usize, F> Backward<B, N> for Step<F>
where
    B: Kernels,
    F: FnOnce(Tensor<B, 2>, [bool; N]) -> [Option<FloatTensor<B>>; N] + Send + 'static,
{
    type State = ();

    fn backward(self, ops: Ops<(), N>, grads: &mut Gradients, _checkpointer: &mut Checkpointer) {
        let grad = wrap(grads.consume::<B>(&ops.node));
        let results = (self.0)(grad, ops.parents.each_ref().map(Option::is_some));
        for (parent, result) in ops.parents.into_iter().zip(results) {
            if let (Some(parent), Some(result)) = (parent, result) {
                grads.register::<B>(parent.id, result);
            }
        }
    }
}

/// A [`Step`] with the types of its function.
fn step<B: Kernels, const N: usize, F>(backward: F) -> Step<F>
where
    F: FnOnce(Tensor<B, 2>, [bool; N]) -> [Option<FloatTensor<B>>; N],
{
    Step(backward)
}

impl<B: Kernels> LayerOps for Autodiff<B> {
    fn train_sums(weight: Tensor<Self, 2>, active: Tensor<Self, 2, Int>) -> Tensor<Self, 2> {
        let (inputs, weight, active) = (weight.dims()[0], unwrap(weight), active.inner());
        let output = unwrap(B::sums(wrap(weight.primitive), active.clone()));
        let backward =
            step::<B, 1, _>(move |grad, _| [Some(unwrap(B::sums_backward(grad, active, inputs)))]);
        wrap(backward.prepare::<NoCheckpointing>([weight.node]).compute_bound().stateless(output))
    }

    fn train_bias(x: Tensor<Self, 2>, bias: Tensor<Self, 1>) -> Tensor<Self, 2> {
        let (x, bias) = (unwrap(x), unwrap(bias));
        let output = unwrap(B::train_bias(wrap(x.primitive), wrap(bias.primitive)));
        let backward = step::<B, 2, _>(|grad, [needs_x, needs_bias]| {
            let by_bias = needs_bias.then(|| {
                let sums = B::column_sums(grad.clone());
                let units = sums.dims()[1];
                unwrap(sums.reshape([units]))
            });
            [needs_x.then(|| unwrap(grad)), by_bias]
        });
        let nodes = [x.node, bias.node];
        wrap(backward.prepare::<NoCheckpointing>(nodes).compute_bound().stateless(output))
    }

    fn train_conv(x: Tensor<Self, 2>, weight: Tensor<Self, 2>, conv: Conv) -> Tensor<Self, 2> {
        let (x, weight) = (unwrap(x), unwrap(weight));
        let nodes = [x.node, weight.node];
        let (x, weight) = (wrap(x.primitive), wrap(weight.primitive));
        let output = unwrap(B::conv(x.clone(), weight.clone(), conv));
        let backward = step::<B, 2, _>(move |grad, [needs_x, _]| {
            let (by_x, by_weight) = B::conv_backward(grad, x, weight, conv, needs_x);
            [by_x.map(unwrap), Some(unwrap(by_weight))]
        });
        wrap(backward.prepare::<NoCheckpointing>(nodes).compute_bound().stateless(output))
    }

    fn train_elu(x: Tensor<Self, 2>) -> Tensor<Self, 2> {
        let x = unwrap(x);
        let output = B::elu(wrap(x.primitive));
        let primitive = unwrap(output.clone());
        let backward =
            step::<B, 1, _>(move |grad, _| [Some(unwrap(B::elu_backward(output, grad)))]);
        wrap(backward.prepare::<NoCheckpointing>([x.node]).compute_bound().stateless(primitive))
    }

    fn train_norm(
        x: Tensor<Self, 2>,
        gamma: Tensor<Self, 1>,
        beta: Tensor<Self, 1>,
        epsilon: f32,
    ) -> (Tensor<Self, 2>, [Tensor<Self, 1>; 2]) {
        let (x, gamma, beta) = (unwrap(x), unwrap(gamma), unwrap(beta));
        let nodes = [x.node, gamma.node, beta.node];
        let gamma: Tensor<B, 1> = wrap(gamma.primitive);
        let Normed { output, normed, inverse, mean, variance } =
            B::norm(wrap(x.primitive), gamma.clone(), wrap(beta.primitive), epsilon);
        let backward = step::<B, 3, _>(move |grad, _| {
            let (by_x, [by_gamma, by_beta]) = B::norm_backward(grad, normed, inverse, gamma);
            [unwrap(by_x), unwrap(by_gamma), unwrap(by_beta)].map(Some)
        });
        let output = unwrap(output);
        let output = backward.prepare::<NoCheckpointing>(nodes).compute_bound().stateless(output);
        (wrap(output), [mean, variance].map(Tensor::from_inner))
    }

    fn train_mask(
        shape: [usize; 2],
        keep: f32,
        seed: u64,
        device: &Self::Device,
    ) -> Tensor<Self, 2> {
        Tensor::from_inner(B::mask(shape, keep, seed, device))
    }
}
