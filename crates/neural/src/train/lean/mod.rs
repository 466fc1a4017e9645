//! Training of narrow networks on the CPU, without the framework. All layers are dense, without
//! norms and dropout; the first layer is a sum of columns, and the further layers are small.
//! Searches on a CPU use networks of this kind.
//!
//! The forward and the backward pass process the batch slice by slice, so that a row's activations
//! are still in the cache when its gradient is computed. The first layer's gradient is summed tile
//! by tile of units, and the step of Adam and the running average follow while the tile is in the
//! cache.
//!
//! A batch has [`SLICES`] slices whatever the number of threads, the gradients of slices are added
//! in their order, and every sum within a slice has a fixed order. Results therefore do not depend
//! on threads. They differ in their last digits from the framework's results, whose sums have
//! another order. Both trainers save the same state.

use super::any_trainer::{AVERAGE, AnyTrainer, MOMENTS};
use super::loss::Labels;
use super::options::Options;
use super::parts::Parts;
use crate::activation::activate;
use crate::aligned::Aligned;
use crate::architecture::{Activation, Architecture, Layers};
use crate::dense::{Packed, Rows, multiply_f32, multiply_turned, stride, width};
use crate::framework::loops::{adam, add_rows, bent, blend, sums};
use crate::framework::operands::AdamStep;
use crate::int8::Ranges;
use crate::model::{Header, Model};
use crate::simd::Level;
use crate::tensor::Tensors;
use kernels::{STRIP, scatter};
use rayon::prelude::*;
use shared::Shared;
use std::borrow::Cow;

mod kernels;
mod shared;
mod tensors;

/// Slices of a batch, which is also the greatest number of threads that share it.
const SLICES: usize = 16;

/// Least number of rows of a slice, if the batch has as many: the first layer's weights are read
/// once per slice.
const LEAST: usize = 128;

/// Rows that pass backwards through the layers at a time: their activations stay in the
/// second-level cache.
const CHUNK: usize = 64;

/// Greatest number of weights behind the first layer. Each slice has its own gradients of them, and
/// the framework computes large products as fast.
const MOST: usize = 1 << 18;

/// Values of one tensor, their moments and their running average.
#[derive(Debug, Default)]
struct Numbers {
    value: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    /// Running average; empty if no average is kept.
    average: Vec<f32>,
}

/// Layer behind the first, or the output layer.
#[derive(Debug)]
struct Dense {
    inputs: usize,
    units: usize,
    /// Activation of the layer before.
    before: Activation,
    /// Weights, `[inputs, units]`.
    weight: Numbers,
    bias: Numbers,
    /// Vector levels whose panels suit the number of units, and the number of inputs.
    levels: [Level; 2],
}

/// A network in training.
#[derive(Debug)]
pub(super) struct Lean {
    architecture: Architecture,
    options: Options,
    steps: u64,
    /// Losses since the last report.
    losses: Vec<f32>,
    /// Units of the first layer.
    units: usize,
    level: Level,
    /// Strips of units, each `[inputs, STRIP]`; the weights of padding units are zero.
    first: Numbers,
    parts: Option<Parts>,
    /// Strips in which the columns of parts are added to the columns of indices, if there are
    /// parts. Computed once for each batch instead of once for each row.
    folded: Vec<f32>,
    /// Sharing of weights among units. The first layer's weights and biases are then the weights
    /// and biases of sets.
    shared: Option<Shared>,
    /// Biases of the first layer, in whole strips.
    first_bias: Numbers,
    /// Layers from the second one to the output.
    layers: Vec<Dense>,
    linear: Option<Numbers>,
    slices: Vec<Slice>,
    /// Gradients of the first layer, in the layout of its weights.
    gradient: Vec<f32>,
}

/// Buffers of a slice of a batch.
#[derive(Default)]
struct Slice {
    rows: usize,
    /// Activations of each layer. The gradient of the first layer replaces its activations.
    activations: Vec<Aligned<f32>>,
    outputs: Aligned<f32>,
    /// Gradients of a chunk with respect to the sums of a layer, and of the layer before.
    slopes: [Aligned<f32>; 2],
    /// Gradients of the layers' weights, `[inputs, padded units]`.
    weights: Vec<Aligned<f32>>,
    biases: Vec<Vec<f32>>,
    linear: Vec<f32>,
}

