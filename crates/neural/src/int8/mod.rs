//! Inference in whole numbers: activations of 8 bits, weights of 8 bits, the same bits on every processor.
//!
//! - First layer: columns of 16-bit whole numbers, one step size per unit, chosen so that no sum of
//!   `groups` of them overflows. Sums are exact, so that updating them is exact too.
//! - Activations: bytes; 0 stands for the activation's least value (0, or −1 of exponential linear units),
//!   255 for the greatest one seen in calibration ([`Ranges`]).
//! - Further layers: 8-bit weights, one step size per unit, exact 32-bit sums, then single operations of
//!   single precision in a fixed order.
//! - Residuals are added as the numbers that their bytes stand for.
//! - Output: 16-bit weights, one exact 32-bit sum.
//!
//! Quantisation follows Jacob et al. 2018, with steps per unit and without training for it.

mod quantise;
mod ranges;

pub use ranges::Ranges;

use crate::aligned::Aligned;
use crate::architecture::Activation;
use crate::batch::{Pool, in_blocks};
use crate::dense::{Packed, Rows, bytes_per_word, multiply_bytes, stride, width};
use crate::error::{ModelError, RowError};
use crate::first::{Changes, First};
use crate::fold::{BUFFERS, Folded};
use crate::model::Model;
use crate::simd::Level;
use quantise::{Scales, dot, requantise, requantise_first, steps, words_of_four, words_of_two};
use ranges::Affine;

/// Most groups of a row: with more, 16-bit sums would leave the first layer's weights less than 8 bits.
pub const MAX_GROUPS: usize = 256;

/// Conversion of a layer's sums to its activations.
struct After {
    scales: Scales,
    activation: Activation,
    affine: Affine,
}

/// A layer behind the first.
struct Layer {
    weights: Packed<u32>,
    inputs: usize,
    units: usize,
    from: usize,
    to: usize,
    /// The buffer that is added before the activation, and the affine map from its bytes to
    /// numbers.
    add: Option<(usize, Affine)>,
    after: After,
}

/// A network ready to compute in whole numbers.
pub struct Int8 {
    level: Level,
    groups: usize,
    units: usize,
    first: First<i16, i32>,
    first_after: After,
    layers: Vec<Layer>,
    out_weight: Vec<i16>,
    out_scale: f32,
    out_bias: f32,
    skip_scale: f32,
    pool: Pool<Scratch>,
}

#[derive(Default)]
struct Scratch {
    changes: Changes,
    first: Aligned<i16>,
    sums: Aligned<i32>,
    words: Aligned<u32>,
    bytes: [Aligned<u8>; BUFFERS],
}

impl Int8 {
    /// Quantises and packs a model for this processor.
    ///
    /// # Errors
    /// A model that [`Model::check`] refuses, weights too large, more groups than [`MAX_GROUPS`], or not one
    /// finite range for every layer.
    pub fn new(model: &Model, ranges: &Ranges) -> Result<Self, ModelError> {
        Self::build(&Folded::new(model)?, ranges, Level::best())
    }

    /// The ranges of activations over given rows: rows × groups indices, some thousand rows as they come up
    /// in a search.
    ///
    /// # Errors
    /// A model that makes no network, or rows that do not fit it.
    pub fn calibrate(model: &Model, active: &[u32]) -> Result<Ranges, ModelError> {
        Ranges::measure(model, active)
    }

