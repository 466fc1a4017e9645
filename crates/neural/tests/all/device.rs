//! Networks on a GPU. Without a GPU the tests check the refusal.

use crate::common::small;
use unriddle_neural::{Activation, Device, ModelError};

/// A missing device is refused with the reason, before anything is computed.
#[test]
fn missing_devices_are_rejected() {
    assert_eq!(Device::Cpu.check(), Ok(()));
    let model = small(Activation::Elu);
    if let Err(why) = Device::Cuda.check() {
        let refused = Device::Cuda.engine(&model).unwrap_err();
        assert_eq!(refused, ModelError::Device(why));
    }
    #[cfg(not(feature = "cuda"))]
    assert_eq!(Device::Cuda.check(), Err(unriddle_neural::DeviceError::NotBuilt));
}

#[cfg(feature = "cuda")]
mod cuda {
    use crate::common::{rows, small};
    use std::io::Write as _;
    use unriddle_core::Rng;
    use unriddle_neural::{
        Activation, Device,
        train::{Learner, Options, Targets},
    };

    /// Whether there is a GPU. Without one it writes a note to stderr, past the capture of the test
    /// runner.
    fn gpu() -> bool {
        let there = Device::Cuda.check();
        if let Err(why) = &there {
            let _ = writeln!(std::io::stderr(), "skipped: networks on CUDA: {why}");
        }
        there.is_ok()
    }

    /// Products of a GPU may round their inputs to ten bits.
    const APART: f32 = 0.02;

    #[test]
    fn gpu_and_cpu_estimate_alike() {
        let model = small(Activation::Elu);
        if !gpu() {
            let options = Options::default();
            assert!(
                Learner::of_model(Device::Cuda, &model.header.architecture, &model, options)
                    .is_err()
            );
            return;
        }
        let active = rows(&model.header.architecture, 20_000, &mut Rng::new(1));
        let [one, other] = [Device::Cpu, Device::Cuda].map(|device| {
            let mut out = vec![0.0; 20_000];
            let engine = device.engine(&model).unwrap();
            engine.evaluate(&active, &mut out, 1).unwrap();
            out
        });
        for (one, other) in one.iter().zip(&other) {
            assert!((one - other).abs() < APART * (1.0 + one.abs()), "{one} {other}");
        }
    }

    #[test]
    fn gpu_and_cpu_learn_alike() {
        if !gpu() {
            return;
        }
        let model = small(Activation::Elu);
        let mut rng = Rng::new(2);
        let batches = [(); 30].map(|()| rows(&model.header.architecture, 512, &mut rng));
        let target = |row: &[u32]| (row[0] + row[1]) as f32;
        let [one, other] = [Device::Cpu, Device::Cuda].map(|device| {
            let mut learner =
                Learner::of_model(device, &model.header.architecture, &model, Options::default())
                    .unwrap();
            let losses = batches.each_ref().map(|active| {
                let targets: Vec<f32> = active.chunks(9).map(target).collect();
                learner.step(active, Targets::Values(&targets), 1e-2).unwrap()
            });
            // A state that is saved on one device resumes on the other.
            let architecture = &model.header.architecture;
            let saved = learner.save().unwrap();
            Learner::load(Device::Cpu, architecture, &saved, Options::default()).unwrap();
            losses
        });
        assert!(one[29] < one[0] / 4.0, "{one:?}");
        assert!((one[0] - other[0]).abs() < APART * one[0], "{one:?} {other:?}");
        assert!((one[29] - other[29]).abs() < 0.2 * one[0], "{one:?} {other:?}");
    }
}