impl std::fmt::Debug for Slice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Slice").field("rows", &self.rows).finish_non_exhaustive()
    }
}

/// Level whose panels have the least padding for this number of units.
fn level_for(units: usize) -> Level {
    let waste = |level: &Level| units.next_multiple_of(width(*level));
    let all = Level::all();
    let best = all.iter().rev().copied().filter(|level| {
        // Lower levels have narrower vectors, or no fused operations.
        *level == Level::best() || (width(*level) >= 16 && Level::best() != *level)
    });
    best.min_by_key(waste).unwrap_or_else(Level::best)
}

/// Distance between two rows of gradients of weights.
fn padded(units: usize) -> usize {
    units.next_multiple_of(32)
}

impl Lean {
    /// Whether this trainer supports the architecture.
    pub(super) fn suits(architecture: &Architecture) -> bool {
        let is_lean = architecture.blocks.iter().all(|block| {
            matches!(block.layers, Layers::Dense(_) | Layers::Head(_))
                && !block.norm
                && block.dropout == 0.0
        });
        let layers = architecture.layers();
        let weights: usize = layers.iter().skip(1).map(|l| l.inputs * l.units).sum();
        let last = layers.last().map_or(0, |l| l.units);
        is_lean && weights + last * architecture.outputs() <= MOST
    }

    /// Number of inputs of the rows, without parts.
    fn inputs(&self) -> usize {
        let parts = self.parts.as_ref();
        parts.map_or(self.architecture.inputs, Parts::inputs)
    }

    /// The number of active inputs of a row.
    fn groups(&self) -> usize {
        let parts = self.parts.as_ref();
        self.architecture.groups - parts.map_or(0, Parts::groups)
    }

    fn fold(&mut self) {
        if let Some(parts) = &self.parts {
            let (from, to) = (self.architecture.inputs * STRIP, parts.inputs() * STRIP);
            self.folded.resize(self.first.value.len() / from * to, 0.0);
            let strips = self.folded.par_chunks_mut(to);
            (strips.zip(self.first.value.par_chunks(from)))
                .for_each(|(to, strip)| parts.fold::<STRIP>(strip, to));
        }
        if let Some(shared) = &mut self.shared {
            let sets = match self.parts {
                Some(_) => &self.folded,
                None => &self.first.value,
            };
            shared.spread(self.level, sets, &self.first_bias.value);
        }
    }

    /// Forward pass through all layers. Returns the outputs of all rows.
    fn forward(&mut self, active: &[u32], rows: usize) -> Vec<f32> {
        let groups = self.groups();
        let per = rows.div_ceil(SLICES).max(LEAST);
        let packed: Vec<Packed<f32>> = (self.layers.iter())
            .map(|l| {
                let word = |unit: usize, k: usize| l.weight.value[k * l.units + unit];
                Packed::new(l.inputs, l.units, width(l.levels[0]), word)
            })
            .collect();
        let mut chunks = active.chunks(per * groups);
        let active: Vec<&[u32]> = (0..SLICES).map(|_| chunks.next().unwrap_or_default()).collect();
        let inputs = self.inputs();
        self.sum(&active, inputs.div_ceil(per));
        let (level, layers) = (self.level, &self.layers);
        let linear = (self.linear.as_ref()).map(|linear| match &self.parts {
            Some(parts) => {
                let mut folded = vec![0.0; inputs];
                parts.fold::<1>(&linear.value, &mut folded);
                Cow::Owned(folded)
            }
            None => Cow::Borrowed(&linear.value),
        });
        (self.slices.par_iter_mut().zip(active)).for_each(|(slice, active)| {
            let rows = slice.rows;
            for (l, (layer, packed)) in layers.iter().zip(&packed).enumerate() {
                let (before, after) = slice.activations.split_at_mut(l + 1);
                let to = after.first_mut().unwrap_or(&mut slice.outputs);
                let line = stride(layer.units);
                to.resize(rows * line);
                for row in to.chunks_exact_mut(line) {
                    row[..layer.units].copy_from_slice(&layer.bias.value);
                    row[layer.units..].fill(0.0);
                }
                let mut product = Rows {
                    rows,
                    input: &before[l],
                    input_stride: stride(layer.inputs),
                    sums: to,
                    sums_stride: line,
                };
                multiply_f32(layer.levels[0], packed, &mut product);
                if let Some(next) = layers.get(l + 1) {
                    for row in to.chunks_exact_mut(line) {
                        activate(level, &mut row[..layer.units], &[], next.before);
                    }
                }
            }
            if let Some(linear) = &linear {
                let outputs = layers[layers.len() - 1].units;
                let rows = slice.outputs.chunks_exact_mut(stride(outputs));
                for (row, active) in rows.zip(active.chunks_exact(groups)) {
                    let sum: f32 = active.iter().map(|&i| linear[i as usize]).sum();
                    row[..outputs].iter_mut().for_each(|output| *output += sum);
                }
            }
        });
        let outputs = self.layers[self.layers.len() - 1].units;
        let mut all = Vec::with_capacity(rows * outputs);
        for slice in &self.slices {
            let rows = slice.outputs.chunks(stride(outputs)).take(slice.rows);
            rows.for_each(|row| all.extend_from_slice(&row[..outputs]));
        }
        all
    }

