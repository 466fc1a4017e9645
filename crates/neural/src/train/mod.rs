//! Training: losses, Adam, running averages, and a state that can be saved.

use std::collections::BTreeMap;

use burn::module::{AutodiffModule, Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::TensorMetadata;
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::ops::{FloatTensor, FloatTensorOps};
use burn::tensor::{DType, Int, Tensor, TensorData};

use crate::architecture::Architecture;
use crate::int8::Ranges;
use crate::model::Tensor as Numbers;

mod conv;
mod flex;
pub mod kernels;
mod lean;
mod learner;
mod loss;
pub mod network;
mod parts;
mod slopes;
mod views;

pub use crate::views::Views;
use kernels::{AdamStep, Kernels, LayerOps, unwrap, wrap};
pub use learner::{Learner, Shape, Threads};
pub use loss::{Labels, Loss, Targets};
pub use network::Products;
use network::{Collect, CostToGo, MapAll, Pass, Role, Tensors, floats, initial, slots};
pub use parts::Parts;
use slopes::Told;

/// A backend to train on: gradients over one with the kernels.
pub trait TrainBackend: AutodiffBackend<InnerBackend: Kernels> + LayerOps {}
impl<B: AutodiffBackend<InnerBackend: Kernels> + LayerOps> TrainBackend for B {}

/// Settings of a training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// What is made small.
    pub loss: Loss,
    /// Adam's decay of the first moment.
    pub beta_1: f32,
    /// Adam's decay of the second moment.
    pub beta_2: f32,
    /// Added to the root of Adam's second moment.
    pub epsilon: f32,
    /// Decoupled weight decay of the weight matrices.
    pub decay: f32,
    /// Greatest norm of all gradients together.
    pub clip: Option<f32>,
    /// Share of a batch's mean and variance in the running ones.
    pub momentum: f32,
    /// Share of the old weights in their running average, e.g. 0.999.
    pub average: Option<f32>,
    /// Seed of the dropout.
    pub seed: u64,
    /// In which numbers products are computed.
    pub products: Products,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            loss: Loss::Squared,
            beta_1: 0.9,
            beta_2: 0.999,
            epsilon: 1e-8,
            decay: 0.0,
            clip: None,
            momentum: 0.1,
            average: None,
            seed: 0,
            products: Products::Single,
        }
    }
}

type Inner<B> = <B as AutodiffBackend>::InnerBackend;

/// A network in training.
#[derive(Debug)]
pub struct Trainer<B: TrainBackend> {
    architecture: Architecture,
    /// None only within a step, whose update takes it to work in place.
    network: Option<CostToGo<B>>,
    average: Option<CostToGo<Inner<B>>>,
    moments: BTreeMap<u64, [FloatTensor<Inner<B>>; 2]>,
    roles: Vec<Role>,
    steps: u64,
    /// Of steps since they were last asked for.
    losses: Vec<Told<Inner<B>>>,
    options: Options,
    device: B::Device,
}

impl<B: TrainBackend> Trainer<B> {
    /// A new network, its skip weights those given if it has a skip.
    pub fn new(
        architecture: &Architecture,
        skip: Option<&[f32]>,
        seed: u64,
        options: Options,
        device: &B::Device,
    ) -> Result<Self, String> {
        if skip.is_some_and(|s| !architecture.skip || s.len() != architecture.inputs) {
            return Err("skip weights that do not fit the network".to_owned());
        }
        Self::from_tensors(architecture, &initial(architecture, skip, seed), options, device)
    }

    /// A network read from a file, with a fresh optimiser.
    ///
    /// # Errors
    /// Tensors that do not fit, or a device that does not compute in the numbers of `options`.
    pub fn from_tensors(
        architecture: &Architecture,
        tensors: &Tensors,
        options: Options,
        device: &B::Device,
    ) -> Result<Self, String> {
        if options.products == Products::Bf16 && !B::supports_dtype(device, DType::BF16) {
            return Err(
                "the device has no products in bf16; `single` is for every device".to_owned()
            );
        }
        let network = CostToGo::<B>::import(architecture, tensors, device)?;
        let average = options.average.map(|_| network.valid());
        Ok(Self {
            architecture: architecture.clone(),
            average,
            network: Some(network),
            moments: BTreeMap::new(),
            roles: slots(architecture).iter().map(|s| s.role).collect(),
            steps: 0,
            losses: Vec::new(),
            options,
            device: device.clone(),
        })
    }

    fn rows<K: Backend<Device = B::Device>>(&self, active: &[u32]) -> Tensor<K, 2, Int> {
        let groups = self.architecture.groups;
        assert!(active.len().is_multiple_of(groups), "rows of {groups} active indices");
        let inputs = self.architecture.inputs;
        assert!(active.iter().all(|&i| (i as usize) < inputs), "active index out of range");
        network::rows(active, groups, &self.device)
    }

