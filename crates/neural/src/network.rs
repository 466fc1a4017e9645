//! Inference in single precision.
//!
//! Rows pass through the layers in blocks whose activations stay in the caches. A block computes
//! the sums of the first layer. Then every layer starts with the biases, adds the products, and in
//! one pass adds a residual and applies the activation. A convolution is also such a product: each
//! cell of the grid is a row that holds the cells around it.
//!
//! The bits of a row's estimate are the same for every batch and every number of threads, because
//! the order of operations is fixed; only the sums of the first layer vary in order, and these are
//! exact. The bits are also the same on all CPUs with fused multiplication and addition. Other CPUs
//! round differently.

use crate::activation::{activate, dot};
use crate::aligned::Aligned;
use crate::architecture::{Activation, Grid, TAPS};
use crate::batch::{Pool, in_blocks};
use crate::dense::{Packed, Rows, multiply_f32, stride, width};
use crate::engine::{Batch, Compute, Engine, Outputs};
use crate::error::{ModelError, RowError};
use crate::first::{Changes, First, Shape, exact_skip, linear};
use crate::fold::{self as folded, BUFFERS, Folded};
use crate::head::Head;
use crate::model::Model;
use crate::simd::Level;
use std::sync::Arc;

/// Rows that pass through convolutions together: their activations stay in the second-level cache.
const GRID_ROWS: usize = 16;

/// Buffer of the one-hot input of convolutions.
const PLANES: usize = BUFFERS;

/// A layer behind the first, or a convolution.
struct Layer {
    weights: Packed<f32>,
    bias: Vec<f32>,
    activation: Activation,
    units: usize,
    /// Number of cells at which the layer is computed; 1 except in convolutions.
    cells: usize,
    /// Distance between the activations of two cells, or of two rows in other layers.
    stride: usize,
    from: usize,
    to: usize,
    /// Buffer that is added before the activation.
    add: Option<usize>,
}

/// Memory layout of a layer's input.
#[derive(Clone, Copy)]
struct InputLayout {
    /// Number of cells.
    cells: usize,
    /// Numbers of a cell.
    each: usize,
    /// Distance between two cells.
    stride: usize,
}

impl Layer {
    /// Packs a layer for the given layout of its input, and returns the layout of its output.
    fn pack(
        layer: &folded::Layer,
        input: InputLayout,
        from: usize,
        level: Level,
    ) -> (Self, InputLayout) {
        let is_conv = layer.cells > 1;
        let of_input = if is_conv { TAPS } else { input.cells };
        let weight = |unit: usize, k: usize| {
            let (place, number) = (k / input.stride, k % input.stride);
            if number < input.each {
                layer.weight[unit * layer.inputs + place * input.each + number]
            } else {
                0.0
            }
        };
        let words = match of_input {
            // No gap follows the last cell.
            1 => input.each,
            _ => of_input * input.stride,
        };
        let stride = if is_conv {
            // Whole panels. The cells of a row are contiguous, so that they form one vector.
            layer.units.next_multiple_of(32)
        } else {
            stride(layer.units)
        };
        let mut bias = layer.bias.clone();
        bias.resize(stride, 0.0);
        let packed = Self {
            weights: Packed::new(words, layer.units, width(level), weight),
            bias,
            activation: layer.activation,
            units: layer.units,
            cells: layer.cells,
            stride,
            from,
            to: layer.buffer,
            add: None,
        };
        let lines = InputLayout { cells: layer.cells, each: layer.units, stride };
        (packed, lines)
    }
}

/// Weights of the outputs of actions: one more product, without activation.
struct Actions {
    weights: Packed<f32>,
    bias: Vec<f32>,
    units: usize,
}

