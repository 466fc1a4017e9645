//! Layers of a network, with gradients (`Autodiff`) and without.

use super::kernels::Kernels;
use super::operands::Conv;
use super::tensors::{unwrap, wrap};
use burn::backend::Autodiff;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::CheckpointStrategy;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind};
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::ops::{FloatTensor, IntTensor};
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
        wrap(B::sums(unwrap(weight), active.into_primitive()))
    }
    fn train_bias(x: Tensor<B, 2>, bias: Tensor<B, 1>) -> Tensor<B, 2> {
        x + bias.unsqueeze::<2>()
    }
    fn train_conv(x: Tensor<B, 2>, weight: Tensor<B, 2>, conv: Conv) -> Tensor<B, 2> {
        wrap(B::conv(unwrap(x), unwrap(weight), conv))
    }
    fn train_elu(x: Tensor<B, 2>) -> Tensor<B, 2> {
        wrap(B::elu(unwrap(x)))
    }
    fn train_norm(
        x: Tensor<B, 2>,
        gamma: Tensor<B, 1>,
        beta: Tensor<B, 1>,
        epsilon: f32,
    ) -> (Tensor<B, 2>, [Tensor<B, 1>; 2]) {
        let n = B::norm(unwrap(x), unwrap(gamma), unwrap(beta), epsilon);
        (wrap(n.output), [wrap(n.mean), wrap(n.variance)])
    }
    fn train_mask(shape: [usize; 2], keep: f32, seed: u64, device: &B::Device) -> Tensor<B, 2> {
        wrap(B::mask(shape, keep, seed, device))
    }
}

#[derive(Debug)]
struct SumsStep;

impl<B: Kernels> Backward<B, 1> for SumsStep {
    type State = (IntTensor<B>, usize);

    fn backward(
        self,
        ops: Ops<Self::State, 1>,
        grads: &mut Gradients,
        _checkpointer: &mut Checkpointer,
    ) {
        let [parent] = ops.parents;
        let grad = grads.consume::<B>(&ops.node);
        if let Some(parent) = parent {
            let (active, inputs) = ops.state;
            grads.register::<B>(parent.id, B::sums_backward(grad, active, inputs));
        }
    }
}

#[derive(Debug)]
struct BiasStep;

impl<B: Kernels> Backward<B, 2> for BiasStep {
    type State = ();

    fn backward(
        self,
        ops: Ops<Self::State, 2>,
        grads: &mut Gradients,
        _checkpointer: &mut Checkpointer,
    ) {
        let grad = grads.consume::<B>(&ops.node);
        let [of_x, of_bias] = ops.parents;
        if let Some(parent) = of_bias {
            let sums: Tensor<B, 2> = wrap(B::column_sums(grad.clone()));
            let units = sums.dims()[1];
            grads.register::<B>(parent.id, unwrap(sums.reshape([units])));
        }
        if let Some(parent) = of_x {
            grads.register::<B>(parent.id, grad);
        }
    }
}

#[derive(Debug)]
struct EluStep;

impl<B: Kernels> Backward<B, 1> for EluStep {
    type State = FloatTensor<B>;

    fn backward(
        self,
        ops: Ops<Self::State, 1>,
        grads: &mut Gradients,
        _checkpointer: &mut Checkpointer,
    ) {
        let [parent] = ops.parents;
        let grad = grads.consume::<B>(&ops.node);
        if let Some(parent) = parent {
            grads.register::<B>(parent.id, B::elu_backward(ops.state, grad));
        }
    }
}

#[derive(Debug)]
struct NormStep;

impl<B: Kernels> Backward<B, 3> for NormStep {
    type State = (FloatTensor<B>, FloatTensor<B>, FloatTensor<B>);

    fn backward(
        self,
        ops: Ops<Self::State, 3>,
        grads: &mut Gradients,
        _checkpointer: &mut Checkpointer,
    ) {
        let grad = grads.consume::<B>(&ops.node);
        let (normed, inverse, gamma) = ops.state;
        let results = B::norm_backward(grad, normed, inverse, gamma);
        for (parent, result) in ops.parents.into_iter().zip(results) {
            if let Some(parent) = parent {
                grads.register::<B>(parent.id, result);
            }
        }
    }
}

