//! Inference in whole numbers: activations of 8 bits, weights of 8 bits, the same bits on every
//! CPU.
//!
//! - First layer: columns of whole numbers, one step size per unit, chosen so that no sum of
//!   `groups` of them overflows: 16 bits, or 32 where 16 would be too coarse (the module `sums`).
//!   Sums are exact, and therefore also their updates.
//! - Activations: bytes. 0 represents the least value of the activation (0, −1 of exponential
//!   linear units, the least one seen in calibration of leaky rectifiers), 255 the greatest one
//!   seen ([`Ranges`]).
//! - Further layers: 8-bit weights, one step size per unit, exact 32-bit sums, then single
//!   operations of single precision in a fixed order.
//! - Residuals: the numbers that their bytes represent are added.
//! - Outputs: 16-bit weights, one step size and one exact 32-bit sum per output.
//!
//! Quantisation follows Jacob et al. 2018, with steps per unit and without training for it.

mod direct;
#[cfg(target_arch = "x86_64")]
mod fused;
mod quantise;
mod ranges;
mod scale;
mod sums;

pub use ranges::Ranges;

use crate::aligned::Aligned;
use crate::architecture::Activation;
use crate::batch::{Pool, in_blocks, spread};
use crate::dense::{Packed, Rows, bytes_per_word, multiply_bytes, stride, width};
use crate::engine::{Batch, Compute, Engine};
use crate::error::{ModelError, RowError};
use crate::first::{Changes, SHORT, Shape, Strips, linear};
use crate::fold::{BUFFERS, Folded};
use crate::head::Head;
use crate::model::Model;
use crate::simd::Level;
use crate::updates::{Plan, Updates};
use direct::{Lists, shift_directly};
use quantise::{
    Conversion, dot, requantise, requantise_updated, shift_first, shift_updated, words_of_four,
    words_of_two,
};
use scale::{Affine, steps};
use std::ops::Range;
use std::sync::Arc;
use sums::FirstSums;

/// Greatest number of groups, the limit of all networks. The step size of a unit of the first layer
/// leaves its greatest weight at least 7 bits and a sign in 16-bit sums, and at least as many in
/// 32-bit sums.
pub const MAX_GROUPS: usize = crate::architecture::MAX_INPUTS;

/// Greatest number of updated rows in a block: enough to compute differences of columns seldom.
const UPDATES: usize = 3072;

/// The same limit where updates add columns directly: enough to read the columns into the
/// second-level cache seldom.
const DIRECT: usize = 8192;

/// Rows whose sums behind the first layer are converted together: few enough to stay in the
/// first-level cache, and a multiple of the rows of a kernel's tile.
const TOGETHER: usize = 96;

/// Step size of the first layer's weights.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fineness {
    /// As fine as sums of 16 bits allow, for each unit separately.
    Fine,
    /// The same step for all units: a part of the step of a byte.
    Short,
}

/// Layer behind the first.
struct Layer {
    weights: Packed<u32>,
    inputs: usize,
    units: usize,
    from: usize,
    to: usize,
    /// Buffer that is added before the activation, and the map from its bytes to numbers.
    add: Option<(usize, Affine)>,
    conversion: Conversion,
}

/// Output of the network.
struct Output {
    weight: Vec<i16>,
    scale: f32,
    bias: f32,
}

/// Network that computes in whole numbers.
pub struct Int8 {
    level: Level,
    shape: Shape,
    first: FirstSums,
    /// Conversion of the first layer's sums; `None` if they are [`SHIFT`](scale::SHIFT) bits finer
    /// than bytes.
    first_conversion: Option<Conversion>,
    /// Weights of the linear skip in steps of `skip_scale`; empty without a skip.
    skip: Vec<i32>,
    skip_scale: f32,
    layers: Vec<Layer>,
    head: Head,
    /// Outputs in the order of the head.
    outputs: Vec<Output>,
    pool: Pool<Scratch>,
}

