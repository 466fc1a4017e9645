//! The operations of the training that the framework lacks or does slowly.

use burn::backend::Autodiff;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::CheckpointStrategy;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind};
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::ops::{FloatTensor, IntTensor};
use burn::tensor::{Distribution, IndexingUpdateOp, Int, Tensor, TensorPrimitive};

use super::conv::{Conv, ConvStep};

/// A tensor of the framework around what the backend calls one.
pub fn wrap<B: Backend, const D: usize>(inner: FloatTensor<B>) -> Tensor<B, D> {
    Tensor::from_primitive(TensorPrimitive::Float(inner))
}

/// What the backend calls a tensor.
pub fn unwrap<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> FloatTensor<B> {
    tensor.into_primitive().tensor()
}

/// One step of Adam.
#[derive(Debug, Clone, Copy)]
pub struct AdamStep {
    /// Learning rate.
    pub rate: f32,
    /// Decay of the first moment.
    pub beta_1: f32,
    /// Decay of the second moment.
    pub beta_2: f32,
    /// Added to the root of the second moment.
    pub epsilon: f32,
    /// The share `rate * decay` of a value is taken off it (decoupled weight decay).
    pub decay: f32,
    /// Gradients are multiplied by this first (clipping).
    pub scale: f32,
    /// 1 - beta_1^step
    pub correction_1: f32,
    /// 1 - beta_2^step
    pub correction_2: f32,
}

/// What a batch norm of a training batch gives.
pub struct Normed<B: Backend> {
    /// The output.
    pub output: FloatTensor<B>,
    /// The input less its mean, over its deviation.
    pub normed: FloatTensor<B>,
    /// One over the deviation.
    pub inverse: FloatTensor<B>,
    /// The batch's mean.
    pub mean: FloatTensor<B>,
    /// The batch's variance (biased).
    pub variance: FloatTensor<B>,
}

/// What a backend without gradients does; the defaults suit any, a CPU's are written out.
pub trait Kernels: Backend {
    /// Row r of the result is the sum of the rows `active[r]` of `weight`.
    fn sums(weight: FloatTensor<Self>, active: IntTensor<Self>) -> FloatTensor<Self> {
        plain::sums::<Self>(weight, active)
    }

    /// The gradient of `sums` by its weight.
    fn sums_backward(
        grad: FloatTensor<Self>,
        active: IntTensor<Self>,
        inputs: usize,
    ) -> FloatTensor<Self> {
        plain::sums_backward::<Self>(grad, active, inputs)
    }

    /// The sum of each column of `[lines, units]`, `[1, units]`.
    fn column_sums(x: FloatTensor<Self>) -> FloatTensor<Self> {
        plain::column_sums::<Self>(x)
    }

    /// A convolution of three by three places of `x`, which has a row for each place of each state; see the module `conv`.
    fn conv(x: FloatTensor<Self>, weight: FloatTensor<Self>, conv: Conv) -> FloatTensor<Self> {
        super::conv::plain::conv::<Self>(x, weight, conv)
    }

    /// Its gradients by `x`, where it is needed, and by the weight.
    fn conv_backward(
        grad: FloatTensor<Self>,
        x: FloatTensor<Self>,
        weight: FloatTensor<Self>,
        conv: Conv,
        needs_x: bool,
    ) -> (Option<FloatTensor<Self>>, FloatTensor<Self>) {
        super::conv::plain::conv_backward::<Self>(grad, x, weight, conv, needs_x)
    }

    /// Exponential linear unit.
    fn elu(x: FloatTensor<Self>) -> FloatTensor<Self> {
        plain::elu::<Self>(x)
    }

    /// Its gradient, from its output.
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

    /// Its gradients by input, gamma and beta.
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

/// The same in operations of the framework, for any backend.
pub mod plain {
    use super::*;

    /// See [`Kernels::sums`].
    pub fn sums<B: Backend>(weight: FloatTensor<B>, active: IntTensor<B>) -> FloatTensor<B> {
        let weight = wrap::<B, 2>(weight);
        let inputs = weight.dims()[0];
        unwrap(one_hot::<B>(active, inputs).matmul(weight))
    }

    /// See [`Kernels::sums_backward`].
    pub fn sums_backward<B: Backend>(
        grad: FloatTensor<B>,
        active: IntTensor<B>,
        inputs: usize,
    ) -> FloatTensor<B> {
        unwrap(one_hot::<B>(active, inputs).transpose().matmul(wrap::<B, 2>(grad)))
    }

