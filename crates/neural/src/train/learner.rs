//! A training on the processor or a graphics card, with its state as bytes.

use super::{Labels, Options, TrainBackend, Trainer, lean::Lean, network::Tensors};
use crate::{
    architecture::Architecture,
    device::{Device, DeviceError, guarded},
    model::{Header, Model, Tensor},
};
use burn::backend::Autodiff;
use burn_flex::{Flex, FlexDevice};
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use std::collections::BTreeMap;

/// The key of the number of steps.
const STEPS: &str = "steps";

/// A network in training, whatever it is computed on: by the framework, or by loops of our own for narrow
/// networks on the processor (the module `lean`).
#[derive(Debug)]
pub struct Learner(Box<dyn Trains>);

/// A [`Trainer`] on some device.
pub(super) trait Trains: std::fmt::Debug {
    fn step(&mut self, active: &[u32], labels: Labels<'_>, rate: f32) -> f32;
    fn export(&self, averaged: bool) -> Tensors;
    fn ranges(&self, active: &[u32], averaged: bool) -> Tensors;
    fn state(&self) -> Tensors;
    fn steps(&self) -> u64;
}

impl<B: TrainBackend> Trains for Trainer<B> {
    fn step(&mut self, active: &[u32], labels: Labels<'_>, rate: f32) -> f32 {
        Self::step(self, active, labels, rate)
    }
    fn export(&self, averaged: bool) -> Tensors {
        Self::export(self, averaged)
    }
    fn ranges(&self, active: &[u32], averaged: bool) -> Tensors {
        Self::ranges(self, active, averaged)
    }
    fn state(&self) -> Tensors {
        Self::state(self)
    }
    fn steps(&self) -> u64 {
        Self::steps(self)
    }
}

/// What a training begins with.
enum Start<'a> {
    Random(Option<&'a [f32]>, u64),
    Weights(&'a Tensors),
    State(u64, &'a Tensors),
}

impl Start<'_> {
    fn trainer<B: TrainBackend + std::fmt::Debug + 'static>(
        &self,
        architecture: &Architecture,
        options: Options,
        device: &B::Device,
    ) -> Result<Box<dyn Trains>, String> {
        let trainer = match *self {
            Self::Random(linear, seed) => {
                Trainer::<B>::new(architecture, linear, seed, options, device)
            }
            Self::Weights(tensors) => Trainer::from_tensors(architecture, tensors, options, device),
            Self::State(steps, tensors) => {
                Trainer::resume(architecture, steps, tensors, options, device)
            }
        };
        Ok(Box::new(trainer?))
    }
}

impl Learner {
    /// A network with random weights, and `linear` ones of its linear part if it has one.
    ///
    /// # Errors
    /// Weights that do not fit, a device that is not there.
    pub fn new(
        device: Device,
        architecture: &Architecture,
        linear: Option<&[f32]>,
        seed: u64,
        options: Options,
    ) -> Result<Self, String> {
        Self::begin(device, architecture, options, &Start::Random(linear, seed))
    }

    /// The network of a model, with a fresh optimiser.
    ///
    /// # Errors
    /// Tensors that are not those of its architecture, a device that is not there.
    pub fn of_model(device: Device, model: &Model, options: Options) -> Result<Self, String> {
        let architecture = &model.header.architecture;
        let start = Start::Weights(&model.tensors);
        Self::begin(device, architecture, options, &start)
    }

    fn begin(
        device: Device,
        architecture: &Architecture,
        options: Options,
        start: &Start<'_>,
    ) -> Result<Self, String> {
        device.check().map_err(|why| why.to_string())?;
        let made = guarded(|| match device {
            Device::Cpu if Lean::suits(architecture) => {
                let lean = match *start {
                    Start::Random(linear, seed) => Lean::new(architecture, linear, seed, options),
                    Start::Weights(tensors) => Lean::resume(architecture, 0, tensors, options),
                    Start::State(steps, tensors) => {
                        Lean::resume(architecture, steps, tensors, options)
                    }
                };
                Ok(Box::new(lean?) as Box<dyn Trains>)
            }
            Device::Cpu => start.trainer::<Autodiff<Flex>>(architecture, options, &FlexDevice),
            #[cfg(feature = "cuda")]
            Device::Cuda => {
                use burn::backend::cuda::{Cuda, CudaDevice};
                let card = CudaDevice::default();
                start.trainer::<Autodiff<Cuda>>(architecture, options, &card)
            }
            #[cfg(not(feature = "cuda"))]
            Device::Cuda => Err(DeviceError::NotBuilt.to_string()),
        });
        made.map_err(|why| why.to_string())?.map(Self)
    }

    /// A step on a batch, as [`Trainer::step`]. Gives the loss.
    ///
    /// # Errors
    /// Labels that do not fit the network's [head](crate::Head), or the device failed; it has no memory for
    /// such a batch, perhaps. What was saved before is as it was; this learner is of no use any more.
    pub fn step<'a>(
        &mut self,
        active: &[u32],
        labels: impl Into<Labels<'a>>,
        rate: f32,
    ) -> Result<f32, DeviceError> {
        let labels = labels.into();
        guarded(|| self.0.step(active, labels, rate))
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
        device: Device,
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
        let steps = steps.ok_or("the number of steps is missing")?;
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
        Self::begin(
            device,
            architecture,
            options,
            &Start::State(steps, &tensors),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Activation, Block,
        train::{Loss, Targets},
    };
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
        let mut one =
            Learner::new(Device::Cpu, &architecture, Some(&[0.5; 9]), 1, options).unwrap();
        let (active, targets) = batch();
        let first = one.step(&active, Targets::Values(&targets), 1e-2).unwrap();
        for _ in 0..50 {
            let (active, targets) = batch();
            one.step(&active, Targets::Values(&targets), 1e-2).unwrap();
        }
        let mut two =
            Learner::load(Device::Cpu, &architecture, &one.save().unwrap(), options).unwrap();
        let mut last = 0.0;
        for _ in 0..20 {
            let (active, targets) = batch();
            last = one.step(&active, Targets::Values(&targets), 1e-2).unwrap();
            let same = two.step(&active, Targets::Values(&targets), 1e-2);
            assert_eq!(Ok(last), same);
        }
        assert!(last < first / 5.0, "{first} {last}");
        assert!(Learner::load(Device::Cpu, &architecture, b"no tensors", options).is_err());
    }
}