    /// Computes the first layer of all slices from the active inputs of each. Slices of one thread
    /// are processed `together` at a time, if there are enough, so that a strip of many inputs is
    /// read once for all of them.
    fn sum(&mut self, active: &[&[u32]], together: usize) {
        let (groups, inputs, units) = (self.groups(), self.inputs(), self.units);
        let (first, bias) = match (&self.shared, &self.parts) {
            (Some(shared), _) => shared.units(),
            (None, Some(_)) => (&self.folded[..], &self.first_bias.value[..]),
            (None, None) => (&self.first.value[..], &self.first_bias.value[..]),
        };
        let (level, line) = (self.level, stride(units));
        let (layers, activation) = (self.layers.len(), self.architecture.blocks[0].activation);
        let fair = SLICES.div_ceil(rayon::current_num_threads());
        let together = together.clamp(1, fair);
        let tasks = self.slices.par_chunks_mut(together);
        (tasks.zip(active.par_chunks(together))).for_each(|(slices, active)| {
            for (slice, active) in slices.iter_mut().zip(active) {
                slice.rows = active.len() / groups;
                slice.activations.resize_with(layers, Aligned::default);
                slice.activations[0].resize(slice.rows * line);
            }
            let strips = first.chunks_exact(inputs * STRIP).zip(bias.as_chunks::<STRIP>().0);
            for (k, (strip, bias)) in strips.enumerate() {
                for (slice, active) in slices.iter_mut().zip(active) {
                    let to = &mut slice.activations[0];
                    sums(level, strip, bias, active, groups, to, line, k * STRIP);
                }
            }
            for slice in slices {
                for row in slice.activations[0].chunks_exact_mut(line) {
                    activate(level, &mut row[..units], &[], activation);
                }
            }
        });
    }

