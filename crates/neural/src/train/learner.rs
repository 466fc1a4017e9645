//! Training on the CPU or a GPU, with its state as bytes.

use super::{
    any_trainer::AnyTrainer,
    lean::Lean,
    loss::Labels,
    options::Options,
    parts::Parts,
    trainer::{TrainBackend, Trainer},
};
use crate::{
    architecture::Architecture,
    device::Device,
    error::DeviceError,
    framework::{operands::Products, parameters::initial},
    guard::guarded,
    model::{Header, Model},
    tensor::{Tensor, Tensors},
    views::Views,
};
use burn::backend::Autodiff;
use burn_flex::{Flex, FlexDevice};
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use std::{borrow::Cow, collections::BTreeMap};

/// Key of the number of steps in a saved state.
const STEPS: &str = "steps";

/// Network in training on any device: in operations of the framework or, for narrow networks on the
/// CPU, by the loops of the module `lean`.
#[derive(Debug)]
pub struct Learner {
    trainer: Box<dyn AnyTrainer>,
    /// Architecture without parts.
    architecture: Architecture,
    parts: Option<Parts>,
}

/// Architecture of the network, and the features that it learns beside its input.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// Architecture of the written network.
    pub architecture: &'a Architecture,
    /// Parts of its inputs. Networks with convolutions or with a head for two states cannot have
    /// parts.
    pub parts: Option<&'a Parts>,
    /// Symmetric states that units of its first layer see, which share their weights. Only narrow
    /// dense layers without norms, trained on the CPU, can share weights.
    pub views: Option<&'a Views>,
}

impl<'a> From<&'a Architecture> for Shape<'a> {
    fn from(architecture: &'a Architecture) -> Self {
        Self { architecture, parts: None, views: None }
    }
}

/// Thread pool of the calling thread for training on the CPU.
#[derive(Debug)]
#[must_use]
pub struct Threads {
    _pool: rayon::ThreadPool,
}

impl Threads {
    /// Limits training to `count` threads, including the calling thread, until the value is
    /// dropped. Call it at most once per thread: a thread cannot change its pool. (A network on a
    /// GPU must stay on the thread that made it, which is therefore not part of a pool that
    /// trains.)
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn new(count: usize) -> Result<Self, String> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count);
        let pool = pool.use_current_thread().build();
        Ok(Self { _pool: pool.map_err(|why| why.to_string())? })
    }
}