#[derive(Default)]
struct Scratch {
    changes: Changes,
    narrow: Aligned<i16>,
    wide: Aligned<i32>,
    sums: Aligned<i32>,
    words: Aligned<u32>,
    bytes: [Aligned<u8>; BUFFERS],
    plan: Plan,
    strips: Strips<i16, SHORT>,
    lists: Lists,
    values: Aligned<f32>,
}

impl Int8 {
    /// Quantises and packs a model for this CPU.
    ///
    /// # Errors
    /// A model that [`Model::check`] refuses, weights that are too large, or ranges that are not
    /// finite or not one for each layer.
    pub fn new(model: &Model, ranges: &Ranges) -> Result<Self, ModelError> {
        Self::build(&Folded::new(model)?, ranges, Level::best(), Fineness::Fine)
    }

    /// The same with weights of the first layer in eighths of a byte's step. A shift converts its
    /// sums to bytes, in a third of the time. Estimates are a little coarser.
    ///
    /// # Errors
    /// As there, and a model whose first layer is not rectified, or whose sums in these steps
    /// exceed 16 bits.
    pub fn short(model: &Model, ranges: &Ranges) -> Result<Self, ModelError> {
        Self::build(&Folded::new(model)?, ranges, Level::best(), Fineness::Short)
    }

    /// Ranges of activations over the given rows: rows × groups indices, some thousand rows as they
    /// occur in a search.
    ///
    /// # Errors
    /// An invalid model, or rows that do not fit it.
    pub fn calibrate(model: &Model, active: &[u32]) -> Result<Ranges, ModelError> {
        Ranges::measure(model, active)
    }

    /// The network at a level of instructions.
    pub(crate) fn build(
        folded: &Folded,
        ranges: &Ranges,
        level: Level,
        fineness: Fineness,
    ) -> Result<Self, ModelError> {
        let (groups, layers) = (folded.groups, &folded.layers);
        if let Some(conv) = layers.iter().find(|layer| layer.cells > 1) {
            return Err(ModelError::Convolution(conv.name.clone()));
        }
        for all in [&ranges.greatest, &ranges.least] {
            if all.len() != layers.len() {
                let (found, expected) = (all.len(), layers.len());
                return Err(ModelError::Ranges { found, expected });
            }
            for (layer, &value) in layers.iter().zip(all) {
                if !value.is_finite() {
                    let (name, index) = (format!("{}.range", layer.name), 0);
                    return Err(ModelError::Number { name, index, value });
                }
            }
        }
        let affine =
            |l: usize| Affine::new(layers[l].activation, ranges.least[l], ranges.greatest[l]);
        let conversion = |l: usize, scale: Vec<f32>, bias: Vec<f32>| {
            if !scale.iter().chain(&bias).all(|x| x.is_finite()) {
                return Err(ModelError::Overflow(layers[l].name.clone()));
            }
            Ok(Conversion { scale, bias, activation: layers[l].activation, affine: affine(l) })
        };

        let input = &layers[0];
        let (skip_step, quantise) = steps(&folded.skip, f64::from(1 << 30) / groups as f64);
        let shape = Shape { inputs: folded.inputs, groups, units: input.units };
        let (first, first_conversion) = match (fineness, input.activation) {
            (Fineness::Fine, _) => {
                let (first, scale) = FirstSums::new(shape, &input.weight);
                (first, Some(conversion(0, scale, input.bias.clone())?))
            }
            (Fineness::Short, Activation::Relu) => {
                let first = FirstSums::short(shape, &input.weight, &input.bias, affine(0));
                (first.ok_or_else(|| ModelError::Short(input.name.clone()))?, None)
            }
            _ => return Err(ModelError::Short(input.name.clone())),
        };

        let mut dense = Vec::new();
        for l in 1..layers.len() {
            let (weights, scale, bias) = quantise_layer(&layers[l], affine(l - 1), level);
            dense.push(Layer {
                weights,
                inputs: layers[l].inputs,
                units: layers[l].units,
                from: layers[l - 1].buffer,
                to: layers[l].buffer,
                add: layers[l].adds.map(|a| (layers[a].buffer, affine(a))),
                conversion: conversion(l, scale, bias)?,
            });
        }

        let last = affine(layers.len() - 1);
        let weights = folded.out_weight.chunks_exact(layers[layers.len() - 1].units);
        let outputs = weights.zip(&folded.out_bias);
        let outputs = outputs.map(|(weight, &bias)| Output::new(weight, bias, last));
        let network = Self {
            level,
            shape,
            first,
            first_conversion,
            skip: folded.skip.iter().map(|&w| quantise(w) as i32).collect(),
            skip_scale: skip_step as f32,
            layers: dense,
            head: folded.head,
            outputs: outputs.collect(),
            pool: Pool::default(),
        };
        let numbers = network.outputs.iter().flat_map(|out| [out.scale, out.bias]);
        let mut numbers = numbers.chain([network.skip_scale]);
        if !numbers.all(f32::is_finite) {
            return Err(ModelError::Overflow("out".into()));
        }
        Ok(network)
    }