    /// Backward pass through all layers. The gradients of the layers behind the first are stored in
    /// each slice. The gradient of the first layer's sums overwrites its activations.
    fn backward(&mut self, active: &[u32], slopes: &[f32]) {
        let groups = self.groups();
        let outputs = self.layers[self.layers.len() - 1].units;
        let turned: Vec<Packed<f32>> = (self.layers.iter())
            .map(|l| {
                let word = |unit: usize, k: usize| l.weight.value[unit * l.units + k];
                Packed::new(l.units, l.inputs, width(l.levels[1]), word)
            })
            .collect();
        let mut at = 0;
        let mut parts = Vec::with_capacity(SLICES);
        for slice in &self.slices {
            let to = at + slice.rows;
            parts.push((&active[at * groups..to * groups], &slopes[at * outputs..to * outputs]));
            at = to;
        }
        let (level, layers, has_linear) = (self.level, &self.layers, self.linear.is_some());
        let inputs = self.architecture.inputs;
        (self.slices.par_iter_mut().zip(parts)).for_each(|(slice, (active, slopes))| {
            slice.begin(layers, if has_linear { inputs } else { 0 });
            let Slice { activations, slopes: [above, below], weights, biases, linear, .. } = slice;
            if has_linear {
                let rows = active.chunks_exact(groups).zip(slopes.chunks_exact(outputs));
                for (active, slopes) in rows {
                    let slope: f32 = slopes.iter().sum();
                    active.iter().for_each(|&i| linear[i as usize] += slope);
                }
            }
            for (chunk, slopes) in slopes.chunks(CHUNK * outputs).enumerate() {
                let (from, rows) = (chunk * CHUNK, slopes.len() / outputs);
                let line = stride(outputs);
                above.resize(rows * line);
                for (to, slopes) in above.chunks_exact_mut(line).zip(slopes.chunks_exact(outputs)) {
                    to[..outputs].copy_from_slice(slopes);
                }
                for (l, layer) in layers.iter().enumerate().rev() {
                    let (line, line_below) = (stride(layer.units), stride(layer.inputs));
                    for row in above.chunks_exact(line) {
                        add_rows(level, &row[..layer.units], &mut biases[l]);
                    }
                    let slopes: &[f32] = above;
                    let word = |unit: usize, k: usize| slopes[k * line + unit];
                    let packed = Packed::new(rows, layer.units, width(layer.levels[0]), word);
                    let activations = &mut activations[l][from * line_below..][..rows * line_below];
                    let mut product = Rows {
                        rows: layer.inputs,
                        input: activations,
                        input_stride: line_below,
                        sums: &mut weights[l],
                        sums_stride: padded(layer.units),
                    };
                    multiply_turned(layer.levels[0], &packed, &mut product);
                    below.resize(rows * line_below);
                    below.fill(0.0);
                    let mut product = Rows {
                        rows,
                        input: slopes,
                        input_stride: line,
                        sums: below,
                        sums_stride: line_below,
                    };
                    multiply_f32(layer.levels[1], &turned[l], &mut product);
                    let all = activations.chunks_exact_mut(line_below);
                    for (x, slopes) in all.zip(below.chunks_exact_mut(line_below)) {
                        let (x, slopes) = (&mut x[..layer.inputs], &mut slopes[..layer.inputs]);
                        bent(level, x, slopes, layer.before);
                        if l == 0 {
                            x.copy_from_slice(slopes);
                        }
                    }
                    std::mem::swap(above, below);
                }
            }
        });
    }
}

impl Slice {
    /// Resets all gradients to zero.
    fn begin(&mut self, layers: &[Dense], linear: usize) {
        self.weights.resize_with(layers.len(), Aligned::default);
        self.biases.resize_with(layers.len(), Vec::new);
        for (l, layer) in layers.iter().enumerate() {
            self.weights[l].resize(layer.inputs * padded(layer.units));
            self.weights[l].fill(0.0);
            self.biases[l].clear();
            self.biases[l].resize(layer.units, 0.0);
        }
        self.linear.clear();
        self.linear.resize(linear, 0.0);
    }

    /// Adds another slice's gradients.
    fn add(&mut self, level: Level, other: &Self) {
        let pairs = self.weights.iter_mut().zip(&other.weights);
        pairs.for_each(|(to, from)| add_rows(level, from, to));
        let pairs = self.biases.iter_mut().zip(&other.biases);
        pairs.for_each(|(to, from)| add_rows(level, from, to));
        add_rows(level, &other.linear, &mut self.linear);
    }

    /// The sum of the squares of the gradients, without padding.
    fn squares(&self, layers: &[Dense]) -> f64 {
        let rows = layers.iter().zip(&self.weights).flat_map(|(layer, weights)| {
            let rows = weights.chunks_exact(padded(layer.units));
            rows.map(|row| &row[..layer.units])
        });
        let all = rows.chain(self.biases.iter().map(|bias| &bias[..]));
        all.chain([&self.linear[..]]).map(squares).sum()
    }
}

