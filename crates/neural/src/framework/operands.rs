//! Arguments and results of the training's kernels.

use crate::architecture::Grid;
use burn::tensor::backend::Backend;
use burn::tensor::{FloatDType, Tensor};

/// Precision of matrix products in training: of convolutions, and of dense layers behind the first.
///
/// Weights, optimiser state and activations stay in f32. A device that can do so also adds up the
/// products in f32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Products {
    /// f32 everywhere.
    #[default]
    Single,
    /// bfloat16 (16 bits with the exponent range of f32): the fastest format of GPUs.
    Bf16,
}

impl Products {
    /// `factor` in the precision of products.
    pub(super) fn lower<B: Backend, const D: usize>(self, factor: Tensor<B, D>) -> Tensor<B, D> {
        match self {
            Self::Single => factor,
            Self::Bf16 => factor.cast(FloatDType::BF16),
        }
    }

    /// `product` converted back to f32.
    pub(super) fn raise<B: Backend, const D: usize>(self, product: Tensor<B, D>) -> Tensor<B, D> {
        match self {
            Self::Single => product,
            Self::Bf16 => product.cast(FloatDType::F32),
        }
    }
}

/// Convolution of 3 × 3 cells: its grid, and the precision in which a GPU multiplies.
#[derive(Clone, Copy, Debug)]
pub struct Conv {
    /// Cells of a state.
    pub grid: Grid,
    /// Precision of the products on a GPU; the CPU always multiplies in f32.
    pub products: Products,
}

/// Hyperparameters of one step of Adam.
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
    /// Decoupled weight decay: a value shrinks by the factor `1 - rate * decay`.
    pub decay: f32,
    /// Factor of all gradients, below 1 where they are clipped.
    pub scale: f32,
    /// `1 - beta_1^step`
    pub correction_1: f32,
    /// `1 - beta_2^step`
    pub correction_2: f32,
}

/// Batch normalisation of a training batch: its output, and the values that its gradient needs.
pub struct Normed<B: Backend> {
    /// The output.
    pub output: Tensor<B, 2>,
    /// `(input - mean) * inverse`, before `gamma` and `beta`.
    pub normed: Tensor<B, 2>,
    /// Reciprocal of the standard deviation of each unit.
    pub inverse: Tensor<B, 1>,
    /// Mean of each unit over the batch.
    pub mean: Tensor<B, 1>,
    /// Biased variance of each unit over the batch.
    pub variance: Tensor<B, 1>,
}
