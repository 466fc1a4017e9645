//! Inner loops, compiled for every level of vector instructions. Multiplications and additions are
//! separate operations, so that all levels give the same bits.

use crate::activation::activate;
use crate::architecture::{Activation, LEAK};
use crate::simd::{Level, versions};
use crate::train::options::Options;

/// Units of a strip: few enough that a strip of some hundred inputs stays in the first- or
/// second-level cache.
pub(super) const STRIP: usize = 16;

versions! {
    /// Writes the sums of columns and biases of one strip to the numbers of each row from `at` on.
    pub(super) fn sums(
        strip: &[f32],
        bias: &[f32],
        active: &[u32],
        groups: usize,
        to: &mut [f32],
        line: usize,
        at: usize,
    ) {
        let (columns, _) = strip.as_chunks::<STRIP>();
        for (active, to) in active.chunks_exact(groups).zip(to.chunks_exact_mut(line)) {
            let mut sum = [0.0f32; STRIP];
            for &i in active {
                let column = &columns[i as usize];
                for k in 0..STRIP {
                    sum[k] += column[k];
                }
            }
            let to = &mut to[at..at + STRIP];
            for k in 0..STRIP {
                to[k] = sum[k] + bias[k];
            }
        }
    }
}

versions! {
    /// Gradients of a strip's columns and biases, from the gradients of each row's sums, which
    /// begin at `at`.
    pub(super) fn scatter(
        strip: &mut [f32],
        bias: &mut [f32],
        active: &[u32],
        groups: usize,
        slopes: &[f32],
        line: usize,
        at: usize,
    ) {
        let (columns, _) = strip.as_chunks_mut::<STRIP>();
        let mut total = [0.0f32; STRIP];
        total.copy_from_slice(&bias[..STRIP]);
        for (active, slopes) in active.chunks_exact(groups).zip(slopes.chunks_exact(line)) {
            let mut slope = [0.0f32; STRIP];
            slope.copy_from_slice(&slopes[at..at + STRIP]);
            for k in 0..STRIP {
                total[k] += slope[k];
            }
            for &i in active {
                let column = &mut columns[i as usize];
                for k in 0..STRIP {
                    column[k] += slope[k];
                }
            }
        }
        bias[..STRIP].copy_from_slice(&total);
    }
}

versions! {
    /// Copies the numbers at the given indices.
    pub(super) fn spread(from: &[f32], positions: &[u32], to: &mut [f32]) {
        for (to, &position) in to.iter_mut().zip(positions) {
            *to = from[position as usize];
        }
    }
}

versions! {
    /// Adds numbers at the given indices.
    pub(super) fn collect(from: &[f32], positions: &[u32], to: &mut [f32]) {
        for (&from, &position) in from.iter().zip(positions) {
            to[position as usize] += from;
        }
    }
}

/// Applies an activation to a row in position.
pub(super) fn bend(level: Level, row: &mut [f32], activation: Activation) {
    activate(level, row, &[], activation);
}

versions! {
    /// Multiplies gradients by the derivatives of an activation, which follow from its values.
    pub(super) fn bent(values: &[f32], slopes: &mut [f32], activation: Activation) {
        let pairs = slopes.iter_mut().zip(values);
        match activation {
            Activation::Relu => pairs.for_each(|(slope, &x)| {
                *slope = if x > 0.0 { *slope } else { 0.0 };
            }),
            Activation::Elu => pairs.for_each(|(slope, &x)| *slope *= x.min(0.0) + 1.0),
            Activation::Leaky => pairs.for_each(|(slope, &x)| {
                *slope = if x > 0.0 { *slope } else { LEAK * *slope };
            }),
        }
    }
}

versions! {
    /// Adds the numbers of `from` to the numbers of `to`.
    pub(super) fn add_rows(from: &[f32], to: &mut [f32]) {
        for (to, &from) in to.iter_mut().zip(from) {
            *to += from;
        }
    }
}

versions! {
    /// Moves numbers towards `new` by a share of the distance.
    pub(super) fn add_scaled(old: &mut [f32], new: &[f32], share: f32) {
        for (old, &new) in old.iter_mut().zip(new) {
            *old += share * (new - *old);
        }
    }
}

/// Factors of a step of Adam and of the running average.
#[derive(Clone, Copy)]
pub(super) struct Step {
    beta_1: f32,
    beta_2: f32,
    epsilon: f32,
    /// Factor of a value by weight decay.
    shrink: f32,
    /// Learning rate divided by the first moment's correction.
    rate: f32,
    full_rate: f32,
    /// Reciprocal of the second moment's correction.
    root: f32,
    /// Factor of the gradients, below 1 where they are clipped.
    pub(super) scale: f32,
    /// Share of new weights in the average.
    pub(super) share: f32,
}

impl Step {
    /// Step with the given number, counted from 1.
    pub(super) fn new(options: &Options, number: u64, rate: f32) -> Self {
        let time = number.min(i32::MAX as u64) as i32;
        let old = options.average.unwrap_or(1.0);
        Self {
            beta_1: options.beta_1,
            beta_2: options.beta_2,
            epsilon: options.epsilon,
            shrink: 1.0,
            rate: rate / (1.0 - options.beta_1.powi(time)),
            full_rate: rate,
            root: 1.0 / (1.0 - options.beta_2.powi(time)),
            scale: 1.0,
            // A young average follows faster.
            share: (1.0 - old).max(1.0 / (number as f32 + 1.0)),
        }
    }

    /// The same with weight decay.
    pub(super) fn with_decay(self, decay: f32) -> Self {
        let shrink = 1.0 - self.full_rate * decay;
        Self { shrink, ..self }
    }
}

versions! {
    /// A step of Adam.
    pub(super) fn adam(
        value: &mut [f32],
        gradient: &[f32],
        first: &mut [f32],
        second: &mut [f32],
        step: &Step,
    ) {
        let Step { beta_1, beta_2, epsilon, shrink, rate, root, scale, .. } = *step;
        let moments = first.iter_mut().zip(second);
        for ((value, &gradient), (first, second)) in value.iter_mut().zip(gradient).zip(moments) {
            let gradient = gradient * scale;
            *first = beta_1 * *first + (1.0 - beta_1) * gradient;
            *second = beta_2 * *second + (1.0 - beta_2) * gradient * gradient;
            *value = shrink * *value - rate * *first / ((*second * root).sqrt() + epsilon);
        }
    }
}
