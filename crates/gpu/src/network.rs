//! Networks that the GPU program computes: three dense layers without norms, of which the first is
//! a sum of columns.

use crate::transition_tables::TransitionTables;
use half::f16;
use thiserror::Error;
use unriddle_neural::{
    Activation, Head, Model,
    architecture::{LEAK, Layer},
};

/// Units of the first layer are padded to a multiple of this number.
pub const UNITS: usize = 256;

/// Byte that represents the weight 0.
pub const MIDDLE: u8 = 128;

/// Start of the sums, so that they are never negative.
pub const BEGIN: u16 = 1 << 14;

/// Greatest weight in steps.
const MOST_STEPS: f32 = 127.0;

/// Greatest bias in steps; a greater one would exceed the range of sums.
const MOST_BIAS: f32 = 15_000.0;

/// Factor of the weights of the second layer, which keeps them in the range of half precision.
pub const SCALE: f32 = 1024.0;

/// Greatest number of groups; more would exceed the range of sums.
const MOST_GROUPS: usize = 128;

/// Reason why the GPU program does not compute a network.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum GpuNetworkError {
    /// The layers are not three dense ones.
    #[error(
        "the GPU program needs three dense layers without norms, with `relu` or `leaky`, and the value as only output"
    )]
    Layers,
    /// A layer has an unsupported number of units or groups.
    #[error(
        "the GPU program needs at most {MOST_GROUPS} groups and {MOST_FIRST} units in the first layer, and a multiple of 8 units, at most {MOST_UNITS}, in the second and third layer"
    )]
    Units,
    /// The first layer has too many columns of weights.
    #[error("the first layer has {0} columns of weights, but at most 65,534 are possible")]
    Columns(usize),
}

/// Greatest number of units of further layers, whose weights are in the shared memory of a
/// multiprocessor.
const MOST_UNITS: usize = 64;

/// Greatest number of units of the first layer.
const MOST_FIRST: usize = 1024;

/// Weights of a network in the layout of the GPU program.
#[derive(Clone, Debug)]
pub struct GpuNetwork {
    /// Units of the layers; the first one is padded.
    pub units: [usize; 3],
    /// Factor of negative sums in each layer.
    pub slopes: [f32; 3],
    /// First row of each source; the last element is the number of rows.
    pub begins: Vec<usize>,
    /// Weights of the first layer in steps of the unit, plus [`MIDDLE`]: a row of units for each
    /// value of a source. The second and the third of four units are exchanged.
    pub first: Vec<u8>,
    /// Biases of the first layer in steps of the unit, plus [`BEGIN`].
    pub bias: Vec<u16>,
    /// Weights of the second layer times the steps of the first and [`SCALE`], a row for each unit.
    pub second: Vec<f16>,
    /// Biases of the second layer; weights of the third layer, a row and a gap of one number for
    /// each unit; biases of the third layer; weights and bias of the output.
    pub tail: Vec<f32>,
}

impl GpuNetwork {
    /// Converts the weights of a model for the index sources of a puzzle's tables.
    ///
    /// # Errors
    /// A network that the GPU program does not compute.
    pub fn new(model: &Model, tables: &TransitionTables) -> Result<Self, GpuNetworkError> {
        let architecture = &model.header.architecture;
        let layers = architecture.layers();
        let is_plain = |layer: &Layer| !layer.norm && layer.adds.is_none() && layer.cells == 1;
        let slopes: Option<Vec<f32>> = (layers.iter().filter(|layer| is_plain(layer)))
            .map(|layer| match layer.activation {
                Activation::Relu => Some(0.0),
                Activation::Leaky => Some(LEAK),
                _ => None,
            })
            .collect();
        let (Some([a, b, c]), [one, two, three], false, Head::Value) = (
            slopes.as_deref(),
            &layers[..],
            architecture.skip || architecture.grid.is_some(),
            architecture.head(),
        ) else {
            return Err(GpuNetworkError::Layers);
        };
        let fits = |units: usize| units.is_multiple_of(8) && units <= MOST_UNITS;
        if !fits(two.units)
            || !fits(three.units)
            || one.units > MOST_FIRST
            || tables.sources.len() > MOST_GROUPS
        {
            return Err(GpuNetworkError::Units);
        }
        let mut begins = vec![0];
        for source in &tables.sources {
            begins.push(begins[begins.len() - 1] + source.indices.len());
        }
        let columns = begins[begins.len() - 1];
        if columns > 65_534 {
            return Err(GpuNetworkError::Columns(columns));
        }
        let data = |name: &str| model.tensors.get(name).map(|tensor| &tensor.data[..]);
        let of = |layer: &Layer| Some((data(&layer.weight())?, data(&layer.bias())?));
        let (Some((w1, b1)), Some((w2, b2)), Some((w3, b3)), Some(out), Some(out_bias)) =
            (of(one), of(two), of(three), data("out.weight"), data("out.bias"))
        else {
            return Err(GpuNetworkError::Layers);
        };
        let units = one.units.next_multiple_of(UNITS);
        // The greatest weight of a unit is 127 of its steps.
        let step = |unit: usize| {
            let weights = &w1[unit * one.inputs..(unit + 1) * one.inputs];
            let most = weights.iter().fold(0.0_f32, |most, w| most.max(w.abs()));
            let bias = b1[unit].abs() / MOST_BIAS;
            (most / MOST_STEPS).max(bias).max(f32::MIN_POSITIVE)
        };
        let steps: Vec<f32> = (0..one.units).map(step).collect();
        let mut first = vec![MIDDLE; columns * units];
        let indices = tables.sources.iter().flat_map(|source| &source.indices);
        for (row, &index) in first.chunks_exact_mut(units).zip(indices) {
            // Values that never occur together have no index, and no state uses their row.
            if index as usize >= one.inputs {
                continue;
            }
            for (unit, step) in steps.iter().enumerate() {
                let weight = (w1[unit * one.inputs + index as usize] / step).round();
                row[exchanged(unit)] = (f32::from(MIDDLE) + weight) as u8;
            }
        }
        let bias = |unit: usize| steps.get(unit).map_or(0.0, |step| (b1[unit] / step).round());
        let bias = (0..units).map(|unit| (f32::from(BEGIN) + bias(unit)) as u16).collect();
        let filled = |row: &[f32]| {
            let mut row: Vec<f16> =
                row.iter().zip(&steps).map(|(w, step)| f16::from_f32(w * step * SCALE)).collect();
            row.resize(units, f16::ZERO);
            row
        };
        let mut tail = b2.to_vec();
        for row in w3.chunks_exact(two.units) {
            tail.extend_from_slice(row);
            tail.push(0.0);
        }
        for part in [b3, out, out_bias] {
            tail.extend_from_slice(part);
        }
        Ok(Self {
            units: [units, two.units, three.units],
            slopes: [*a, *b, *c],
            first,
            bias,
            second: w2.chunks_exact(one.units).flat_map(filled).collect(),
            tail,
            begins,
        })
    }
}

/// Position of a unit's byte in a row.
#[must_use]
pub fn exchanged(unit: usize) -> usize {
    match unit % 4 {
        1 => unit + 1,
        2 => unit - 1,
        _ => unit,
    }
}