fn squares(numbers: &[f32]) -> f64 {
    numbers.iter().map(|&x| f64::from(x) * f64::from(x)).sum()
}

impl Numbers {
    /// Applies the same function to values, moments and average.
    fn each(self, f: impl Fn(Vec<f32>) -> Vec<f32>) -> Self {
        Self {
            value: f(self.value),
            first: f(self.first),
            second: f(self.second),
            average: f(self.average),
        }
    }

    /// Parts of `n` numbers; without an average, parts of the average are empty.
    fn parts(&mut self, n: usize) -> impl Iterator<Item = Part<'_>> {
        let moments = self.first.chunks_mut(n).zip(self.second.chunks_mut(n));
        let average = self.average.chunks_mut(n).map(Some);
        let average = average.chain(std::iter::repeat_with(|| None));
        let parts = self.value.chunks_mut(n).zip(moments).zip(average);
        parts.map(|((value, (first, second)), average)| Part {
            value,
            first,
            second,
            average: average.unwrap_or_default(),
        })
    }
}

/// Part of the numbers of a tensor.
struct Part<'a> {
    value: &'a mut [f32],
    first: &'a mut [f32],
    second: &'a mut [f32],
    average: &'a mut [f32],
}

/// Step of Adam and of the running average.
#[derive(Clone, Copy)]
struct Step {
    adam: AdamStep,
    /// Share of new weights in the average.
    share: f32,
}

impl Part<'_> {
    fn step(&mut self, level: Level, gradient: &[f32], step: &Step) {
        adam(level, self.value, gradient, self.first, self.second, &step.adam);
        blend(level, self.average, self.value, step.share);
    }
}

impl Lean {
    /// Adds up the gradients of all slices, and takes a step of Adam.
    fn descend(&mut self, active: &[u32], rate: f32) {
        let (level, groups) = (self.level, self.groups());
        let of_inputs = self.parts.as_ref();
        let (mine, others) = self.slices.split_at_mut(1);
        for slice in others.iter().filter(|slice| slice.rows > 0) {
            mine[0].add(level, slice);
        }
        if let (Some(parts), true) = (of_inputs, self.linear.is_some()) {
            parts.spread::<1>(&mut mine[0].linear);
        }
        let slices = &self.slices;
        let line = stride(self.units);
        // Gradients of a strip of units.
        let gather = |strip: usize, gradient: &mut [f32], bias: &mut [f32]| {
            gradient.fill(0.0);
            let mut from = 0;
            for slice in slices.iter().filter(|slice| slice.rows > 0) {
                let active = &active[from * groups..][..slice.rows * groups];
                from += slice.rows;
                let slopes = &slice.activations[0];
                scatter(level, gradient, bias, active, groups, slopes, line, strip * STRIP);
            }
        };
        let strip = self.architecture.inputs * STRIP;
        let mut biases = vec![0.0; self.first_bias.value.len()];
        let options = &self.options;
        let is_shared = self.shared.is_some();
        if let Some(shared) = &self.shared {
            shared.gather(level, &gather, strip, &mut self.gradient, &mut biases);
        }
        let mut step =
            Step { adam: options.adam(self.steps, rate), share: options.share(self.steps) };
        let decayed =
            |step: Step| Step { adam: AdamStep { decay: options.decay, ..step.adam }, ..step };
        let is_clipped = options.clip.is_some();
        let mut parts: Vec<_> = (self.gradient.chunks_mut(strip))
            .zip(biases.chunks_mut(STRIP))
            .zip(self.first.parts(strip).zip(self.first_bias.parts(STRIP)))
            .collect();
        (parts.par_iter_mut().enumerate()).for_each(|(k, ((gradient, bias), parts))| {
            if !is_shared {
                gather(k, gradient, bias);
            }
            if let Some(parts) = of_inputs {
                parts.spread::<STRIP>(gradient);
            }
            if !is_clipped {
                let (weights, biases) = parts;
                weights.step(level, gradient, &decayed(step));
                biases.step(level, bias, &step);
            }
        });
        if let Some(clip) = options.clip {
            let mut sum = slices[0].squares(&self.layers);
            sum += (parts.iter())
                .map(|((gradient, bias), _)| squares(gradient) + squares(bias))
                .sum::<f64>();
            let norm = sum.sqrt() as f32;
            step.adam.scale = if norm > clip { clip / norm } else { 1.0 };
            parts.par_iter_mut().for_each(|((gradient, bias), parts)| {
                let (weights, biases) = parts;
                weights.step(level, gradient, &decayed(step));
                biases.step(level, bias, &step);
            });
        }
        drop(parts);
        let gradients = slices[0].weights.iter().zip(&slices[0].biases);
        for (layer, (weights, bias)) in self.layers.iter_mut().zip(gradients) {
            let of_weights = decayed(step);
            let rows = weights.chunks_exact(padded(layer.units));
            for (mut part, gradient) in layer.weight.parts(layer.units).zip(rows) {
                part.step(level, &gradient[..layer.units], &of_weights);
            }
            let biases = layer.bias.parts(layer.units);
            biases.for_each(|mut part| part.step(level, bias, &step));
        }
        if let Some(linear) = &mut self.linear {
            let parts = linear.parts(self.architecture.inputs);
            parts.for_each(|mut part| part.step(level, &slices[0].linear, &step));
        }
        self.fold();
    }
}