/// Initial state of a training.
#[derive(Clone, Copy)]
enum Start<'a> {
    Random(Option<&'a [f32]>, u64),
    Weights(&'a Tensors),
    State(u64, &'a Tensors),
}

/// Trainer in operations of the framework.
fn framework<B: TrainBackend + std::fmt::Debug + 'static>(
    architecture: &Architecture,
    (steps, tensors): (u64, &Tensors),
    options: Options,
    device: &B::Device,
) -> Result<Box<dyn AnyTrainer>, String> {
    Ok(Box::new(Trainer::<B>::resume(architecture, steps, tensors, options, device)?))
}

impl Learner {
    /// Network with random weights. `linear` are the weights of its linear skip, if it has one.
    ///
    /// # Errors
    /// Weights that do not fit, or a missing device.
    pub fn new<'a>(
        device: Device,
        shape: impl Into<Shape<'a>>,
        linear: Option<&[f32]>,
        seed: u64,
        options: Options,
    ) -> Result<Self, String> {
        let shape = shape.into();
        let extended = shape.parts.zip(linear);
        let extended = extended.map(|(parts, linear)| parts.linear(linear));
        let linear = extended.as_deref().or(linear);
        Self::begin(device, shape, options, Start::Random(linear, seed))
    }

    /// Network with the tensors of a model, and a fresh optimiser.
    ///
    /// # Errors
    /// Tensors that do not fit the architecture of `shape`, or a missing device.
    pub fn of_model<'a>(
        device: Device,
        shape: impl Into<Shape<'a>>,
        model: &Model,
        options: Options,
    ) -> Result<Self, String> {
        let shape = shape.into();
        let extended = shape.parts.map(|parts| parts.unfolded(&model.tensors, shape.architecture));
        let start = Start::Weights(extended.as_ref().unwrap_or(&model.tensors));
        Self::begin(device, shape, options, start)
    }

    fn begin(
        device: Device,
        shape: Shape<'_>,
        options: Options,
        start: Start<'_>,
    ) -> Result<Self, String> {
        let extended = shape.parts.map(|parts| parts.extended(shape.architecture));
        let architecture = extended.as_ref().unwrap_or(shape.architecture);
        device.check().map_err(|why| why.to_string())?;
        let is_lean = device == Device::Cpu
            && options.products == Products::Single
            && Lean::suits(architecture);
        if shape.views.is_some() && !is_lean {
            return Err(
                "only narrow dense layers without norms and dropout can share weights, and only on the CPU"
                    .to_owned(),
            );
        }
        let made = guarded(|| {
            // Units of a state already share their weights.
            let (steps, tensors, is_random) = match start {
                Start::Random(linear, seed) => {
                    let fits = |l: &[f32]| architecture.skip && l.len() == architecture.inputs;
                    if !linear.is_none_or(fits) {
                        return Err("the number of skip weights is not the number of inputs of a network with a skip".to_owned());
                    }
                    (0, Cow::Owned(initial(architecture, linear, seed)), Some(true))
                }
                Start::Weights(tensors) => (0, Cow::Borrowed(tensors), Some(false)),
                Start::State(steps, tensors) => (steps, Cow::Borrowed(tensors), None),
            };
            match device {
                Device::Cpu if is_lean => {
                    let views = match (shape.views, shape.parts) {
                        (Some(views), Some(parts)) => Some(Cow::Owned(views.with_parts(parts))),
                        (views, _) => views.map(Cow::Borrowed),
                    };
                    let tensors = match (&views, is_random) {
                        (Some(views), Some(is_random)) => {
                            let all = tensors.into_owned();
                            Cow::Owned(views.shared(all, architecture, is_random))
                        }
                        _ => tensors,
                    };
                    let (parts, views) = (shape.parts, views.as_deref());
                    let lean = Lean::begin(architecture, steps, &tensors, options, parts, views)?;
                    Ok(Box::new(lean) as Box<dyn AnyTrainer>)
                }
                Device::Cpu => {
                    let start = (steps, &*tensors);
                    framework::<Autodiff<Flex>>(architecture, start, options, &FlexDevice)
                }
                #[cfg(feature = "cuda")]
                Device::Cuda => {
                    use burn::backend::cuda::{Cuda, CudaDevice};
                    let (start, gpu) = ((steps, &*tensors), CudaDevice::default());
                    framework::<Autodiff<Cuda>>(architecture, start, options, &gpu)
                }
                #[cfg(not(feature = "cuda"))]
                Device::Cuda => Err(DeviceError::NotBuilt.to_string()),
            }
        });
        Ok(Self {
            trainer: made.map_err(|why| why.to_string())??,
            architecture: shape.architecture.clone(),
            parts: shape.parts.cloned(),
        })
    }

    /// Takes a step on a batch, as [`Trainer::step`], and returns the loss.
    ///
    /// # Errors
    /// Labels that do not fit the network's [head](crate::Head), or a failure of the device, such
    /// as too little memory for the batch. Saved states remain valid, but this learner must not be
    /// used any more.
    pub fn step<'a>(
        &mut self,
        active: &[u32],
        labels: impl Into<Labels<'a>>,
        rate: f32,
    ) -> Result<f32, DeviceError> {
        let losses = self.steps([(active, labels.into(), rate)])?;
        Ok(losses[0])
    }

    /// Takes steps one after the other, each on rows of active indices, with labels and a learning
    /// rate. Returns the loss of each step; the losses are read from the device at the end.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn steps<'a>(
        &mut self,
        steps: impl IntoIterator<Item = (&'a [u32], Labels<'a>, f32)>,
    ) -> Result<Vec<f32>, DeviceError> {
        guarded(|| {
            for (active, labels, rate) in steps {
                let rows = self.rows(active);
                self.trainer.learn(&rows, labels, rate);
            }
            self.trainer.losses()
        })
    }

    /// Rows for the trainer: with the parts of their indices, unless the trainer adds these itself.
    fn rows<'a>(&self, active: &'a [u32]) -> Cow<'a, [u32]> {
        match &self.parts {
            Some(parts) if !self.trainer.finds_parts() => {
                parts.rows(active, self.architecture.groups).into()
            }
            _ => active.into(),
        }
    }

    /// Current network, with the ranges of activations over the given rows.
    #[must_use]
    pub fn model(&self, header: Header, averaged: bool, rows: &[u32]) -> Model {
        let mut tensors = self.trainer.export(averaged);
        tensors.extend(self.trainer.ranges(&self.rows(rows), averaged));
        if let Some(parts) = &self.parts {
            tensors = parts.folded(tensors, &self.architecture);
        }
        Model { header, tensors }
    }

    /// State from which [`load`](Self::load) resumes, as bytes.
    ///
    /// # Errors
    /// None for a valid network.
    pub fn save(&self) -> Result<Vec<u8>, String> {
        let tensors = self.trainer.state();
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
        let steps = (STEPS.to_owned(), self.trainer.steps().to_string());
        // The type of this map depends on the features of `safetensors`.
        let steps = std::iter::once(steps).collect();
        safetensors::serialize(views, Some(steps)).map_err(|why| why.to_string())
    }

    /// Training that resumes from saved bytes.
    ///
    /// # Errors
    /// Bytes that are not a state of this network.
    pub fn load<'a>(
        device: Device,
        shape: impl Into<Shape<'a>>,
        bytes: &[u8],
        options: Options,
    ) -> Result<Self, String> {
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|why| why.to_string())?;
        let steps = metadata.metadata().as_ref().and_then(|texts| texts.get(STEPS));
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
            let tensor = Tensor { shape: view.shape().to_vec(), data: data.collect() };
            tensors.insert(name, tensor);
        }
        let start = Start::State(steps, &tensors);
        Self::begin(device, shape.into(), options, start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Activation, Block, Engine as _, Network, Training,
        train::{Loss, Targets},
    };
    use rayon::prelude::*;
    use unriddle_core::{Part, Rng};

    /// A training thread has as many threads as it asked for; other threads are not affected.
    #[test]
    fn threads_are_as_many_as_asked_for() {
        let other = rayon::current_num_threads();
        let asked = other + 2;
        let found = std::thread::spawn(move || {
            let _threads = Threads::new(asked).unwrap();
            let sum: usize = (0..1000usize).into_par_iter().sum();
            assert_eq!(sum, 499_500);
            rayon::current_num_threads()
        });
        assert_eq!(found.join().unwrap(), asked);
        assert_eq!(rayon::current_num_threads(), other);
    }

    /// A network resumes from its saved state without a difference, and learns.
    #[test]
    fn training_resumes_from_its_state() {
        let architecture = Architecture {
            inputs: 9,
            groups: 3,
            grid: None,
            skip: true,
            blocks: vec![
                Block::dense(16, Activation::Elu).with_norm(),
                Block::residual(&[16, 16], Activation::Relu),
            ],
        };
        let options =
            Options { loss: Loss::Lopsided(2.0), average: Some(0.9), ..Options::default() };
        let mut rng = Rng::new(1);
        let mut batch = || {
            let mut active = Vec::new();
            let mut targets = Vec::new();
            for _ in 0..64 {
                let row: Vec<u32> = (0..3).map(|group| 3 * group + rng.below(3) as u32).collect();
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

    /// Inputs are pairs of digits, and each digit is a part. A network learns with parts, is
    /// written without them, and resumes from a saved state.
    #[test]
    fn parts_are_learned_with_and_not_needed() {
        let blocks = vec![Block::dense(16, Activation::Relu)];
        for skip in [false, true] {
            let architecture = Architecture {
                inputs: 2 * 25,
                groups: 2,
                grid: None,
                skip,
                blocks: blocks.clone(),
            };
            // The first digits of the second group are the second digits of the first group.
            let of = |index: u32| {
                let (group, pair) = (index / 25, index % 25);
                let [a, b] = [5 * group + pair / 5, 5 * (group + 1) + pair % 5];
                let share = |part: u32| if part / 5 == 1 { 0.5 } else { 1.0 };
                [a, b].map(|number| Part { number, share: share(number) })
            };
            let parts: Vec<_> = (0..50).map(|index| of(index).to_vec()).collect();
            let mut rng = Rng::new(1);
            let mut batch = || {
                let (mut active, mut targets) = (Vec::new(), Vec::new());
                for _ in 0..64 {
                    let [a, b, c] = [0, 1, 2].map(|_| rng.below(5) as u32);
                    active.extend([5 * a + b, 25 + 5 * b + c]);
                    targets.push((a + 2 * b + c) as f32);
                }
                (active, targets)
            };
            let parts = Parts::new(&parts, &batch().0[..2]).unwrap();
            let shape = Shape { architecture: &architecture, parts: Some(&parts), views: None };
            let linear = [0.25; 50];
            let linear = skip.then_some(&linear[..]);
            let options = Options::default();
            let mut learner = Learner::new(Device::Cpu, shape, linear, 1, options).unwrap();
            for _ in 0..300 {
                let (active, targets) = batch();
                learner.step(&active, Targets::Values(&targets), 1e-2).unwrap();
            }
            let (active, targets) = batch();
            let header = Header {
                puzzle: String::new(),
                size: String::new(),
                goal: String::new(),
                input: String::new(),
                sharing: None,
                architecture: architecture.clone(),
                training: Training::default(),
            };
            let model = learner.model(header, false, &active);
            model.check().unwrap();
            let mut found = vec![0.0; 64];
            let network = Network::new(&model).unwrap();
            network.evaluate(&active, &mut found, 1).unwrap();
            let errors = found.iter().zip(&targets).map(|(x, y)| (x - y).powi(2));
            let error = errors.sum::<f32>() / 64.0;
            // The error equals the loss that training reports before its next step.
            let mut same = Learner::load(Device::Cpu, shape, &learner.save().unwrap(), options);
            let same = same.as_mut().unwrap();
            let loss = same.step(&active, Targets::Values(&targets), 1e-2).unwrap();
            assert!((loss - error).abs() < 1e-3 * (1.0 + error), "{loss} {error}");
            assert!(error < 0.3, "{error}");
            let other = learner.step(&active, Targets::Values(&targets), 1e-2);
            assert_eq!(other, Ok(loss));
            assert_eq!(same.save().unwrap(), learner.save().unwrap());
            // A training that begins with the model starts with the same loss.
            let mut next = Learner::of_model(Device::Cpu, shape, &model, options).unwrap();
            let begun = next.step(&active, Targets::Values(&targets), 1e-2).unwrap();
            assert!((begun - error).abs() < 1e-3 * (1.0 + error), "{begun} {error}");
        }
    }
}
