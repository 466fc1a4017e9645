//! First layer whose units share their weights in sets.

use super::kernels::{STRIP, collect, spread};
use crate::architecture::Architecture;
use crate::simd::Level;
use crate::tensor::Tensors;
use crate::views::Views;
use rayon::prelude::*;

/// Number of parts of the strips of units. Each part sums its own gradients, whatever the number of
/// threads, so that sums have a fixed order.
const PARTS: usize = 4;

/// Function that computes the gradients of the columns and of the biases of a strip of units.
pub(super) type OfStrip<'a> = dyn Fn(usize, &mut [f32], &mut [f32]) + Sync + 'a;

/// Weights of units as copies of the weights of sets.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) views: Views,
    inputs: usize,
    /// For each weight of a unit, strip by strip, its index in `sets`. Padding units have the index
    /// of the last number, a zero.
    positions: Vec<u32>,
    /// For each bias of a unit, the index of its set.
    bias_positions: Vec<u32>,
    /// Weights of the sets, set after set, and a final zero. Neighbouring weights belong to the
    /// same units, so that they stay in the first-level cache.
    sets: Vec<f32>,
    weights: Vec<f32>,
    biases: Vec<f32>,
}

/// Index of a unit's weight for an input index, in strips.
pub(super) fn in_strips(inputs: usize, unit: usize, index: usize) -> usize {
    (unit / STRIP * inputs + index) * STRIP + unit % STRIP
}

impl Shared {
    /// Sharing among `units` units, whose rows have indices below `inputs`.
    pub(super) fn new(views: &Views, units: usize, inputs: usize) -> Self {
        let padded = units.next_multiple_of(STRIP);
        let sets = views.sets(units);
        let mut positions = vec![(sets * inputs) as u32; padded * inputs];
        let mut bias_positions = vec![sets as u32; padded];
        for unit in 0..units {
            let (set, map) = views.of(unit);
            for (index, &to) in map[..inputs].iter().enumerate() {
                positions[in_strips(inputs, unit, index)] = (set * inputs) as u32 + to;
            }
            bias_positions[unit] = set as u32;
        }
        Self {
            views: views.clone(),
            inputs,
            weights: vec![0.0; positions.len()],
            biases: vec![0.0; padded],
            sets: vec![0.0; sets * inputs + 1],
            positions,
            bias_positions,
        }
    }

    /// Weights and biases of all units, as the first layer's strips.
    pub(super) fn units(&self) -> (&[f32], &[f32]) {
        (&self.weights, &self.biases)
    }

    /// Copies the weights and biases of the sets, which are also stored in strips, to the units.
    pub(super) fn spread(&mut self, level: Level, weights: &[f32], biases: &[f32]) {
        let inputs = self.inputs;
        for (set, to) in self.sets.chunks_exact_mut(inputs).enumerate() {
            let line = &weights[in_strips(inputs, set, 0)..];
            let line = line.iter().step_by(STRIP);
            to.iter_mut().zip(line).for_each(|(to, &x)| *to = x);
        }
        let (sets, strip) = (&self.sets, inputs * STRIP);
        let strips = self.weights.par_chunks_mut(strip);
        strips
            .zip(self.positions.par_chunks(strip))
            .for_each(|(to, positions)| spread(level, sets, positions, to));
        for (to, &position) in self.biases.iter_mut().zip(&self.bias_positions) {
            *to = biases.get(position as usize).copied().unwrap_or_default();
        }
    }

    /// Sums the gradients of the sets, in strips of `strip` numbers each, and of their biases.
    /// `of_units` computes the gradients of a strip of units.
    pub(super) fn gather(
        &self,
        level: Level,
        of_units: &OfStrip<'_>,
        strip: usize,
        gradient: &mut [f32],
        biases: &mut [f32],
    ) {
        let strips = self.biases.len() / STRIP;
        let own = self.inputs * STRIP;
        let each = strips.div_ceil(PARTS);
        let part = |from: usize| {
            let (mut sum, mut bias_sum) = (vec![0.0; self.sets.len()], vec![0.0; biases.len() + 1]);
            let mut of_strip = vec![0.0; own];
            for k in from..strips.min(from + each) {
                let mut bias = [0.0; STRIP];
                of_units(k, &mut of_strip, &mut bias);
                collect(level, &of_strip, &self.positions[k * own..][..own], &mut sum);
                let positions = &self.bias_positions[k * STRIP..][..STRIP];
                collect(level, &bias, positions, &mut bias_sum);
            }
            (sum, bias_sum)
        };
        let starts: Vec<usize> = (0..strips).step_by(each).collect();
        let parts: Vec<_> = starts.into_par_iter().map(part).collect();
        gradient.fill(0.0);
        for (sum, bias_sum) in parts {
            // A strip of the gradient also has columns of parts, at its end.
            let inputs = strip / STRIP;
            for (set, sum) in sum.chunks_exact(self.inputs).enumerate() {
                let line = &mut gradient[in_strips(inputs, set, 0)..];
                let line = line.iter_mut().step_by(STRIP);
                line.zip(sum).for_each(|(to, x)| *to += x);
            }
            biases.iter_mut().zip(bias_sum).for_each(|(to, x)| *to += x);
        }
    }

    /// Expands a network with a unit for each set to a network with all units.
    pub(super) fn all(&self, mut tensors: Tensors, architecture: &Architecture) -> Tensors {
        if let Some(first) = architecture.layers().first() {
            self.views.spread(&mut tensors, first);
        }
        tensors
    }
}
