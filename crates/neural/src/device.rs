//! Devices that compute networks: the CPU, or a GPU in programs that were built for one.

use crate::{
    engine::Engine,
    error::{DeviceError, ModelError},
    model::Model,
    network::Network,
};
use std::sync::Arc;

/// Device that computes a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Device {
    /// The CPU.
    #[default]
    Cpu,
    /// The first NVIDIA GPU (feature `cuda`).
    Cuda,
}

impl Device {
    /// Checks that the device exists and can be used.
    ///
    /// # Errors
    /// The missing part: support in this build, a library, or the GPU itself.
    pub fn check(self) -> Result<(), DeviceError> {
        match self {
            Self::Cpu => Ok(()),
            #[cfg(feature = "cuda")]
            Self::Cuda => crate::cuda::check(),
            #[cfg(not(feature = "cuda"))]
            Self::Cuda => Err(DeviceError::NotBuilt),
        }
    }

    /// Network on the device, in single precision. Estimates of a GPU and of the CPU differ in
    /// their last digits.
    ///
    /// # Errors
    /// A model that [`Model::check`] refuses, or a device that is missing or has too little memory.
    pub fn engine(self, model: &Model) -> Result<Arc<dyn Engine>, ModelError> {
        match self {
            Self::Cpu => Ok(Arc::new(Network::new(model)?)),
            #[cfg(feature = "cuda")]
            Self::Cuda => crate::cuda::engine(model),
            #[cfg(not(feature = "cuda"))]
            Self::Cuda => Err(DeviceError::NotBuilt.into()),
        }
    }
}