impl AnyTrainer for Lean {
    fn finds_parts(&self) -> bool {
        true
    }

    fn losses(&mut self) -> Vec<f32> {
        std::mem::take(&mut self.losses)
    }

    fn learn(&mut self, active: &[u32], labels: Labels<'_>, rate: f32) {
        let (groups, head) = (self.groups(), self.architecture.head());
        assert!(active.len().is_multiple_of(groups), "rows of {groups} active indices");
        let rows = active.len() / groups;
        labels.assert_fit(head, rows);
        let inputs = self.inputs();
        assert!(active.iter().all(|&i| (i as usize) < inputs), "active index out of range");
        let outputs = self.forward(active, rows);
        let (loss, slopes) = self.options.loss.of_labels(&outputs, head, labels);
        self.backward(active, &slopes);
        self.steps += 1;
        self.descend(active, rate);
        self.losses.push(loss);
    }

    fn export(&self, averaged: bool) -> Tensors {
        let tensors = if averaged && self.options.average.is_some() {
            self.tensors(|n| &n.average, true)
        } else {
            self.tensors(|n| &n.value, true)
        };
        match &self.shared {
            Some(shared) => shared.all(tensors, &self.architecture),
            None => tensors,
        }
    }

    fn ranges(&self, active: &[u32], averaged: bool) -> Tensors {
        let architecture = Architecture {
            inputs: self.inputs(),
            groups: self.groups(),
            ..self.architecture.clone()
        };
        let mut tensors = self.export(averaged);
        if let Some(parts) = &self.parts {
            tensors = parts.folded(tensors, &architecture);
        }
        let model = Model { header: Header { architecture, ..Header::default() }, tensors };
        let layers = self.architecture.layers().len();
        // Without rows, or with weights of an invalid network, the ranges remain zero.
        let mut ranges = Ranges::measure(&model, active)
            .unwrap_or_else(|_| Ranges { greatest: vec![0.0; layers], least: vec![0.0; layers] });
        ranges.greatest.iter_mut().for_each(|x| *x = x.max(0.0));
        ranges.least.iter_mut().for_each(|x| *x = x.min(0.0));
        ranges.tensors(&self.architecture).collect()
    }

    fn state(&self) -> Tensors {
        let mut all = self.tensors(|n| &n.value, true);
        let mut add = |prefix: &str, tensors: Tensors| {
            all.extend(tensors.into_iter().map(|(name, t)| (format!("{prefix}{name}"), t)));
        };
        if self.steps > 0 {
            add(MOMENTS[0], self.tensors(|n| &n.first, false));
            add(MOMENTS[1], self.tensors(|n| &n.second, false));
        }
        if self.options.average.is_some() {
            add(AVERAGE, self.tensors(|n| &n.average, true));
        }
        all
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

#[cfg(test)]
mod tests;
