//! Networks on whatever the training framework computes on.

use crate::{
    device::{DeviceError, guarded},
    error::{ModelError, RowError},
    head::Head,
    model::Model,
    net::Elsewhere,
    network::{Network, rows_of},
    train::{
        kernels::Kernels,
        network::{CostToGo, Pass, floats, rows},
    },
};
use std::sync::{
    Mutex, PoisonError,
    mpsc::{self, Receiver, Sender},
};

/// Rows that are computed at a time: enough for a large GPU, and at most a few hundred megabytes of activations.
const ROWS: usize = 8192;

/// Rows to be computed, and where their outputs go; `None` when the device has failed.
struct Job {
    active: Vec<u32>,
    answer: Sender<Option<Vec<f32>>>,
}

/// A network on a device of the framework. Should the device fail in the midst of its work, the CPU goes on.
///
/// One thread does all work of the device, however many ask: the framework keeps a pool of the device's memory for every thread that it
/// meets, and gives none back.
pub(crate) struct Offloaded {
    /// Where work is handed in; `None` once the device has failed.
    work: Mutex<Option<Sender<Job>>>,
    processor: Network,
}

impl Offloaded {
    /// Takes the model to the device and computes one full batch, so that no later one needs more memory.
    ///
    /// # Errors
    /// A model that [`Model::check`] refuses, or the device's failure.
    pub(crate) fn new<B: Kernels>(model: &Model, device: B::Device) -> Result<Self, ModelError> {
        let processor = Network::new(model)?;
        let architecture = model.header.architecture.clone();
        let tensors = model.tensors.clone();
        let make = move || {
            let network = CostToGo::<B>::import(&architecture, &tensors, &device)?;
            let trial = vec![0; ROWS * architecture.groups];
            estimate(&network, &device, &trial, architecture.groups);
            Ok((network, device))
        };
        Self::begin(processor, make)
    }

    /// Starts the thread with the network that `make` makes there.
    fn begin<B: Kernels>(
        processor: Network,
        make: impl FnOnce() -> Result<(CostToGo<B>, B::Device), String> + Send + 'static,
    ) -> Result<Self, ModelError> {
        let (work, jobs) = mpsc::channel();
        let (told, made) = mpsc::channel();
        let groups = processor.groups();
        let worker = std::thread::Builder::new().name("device".to_owned());
        let worker = worker.spawn(move || match guarded(make) {
            Ok(Ok((network, device))) => {
                let _ = told.send(Ok(()));
                serve(network, &device, groups, &jobs);
            }
            // All tensors were looked at when the CPU's network was made.
            Ok(Err(name)) => drop(told.send(Err(ModelError::Missing(name)))),
            Err(why) => drop(told.send(Err(why.into()))),
        });
        let failed = |why: &dyn std::fmt::Display| DeviceError::Failed(why.to_string());
        worker.map_err(|why| failed(&why))?;
        made.recv().map_err(|why| failed(&why))??;
        Ok(Self { work: Mutex::new(Some(work)), processor })
    }

    /// The device's outputs of rows; `None` if it has failed.
    fn ask(&self, active: &[u32]) -> Option<Vec<f32>> {
        let mut place = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        let (answer, answered) = mpsc::channel();
        let active = active.to_vec();
        let handed = place.as_ref()?.send(Job { active, answer });
        if handed.is_err() {
            *place = None;
            return None;
        }
        // Others hand in their work while this waits.
        drop(place);
        answered.recv().ok().flatten()
    }
}

/// Computes what is handed in until nobody is left who could, or the device fails.
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
        // Whoever asked may be gone.
        let _ = answer.send(outputs.ok());
        if has_failed {
            // Its memory belongs to a device that failed: nothing good comes of giving it back.
            return std::mem::forget(network);
        }
    }
}

impl Elsewhere for Offloaded {
    fn processor(&self) -> &Network {
        &self.processor
    }

    fn evaluate(&self, active: &[u32], out: &mut [f32], threads: usize) -> Result<(), RowError> {
        let head = self.processor.head();
        if head == Head::Value {
            return self.evaluate_all(active, out, threads);
        }
        if !head.has_value() {
            return Err(RowError::NoValue(head));
        }
        let mut all = vec![0.0; out.len() * head.outputs()];
        self.evaluate_all(active, &mut all, threads)?;
        for (out, all) in out.iter_mut().zip(all.chunks_exact(head.outputs())) {
            *out = all[0];
        }
        Ok(())
    }

    fn evaluate_all(
        &self,
        active: &[u32],
        out: &mut [f32],
        threads: usize,
    ) -> Result<(), RowError> {
        let outputs = self.processor.head().outputs();
        self.processor.check(active, rows_of(out.len(), outputs)?)?;
        match self.ask(active) {
            Some(found) if found.len() == out.len() => out.copy_from_slice(&found),
            _ => return self.processor.evaluate_all(active, out, threads),
        }
        Ok(())
    }
}

/// All outputs of rows.
fn estimate<B: Kernels>(
    network: &CostToGo<B>,
    device: &B::Device,
    active: &[u32],
    groups: usize,
) -> Vec<f32> {
    let active = rows::<B>(active, groups, device);
    floats(network.forward(active, &mut Pass::evaluation()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Activation, Architecture, Block, Engine, Header, Training};
    use burn_flex::{Flex, FlexDevice};
    use unriddle_core::Rng;

    /// What the framework computes is what the CPU's network computes: folded norms, residual
    /// blocks, linear part, more rows than go at a time.
    #[test]
    fn estimates_are_those_of_the_processor() {
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
        let engine = Engine::offloaded(Offloaded::new::<Flex>(&model, FlexDevice).unwrap());
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

    /// All outputs come from the device, and the value among them.
    #[test]
    fn outputs_of_actions_are_those_of_the_processor() {
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
            let engine = Engine::offloaded(Offloaded::new::<Flex>(&model, FlexDevice).unwrap());
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

    /// A device that fails leaves its work to the CPU.
    #[test]
    fn the_processor_goes_on_where_a_device_fails() {
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
        let processor = Network::new(&model).unwrap();
        processor.evaluate(&active, &mut other, 1).unwrap();
        // Layers that do not fit each other make the framework panic.
        let architecture = Architecture { inputs: 2, ..model.header.architecture.clone() };
        let mut tensors = model.tensors.clone();
        let first = tensors.iter_mut().find(|(_, tensor)| tensor.shape == [8, 6]);
        let (_, first) = first.unwrap();
        first.shape = vec![8, 2];
        first.data.truncate(16);
        let offloaded = Offloaded::begin::<Flex>(processor, move || {
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

    /// Many threads ask one thread, and each gets its own answers.
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
        let engine = Engine::offloaded(Offloaded::new::<Flex>(&model, FlexDevice).unwrap());
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