/// Network that computes in single precision.
pub struct Network {
    level: Level,
    /// Sizes of the input and of the layer of sums, which has no units in networks with
    /// convolutions.
    shape: Shape,
    first: First<f32>,
    /// Weights of the linear skip; empty without a skip.
    skip: Vec<f32>,
    activation: Activation,
    /// For each cell of a grid, the cells around it; empty without convolutions.
    around: Vec<[Option<usize>; TAPS]>,
    layers: Vec<Layer>,
    head: Head,
    /// Weights of the value output; empty if the head has no value.
    value_weight: Vec<f32>,
    value_bias: f32,
    /// Weights of the outputs of actions.
    actions: Option<Actions>,
    pool: Pool<Scratch>,
}

#[derive(Default)]
struct Scratch {
    changes: Changes,
    buffers: [Aligned<f32>; BUFFERS + 1],
    /// The cells around each cell of a row.
    patches: Aligned<f32>,
    actions: Aligned<f32>,
}

/// Callback for the activations of each layer and row.
type Observer<'a> = Option<&'a mut dyn FnMut(usize, &[f32])>;

impl Network {
    /// Folds and packs a model for this CPU.
    ///
    /// # Errors
    /// A model that [`Model::check`] refuses, or weights too large to fold or to add up.
    pub fn new(model: &Model) -> Result<Self, ModelError> {
        Self::build(&Folded::new(model)?, Level::best())
    }

