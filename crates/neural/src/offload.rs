//! Networks on the devices of the training framework.

use crate::{
    engine::{Batch, Compute, Engine, Outputs},
    error::{DeviceError, ModelError, RowError},
    framework::{
        kernels::Kernels,
        network::{CostToGo, Pass},
        tensors::{active_rows, floats},
    },
    guard::guarded,
    head::Head,
    model::Model,
    network::Network,
};
use std::sync::{
    Mutex, PoisonError,
    mpsc::{self, Receiver, Sender},
};

/// Rows that are computed at a time: enough for a large GPU, with at most a few hundred megabytes
/// of activations.
const ROWS: usize = 8192;

/// Rows to be computed, and the channel for their outputs, or for `None` if the device fails.
struct Job {
    active: Vec<u32>,
    answer: Sender<Option<Vec<f32>>>,
}

/// Network on a device of the framework. If the device fails, the CPU takes over.
///
/// A single thread uses the device, whatever the number of threads that ask. The framework keeps a
/// pool of device memory for every thread that uses it, and never frees it.
pub(crate) struct Offloaded {
    /// Queue of jobs; `None` once the device has failed.
    work: Mutex<Option<Sender<Job>>>,
    cpu: Network,
}

impl Offloaded {
    /// Copies the model to the device, and computes one full batch, so that no later batch needs
    /// more memory.
    ///
    /// # Errors
    /// A model that [`Model::check`] refuses, or a failure of the device.
    pub(crate) fn new<B: Kernels>(model: &Model, device: B::Device) -> Result<Self, ModelError> {
        let cpu = Network::new(model)?;
        let architecture = model.header.architecture.clone();
        let tensors = model.tensors.clone();
        let make = move || {
            let network = CostToGo::<B>::import(&architecture, &tensors, &device)?;
            let trial = vec![0; ROWS * architecture.groups];
            estimate(&network, &device, &trial, architecture.groups);
            Ok((network, device))
        };
        Self::begin(cpu, make)
    }

    /// Starts the thread of the device, which makes its network by `make`.
    fn begin<B: Kernels>(
        cpu: Network,
        make: impl FnOnce() -> Result<(CostToGo<B>, B::Device), String> + Send + 'static,
    ) -> Result<Self, ModelError> {
        let (work, jobs) = mpsc::channel();
        let (ready, made) = mpsc::channel();
        let groups = cpu.groups();
        let worker = std::thread::Builder::new().name("device".to_owned());
        let worker = worker.spawn(move || match guarded(make) {
            Ok(Ok((network, device))) => {
                let _ = ready.send(Ok(()));
                serve(network, &device, groups, &jobs);
            }
            // `Network::new` has checked all tensors, so this does not happen.
            Ok(Err(name)) => drop(ready.send(Err(ModelError::Missing(name)))),
            Err(why) => drop(ready.send(Err(why.into()))),
        });
        let failed = |why: &dyn std::fmt::Display| DeviceError::Failed(why.to_string());
        worker.map_err(|why| failed(&why))?;
        made.recv().map_err(|why| failed(&why))??;
        Ok(Self { work: Mutex::new(Some(work)), cpu })
    }

    /// Outputs of rows by the device; `None` if it has failed.
    fn on_device(&self, active: &[u32]) -> Option<Vec<f32>> {
        let mut place = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        let (answer, answered) = mpsc::channel();
        let active = active.to_vec();
        let handed = place.as_ref()?.send(Job { active, answer });
        if handed.is_err() {
            *place = None;
            return None;
        }
        // Other threads may send jobs during the wait.
        drop(place);
        answered.recv().ok().flatten()
    }
}

/// Computes jobs until all senders are dropped, or the device fails.
fn serve<B: Kernels>(
    network: CostToGo<B>,
    device: &B::Device,
    groups: usize,
    jobs: &Receiver<Job>,
) {
    for Job { active, answer } in jobs {
        let outputs = guarded(|| {
            let parts = active.chunks(ROWS * groups);
            let outputs = parts.flat_map(|active| estimate(&network, device, active, groups));
            outputs.collect()
        });
        let has_failed = outputs.is_err();
        // The asking thread may have ended.
        let _ = answer.send(outputs.ok());
        if has_failed {
            // Memory of a failed device is not released, because that could fail again.
            return std::mem::forget(network);
        }
    }
}

