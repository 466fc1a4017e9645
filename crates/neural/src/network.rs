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

/// A network ready to compute in single precision.
pub struct Network {
    level: Level,
    groups: usize,
    units: usize,
    first: First<f32, f32>,
    activation: Activation,
    layers: Vec<Layer>,
    out_weight: Vec<f32>,
    out_bias: f32,
    pool: Pool<Scratch>,
}

#[derive(Default)]
struct Scratch {
    changes: Changes,
    buffers: [Aligned<f32>; BUFFERS],
}

/// Callback for the greatest activation of each layer and row.
type Observer<'a> = Option<&'a mut dyn FnMut(usize, f32)>;

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
        Ok(Self {
            level,
            groups: folded.groups,
            units: input.units,
            first,
            activation: input.activation,
            layers: layers.collect(),
            out_weight: folded.out_weight.clone(),
            out_bias: folded.out_bias,
            pool: Pool::default(),
        })
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
        let layers = layers.map(|l| l.weights.bytes() + size_of_val(&l.bias[..]));
        self.first.bytes() + layers.sum::<usize>() + size_of_val(&self.out_weight[..])
    }

    /// Checks that these are active indices of `rows` rows, all within the input.
    ///
    /// # Errors
    /// Another number of indices, or one out of range.
    pub fn check(&self, active: &[u32], rows: usize) -> Result<(), RowError> {
        self.first.check(active, rows)
    }

    /// Writes the estimate of every row to `out`. `active` holds rows × [`groups`](Self::groups) indices.
    /// The bits of `out` do not depend on `threads` nor on how rows are split into calls.
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
        in_blocks(active, self.groups, out, threads, &self.pool, |a, o, s| {
            self.block(a, o, s, None);
        });
        Ok(())
    }

    /// The greatest activation of every layer over all rows.
    pub(crate) fn observe(&self, active: &[u32]) -> Result<Vec<f32>, RowError> {
        let rows = active.len() / self.groups.max(1);
        self.first.check(active, rows)?;
        let mut out = vec![0.0; rows];
        let seen = std::sync::Mutex::new(vec![f32::NEG_INFINITY; self.layers.len() + 1]);
        in_blocks(active, self.groups, &mut out, 1, &self.pool, |a, o, s| {
            if let Ok(mut seen) = seen.lock() {
                self.block(
                    a,
                    o,
                    s,
                    Some(&mut |layer, x| seen[layer] = seen[layer].max(x)),
                );
            }
        });
        Ok(seen.into_inner().unwrap_or_default())
    }

    fn block(&self, active: &[u32], out: &mut [f32], scratch: &mut Scratch, see: Observer<'_>) {
        let stride = stride(self.units);
        let Scratch { changes, buffers } = scratch;
        buffers[0].resize(out.len() * stride);
        self.first
            .sum(self.level, active, changes, &mut buffers[0], stride);
        self.rest(out, buffers, see);
        for (out, active) in out.iter_mut().zip(active.chunks_exact(self.groups)) {
            *out += self.first.skip(active);
        }
    }

    /// From the sums of the first layer, in the first buffer, to the output without the linear skip.
    fn rest(&self, out: &mut [f32], buffers: &mut [Aligned<f32>; BUFFERS], mut see: Observer<'_>) {
        let rows = out.len();
        for row in buffers[0].chunks_exact_mut(stride(self.units)) {
            let row = &mut row[..self.units];
            activate(self.level, row, &[], self.activation);
            if let Some(see) = &mut see {
                see(0, greatest(row));
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
                    see(i + 1, greatest(row));
                }
            }
            buffers[layer.to] = sums;
            (last, units) = (layer.to, layer.units);
        }
        for (out, row) in out
            .iter_mut()
            .zip(buffers[last].chunks_exact(stride(units)))
        {
            *out = dot(self.level, &row[..units], &self.out_weight) + self.out_bias;
        }
    }
}

fn greatest(row: &[f32]) -> f32 {
    row.iter().copied().fold(f32::NEG_INFINITY, f32::max)
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