    /// One step on a batch, as [`learn`](Self::learn). Returns the batch's loss before the step.
    pub fn step<'a>(&mut self, active: &[u32], labels: impl Into<Labels<'a>>, rate: f32) -> f32 {
        self.learn(active, labels, rate);
        self.losses().pop().expect("the loss of this step")
    }

    /// The losses of all steps since they were last asked for, each before its step.
    pub fn losses(&mut self) -> Vec<f32> {
        Told::read(std::mem::take(&mut self.losses))
    }

    /// One step on a batch: rows of active indices one after another, and what their outputs are to be. The loss stays on
    /// the device until [`losses`](Self::losses) is called: a GPU is not waited for.
    pub fn learn<'a>(&mut self, active: &[u32], labels: impl Into<Labels<'a>>, rate: f32) {
        let (labels, head) = (labels.into(), self.architecture.head());
        let rows = active.len() / self.architecture.groups;
        labels.assert_fit(head, rows);
        let mut pass = Pass {
            seed: self.options.seed ^ self.steps.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            products: self.options.products,
            training: true,
            batch: Vec::new(),
            ranges: None,
        };
        let active = self.rows::<B>(active);
        let outputs = self.network().forward(active, &mut pass);
        let (loss, slopes) =
            slopes::of_labels(self.options.loss, outputs.clone().inner(), head, labels);
        self.losses.push(loss);
        // Its gradient is that of the loss.
        let mut grads = (outputs * Tensor::from_inner(slopes)).sum().backward();
        self.steps += 1;

        let scale = self.options.clip.map_or(1.0, |clip| {
            let mut norm = Squares::<B> { grads: &grads, sum: 0.0 };
            self.network().visit(&mut norm);
            let norm = norm.sum.sqrt() as f32;
            if norm > clip { clip / norm } else { 1.0 }
        });
        let options = &self.options;
        let time = self.steps.min(i32::MAX as u64) as i32;
        let mut update = Update::<B> {
            grads: &mut grads,
            batch: pass.batch.into_iter().map(|(id, t)| (id, unwrap(t.inner()))).collect(),
            moments: &mut self.moments,
            roles: &self.roles,
            momentum: options.momentum,
            decay: options.decay,
            step: AdamStep {
                rate,
                beta_1: options.beta_1,
                beta_2: options.beta_2,
                epsilon: options.epsilon,
                decay: 0.0,
                scale,
                correction_1: 1.0 - options.beta_1.powi(time),
                correction_2: 1.0 - options.beta_2.powi(time),
            },
        };
        let network = self.network.take().expect(NETWORK).map(&mut update);
        if let (Some(average), Some(share)) = (self.average.take(), self.options.average) {
            // Young averages follow faster.
            let share = (1.0 - share).max(1.0 / (self.steps as f32 + 1.0));
            let mut new = Collect::<Inner<B>>(BTreeMap::new());
            network.valid().visit(&mut new);
            self.average = Some(average.map(&mut MapAll(|id, old| match new.0.remove(&id) {
                Some(new) => Inner::<B>::blend(old, new, share),
                None => old,
            })));
        }
        self.network = Some(network);
    }

    /// All outputs of rows, row after row: no dropout, running means and variances; of the averaged weights, if asked
    /// for and there are any.
    pub fn evaluate(&self, active: &[u32], averaged: bool) -> Vec<f32> {
        let network = self.network_for(averaged);
        let mut all = Vec::with_capacity(active.len() / self.architecture.groups);
        for part in active.chunks(self.architecture.groups * 8192) {
            let y = network.forward(self.rows::<Inner<B>>(part), &mut Pass::evaluation());
            all.extend(floats(y));
        }
        all
    }

    /// Ranges of the activations of each layer over these rows, as the file's `range` tensors.
    pub fn ranges(&self, active: &[u32], averaged: bool) -> Tensors {
        let network = self.network_for(averaged);
        let layers = self.architecture.layers();
        let mut all = Ranges { greatest: vec![0.0; layers.len()], least: vec![0.0; layers.len()] };
        for part in active.chunks(self.architecture.groups * 8192) {
            let mut pass = Pass { ranges: Some(Vec::new()), ..Pass::evaluation() };
            network.forward(self.rows::<Inner<B>>(part), &mut pass);
            for (layer, range) in pass.ranges.into_iter().flatten().enumerate() {
                let [greatest, least] = range.map(|range| floats(range)[0]);
                all.greatest[layer] = all.greatest[layer].max(greatest);
                all.least[layer] = all.least[layer].min(least);
            }
        }
        all.tensors(&self.architecture).collect()
    }

    fn network(&self) -> &CostToGo<B> {
        self.network.as_ref().expect(NETWORK)
    }

    fn network_for(&self, averaged: bool) -> CostToGo<Inner<B>> {
        match &self.average {
            Some(average) if averaged => average.clone(),
            _ => self.network().valid(),
        }
    }

    /// The network's tensors, as in the file.
    pub fn export(&self, averaged: bool) -> Tensors {
        self.network_for(averaged).export(&self.architecture)
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Everything that a training goes on from: the network's tensors, and with the prefixes `first.`,
    /// `second.` and `average.` the moments (weights `[in, out]`) and the averaged network. The number
    /// of [`steps`](Self::steps) belongs to it.
    pub fn state(&self) -> Tensors {
        let mut all = self.export(false);
        let slots = slots(&self.architecture);
        for (&id, moments) in &self.moments {
            let name = &slots[id as usize - 1].name;
            for (prefix, moment) in MOMENTS.into_iter().zip(moments) {
                let shape = moment.shape().to_vec();
                let data = floats(wrap::<Inner<B>, 1>(moment.clone()));
                all.insert(format!("{prefix}{name}"), Numbers { shape, data });
            }
        }
        if let Some(average) = &self.average {
            let average = average.export(&self.architecture).into_iter();
            all.extend(average.map(|(name, t)| (format!("{AVERAGE}{name}"), t)));
        }
        all
    }

    /// A training that goes on from a state, to the same bits with the same options.
    ///
    /// # Errors
    /// A tensor that is not there or has another shape.
    pub fn resume(
        architecture: &Architecture,
        steps: u64,
        state: &Tensors,
        options: Options,
        device: &B::Device,
    ) -> Result<Self, String> {
        let mut trainer = Self::from_tensors(architecture, state, options, device)?;
        trainer.steps = steps;
        let mut like = Collect::<Inner<B>>(BTreeMap::new());
        trainer.network_for(false).visit(&mut like);
        for (k, slot) in slots(architecture).iter().enumerate() {
            let id = k as u64 + 1;
            let Some(like) = like.0.get(&id).filter(|_| slot.role != Role::Running) else {
                continue;
            };
            let load = |prefix: &str| -> Result<Option<FloatTensor<Inner<B>>>, String> {
                let name = format!("{prefix}{}", slot.name);
                let Some(t) = state.get(&name) else {
                    return Ok(None);
                };
                let shape = like.shape().to_vec();
                if t.shape != shape || t.data.len() != shape.iter().product::<usize>() {
                    return Err(format!("{name}: shape {:?}, not {shape:?}", t.shape));
                }
                let data = TensorData::new(t.data.clone(), shape);
                Ok(Some(<Inner<B> as FloatTensorOps<Inner<B>>>::float_from_data(data, device)))
            };
            if let (Some(first), Some(second)) = (load(MOMENTS[0])?, load(MOMENTS[1])?) {
                trainer.moments.insert(id, [first, second]);
            }
        }
        if options.average.is_some() {
            let average = state
                .iter()
                .filter_map(|(name, t)| Some((name.strip_prefix(AVERAGE)?.to_owned(), t.clone())));
            let average: Tensors = average.collect();
            if !average.is_empty() {
                trainer.average = Some(CostToGo::import(architecture, &average, device)?);
            }
        }
        Ok(trainer)
    }
}