impl Engine for Offloaded {
    fn groups(&self) -> usize {
        self.cpu.groups()
    }

    fn head(&self) -> Head {
        self.cpu.head()
    }

    fn bytes(&self) -> usize {
        self.cpu.bytes()
    }

    fn check(&self, active: &[u32], rows: usize) -> Result<(), RowError> {
        self.cpu.check(active, rows)
    }
}

impl Compute for Offloaded {
    fn compute(&self, batch: Batch<'_>, out: &mut [f32]) {
        let width = self.head().outputs();
        if batch.outputs == Outputs::Value && width > 1 {
            let mut all = vec![0.0; out.len() * width];
            self.compute(Batch { outputs: Outputs::All, ..batch }, &mut all);
            for (out, all) in out.iter_mut().zip(all.chunks_exact(width)) {
                *out = all[0];
            }
            return;
        }
        match self.on_device(batch.active) {
            Some(found) if found.len() == out.len() => out.copy_from_slice(&found),
            _ => self.cpu.compute(batch, out),
        }
    }
}

impl std::fmt::Debug for Offloaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Offloaded").field(&self.cpu).finish()
    }
}

/// All outputs of rows, row after row.
fn estimate<B: Kernels>(
    network: &CostToGo<B>,
    device: &B::Device,
    active: &[u32],
    groups: usize,
) -> Vec<f32> {
    let active = active_rows::<B>(active, groups, device);
    floats(network.forward(active, &mut Pass::evaluation()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Activation, Architecture, Block, Header, Training};
    use burn_flex::{Flex, FlexDevice};
    use unriddle_core::Rng;

    /// The framework and the CPU's network agree: folded norms, residual blocks, linear skip, more
    /// rows than a batch.
    #[test]
    fn estimates_match_the_cpu() {
        let architecture = Architecture {
            inputs: 40,
            groups: 4,
            grid: None,
            skip: true,
            blocks: vec![
                Block::dense(48, Activation::Elu).with_norm(),
                Block::residual(&[32, 48], Activation::Relu).with_norm(),
                Block::dense(8, Activation::Relu),
            ],
        };
        let header = Header {
            puzzle: "test".into(),
            size: "1".into(),
            goal: "goal".into(),
            input: String::new(),
            sharing: None,
            architecture,
            training: Training::default(),
        };
        let model = Model::random(header, 7).unwrap();
        let engine = Offloaded::new::<Flex>(&model, FlexDevice).unwrap();
        let network = Network::new(&model).unwrap();
        let mut rng = Rng::new(3);
        let count = ROWS + 77;
        let active: Vec<u32> =
            (0..4 * count as u32).map(|i| 10 * (i % 4) + rng.below(10) as u32).collect();
        let (mut one, mut other) = (vec![0.0; count], vec![9.0; count]);
        engine.evaluate(&active, &mut one, 1).unwrap();
        network.evaluate(&active, &mut other, 1).unwrap();
        let apart = one.iter().zip(&other).map(|(a, b)| (a - b).abs() / (1.0 + b.abs()));
        let most = apart.fold(0.0, f32::max);
        assert!(most < 1e-4, "{most}");
        assert!(one.iter().any(|&estimate| (estimate - one[0]).abs() > 0.01));
        assert_eq!((engine.groups(), engine.bytes()), (4, network.bytes()));
        assert!(engine.evaluate(&active[1..], &mut one, 1).is_err());
        assert!(engine.evaluate(&[99, 0, 0, 0], &mut [0.0], 1).is_err());
        assert!(engine.evaluate(&[], &mut [], 1).is_ok());
    }

    /// All outputs are computed on the device, including the value.
    #[test]
    fn outputs_of_actions_match_the_cpu() {
        for head in [Head::ValueAndActions(5), Head::Actions(3), Head::Policy(4)] {
            let architecture = Architecture {
                inputs: 12,
                groups: 3,
                grid: None,
                skip: head.is_cost(),
                blocks: vec![Block::dense(20, Activation::Leaky)],
            };
            let header = Header {
                puzzle: "test".into(),
                size: "1".into(),
                goal: "goal".into(),
                input: String::new(),
                sharing: None,
                architecture: architecture.with_head(head),
                training: Training::default(),
            };
            let model = Model::random(header, 2).unwrap();
            let engine = Offloaded::new::<Flex>(&model, FlexDevice).unwrap();
            let network = Network::new(&model).unwrap();
            let mut rng = Rng::new(3);
            let active: Vec<u32> = (0..3 * 50).map(|i| 4 * (i % 3) + rng.below(4) as u32).collect();
            let numbers = 50 * head.outputs();
            let (mut one, mut other) = (vec![0.0; numbers], vec![9.0; numbers]);
            engine.evaluate_all(&active, &mut one, 1).unwrap();
            network.evaluate_all(&active, &mut other, 1).unwrap();
            let apart = one.iter().zip(&other).map(|(a, b)| (a - b).abs());
            assert!(apart.fold(0.0, f32::max) < 1e-4);
            let mut values = vec![0.0; 50];
            let evaluated = engine.evaluate(&active, &mut values, 1);
            assert_eq!(evaluated.is_ok(), head.has_value());
            if head.has_value() {
                let firsts = one.iter().step_by(head.outputs()).copied();
                assert_eq!(values, firsts.collect::<Vec<f32>>());
            }
            assert!(engine.evaluate_all(&active, &mut one[1..], 1).is_err());
        }
    }

    /// If a device fails, the CPU computes its rows.
    #[test]
    fn the_cpu_takes_over_when_a_device_fails() {
        let header = Header {
            puzzle: "test".into(),
            size: "1".into(),
            goal: "goal".into(),
            input: String::new(),
            sharing: None,
            architecture: Architecture {
                inputs: 6,
                groups: 2,
                grid: None,
                skip: false,
                blocks: vec![Block::dense(8, Activation::Relu)],
            },
            training: Training::default(),
        };
        let model = Model::random(header, 1).unwrap();
        let (mut one, mut other) = ([0.0; 2], [1.0; 2]);
        let active = [0, 3, 1, 5];
        let cpu = Network::new(&model).unwrap();
        cpu.evaluate(&active, &mut other, 1).unwrap();
        // Layers that do not fit each other make the framework panic.
        let architecture = Architecture { inputs: 2, ..model.header.architecture.clone() };
        let mut tensors = model.tensors.clone();
        let first = tensors.iter_mut().find(|(_, tensor)| tensor.shape == [8, 6]);
        let (_, first) = first.unwrap();
        first.shape = vec![8, 2];
        first.data.truncate(16);
        let offloaded = Offloaded::begin::<Flex>(cpu, move || {
            let wrong = CostToGo::import(&architecture, &tensors, &FlexDevice)?;
            Ok((wrong, FlexDevice))
        });
        let offloaded = offloaded.unwrap();
        for _ in 0..3 {
            one.fill(0.0);
            offloaded.evaluate(&active, &mut one, 1).unwrap();
            assert_eq!(one, other);
        }
        assert!(offloaded.work.lock().unwrap().is_none());
    }

    /// Many threads use one device thread, and each gets its own results.
    #[test]
    fn threads_share_a_device() {
        let header = Header {
            puzzle: "test".into(),
            size: "1".into(),
            goal: "goal".into(),
            input: String::new(),
            sharing: None,
            architecture: Architecture {
                inputs: 40,
                groups: 4,
                grid: None,
                skip: false,
                blocks: vec![Block::dense(16, Activation::Relu)],
            },
            training: Training::default(),
        };
        let model = Model::random(header, 1).unwrap();
        let engine = Offloaded::new::<Flex>(&model, FlexDevice).unwrap();
        let network = Network::new(&model).unwrap();
        std::thread::scope(|scope| {
            for seed in 0..8 {
                let (engine, network) = (&engine, &network);
                scope.spawn(move || {
                    let mut rng = Rng::new(seed);
                    for _ in 0..20 {
                        let rows = 1 + rng.below(30) as usize;
                        let active: Vec<u32> = (0..4 * rows as u32)
                            .map(|i| 10 * (i % 4) + rng.below(10) as u32)
                            .collect();
                        let (mut one, mut other) = (vec![0.0; rows], vec![9.0; rows]);
                        engine.evaluate(&active, &mut one, 1).unwrap();
                        network.evaluate(&active, &mut other, 1).unwrap();
                        let apart = one.iter().zip(&other).map(|(a, b)| (a - b).abs());
                        assert!(apart.fold(0.0, f32::max) < 1e-4);
                    }
                });
            }
        });
    }
}
