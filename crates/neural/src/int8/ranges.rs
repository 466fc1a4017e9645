//! The greatest activation of every layer: what the 8 bits of an activation are spread over.

use crate::architecture::Activation;
use crate::error::ModelError;
use crate::model::{Model, Tensor};
use crate::network::Network;

/// The greatest activation of every layer, in the order of
/// [`Architecture::layers`](crate::Architecture::layers).
#[derive(Clone, Debug, PartialEq)]
pub struct Ranges(pub Vec<f32>);

impl Ranges {
    /// The ranges that stand in a model; `None` if it has none, or not those of all layers.
    #[must_use]
    pub fn of(model: &Model) -> Option<Self> {
        let layers = model.header.architecture.layers().into_iter();
        let range = layers.map(|layer| model.data(&name(&layer.name)).first().copied());
        range.collect::<Option<Vec<f32>>>().map(Self)
    }

    /// The ranges over given rows, found by inference in single precision.
    ///
    /// # Errors
    /// A model that makes no network, or rows that do not fit it.
    pub fn measure(model: &Model, active: &[u32]) -> Result<Self, ModelError> {
        let network = Network::new(model)?;
        Ok(Self(network.observe(active)?))
    }

    /// Writes the ranges into a model, so that its file needs no calibration. Nothing happens where there are
    /// not as many as layers.
    pub fn store(&self, model: &mut Model) {
        let layers = model.header.architecture.layers();
        if layers.len() != self.0.len() {
            return;
        }
        for (layer, &range) in layers.iter().zip(&self.0) {
            let (shape, data) = (vec![1], vec![range]);
            let tensor = Tensor { shape, data };
            model.tensors.insert(name(&layer.name), tensor);
        }
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
    /// Bytes over everything from the activation's least value to the greatest value seen.
    pub(crate) fn new(activation: Activation, greatest: f32) -> Self {
        let offset = match activation {
            Activation::Relu => 0.0,
            Activation::Elu => -1.0,
        };
        // A layer that is silent on all rows of the calibration still needs a scale.
        let scale = (greatest - offset).clamp(1e-6, 1e30) / 255.0;
        Self {
            scale,
            offset,
            inverse: 1.0 / scale,
        }
    }
}
