//! Inference in single precision.
//!
//! Rows go through the layers in blocks whose activations stay in the caches. A block computes the
//! first-layer sums; then, for every layer, it starts with the biases, adds the products, and in
//! one pass adds a residual and applies the activation. A row's estimate has the same bits for
//! every batch and every number of threads: the order of its operations is fixed, except for
//! first-layer sums, which are exact. The bits are also the same on all processors with fused
//! multiplication and addition; without it, rounding differs.

use crate::activation::{activate, dot};
use crate::aligned::Aligned;
use crate::architecture::Activation;
use crate::batch::{Pool, in_blocks};
use crate::dense::{Packed, Rows, multiply_f32, stride, width};
use crate::error::{ModelError, RowError};
use crate::first::{Changes, First};
use crate::fold::{BUFFERS, Folded};
use crate::head::Head;
use crate::model::Model;
use crate::simd::Level;

/// A layer behind the first.
struct Layer {
    weights: Packed<f32>,
    bias: Vec<f32>,
    activation: Activation,
    units: usize,
    from: usize,
    to: usize,
    /// The buffer that is added before the activation.
    add: Option<usize>,
}

/// The outputs of actions: one more product, without activation.
struct Actions {
    weights: Packed<f32>,
    bias: Vec<f32>,
    units: usize,
}

/// Which outputs are asked for.
#[derive(Clone, Copy)]
enum Ask {
    /// The value alone: one number for each row.
    Value,
    /// All outputs of each row.
    All,
}

/// A network ready to compute in single precision.
pub struct Network {
    level: Level,
    groups: usize,
    units: usize,
    first: First<f32, f32>,
    activation: Activation,
    layers: Vec<Layer>,
    head: Head,
    /// Weights of the output that is the value: none of a head without.
    value_weight: Vec<f32>,
    value_bias: f32,
    /// Weights of the outputs of actions.
    actions: Option<Actions>,
    pool: Pool<Scratch>,
}

#[derive(Default)]
struct Scratch {
    changes: Changes,
    buffers: [Aligned<f32>; BUFFERS],
    actions: Aligned<f32>,
}

/// Callback for the activations of each layer and row.
type Observer<'a> = Option<&'a mut dyn FnMut(usize, &[f32])>;

impl Network {
    /// Folds and packs a model for this processor.
    ///
    /// # Errors
    /// A model that [`Model::check`] refuses, or weights too large to fold or to add up.
    pub fn new(model: &Model) -> Result<Self, ModelError> {
        Self::build(&Folded::new(model)?, Level::best())
    }

    /// The network at a level of instructions.
    pub(crate) fn build(folded: &Folded, level: Level) -> Result<Self, ModelError> {
        let input = &folded.layers[0];
        let shape = [folded.inputs, folded.groups, input.units];
        let first = First::exact(
            shape,
            |unit, i| input.weight[unit * folded.inputs + i],
            |unit| input.bias[unit],
            &folded.skip,
            &input.name,
        )?;
        let layers = folded.layers.windows(2).map(|pair| {
            let layer = &pair[1];
            let weight = |unit: usize, k: usize| layer.weight[unit * layer.inputs + k];
            let mut bias = layer.bias.clone();
            bias.resize(stride(layer.units), 0.0);
            Layer {
                weights: Packed::new(layer.inputs, layer.units, width(level), weight),
                bias,
                activation: layer.activation,
                units: layer.units,
                from: pair[0].buffer,
                to: layer.buffer,
                add: layer.adds.map(|l| folded.layers[l].buffer),
            }
        });
        let layers = layers.collect();
        let last = folded.layers.last().map_or(0, |layer| layer.units);
        let values = usize::from(folded.head.has_value());
        let (value_weight, weight) = folded.out_weight.split_at(values * last);
        let (value_bias, bias) = folded.out_bias.split_at(values);
        let units = folded.head.outputs() - values;
        let actions = (units > 0).then(|| {
            let mut bias = bias.to_vec();
            bias.resize(stride(units), 0.0);
            let word = |unit: usize, k: usize| weight[unit * last + k];
            let weights = Packed::new(last, units, width(level), word);
            Actions {
                weights,
                bias,
                units,
            }
        });
        Ok(Self {
            level,
            groups: folded.groups,
            units: input.units,
            first,
            activation: input.activation,
            layers,
            head: folded.head,
            value_weight: value_weight.to_vec(),
            value_bias: value_bias.first().copied().unwrap_or_default(),
            actions,
            pool: Pool::default(),
        })
    }