    /// The network at a level of instructions.
    pub(crate) fn build(
        folded: &Folded,
        ranges: &Ranges,
        level: Level,
    ) -> Result<Self, ModelError> {
        let (groups, layers) = (folded.groups, &folded.layers);
        if groups > MAX_GROUPS {
            let (found, most) = (groups, MAX_GROUPS);
            return Err(ModelError::Groups { found, most });
        }
        if ranges.0.len() != layers.len() {
            let (found, expected) = (ranges.0.len(), layers.len());
            return Err(ModelError::Ranges { found, expected });
        }
        for (layer, &value) in layers.iter().zip(&ranges.0) {
            if !value.is_finite() {
                let (name, index) = (format!("{}.range", layer.name), 0);
                return Err(ModelError::Number { name, index, value });
            }
        }
        let affine = |l: usize| Affine::new(layers[l].activation, ranges.0[l]);
        let after = |l: usize, scales: Scales| {
            let all = scales.scale.iter().chain(&scales.bias);
            if !all.into_iter().all(|x| x.is_finite()) {
                return Err(ModelError::Overflow(layers[l].name.clone()));
            }
            Ok(After {
                scales,
                activation: layers[l].activation,
                affine: affine(l),
            })
        };

        let input = &layers[0];
        let levels = (i16::MAX as usize / groups) as f64;
        let rows = input.weight.chunks_exact(folded.inputs);
        let (unit_steps, columns): (Vec<f64>, Vec<Vec<i16>>) = rows
            .map(|row| {
                let (step, quantise) = steps(row, levels);
                (step, row.iter().map(|&w| quantise(w) as i16).collect())
            })
            .unzip();
        let (skip_step, quantise) = steps(&folded.skip, f64::from(1 << 30) / groups as f64);
        let first = First::new(
            [folded.inputs, groups, input.units],
            |unit, i| columns[unit][i],
            |_| 0,
            folded.skip.iter().map(|&w| quantise(w) as i32).collect(),
        );
        let first_scales = Scales {
            scale: unit_steps.iter().map(|&s| s as f32).collect(),
            bias: input.bias.clone(),
        };

        let mut dense = Vec::new();
        for l in 1..layers.len() {
            let (weights, scales) = quantise_layer(&layers[l], affine(l - 1), level);
            dense.push(Layer {
                weights,
                inputs: layers[l].inputs,
                units: layers[l].units,
                from: layers[l - 1].buffer,
                to: layers[l].buffer,
                add: layers[l].adds.map(|a| (layers[a].buffer, affine(a))),
                after: after(l, scales)?,
            });
        }

        // As fine as 16 bits allow, and 32 bits for the sum.
        let out = &folded.out_weight;
        let total: f64 = out.iter().map(|w| f64::from(w.abs())).sum();
        let greatest = out.iter().fold(0.0f32, |g, w| g.max(w.abs()));
        let room = f64::from(i32::MAX) / 255.0 - out.len() as f64;
        let levels = (f64::from(greatest) * room / total).clamp(1.0, 32_767.0);
        let (step, quantise) = steps(out, if levels.is_nan() { 1.0 } else { levels });
        let last = affine(layers.len() - 1);
        let out_weight: Vec<i16> = out.iter().map(|&w| quantise(w) as i16).collect();
        let sum: f64 = out_weight.iter().map(|&w| f64::from(w)).sum();
        let out_bias = f64::from(folded.out_bias) + f64::from(last.offset) * step * sum;
        let network = Self {
            level,
            groups,
            units: input.units,
            first,
            first_after: after(0, first_scales)?,
            layers: dense,
            out_weight,
            out_scale: (step * f64::from(last.scale)) as f32,
            out_bias: out_bias as f32,
            skip_scale: skip_step as f32,
            pool: Pool::default(),
        };
        let numbers = [network.out_scale, network.out_bias, network.skip_scale];
        if !numbers.iter().all(|x| x.is_finite()) {
            return Err(ModelError::Overflow("out".into()));
        }
        Ok(network)
    }

