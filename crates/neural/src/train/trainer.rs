//! Training in the operations of the framework, on a CPU or a GPU.

use super::any_trainer::{AVERAGE, AnyTrainer, MOMENTS};
use super::loss::Labels;
use super::options::Options;
use super::slopes::{self, StepLoss};
use crate::architecture::Architecture;
use crate::framework::kernels::Kernels;
use crate::framework::layers::LayerOps;
use crate::framework::network::{Collect, CostToGo, Pass};
use crate::framework::operands::{AdamStep, Products};
use crate::framework::parameters::{Role, slots};
use crate::framework::tensors::{active_rows, floats, unwrap, wrap};
use crate::int8::Ranges;
use crate::tensor::{Tensor as Numbers, Tensors};
use burn::module::{AutodiffModule, Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::TensorMetadata;
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::ops::{FloatTensor, FloatTensorOps};
use burn::tensor::{DType, Int, Tensor, TensorData};
use std::collections::BTreeMap;

/// Backend to train on: gradients over a backend with the kernels.
pub trait TrainBackend: AutodiffBackend<InnerBackend: Kernels> + LayerOps {}
impl<B: AutodiffBackend<InnerBackend: Kernels> + LayerOps> TrainBackend for B {}

type Inner<B> = <B as AutodiffBackend>::InnerBackend;

/// Network in training, with its optimiser.
#[derive(Debug)]
pub struct Trainer<B: TrainBackend> {
    architecture: Architecture,
    /// `None` only during a step, whose update consumes the old network.
    network: Option<CostToGo<B>>,
    average: Option<CostToGo<Inner<B>>>,
    moments: BTreeMap<u64, [FloatTensor<Inner<B>>; 2]>,
    roles: Vec<Role>,
    steps: u64,
    /// Losses of the steps since the last call of [`losses`](AnyTrainer::losses).
    losses: Vec<StepLoss<Inner<B>>>,
    options: Options,
    device: B::Device,
}

impl<B: TrainBackend> Trainer<B> {
    /// Training that resumes from a saved state, with the same bits if the options are the same.
    /// Tensors of a file, without moments and average, get a fresh optimiser.
    ///
    /// # Errors
    /// A tensor is missing or has another shape, or a device without products in the precision of
    /// `options`.
    pub fn resume(
        architecture: &Architecture,
        steps: u64,
        state: &Tensors,
        options: Options,
        device: &B::Device,
    ) -> Result<Self, String> {
        if options.products == Products::Bf16 && !B::supports_dtype(device, DType::BF16) {
            return Err(
                "the device does not multiply in bf16; use `single`, which every device supports"
                    .to_owned(),
            );
        }
        let network = CostToGo::<B>::import(architecture, state, device)?;
        let slots = slots(architecture);
        let mut like = Collect::<B>(BTreeMap::new());
        network.visit(&mut like);
        let mut moments = BTreeMap::new();
        for (id, slot) in (1..).zip(&slots) {
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
                Ok(Some(Inner::<B>::float_from_data(data, device)))
            };
            if let (Some(first), Some(second)) = (load(MOMENTS[0])?, load(MOMENTS[1])?) {
                moments.insert(id, [first, second]);
            }
        }
        let average = (state.iter())
            .filter_map(|(name, t)| Some((name.strip_prefix(AVERAGE)?.to_owned(), t.clone())));
        let average: Tensors = average.collect();
        let average = match options.average {
            None => None,
            Some(_) if average.is_empty() => Some(network.valid()),
            Some(_) => Some(CostToGo::import(architecture, &average, device)?),
        };
        Ok(Self {
            architecture: architecture.clone(),
            average,
            network: Some(network),
            moments,
            roles: slots.iter().map(|slot| slot.role).collect(),
            steps,
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
        active_rows(active, groups, &self.device)
    }

    /// Takes a step on a batch, and returns the loss of the batch before the step.
    pub fn step<'a>(&mut self, active: &[u32], labels: impl Into<Labels<'a>>, rate: f32) -> f32 {
        self.learn(active, labels.into(), rate);
        self.losses().pop().expect("the loss of this step")
    }

    /// All outputs of rows, row after row, without dropout and with running means and variances.
    /// `averaged` selects the averaged weights where an average is kept.
    #[cfg(test)]
    pub(super) fn evaluate(&self, active: &[u32], averaged: bool) -> Vec<f32> {
        let network = self.network_for(averaged);
        let mut all = Vec::with_capacity(active.len() / self.architecture.groups);
        for part in active.chunks(self.architecture.groups * 8192) {
            let y = network.forward(self.rows::<Inner<B>>(part), &mut Pass::evaluation());
            all.extend(floats(y));
        }
        all
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
}

impl<B: TrainBackend> AnyTrainer for Trainer<B> {
    /// The loss stays on the device until [`losses`](AnyTrainer::losses) is called, so that the CPU
    /// does not wait for a GPU.
    fn learn(&mut self, active: &[u32], labels: Labels<'_>, rate: f32) {
        let head = self.architecture.head();
        let rows = active.len() / self.architecture.groups;
        labels.assert_fit(head, rows);
        let mut pass = Pass {
            seed: self.options.seed ^ self.steps.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            products: self.options.products,
            training: true,
            ..Pass::evaluation()
        };
        let active = self.rows::<B>(active);
        let outputs = self.network().forward(active, &mut pass);
        let (loss, slopes) =
            slopes::of_labels(self.options.loss, outputs.clone().inner(), head, labels);
        self.losses.push(loss);
        // The gradient of this sum is the gradient of the loss.
        let mut grads = (outputs * Tensor::from_inner(slopes)).sum().backward();
        self.steps += 1;

        let scale = self.options.clip.map_or(1.0, |clip| {
            let mut norm = Squares::<B> { grads: &grads, sum: 0.0 };
            self.network().visit(&mut norm);
            let norm = norm.sum.sqrt() as f32;
            if norm > clip { clip / norm } else { 1.0 }
        });
        let mut update = Update::<B> {
            grads: &mut grads,
            batch: pass.batch.into_iter().map(|(id, t)| (id, unwrap(t.inner()))).collect(),
            moments: &mut self.moments,
            roles: &self.roles,
            momentum: self.options.momentum,
            decay: self.options.decay,
            step: AdamStep { scale, ..self.options.adam(self.steps, rate) },
        };
        let network = self.network.take().expect(NETWORK).map(&mut update);
        if let Some(average) = self.average.take() {
            let mut new = Collect::<Inner<B>>(BTreeMap::new());
            network.valid().visit(&mut new);
            let share = self.options.share(self.steps);
            self.average = Some(average.map(&mut Blend::<Inner<B>> { new: new.0, share }));
        }
        self.network = Some(network);
    }

    fn losses(&mut self) -> Vec<f32> {
        StepLoss::read(std::mem::take(&mut self.losses))
    }

    fn export(&self, averaged: bool) -> Tensors {
        self.network_for(averaged).export(&self.architecture)
    }

    fn ranges(&self, active: &[u32], averaged: bool) -> Tensors {
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

    fn state(&self) -> Tensors {
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

    fn steps(&self) -> u64 {
        self.steps
    }
}

const NETWORK: &str = "a trainer has a network between steps";

/// Sum of the squares of all gradients.
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

/// Mapper that replaces every parameter by its value after a step.
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
        let id = param.id.val();
        let role = self.roles[id as usize - 1];
        param.map(|tensor| {
            if role == Role::Running {
                match self.batch.remove(&id) {
                    Some(new) => {
                        let new = Inner::<B>::blend(tensor.inner(), wrap(new), self.momentum);
                        Tensor::from_inner(new)
                    }
                    None => tensor,
                }
            } else if let Some(grad) = tensor.grad_remove(self.grads) {
                let moments = match self.moments.remove(&id) {
                    Some(moments) => moments.map(wrap),
                    None => [grad.zeros_like(), grad.zeros_like()],
                };
                let decay = if role == Role::Weight { self.decay } else { 0.0 };
                let step = AdamStep { decay, ..self.step };
                let [value, first, second] = Inner::<B>::adam(tensor.inner(), grad, moments, &step);
                self.moments.insert(id, [first, second].map(unwrap));
                Tensor::from_inner(value).require_grad()
            } else {
                tensor
            }
        })
    }
}

/// Mapper that moves the parameters of the average towards new ones.
struct Blend<B: Backend> {
    new: BTreeMap<u64, FloatTensor<B>>,
    share: f32,
}

impl<B: Kernels> ModuleMapper<B> for Blend<B> {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<B, D>>) -> Param<Tensor<B, D>> {
        let new = self.new.remove(&param.id.val());
        param.map(|old| match new {
            Some(new) => B::blend(old, wrap(new), self.share),
            None => old,
        })
    }
}