    /// Active indices of each row.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// What the outputs mean.
    #[must_use]
    pub fn head(&self) -> Head {
        self.head
    }

    /// Memory that the weights take, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let layers = self.layers.iter();
        let layers = layers.map(|l| l.weights.bytes() + size_of_val(&l.bias[..]));
        let actions = self.actions.as_ref();
        let actions = actions.map_or(0, |a| a.weights.bytes() + size_of_val(&a.bias[..]));
        let values = size_of_val(&self.value_weight[..]);
        self.first.bytes() + layers.sum::<usize>() + values + actions
    }

    /// Checks that these are active indices of `rows` rows, all within the input.
    ///
    /// # Errors
    /// Another number of indices, or one out of range.
    pub fn check(&self, active: &[u32], rows: usize) -> Result<(), RowError> {
        self.first.check(active, rows)
    }

    /// Writes the value of every row to `out`. `active` holds rows × [`groups`](Self::groups) indices.
    /// The bits of `out` do not depend on `threads` nor on how rows are split into calls.
    ///
    /// # Errors
    /// Another number of indices, one out of range, or a head without a value; `out` is left as it was.
    pub fn evaluate(
        &self,
        active: &[u32],
        out: &mut [f32],
        threads: usize,
    ) -> Result<(), RowError> {
        self.check(active, out.len())?;
        if !self.head.has_value() {
            return Err(RowError::NoValue(self.head));
        }
        let (groups, pool) = (self.groups, &self.pool);
        in_blocks(active, groups, out, 1, threads, pool, |active, out, s| {
            self.block(active, (out, Ask::Value), s, None);
        });
        Ok(())
    }

    /// Writes all outputs of every row to `out`, row after row: those that the [`head`](Self::head) names.
    /// The bits of `out` do not depend on `threads` nor on how rows are split into calls; those of a value
    /// are what [`evaluate`](Self::evaluate) writes.
    ///
    /// # Errors
    /// Another number of indices, one out of range, or no room for whole rows; `out` is left as it was.
    pub fn evaluate_all(
        &self,
        active: &[u32],
        out: &mut [f32],
        threads: usize,
    ) -> Result<(), RowError> {
        let outputs = self.head.outputs();
        self.check(active, rows_of(out.len(), outputs)?)?;
        let (groups, pool) = (self.groups, &self.pool);
        in_blocks(
            active,
            groups,
            out,
            outputs,
            threads,
            pool,
            |active, out, s| self.block(active, (out, Ask::All), s, None),
        );
        Ok(())
    }

    /// Shows the activations of every layer and row: `see` gets the layer's number and the row's activations.
    pub(crate) fn observe(
        &self,
        active: &[u32],
        see: &mut (dyn FnMut(usize, &[f32]) + Send),
    ) -> Result<(), RowError> {
        let rows = active.len() / self.groups.max(1);
        self.first.check(active, rows)?;
        let outputs = self.head.outputs();
        let mut out = vec![0.0; rows * outputs];
        let see = std::sync::Mutex::new(see);
        let (groups, pool) = (self.groups, &self.pool);
        in_blocks(active, groups, &mut out, outputs, 1, pool, |a, o, s| {
            if let Ok(mut see) = see.lock() {
                self.block(a, (o, Ask::All), s, Some(&mut **see));
            }
        });
        Ok(())
    }

    fn block(
        &self,
        active: &[u32],
        (out, ask): (&mut [f32], Ask),
        scratch: &mut Scratch,
        see: Observer<'_>,
    ) {
        let stride = stride(self.units);
        let Scratch {
            changes,
            buffers,
            actions,
        } = scratch;
        let rows = active.len() / self.groups;
        buffers[0].resize(rows * stride);
        self.first
            .sum(self.level, active, changes, &mut buffers[0], stride);
        let (last, units) = self.hidden(rows, buffers, see);
        self.outputs((out, ask), (&buffers[last], units), rows, actions);
        let width = out.len() / rows.max(1);
        for (out, active) in out
            .chunks_exact_mut(width.max(1))
            .zip(active.chunks_exact(self.groups))
        {
            let linear = self.first.skip(active);
            out.iter_mut().for_each(|out| *out += linear);
        }
    }

    /// The outputs without the linear part, from the activations of the last layer.
    fn outputs(
        &self,
        (out, ask): (&mut [f32], Ask),
        (last, units): (&Aligned<f32>, usize),
        rows: usize,
        sums: &mut Aligned<f32>,
    ) {
        let value = |row: &[f32]| dot(self.level, &row[..units], &self.value_weight);
        let last_stride = stride(units);
        let values = usize::from(self.head.has_value());
        let (width, actions) = match (ask, &self.actions) {
            (Ask::All, Some(actions)) => (values + actions.units, Some(actions)),
            _ => (values, None),
        };
        if values > 0 {
            // Alone, so that it has the same bits whether or not actions are asked for.
            for (out, row) in out
                .chunks_exact_mut(width)
                .zip(last.chunks_exact(last_stride))
            {
                out[0] = value(row) + self.value_bias;
            }
        }
        let Some(actions) = actions else {
            return;
        };
        let sums_stride = stride(actions.units);
        sums.resize(rows * sums_stride);
        for row in sums.chunks_exact_mut(sums_stride) {
            row.copy_from_slice(&actions.bias);
        }
        let mut product = Rows {
            rows,
            input: last,
            input_stride: last_stride,
            sums,
            sums_stride,
        };
        multiply_f32(self.level, &actions.weights, &mut product);
        for (out, sums) in out
            .chunks_exact_mut(width)
            .zip(sums.chunks_exact(sums_stride))
        {
            out[values..].copy_from_slice(&sums[..actions.units]);
        }
    }

    /// From the sums of the first layer, in the first buffer, to the activations of the last one. Gives their
    /// buffer and the number of units.
    fn hidden(
        &self,
        rows: usize,
        buffers: &mut [Aligned<f32>; BUFFERS],
        mut see: Observer<'_>,
    ) -> (usize, usize) {
        for row in buffers[0].chunks_exact_mut(stride(self.units)) {
            let row = &mut row[..self.units];
            activate(self.level, row, &[], self.activation);
            if let Some(see) = &mut see {
                see(0, row);
            }
        }
        let (mut last, mut units) = (0, self.units);
        for (i, layer) in self.layers.iter().enumerate() {
            let (input_stride, sums_stride) = (stride(units), stride(layer.units));
            // Taken out, because the others are read while it is written.
            let mut sums = std::mem::take(&mut buffers[layer.to]);
            sums.resize(rows * sums_stride);
            for row in sums.chunks_exact_mut(sums_stride) {
                row.copy_from_slice(&layer.bias);
            }
            let mut product = Rows {
                rows,
                input: &buffers[layer.from],
                input_stride,
                sums: &mut sums,
                sums_stride,
            };
            multiply_f32(self.level, &layer.weights, &mut product);
            for (r, row) in sums.chunks_exact_mut(sums_stride).enumerate() {
                let add = layer
                    .add
                    .map_or(&[][..], |b| &buffers[b][r * sums_stride..][..layer.units]);
                let row = &mut row[..layer.units];
                activate(self.level, row, add, layer.activation);
                if let Some(see) = &mut see {
                    see(i + 1, row);
                }
            }
            buffers[layer.to] = sums;
            (last, units) = (layer.to, layer.units);
        }
        (last, units)
    }
}

/// How many rows of `outputs` numbers there is room for.
pub(crate) fn rows_of(found: usize, outputs: usize) -> Result<usize, RowError> {
    match outputs > 0 && found.is_multiple_of(outputs) {
        true => Ok(found / outputs),
        false => Err(RowError::Outputs { found, outputs }),
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network")
            .field("level", &self.level)
            .field("groups", &self.groups)
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}