const MOMENTS: [&str; 2] = ["first.", "second."];
const AVERAGE: &str = "average.";
const NETWORK: &str = "a trainer has a network between steps";

struct Squares<'a, B: AutodiffBackend> {
    grads: &'a B::Gradients,
    sum: f64,
}

impl<B: AutodiffBackend> ModuleVisitor<B> for Squares<'_, B> {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<B, D>>) {
        if let Some(grad) = param.val().grad(self.grads) {
            self.sum += f64::from(floats(grad.square().sum())[0]);
        }
    }
}

struct Update<'a, B: TrainBackend> {
    grads: &'a mut B::Gradients,
    batch: BTreeMap<u64, FloatTensor<Inner<B>>>,
    moments: &'a mut BTreeMap<u64, [FloatTensor<Inner<B>>; 2]>,
    roles: &'a [Role],
    step: AdamStep,
    decay: f32,
    momentum: f32,
}

impl<B: TrainBackend> ModuleMapper<B> for Update<'_, B> {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<B, D>>) -> Param<Tensor<B, D>> {
        let (id, tensor, mapper) = param.consume();
        let number = id.val();
        let role = self.roles[number as usize - 1];
        let tensor = if role == Role::Running {
            match self.batch.remove(&number) {
                Some(new) => Tensor::from_inner(wrap(Inner::<B>::blend(
                    unwrap(tensor.inner()),
                    new,
                    self.momentum,
                ))),
                None => tensor,
            }
        } else if let Some(grad) = tensor.grad_remove(self.grads) {
            let [first, second] = self.moments.remove(&number).unwrap_or_else(|| {
                let zeros = || unwrap(grad.zeros_like());
                [zeros(), zeros()]
            });
            let decay = if role == Role::Weight { self.decay } else { 0.0 };
            let step = AdamStep { decay, ..self.step };
            let [value, first, second] =
                Inner::<B>::adam(unwrap(tensor.inner()), unwrap(grad), first, second, &step);
            self.moments.insert(number, [first, second]);
            Tensor::<B, D>::from_inner(wrap(value)).require_grad()
        } else {
            tensor
        };
        Param::from_mapped_value(id, tensor, mapper)
    }
}

#[cfg(test)]
mod tests;
