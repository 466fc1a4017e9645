//! Range of activations of every layer, which the 8 bits of an activation cover.

use super::scale::least_of;
use crate::architecture::{Activation, Architecture};
use crate::error::ModelError;
use crate::model::Model;
use crate::network::Network;
use crate::tensor::Tensor;

/// Ranges of the activations of all layers, in the order of [`Architecture::layers`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranges {
    /// The greatest activation of each layer.
    pub greatest: Vec<f32>,
    /// The least activation of each layer. It is a property of the activation function, except for
    /// leaky rectifiers, for which a file stores it.
    pub least: Vec<f32>,
}

impl Ranges {
    /// Ranges stored in a model; `None` if any layer has no range.
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

    /// Ranges over the given rows, found by inference in single precision.
    ///
    /// # Errors
    /// An invalid model, or rows that do not fit it.
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

    /// Writes the ranges into a model, so that its file needs no calibration. Ranges of another
    /// number of layers are ignored.
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