    /// Active indices of each row.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// Memory that the weights take, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let layers = self.layers.iter();
        let layers = layers.map(|l| l.weights.bytes() + 8 * l.units);
        self.first.bytes() + 8 * self.units + layers.sum::<usize>() + 2 * self.out_weight.len()
    }

    /// Checks that these are active indices of `rows` rows, all within the input.
    ///
    /// # Errors
    /// Another number of indices, or one out of range.
    pub fn check(&self, active: &[u32], rows: usize) -> Result<(), RowError> {
        self.first.check(active, rows)
    }

    /// Writes the estimate of every row to `out`. `active` holds rows × [`groups`](Self::groups) indices.
    /// The bits of `out` depend on the model, the ranges and the row only.
    ///
    /// # Errors
    /// Another number of indices, or one out of range; `out` is left as it was.
    pub fn evaluate(
        &self,
        active: &[u32],
        out: &mut [f32],
        threads: usize,
    ) -> Result<(), RowError> {
        self.check(active, out.len())?;
        in_blocks(
            active,
            self.groups,
            out,
            threads,
            &self.pool,
            |active, out, scratch| {
                let stride = stride(self.units);
                scratch.first.resize(out.len() * stride);
                let Scratch { changes, first, .. } = scratch;
                self.first.sum(self.level, active, changes, first, stride);
                self.rest(out, scratch);
                for (out, active) in out.iter_mut().zip(active.chunks_exact(self.groups)) {
                    *out += self.first.skip(active) as f32 * self.skip_scale;
                }
            },
        );
        Ok(())
    }

    /// From the sums of the first layer to the output without the linear skip.
    fn rest(&self, out: &mut [f32], scratch: &mut Scratch) {
        let (rows, level) = (out.len(), self.level);
        let Scratch {
            first,
            sums,
            words,
            bytes,
            ..
        } = scratch;
        let units = stride(self.units);
        bytes[0].resize(rows * units);
        let first = first.chunks_exact(units);
        for (first, to) in first.zip(bytes[0].chunks_exact_mut(units)) {
            let After {
                scales,
                activation,
                affine,
            } = &self.first_after;
            requantise_first(
                level,
                first,
                scales,
                *activation,
                *affine,
                &mut to[..self.units],
            );
        }
        let (mut last, mut units) = (0, self.units);
        for layer in &self.layers {
            let count = layer.inputs.div_ceil(bytes_per_word(level));
            let (input_stride, words_stride) = (stride(layer.inputs), stride(count));
            words.resize(rows * words_stride);
            let from = bytes[layer.from].chunks_exact(input_stride);
            for (from, to) in from.zip(words.chunks_exact_mut(words_stride)) {
                match bytes_per_word(level) {
                    2 => words_of_two(level, from, &mut to[..count]),
                    _ => words_of_four(level, from, &mut to[..count]),
                }
            }
            let sums_stride = stride(layer.units);
            sums.resize(rows * sums_stride);
            sums.fill(0);
            let mut product = Rows {
                rows,
                input: words,
                input_stride: words_stride,
                sums,
                sums_stride,
            };
            multiply_bytes(level, &layer.weights, &mut product);
            // Taken out, because the others are read while it is written.
            let mut to = std::mem::take(&mut bytes[layer.to]);
            to.resize(rows * sums_stride);
            let rows = sums.chunks_exact(sums_stride);
            for (r, (sums, to)) in rows.zip(to.chunks_exact_mut(sums_stride)).enumerate() {
                let add = layer
                    .add
                    .map(|(b, affine)| (&bytes[b][r * sums_stride..][..layer.units], affine));
                layer.after.apply(level, sums, add, &mut to[..layer.units]);
            }
            bytes[layer.to] = to;
            (last, units) = (layer.to, layer.units);
        }
        for (out, row) in out.iter_mut().zip(bytes[last].chunks_exact(stride(units))) {
            let sum = dot(level, &row[..units], &self.out_weight);
            *out = sum as f32 * self.out_scale + self.out_bias;
        }
    }
}

impl After {
    fn apply(&self, level: Level, sums: &[i32], add: Option<(&[u8], Affine)>, to: &mut [u8]) {
        requantise(
            level,
            sums,
            &self.scales,
            add,
            self.activation,
            self.affine,
            to,
        );
    }
}

/// A layer's weights in steps, and what a sum of them stands for.
fn quantise_layer(
    layer: &crate::fold::Layer,
    input: Affine,
    level: Level,
) -> (Packed<u32>, Scales) {
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
    (weights, Scales { scale, bias })
}

impl std::fmt::Debug for Int8 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Int8")
            .field("level", &self.level)
            .field("groups", &self.groups)
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
