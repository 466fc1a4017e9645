//! Numbers as whole multiples of steps.

use crate::architecture::Activation;

/// Number of bits by which short sums are finer than bytes.
pub(super) const SHIFT: u32 = 3;

/// Least value of an activation function: `seen` for leaky rectifiers, which are unbounded.
pub(super) fn least_of(activation: Activation, seen: f32) -> f32 {
    match activation {
        Activation::Relu => 0.0,
        Activation::Elu => -1.0,
        Activation::Leaky => seen.min(0.0),
    }
}

/// Map from a byte to the number that it represents: `scale` · byte + `offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    pub(super) scale: f32,
    pub(super) offset: f32,
    /// 1 / scale.
    pub(super) inverse: f32,
}

impl Affine {
    /// Map of bytes to the range from the least value of the activation, or `least` for a leaky
    /// rectifier, to `greatest`.
    pub(super) fn new(activation: Activation, least: f32, greatest: f32) -> Self {
        let offset = least_of(activation, least).max(-1e30);
        // A layer whose activations are constant in the calibration still needs a scale.
        let scale = (greatest - offset).clamp(1e-6, 1e30) / 255.0;
        Self { scale, offset, inverse: 1.0 / scale }
    }
}

/// Step of the quantisation of numbers to ±`levels`, and the function that divides by it and
/// rounds. Zeros get the step 1.
pub(super) fn steps(weights: &[f32], levels: f64) -> (f64, impl Fn(f32) -> f64) {
    let greatest = weights.iter().fold(0.0f32, |g, w| g.max(w.abs()));
    let step = f64::from(greatest) / levels;
    let step = if step > 0.0 { step } else { 1.0 };
    (step, move |w| (f64::from(w) / step).round())
}