    /// The most lines that one stage of [`column_sums`] adds.
    const STAGE: usize = 64;

    /// See [`Kernels::column_sums`]. In stages of at most [`STAGE`] lines: a GPU gives each column of a sum to one of its
    /// threads, and a layer has far fewer units than a GPU has threads.
    pub fn column_sums<B: Backend>(x: FloatTensor<B>) -> FloatTensor<B> {
        let mut x = wrap::<B, 2>(x);
        loop {
            let [lines, units] = x.dims();
            let stage = (2..=STAGE).rev().find(|stage| lines % stage == 0);
            let Some(stage) = stage.filter(|_| lines > STAGE) else {
                return unwrap(x.sum_dim(0));
            };
            let parts = x.reshape([lines / stage, stage, units]);
            x = parts.sum_dim(1).reshape([lines / stage, units]);
        }
    }

    /// See [`Kernels::elu`].
    pub fn elu<B: Backend>(x: FloatTensor<B>) -> FloatTensor<B> {
        let x = wrap::<B, 2>(x);
        unwrap(x.clone().clamp_min(0.0) + x.clamp_max(0.0).exp().sub_scalar(1.0))
    }

    /// See [`Kernels::elu_backward`].
    pub fn elu_backward<B: Backend>(
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
    pub fn norm<B: Backend>(
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
        let output = normed.clone() * wrap::<B, 1>(gamma).unsqueeze::<2>()
            + wrap::<B, 1>(beta).unsqueeze::<2>();
        Normed {
            output: unwrap(output),
            normed: unwrap(normed),
            inverse: unwrap(inverse.reshape([units])),
            mean: unwrap(middle.reshape([units])),
            variance: unwrap(variance.reshape([units])),
        }
    }

    /// See [`Kernels::norm_backward`].
    pub fn norm_backward<B: Backend>(
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
        let by_x = (grad
            - by_beta.clone().mul_scalar(share)
            - normed * by_gamma.clone().mul_scalar(share))
            * factor;
        [unwrap(by_x), unwrap(by_gamma.reshape([units])), unwrap(by_beta.reshape([units]))]
    }

    /// See [`Kernels::mask`].
    pub fn mask<B: Backend>(
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
    pub fn adam<B: Backend>(
        value: FloatTensor<B>,
        grad: FloatTensor<B>,
        first: FloatTensor<B>,
        second: FloatTensor<B>,
        step: &AdamStep,
    ) -> [FloatTensor<B>; 3] {
        // The operations are element by element and ask no rank.
        let (value, grad) = (wrap::<B, 1>(value), wrap::<B, 1>(grad));
        let grad = grad.mul_scalar(step.scale);
        let first = wrap::<B, 1>(first).mul_scalar(step.beta_1)
            + grad.clone().mul_scalar(1.0 - step.beta_1);
        let second = wrap::<B, 1>(second).mul_scalar(step.beta_2)
            + grad.square().mul_scalar(1.0 - step.beta_2);
        let root = second.clone().div_scalar(step.correction_2).sqrt().add_scalar(step.epsilon);
        let change = first.clone().mul_scalar(step.rate / step.correction_1) / root;
        let value = value.mul_scalar(1.0 - step.rate * step.decay) - change;
        [unwrap(value), unwrap(first), unwrap(second)]
    }

    /// See [`Kernels::blend`].
    pub fn blend<B: Backend>(
        old: FloatTensor<B>,
        new: FloatTensor<B>,
        share: f32,
    ) -> FloatTensor<B> {
        let (old, new) = (wrap::<B, 1>(old), wrap::<B, 1>(new));
        unwrap(old.clone() + (new - old).mul_scalar(share))
    }
}

/// Rows of zeros with ones at the active indices, made on the device.
pub fn one_hot<B: Backend>(active: IntTensor<B>, inputs: usize) -> Tensor<B, 2> {
    let active = Tensor::<B, 2, Int>::from_primitive(active);
    let [rows, groups] = active.dims();
    let device = active.device();
    Tensor::zeros([rows, inputs], &device).scatter(
        1,
        active,
        Tensor::ones([rows, groups], &device),
        IndexingUpdateOp::Add,
    )
}

/// The same as layers of a network, with and without gradients.
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
