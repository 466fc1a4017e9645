//! A training on the processor, with its state as bytes.

use super::{Options, Targets, Trainer, network::Tensors};
use crate::{
    architecture::Architecture,
    model::{Header, Model, Tensor},
};
use burn::backend::Autodiff;
use burn_flex::{Flex, FlexDevice};
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use std::collections::BTreeMap;

/// The key of the number of steps.
const STEPS: &str = "steps";

/// A network in training on the processor.
#[derive(Debug)]
pub struct Cpu(Trainer<Autodiff<Flex>>);

impl Cpu {
    /// A network with random weights, and `linear` ones of its linear part if it has one.
    ///
    /// # Errors
    /// Weights that do not fit.
    pub fn new(
        architecture: &Architecture,
        linear: Option<&[f32]>,
        seed: u64,
        options: Options,
    ) -> Result<Self, String> {
        Trainer::new(architecture, linear, seed, options, &FlexDevice).map(Self)
    }

    /// The network of a model, with a fresh optimiser.
    ///
    /// # Errors
    /// Tensors that are not those of its architecture.
    pub fn of_model(model: &Model, options: Options) -> Result<Self, String> {
        let architecture = &model.header.architecture;
        Trainer::from_tensors(architecture, &model.tensors, options, &FlexDevice).map(Self)
    }

    /// A step on a batch, as [`Trainer::step`]. Gives the loss.
    pub fn step(&mut self, active: &[u32], targets: Targets<'_>, rate: f32) -> f32 {
        self.0.step(active, targets, rate)
    }

    /// The network as it is, with the greatest activations that these rows show.
    #[must_use]
    pub fn model(&self, header: Header, averaged: bool, rows: &[u32]) -> Model {
        let mut tensors = self.0.export(averaged);
        tensors.extend(self.0.ranges(rows, averaged));
        Model { header, tensors }
    }

    /// Everything that training goes on from.
    ///
    /// # Errors
    /// None of a network that has been made.
    pub fn save(&self) -> Result<Vec<u8>, String> {
        let tensors = self.0.state();
        let bytes: BTreeMap<&str, Vec<u8>> = tensors
            .iter()
            .map(|(name, tensor)| {
                let numbers = tensor.data.iter().flat_map(|number| number.to_le_bytes());
                (name.as_str(), numbers.collect())
            })
            .collect();
        let mut views = Vec::new();
        for (name, tensor) in &tensors {
            let view = TensorView::new(Dtype::F32, tensor.shape.clone(), &bytes[name.as_str()]);
            views.push((name.as_str(), view.map_err(|why| why.to_string())?));
        }
        let steps = (STEPS.to_owned(), self.0.steps().to_string());
        // Which kind of map this is depends on the features of that crate.
        let steps = std::iter::once(steps).collect();
        safetensors::serialize(views, Some(steps)).map_err(|why| why.to_string())
    }

    /// Goes on from there.
    ///
    /// # Errors
    /// Bytes that are none of this network.
    pub fn load(
        architecture: &Architecture,
        bytes: &[u8],
        options: Options,
    ) -> Result<Self, String> {
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|why| why.to_string())?;
        let steps = metadata
            .metadata()
            .as_ref()
            .and_then(|texts| texts.get(STEPS));
        let steps = steps.and_then(|text| text.parse().ok());
        let steps = steps.ok_or("there is no number of steps")?;
        let views = SafeTensors::deserialize(bytes).map_err(|why| why.to_string())?;
        let mut tensors = Tensors::new();
        for (name, view) in views.tensors() {
            if view.dtype() != Dtype::F32 {
                return Err(format!("`{name}` is not of single precision"));
            }
            let (numbers, _) = view.data().as_chunks::<4>();
            let data = numbers.iter().map(|number| f32::from_le_bytes(*number));
            let tensor = Tensor {
                shape: view.shape().to_vec(),
                data: data.collect(),
            };
            tensors.insert(name, tensor);
        }
        Trainer::resume(architecture, steps, &tensors, options, &FlexDevice).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Activation, Block, train::Loss};
    use unriddle_core::Rng;

    /// A network goes on from its saved state as if nothing had happened, and learns.
    #[test]
    fn training_goes_on_from_its_state() {
        let architecture = Architecture {
            inputs: 9,
            groups: 3,
            skip: true,
            blocks: vec![
                Block::dense(16, Activation::Elu).with_norm(),
                Block::residual(&[16, 16], Activation::Relu),
            ],
        };
        let options = Options {
            loss: Loss::Lopsided(2.0),
            average: Some(0.9),
            ..Options::default()
        };
        let mut rng = Rng::new(1);
        let mut batch = || {
            let mut active = Vec::new();
            let mut targets = Vec::new();
            for _ in 0..64 {
                let row: Vec<u32> = (0..3)
                    .map(|group| 3 * group + rng.below(3) as u32)
                    .collect();
                targets.push((row[0] * row[1] + row[2]) as f32);
                active.extend(row);
            }
            (active, targets)
        };
        let mut one = Cpu::new(&architecture, Some(&[0.5; 9]), 1, options).unwrap();
        let (active, targets) = batch();
        let first = one.step(&active, Targets::Values(&targets), 1e-2);
        for _ in 0..50 {
            let (active, targets) = batch();
            one.step(&active, Targets::Values(&targets), 1e-2);
        }
        let mut two = Cpu::load(&architecture, &one.save().unwrap(), options).unwrap();
        let mut last = 0.0;
        for _ in 0..20 {
            let (active, targets) = batch();
            last = one.step(&active, Targets::Values(&targets), 1e-2);
            assert_eq!(last, two.step(&active, Targets::Values(&targets), 1e-2));
        }
        assert!(last < first / 5.0, "{first} {last}");
        assert!(Cpu::load(&architecture, b"no tensors", options).is_err());
    }
}