    /// First layer of a block of checked updated rows, whose parents have the indices `active`.
    fn update(
        &self,
        active: &[u32],
        updates: &Updates,
        block: &[Range<usize>; 2],
        scratch: &mut Scratch,
    ) {
        let (level, stride) = (self.level, stride(self.shape.units));
        let Scratch { plan, strips, lists, bytes, .. } = scratch;
        let to = &mut bytes[0];
        match (&self.first, &self.first_conversion) {
            (FirstSums::Direct(columns), _) => {
                lists.of_updates(updates, block);
                shift_directly(level, columns, active, lists, to, stride);
            }
            (FirstSums::Narrow(first), conversion) => {
                plan.make(updates, block, self.shape.inputs);
                match conversion {
                    None => shift_updated(level, first, active, plan, strips, to, stride),
                    Some(by) => {
                        requantise_updated(level, first, active, plan, strips, by, to, stride);
                    }
                }
            }
            (FirstSums::Wide(_), _) => {}
        }
    }

    /// The first `width` outputs of a block of rows without the linear skip.
    fn block(&self, active: &[u32], out: &mut [f32], width: usize, scratch: &mut Scratch) {
        let (rows, level) = (out.len() / width, self.level);
        let Scratch { changes, narrow, wide, lists, bytes: [bytes, ..], .. } = scratch;
        let stride = stride(self.shape.units);
        bytes.resize(rows * stride);
        let to = bytes.chunks_exact_mut(stride).map(|to| &mut to[..self.shape.units]);
        match (&self.first, &self.first_conversion) {
            (FirstSums::Narrow(first), conversion) => {
                narrow.resize(rows * stride);
                first.sum(level, active, changes, narrow, stride);
                for (sums, to) in narrow.chunks_exact(stride).zip(to) {
                    match conversion {
                        Some(by) => requantise(level, sums, by, None, to),
                        None => shift_first(level, sums, to),
                    }
                }
            }
            (FirstSums::Wide(first), Some(by)) => {
                wide.resize(rows * stride);
                first.sum(level, active, changes, wide, stride);
                for (sums, to) in wide.chunks_exact(stride).zip(to) {
                    requantise(level, sums, by, None, to);
                }
            }
            (FirstSums::Direct(columns), _) => {
                lists.of_rows(rows);
                shift_directly(level, columns, active, lists, bytes, stride);
            }
            (FirstSums::Wide(_), None) => {}
        }
        self.behind(out, width, scratch);
    }

