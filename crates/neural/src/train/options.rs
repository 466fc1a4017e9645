//! Settings of a training.

use super::loss::Loss;
use crate::framework::operands::{AdamStep, Products};

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

impl Options {
    /// Step of Adam with the given number, counted from 1, without weight decay.
    pub(super) fn adam(&self, number: u64, rate: f32) -> AdamStep {
        let time = number.min(i32::MAX as u64) as i32;
        AdamStep {
            rate,
            beta_1: self.beta_1,
            beta_2: self.beta_2,
            epsilon: self.epsilon,
            decay: 0.0,
            scale: 1.0,
            correction_1: 1.0 - self.beta_1.powi(time),
            correction_2: 1.0 - self.beta_2.powi(time),
        }
    }

    /// Share of new weights in the average after the given number of steps. A young average follows
    /// faster.
    pub(super) fn share(&self, steps: u64) -> f32 {
        (1.0 - self.average.unwrap_or(1.0)).max(1.0 / (steps as f32 + 1.0))
    }
}