#[derive(Debug)]
struct ConvStep;

impl<B: Kernels> Backward<B, 2> for ConvStep {
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

impl<B: Kernels, C: CheckpointStrategy> LayerOps for Autodiff<B, C> {
    fn train_sums(weight: Tensor<Self, 2>, active: Tensor<Self, 2, Int>) -> Tensor<Self, 2> {
        let inputs = weight.dims()[0];
        let weight = unwrap(weight);
        let active = active.into_primitive();
        let output = B::sums(weight.primitive.clone(), active.clone());
        wrap(match SumsStep.prepare::<C>([weight.node.clone()]).compute_bound().stateful() {
            OpsKind::Tracked(prep) => prep.finish((active, inputs), output),
            OpsKind::UnTracked(prep) => prep.finish(output),
        })
    }

    fn train_bias(x: Tensor<Self, 2>, bias: Tensor<Self, 1>) -> Tensor<Self, 2> {
        let (x, bias) = (unwrap(x), unwrap(bias));
        let nodes = [x.node.clone(), bias.node.clone()];
        let output = B::train_bias(wrap(x.primitive), wrap(bias.primitive));
        let output = unwrap(output);
        wrap(match BiasStep.prepare::<C>(nodes).compute_bound().stateful() {
            OpsKind::Tracked(prep) => prep.finish((), output),
            OpsKind::UnTracked(prep) => prep.finish(output),
        })
    }

    fn train_conv(x: Tensor<Self, 2>, weight: Tensor<Self, 2>, conv: Conv) -> Tensor<Self, 2> {
        let (x, weight) = (unwrap(x), unwrap(weight));
        let nodes = [x.node.clone(), weight.node.clone()];
        let (x, weight) = (x.primitive, weight.primitive);
        let output = B::conv(x.clone(), weight.clone(), conv);
        wrap(match ConvStep.prepare::<C>(nodes).compute_bound().stateful() {
            OpsKind::Tracked(prep) => prep.finish((x, weight, conv), output),
            OpsKind::UnTracked(prep) => prep.finish(output),
        })
    }

    fn train_elu(x: Tensor<Self, 2>) -> Tensor<Self, 2> {
        let x = unwrap(x);
        let node = x.node.clone();
        let output = B::elu(x.primitive);
        wrap(match EluStep.prepare::<C>([node]).compute_bound().stateful() {
            OpsKind::Tracked(prep) => prep.finish(output.clone(), output),
            OpsKind::UnTracked(prep) => prep.finish(output),
        })
    }

    fn train_norm(
        x: Tensor<Self, 2>,
        gamma: Tensor<Self, 1>,
        beta: Tensor<Self, 1>,
        epsilon: f32,
    ) -> (Tensor<Self, 2>, [Tensor<Self, 1>; 2]) {
        let (x, gamma, beta) = (unwrap(x), unwrap(gamma), unwrap(beta));
        let nodes = [x.node.clone(), gamma.node.clone(), beta.node.clone()];
        let n = B::norm(x.primitive, gamma.primitive.clone(), beta.primitive, epsilon);
        let output = match NormStep.prepare::<C>(nodes).compute_bound().stateful() {
            OpsKind::Tracked(prep) => prep.finish((n.normed, n.inverse, gamma.primitive), n.output),
            OpsKind::UnTracked(prep) => prep.finish(n.output),
        };
        let mean = <Self as AutodiffBackend>::from_inner(n.mean);
        let variance = <Self as AutodiffBackend>::from_inner(n.variance);
        (wrap(output), [wrap(mean), wrap(variance)])
    }

    fn train_mask(
        shape: [usize; 2],
        keep: f32,
        seed: u64,
        device: &Self::Device,
    ) -> Tensor<Self, 2> {
        wrap(<Self as AutodiffBackend>::from_inner(B::mask(shape, keep, seed, device)))
    }
}