    /// Computes the first `width` outputs of a block of rows from the activations of the first
    /// layer.
    fn behind(&self, out: &mut [f32], width: usize, scratch: &mut Scratch) {
        let (rows, level) = (out.len() / width, self.level);
        let Scratch { sums, words, bytes, .. } = scratch;
        let (mut last, mut units) = (0, self.shape.units);
        for layer in &self.layers {
            let input_stride = stride(layer.inputs);
            // The buffer is taken out of the array, because the others are read while it is
            // written.
            let mut to = std::mem::take(&mut bytes[layer.to]);
            let from = &bytes[layer.from];
            let (input, input_stride) = match (bytes_per_word(level), from.words()) {
                (4, Some(words)) => (words, input_stride / 4),
                (each, _) => {
                    let count = layer.inputs.div_ceil(each);
                    let words_stride = stride(count);
                    words.resize(rows * words_stride);
                    let from = from.chunks_exact(input_stride);
                    for (from, to) in from.zip(words.chunks_exact_mut(words_stride)) {
                        match each {
                            2 => words_of_two(level, from, &mut to[..count]),
                            _ => words_of_four(level, from, &mut to[..count]),
                        }
                    }
                    (&words[..], words_stride)
                }
            };
            let sums_stride = stride(layer.units);
            sums.resize(TOGETHER.min(rows) * sums_stride);
            to.resize(rows * sums_stride);
            let parts = to.chunks_mut(TOGETHER * sums_stride);
            for (first, to) in (0..).step_by(TOGETHER).zip(parts) {
                let rows = to.len() / sums_stride;
                let sums = &mut sums[..rows * sums_stride];
                sums.fill(0);
                let mut product = Rows {
                    rows,
                    input: &input[first * input_stride..],
                    input_stride,
                    sums,
                    sums_stride,
                };
                multiply_bytes(level, &layer.weights, &mut product);
                let lines = sums.chunks_exact(sums_stride);
                for (r, (sums, to)) in (first..).zip(lines.zip(to.chunks_exact_mut(sums_stride))) {
                    let add = layer
                        .add
                        .map(|(b, affine)| (&bytes[b][r * sums_stride..][..layer.units], affine));
                    requantise(level, sums, &layer.conversion, add, &mut to[..layer.units]);
                }
            }
            bytes[layer.to] = to;
            (last, units) = (layer.to, layer.units);
        }
        let lines = bytes[last].chunks_exact(stride(units));
        for (out, row) in out.chunks_exact_mut(width).zip(lines) {
            for (out, output) in out.iter_mut().zip(&self.outputs) {
                let sum = dot(level, &row[..units], &output.weight);
                *out = sum as f32 * output.scale + output.bias;
            }
        }
    }
}

impl Engine for Int8 {
    fn groups(&self) -> usize {
        self.shape.groups
    }

    fn head(&self) -> Head {
        self.head
    }

    fn bytes(&self) -> usize {
        let layers = self.layers.iter();
        let layers = layers.map(|l| l.weights.bytes() + 8 * l.units);
        let outputs = self.outputs.iter().map(|out| 2 * out.weight.len());
        let first = self.first.bytes() + size_of_val(&self.skip[..]) + 8 * self.shape.units;
        first + layers.sum::<usize>() + outputs.sum::<usize>()
    }

    fn check(&self, active: &[u32], rows: usize) -> Result<(), RowError> {
        self.shape.check(active, rows)
    }

    fn evaluate_updates(
        &self,
        active: &[u32],
        updates: &Updates,
        out: &mut [f32],
        threads: usize,
    ) -> Result<(), RowError> {
        let Shape { inputs, groups, .. } = self.shape;
        self.check(active, active.len() / groups)?;
        updates.check(active.len() / groups, out.len(), inputs)?;
        if !self.head.has_value() {
            return Err(RowError::NoValue(self.head));
        }
        let most = match &self.first {
            FirstSums::Narrow(_) if self.skip.is_empty() => UPDATES,
            FirstSums::Direct(_) if self.skip.is_empty() => DIRECT,
            _ => return self.evaluate(&self.expanded(active, updates, out.len())?, out, threads),
        };
        let mut blocks = Vec::new();
        let mut rest = out;
        for block in updates.blocks(most) {
            let (own, others) = rest.split_at_mut(block[1].len());
            blocks.push((block, own));
            rest = others;
        }
        let threads = threads.min(blocks.len());
        spread(blocks.into_iter(), threads, &self.pool, |(block, out), scratch| {
            let active = &active[block[0].start * groups..block[0].end * groups];
            scratch.bytes[0].resize(out.len() * stride(self.shape.units));
            self.update(active, updates, &block, scratch);
            let mut values = std::mem::take(&mut scratch.values);
            values.resize(out.len());
            self.behind(&mut values, 1, scratch);
            if matches!(self.first, FirstSums::Direct(_)) {
                out.copy_from_slice(&values);
            } else {
                for (&row, &value) in scratch.plan.order.iter().zip(values.iter()) {
                    out[row as usize] = value;
                }
            }
            scratch.values = values;
        });
        Ok(())
    }
}

