//! Settings of a training.

use super::loss::Loss;
use crate::framework::operands::Products;

/// Settings of a training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Loss that training minimises.
    pub loss: Loss,
    /// Adam's decay of the first moment.
    pub beta_1: f32,
    /// Adam's decay of the second moment.
    pub beta_2: f32,
    /// Added to the square root of Adam's second moment.
    pub epsilon: f32,
    /// Decoupled weight decay of the weight matrices.
    pub decay: f32,
    /// Greatest norm of the whole gradient; `None` does not clip.
    pub clip: Option<f32>,
    /// Weight of a batch's mean and variance in the running ones.
    pub momentum: f32,
    /// Weight of the old value in the running average of the network's weights, e.g. 0.999; `None`
    /// keeps no average.
    pub average: Option<f32>,
    /// Seed of the dropout.
    pub seed: u64,
    /// Precision of matrix products.
    pub products: Products,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            loss: Loss::Squared,
            beta_1: 0.9,
            beta_2: 0.999,
            epsilon: 1e-8,
            decay: 0.0,
            clip: None,
            momentum: 0.1,
            average: None,
            seed: 0,
            products: Products::Single,
        }
    }
}
