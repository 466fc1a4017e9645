//! A first layer whose units share their weights by sets.

use super::kernels::{STRIP, collect, spread};
use crate::architecture::Architecture;
use crate::simd::Level;
use crate::train::network::Tensors;
use crate::views::Views;
use rayon::prelude::*;

/// Parts that the strips of units are cut into, each of which sums gradients of its own, whatever the number of threads: sums have the same order.
const PARTS: usize = 4;

/// Gradients of the columns and of the biases of a strip of units.
pub(super) type OfStrip<'a> = dyn Fn(usize, &mut [f32], &mut [f32]) + Sync + 'a;

/// The weights of units, which are those of sets at other places.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) views: Views,
    inputs: usize,
    /// Of all weights of units, strip by strip, their places among those of the sets. Units that are none have the place behind all others.
    places: Vec<u32>,
    /// The same of biases.
    bias_places: Vec<u32>,
    /// Those of the sets, set after set, and a zero behind them: what lies together is seen by the same units, so that it stays in the first cache.
    sets: Vec<f32>,
    weights: Vec<f32>,
    biases: Vec<f32>,
}

/// Where the weight of a unit for an index lies in strips.
fn in_strips(inputs: usize, unit: usize, index: usize) -> usize {
    (unit / STRIP * inputs + index) * STRIP + unit % STRIP
}

impl Shared {
    /// Of these units, whose rows are of indices below `inputs`.
    pub(super) fn new(views: &Views, units: usize, inputs: usize) -> Self {
        let padded = units.next_multiple_of(STRIP);
        let sets = views.sets(units);
        let mut places = vec![(sets * inputs) as u32; padded * inputs];
        let mut bias_places = vec![sets as u32; padded];
        for unit in 0..units {
            let (set, map) = views.of(unit);
            for (index, &to) in map[..inputs].iter().enumerate() {
                places[in_strips(inputs, unit, index)] = (set * inputs) as u32 + to;
            }
            bias_places[unit] = set as u32;
        }
        Self {
            views: views.clone(),
            inputs,
            weights: vec![0.0; places.len()],
            biases: vec![0.0; padded],
            sets: vec![0.0; sets * inputs + 1],
            places,
            bias_places,
        }
    }

    /// Weights and biases of all units, as the first layer's strips.
    pub(super) fn units(&self) -> (&[f32], &[f32]) {
        (&self.weights, &self.biases)
    }

    /// Makes these from those of the sets, which are strips, too.
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
            .zip(self.places.par_chunks(strip))
            .for_each(|(to, places)| spread(level, sets, places, to));
        for (to, &place) in self.biases.iter_mut().zip(&self.bias_places) {
            *to = biases.get(place as usize).copied().unwrap_or_default();
        }
    }

    /// Gradients of the sets, in strips of `strip` numbers each, and of their biases; `of_units` gives those of a strip of units.
    pub(super) fn gather(
        &self,
        level: Level,
        of_units: &OfStrip<'_>,
        (strip, gradient): (usize, &mut [f32]),
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
                collect(level, &of_strip, &self.places[k * own..][..own], &mut sum);
                let places = &self.bias_places[k * STRIP..][..STRIP];
                collect(level, &bias, places, &mut bias_sum);
            }
            (sum, bias_sum)
        };
        let starts: Vec<usize> = (0..strips).step_by(each).collect();
        let parts: Vec<_> = starts.into_par_iter().map(part).collect();
        gradient.fill(0.0);
        for (sum, bias_sum) in parts {
            // Columns of parts lie behind the others of a strip.
            let inputs = strip / STRIP;
            for (set, sum) in sum.chunks_exact(self.inputs).enumerate() {
                let line = &mut gradient[in_strips(inputs, set, 0)..];
                let line = line.iter_mut().step_by(STRIP);
                line.zip(sum).for_each(|(to, x)| *to += x);
            }
            biases.iter_mut().zip(bias_sum).for_each(|(to, x)| *to += x);
        }
    }

    /// The tensors of a network with a unit for each set as those of one with all units.
    pub(super) fn all(&self, mut tensors: Tensors, architecture: &Architecture) -> Tensors {
        if let Some(first) = architecture.layers().first() {
            self.views.spread(&mut tensors, first);
        }
        tensors
    }
}