    /// The network at a level of instructions.
    pub(crate) fn build(folded: &Folded, level: Level) -> Result<Self, ModelError> {
        let input = &folded.layers[0];
        // Convolutions begin with the input itself, so that only the linear skip uses sums of
        // columns.
        let is_conv = folded.grid.is_some();
        let summed = if is_conv { 0 } else { input.units };
        let shape = Shape { inputs: folded.inputs, groups: folded.groups, units: summed };
        let weight = |unit: usize, i: usize| input.weight[unit * folded.inputs + i];
        let first = First::exact(shape, weight, |unit| input.bias[unit]);
        let (first, skip) = (first.zip(exact_skip(folded.groups, &folded.skip)))
            .ok_or_else(|| ModelError::Overflow(input.name.clone()))?;
        let around = folded.grid.map_or_else(Vec::new, Grid::around);
        let each = if is_conv { folded.inputs / folded.groups } else { summed };
        let mut lines = InputLayout {
            cells: around.len().max(1),
            each,
            stride: if is_conv { each } else { stride(summed) },
        };
        let mut from = if is_conv { PLANES } else { input.buffer };
        let mut layers = Vec::with_capacity(folded.layers.len());
        for layer in &folded.layers[usize::from(!is_conv)..] {
            let (mut packed, next) = Layer::pack(layer, lines, from, level);
            packed.add = layer.adds.map(|l| folded.layers[l].buffer);
            layers.push(packed);
            (lines, from) = (next, layer.buffer);
        }
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
            Actions { weights, bias, units }
        });
        Ok(Self {
            level,
            shape,
            first,
            skip,
            activation: input.activation,
            around,
            layers,
            head: folded.head,
            value_weight: value_weight.to_vec(),
            value_bias: value_bias.first().copied().unwrap_or_default(),
            actions,
            pool: Pool::default(),
        })
    }

    /// Calls `see` with the number of the layer and the row's activations, for every layer and row.
    pub(crate) fn observe(
        &self,
        active: &[u32],
        see: &mut (dyn FnMut(usize, &[f32]) + Send),
    ) -> Result<(), RowError> {
        let rows = active.len() / self.shape.groups.max(1);
        self.shape.check(active, rows)?;
        let outputs = self.head.outputs();
        let mut out = vec![0.0; rows * outputs];
        let see = std::sync::Mutex::new(see);
        let (groups, pool) = (self.shape.groups, &self.pool);
        in_blocks(active, groups, &mut out, outputs, 1, pool, |a, o, s| {
            if let Ok(mut see) = see.lock() {
                self.block(a, o, Outputs::All, s, Some(&mut **see));
            }
        });
        Ok(())
    }

    fn block(
        &self,
        active: &[u32],
        out: &mut [f32],
        which: Outputs,
        scratch: &mut Scratch,
        mut see: Observer<'_>,
    ) {
        let rows = active.len() / self.shape.groups;
        let width = out.len() / rows.max(1);
        let most = if self.around.is_empty() { rows.max(1) } else { GRID_ROWS };
        let parts =
            active.chunks(most * self.shape.groups).zip(out.chunks_mut((most * width).max(1)));
        for (active, out) in parts {
            self.part(active, out, which, scratch, &mut see);
        }
    }

    fn part(
        &self,
        active: &[u32],
        out: &mut [f32],
        which: Outputs,
        scratch: &mut Scratch,
        see: &mut Observer<'_>,
    ) {
        let rows = active.len() / self.shape.groups;
        if self.around.is_empty() {
            self.sums(active, scratch, see);
        } else {
            self.planes(active, &mut scratch.buffers[PLANES]);
        }
        let (last, units) = self.hidden(rows, scratch, see);
        let Scratch { buffers, actions, .. } = scratch;
        self.outputs(out, which, &buffers[last], units, rows, actions);
        let width = out.len() / rows.max(1);
        for (out, active) in
            out.chunks_exact_mut(width.max(1)).zip(active.chunks_exact(self.shape.groups))
        {
            let linear = linear(&self.skip, active);
            out.iter_mut().for_each(|out| *out += linear);
        }
    }

    /// Computes the activations of the first layer into the first buffer.
    fn sums(&self, active: &[u32], scratch: &mut Scratch, see: &mut Observer<'_>) {
        let stride = stride(self.shape.units);
        let Scratch { changes, buffers, .. } = scratch;
        buffers[0].resize(active.len() / self.shape.groups * stride);
        self.first.sum(self.level, active, changes, &mut buffers[0], stride);
        for row in buffers[0].chunks_exact_mut(stride) {
            let row = &mut row[..self.shape.units];
            activate(self.level, row, &[], self.activation);
            if let Some(see) = see {
                see(0, row);
            }
        }
    }

    /// The input itself: a one at the active index of each cell.
    fn planes(&self, active: &[u32], to: &mut Aligned<f32>) {
        let inputs = self.shape.inputs;
        to.resize(active.len() / self.shape.groups * inputs);
        to.fill(0.0);
        for (row, active) in to.chunks_exact_mut(inputs).zip(active.chunks_exact(self.shape.groups))
        {
            for &index in active {
                row[index as usize] = 1.0;
            }
        }
    }

    /// Adds the products of a convolution to the sums of rows.
    fn convolve(
        &self,
        layer: &Layer,
        input: &[f32],
        each: usize,
        sums: &mut [f32],
        patches: &mut Aligned<f32>,
    ) {
        let cells = layer.cells;
        patches.resize(cells * TAPS * each);
        let rows = input.chunks_exact(cells * each);
        for (input, sums) in rows.zip(sums.chunks_exact_mut(cells * layer.stride)) {
            let taps = self.around.iter().flatten();
            for (to, from) in patches.chunks_exact_mut(each).zip(taps) {
                match *from {
                    Some(place) => to.copy_from_slice(&input[place * each..][..each]),
                    None => to.fill(0.0),
                }
            }
            let mut product = Rows {
                rows: cells,
                input: &patches[..],
                input_stride: TAPS * each,
                sums,
                sums_stride: layer.stride,
            };
            multiply_f32(self.level, &layer.weights, &mut product);
        }
    }

    /// Computes the outputs without the linear skip, from the activations of the last layer.
    fn outputs(
        &self,
        out: &mut [f32],
        which: Outputs,
        last: &Aligned<f32>,
        units: usize,
        rows: usize,
        sums: &mut Aligned<f32>,
    ) {
        let value = |row: &[f32]| dot(self.level, &row[..units], &self.value_weight);
        let last_stride = stride(units);
        let values = usize::from(self.head.has_value());
        let (width, actions) = match (which, &self.actions) {
            (Outputs::All, Some(actions)) => (values + actions.units, Some(actions)),
            _ => (values, None),
        };
        if values > 0 {
            // Computed separately, so that the value has the same bits with and without outputs of
            // actions.
            for (out, row) in out.chunks_exact_mut(width).zip(last.chunks_exact(last_stride)) {
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
        let mut product = Rows { rows, input: last, input_stride: last_stride, sums, sums_stride };
        multiply_f32(self.level, &actions.weights, &mut product);
        for (out, sums) in out.chunks_exact_mut(width).zip(sums.chunks_exact(sums_stride)) {
            out[values..].copy_from_slice(&sums[..actions.units]);
        }
    }

    /// Computes all further layers from the activations of the first layer or, with convolutions,
    /// from the planes of the input. Returns the buffer of the last layer and its number of units.
    fn hidden(&self, rows: usize, scratch: &mut Scratch, see: &mut Observer<'_>) -> (usize, usize) {
        let Scratch { buffers, patches, .. } = scratch;
        let (mut last, mut units) = (0, self.shape.units);
        // Distance between two rows of the input, and between two cells of it.
        let (mut input_stride, mut each) = match self.around.len() {
            0 => (stride(units), 0),
            cells => (self.shape.inputs, self.shape.inputs / cells),
        };
        let first = usize::from(self.around.is_empty());
        for (i, layer) in self.layers.iter().enumerate() {
            // The buffer is taken out of the array, because the others are read while it is
            // written.
            let mut sums = std::mem::take(&mut buffers[layer.to]);
            sums.resize(rows * layer.cells * layer.stride);
            for line in sums.chunks_exact_mut(layer.stride) {
                line.copy_from_slice(&layer.bias);
            }
            let input = &buffers[layer.from];
            if layer.cells > 1 {
                self.convolve(layer, input, each, &mut sums, patches);
            } else {
                let mut product =
                    Rows { rows, input, input_stride, sums: &mut sums, sums_stride: layer.stride };
                multiply_f32(self.level, &layer.weights, &mut product);
            }
            for (l, line) in sums.chunks_exact_mut(layer.stride).enumerate() {
                let add =
                    layer.add.map_or(&[][..], |b| &buffers[b][l * layer.stride..][..layer.units]);
                let line = &mut line[..layer.units];
                activate(self.level, line, add, layer.activation);
                if let Some(see) = see {
                    see(i + first, line);
                }
            }
            buffers[layer.to] = sums;
            (last, units) = (layer.to, layer.units);
            (input_stride, each) = (layer.cells * layer.stride, layer.stride);
        }
        (last, units)
    }
}

impl Engine for Network {
    fn groups(&self) -> usize {
        self.shape.groups
    }

    fn head(&self) -> Head {
        self.head
    }

    fn bytes(&self) -> usize {
        let layers = self.layers.iter();
        let layers = layers.map(|l| l.weights.bytes() + size_of_val(&l.bias[..]));
        let actions = self.actions.as_ref();
        let actions = actions.map_or(0, |a| a.weights.bytes() + size_of_val(&a.bias[..]));
        let others = size_of_val(&self.value_weight[..]) + size_of_val(&self.skip[..]);
        self.first.bytes() + layers.sum::<usize>() + others + actions
    }

    fn check(&self, active: &[u32], rows: usize) -> Result<(), RowError> {
        self.shape.check(active, rows)
    }
}

impl From<Network> for Arc<dyn Engine> {
    fn from(network: Network) -> Self {
        Arc::new(network)
    }
}

impl Compute for Network {
    fn compute(&self, Batch { active, outputs, threads }: Batch<'_>, out: &mut [f32]) {
        let (width, groups) = (outputs.width(self.head), self.shape.groups);
        in_blocks(active, groups, out, width, threads, &self.pool, |active, out, scratch| {
            self.block(active, out, outputs, scratch, None);
        });
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network")
            .field("level", &self.level)
            .field("groups", &self.shape.groups)
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}