impl From<Int8> for Arc<dyn Engine> {
    fn from(network: Int8) -> Self {
        Arc::new(network)
    }
}

impl Compute for Int8 {
    fn compute(&self, Batch { active, outputs, threads }: Batch<'_>, out: &mut [f32]) {
        let (width, groups) = (outputs.width(self.head), self.shape.groups);
        in_blocks(active, groups, out, width, threads, &self.pool, |active, out, scratch| {
            self.block(active, out, width, scratch);
            let rows = out.chunks_exact_mut(width);
            for (out, active) in rows.zip(active.chunks_exact(groups)) {
                let linear = linear(&self.skip, active) as f32 * self.skip_scale;
                out.iter_mut().for_each(|out| *out += linear);
            }
        });
    }
}

impl Output {
    /// Quantises the weights as finely as 16 bits allow, and 32 bits for the sum.
    fn new(weight: &[f32], bias: f32, input: Affine) -> Self {
        let total: f64 = weight.iter().map(|w| f64::from(w.abs())).sum();
        let greatest = weight.iter().fold(0.0f32, |g, w| g.max(w.abs()));
        let room = f64::from(i32::MAX) / 255.0 - weight.len() as f64;
        let levels = (f64::from(greatest) * room / total).clamp(1.0, 32_767.0);
        let (step, quantise) = steps(weight, if levels.is_nan() { 1.0 } else { levels });
        let weight: Vec<i16> = weight.iter().map(|&w| quantise(w) as i16).collect();
        let sum: f64 = weight.iter().map(|&w| f64::from(w)).sum();
        let bias = f64::from(bias) + f64::from(input.offset) * step * sum;
        Self { weight, scale: (step * f64::from(input.scale)) as f32, bias: bias as f32 }
    }
}

/// Weights of a layer in steps, and the scale and bias that convert a sum of them to a number.
fn quantise_layer(
    layer: &crate::fold::Layer,
    input: Affine,
    level: Level,
) -> (Packed<u32>, Vec<f32>, Vec<f32>) {
    let mut quantised: Vec<i8> = Vec::with_capacity(layer.weight.len());
    let (mut scale, mut bias) = (Vec::new(), Vec::new());
    for (row, &b) in layer.weight.chunks_exact(layer.inputs).zip(&layer.bias) {
        let (step, quantise) = steps(row, 127.0);
        let start = quantised.len();
        quantised.extend(row.iter().map(|&w| quantise(w) as i8));
        let sum: i64 = quantised[start..].iter().map(|&w| i64::from(w)).sum();
        scale.push((step * f64::from(input.scale)) as f32);
        bias.push((f64::from(b) + f64::from(input.offset) * step * sum as f64) as f32);
    }
    let per_word = bytes_per_word(level);
    let word = |unit: usize, k: usize| {
        let row = &quantised[unit * layer.inputs..][..layer.inputs];
        let weight = |j: usize| row.get(k * per_word + j).copied().unwrap_or(0);
        match per_word {
            2 => {
                let [low, high] = [0, 1].map(|j| u32::from(i16::from(weight(j)) as u16));
                low | high << 16
            }
            _ => u32::from_le_bytes([0, 1, 2, 3].map(|j| weight(j) as u8)),
        }
    };
    let words = layer.inputs.div_ceil(per_word);
    let weights = Packed::new(words, layer.units, width(level), word);
    (weights, scale, bias)
}

impl std::fmt::Debug for Int8 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Int8")
            .field("level", &self.level)
            .field("groups", &self.shape.groups)
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
