//! Networks that the GPU computes: three dense layers without norms, whose first one is a sum of columns.

use crate::places::Places;
use half::f16;
use thiserror::Error;
use unriddle_neural::{
    Activation, Head, Model,
    architecture::{LEAK, Layer},
};

/// Units of the first layer are filled up to a multiple of this.
pub const UNITS: usize = 256;

/// The byte of a weight of 0.
pub const MIDDLE: u8 = 128;

/// What sums begin with, so that none is negative.
pub const BEGIN: u16 = 1 << 14;

/// Greatest weight in steps.
const MOST_STEPS: f32 = 127.0;

/// Greatest bias in steps: one of more would leave the range of sums.
const MOST_BIAS: f32 = 15_000.0;

/// What weights of the second layer are multiplied by, so that they stay in the range of half precision.
pub const SCALE: f32 = 1024.0;

/// Most groups: more would leave the range of sums.
const MOST_GROUPS: usize = 128;

/// Why a network is not computed by the GPU's own program.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SmallError {
    /// Other layers than three dense ones.
    #[error(
        "it takes three dense layers without norms, with `relu` or `leaky`, and one output, the value"
    )]
    Layers,
    /// Units of a dense layer.
    #[error(
        "the second and the third layer take multiples of 8 units, {MOST_UNITS} at most, the first {MOST_FIRST} at most, and {MOST_GROUPS} groups at most"
    )]
    Units,
    /// Too many columns of weights.
    #[error("the first layer has {0} columns, which is more than 65,534")]
    Columns(usize),
}

/// Most units behind the first layer, which lie in the memory of a multiprocessor.
const MOST_UNITS: usize = 64;

/// Most units of the first layer.
const MOST_FIRST: usize = 1024;

/// The weights of a network as the GPU takes them.
#[derive(Clone, Debug)]
pub struct Small {
    /// Units of the layers, those of the first filled up.
    pub units: [usize; 3],
    /// What negative sums are multiplied by in each layer.
    pub slopes: [f32; 3],
    /// Where the rows of each source begin; behind the last one, how many there are.
    pub begins: Vec<usize>,
    /// Weights of the first layer in steps of the unit, plus [`MIDDLE`]: a row of units for each value of a source. Of four units the second and the third are
    /// exchanged.
    pub first: Vec<u8>,
    /// Its biases in steps of the unit, plus [`BEGIN`].
    pub bias: Vec<u16>,
    /// Weights of the second layer times the steps of the first and [`SCALE`], a row for each of its units.
    pub second: Vec<f16>,
    /// Biases of the second layer; weights of the third, a row and a gap of one number for each unit; its biases; the output's weights and bias.
    pub tail: Vec<f32>,
}

impl Small {
    /// The weights of a model for the sources of a puzzle's tables.
    ///
    /// # Errors
    /// What the GPU's program does not compute.
    pub fn new(model: &Model, places: &Places) -> Result<Self, SmallError> {
        let architecture = &model.header.architecture;
        let layers = architecture.layers();
        let is_plain = |layer: &Layer| !layer.norm && layer.adds.is_none() && layer.places == 1;
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
            return Err(SmallError::Layers);
        };
        let fits = |units: usize| units.is_multiple_of(8) && units <= MOST_UNITS;
        if !fits(two.units)
            || !fits(three.units)
            || one.units > MOST_FIRST
            || places.sources.len() > MOST_GROUPS
        {
            return Err(SmallError::Units);
        }
        let mut begins = vec![0];
        for source in &places.sources {
            begins.push(begins[begins.len() - 1] + source.indices.len());
        }
        let columns = begins[begins.len() - 1];
        if columns > 65_534 {
            return Err(SmallError::Columns(columns));
        }
        let data = |name: &str| model.tensors.get(name).map(|tensor| &tensor.data[..]);
        let of = |layer: &Layer| Some((data(&layer.weight())?, data(&layer.bias())?));
        let (Some((w1, b1)), Some((w2, b2)), Some((w3, b3)), Some(out), Some(out_bias)) =
            (of(one), of(two), of(three), data("out.weight"), data("out.bias"))
        else {
            return Err(SmallError::Layers);
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
        let indices = places.sources.iter().flat_map(|source| &source.indices);
        for (row, &index) in first.chunks_exact_mut(units).zip(indices) {
            // Values that are never together have no index, and no state has their row.
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

/// Where a unit's byte stands in a row.
#[must_use]
pub fn exchanged(unit: usize) -> usize {
    match unit % 4 {
        1 => unit + 1,
        2 => unit - 1,
        _ => unit,
    }
}
