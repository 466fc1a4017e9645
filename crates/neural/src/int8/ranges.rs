//! The range of activations of every layer: what the 8 bits of an activation are spread over.

use crate::architecture::{Activation, Architecture};
use crate::error::ModelError;
use crate::model::{Model, Tensor};
use crate::network::Network;

/// The activations that every layer shows, in the order of
/// [`Architecture::layers`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranges {
    /// The greatest activation of each layer.
    pub greatest: Vec<f32>,
    /// The least activation of each layer. Only leaky rectifiers have one that is not known beforehand: a
    /// file says it of them only, and it is the activation's least value of others.
    pub least: Vec<f32>,
}

/// The least value of an activation: what is given of a leaky rectifier, which has none.
fn least_of(activation: Activation, seen: f32) -> f32 {
    match activation {
        Activation::Relu => 0.0,
        Activation::Elu => -1.0,
        Activation::Leaky => seen.min(0.0),
    }
}

impl Ranges {
    /// The ranges that stand in a model; `None` if it has none, or not those of all layers.
    #[must_use]
    pub fn of(model: &Model) -> Option<Self> {
        let mut ranges = Self::default();
        for layer in model.header.architecture.layers() {
            let stored = model.data(&name(&layer.name));
            let least = match layer.activation {
                Activation::Leaky => *stored.get(1)?,
                _ => 0.0,
            };
            ranges.greatest.push(*stored.first()?);
            ranges.least.push(least_of(layer.activation, least));
        }
        Some(ranges)
    }

    /// The ranges over given rows, found by inference in single precision.
    ///
    /// # Errors
    /// A model that makes no network, or rows that do not fit it.
    pub fn measure(model: &Model, active: &[u32]) -> Result<Self, ModelError> {
        let layers = model.header.architecture.layers();
        let mut ranges = Self {
            greatest: vec![f32::NEG_INFINITY; layers.len()],
            least: vec![f32::INFINITY; layers.len()],
        };
        Network::new(model)?.observe(active, &mut |layer, row| {
            let (greatest, least) = (&mut ranges.greatest[layer], &mut ranges.least[layer]);
            *greatest = row.iter().copied().fold(*greatest, f32::max);
            *least = row.iter().copied().fold(*least, f32::min);
        })?;
        for (layer, least) in layers.iter().zip(&mut ranges.least) {
            *least = least_of(layer.activation, *least);
        }
        Ok(ranges)
    }

    /// Writes the ranges into a model, so that its file needs no calibration. Nothing happens where there are
    /// not as many as layers.
    pub fn store(&self, model: &mut Model) {
        if self.fits(&model.header.architecture) {
            model.tensors.extend(self.tensors(&model.header.architecture));
        }
    }

    fn fits(&self, architecture: &Architecture) -> bool {
        let layers = architecture.layers().len();
        self.greatest.len() == layers && self.least.len() == layers
    }

    /// The ranges as tensors of a file.
    pub(crate) fn tensors(
        &self,
        architecture: &Architecture,
    ) -> impl Iterator<Item = (String, Tensor)> {
        let layers = architecture.layers().into_iter();
        let ranges = self.greatest.iter().zip(&self.least);
        layers.zip(ranges).map(|(layer, (&greatest, &least))| {
            let data = match layer.activation {
                Activation::Leaky => vec![greatest, least],
                _ => vec![greatest],
            };
            let shape = vec![data.len()];
            (name(&layer.name), Tensor { shape, data })
        })
    }
}

fn name(layer: &str) -> String {
    format!("{layer}.range")
}

/// What a byte stands for: `scale` · byte + `offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    pub(crate) scale: f32,
    pub(crate) offset: f32,
    /// 1 / scale.
    pub(crate) inverse: f32,
}

impl Affine {
    /// Bytes over everything from the activation's least value, or the least one seen of a leaky rectifier,
    /// to the greatest one seen.
    pub(crate) fn new(activation: Activation, least: f32, greatest: f32) -> Self {
        let offset = least_of(activation, least).max(-1e30);
        // A layer that is silent on all rows of the calibration still needs a scale.
        let scale = (greatest - offset).clamp(1e-6, 1e30) / 255.0;
        Self { scale, offset, inverse: 1.0 / scale }
    }
}
