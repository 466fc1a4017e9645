//! Where networks are computed: on the CPU, or on a GPU where the program was built for one.

use crate::{error::ModelError, model::Model, net::Engine, network::Network};
use thiserror::Error;

#[cfg(feature = "cuda")]
use crate::cuda;

/// Built without CUDA.
#[cfg(not(feature = "cuda"))]
mod cuda {
    use super::{DeviceError, Engine, Model, ModelError};

    pub(super) fn check() -> Result<(), DeviceError> {
        Err(DeviceError::NotBuilt)
    }

    pub(super) fn engine(_: &Model) -> Result<Engine, ModelError> {
        Err(DeviceError::NotBuilt.into())
    }
}

/// What computes a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Device {
    /// The CPU.
    #[default]
    Cpu,
    /// The first NVIDIA GPU (feature `cuda`).
    Cuda,
}

impl Device {
    /// Whether it is there.
    ///
    /// # Errors
    /// What is missing.
    pub fn check(self) -> Result<(), DeviceError> {
        match self {
            Self::Cpu => Ok(()),
            Self::Cuda => cuda::check(),
        }
    }

    /// A network there, in single precision. What a GPU says of a state differs from what the
    /// CPU says in the last digits.
    ///
    /// # Errors
    /// A model that [`Model::check`] refuses, a device that is not there or has too little memory.
    pub fn engine(self, model: &Model) -> Result<Engine, ModelError> {
        match self {
            Self::Cpu => Ok(Engine::F32(Network::new(model)?)),
            Self::Cuda => cuda::engine(model),
        }
    }
}

/// Why nothing can be computed on a device.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceError {
    /// The program knows nothing of CUDA.
    #[error(
        "this program was built without CUDA; build it with `cargo build --release --features cuda`"
    )]
    NotBuilt,
    /// A library that is opened at run time.
    #[error("there is no {0}: is it installed, and in the library path?")]
    Library(&'static str),
    /// The driver has none.
    #[error("there is no NVIDIA GPU: {0}")]
    NoCard(String),
    /// It was there, and failed.
    #[error("the device failed: {0}")]
    Failed(String),
}

/// Calls what the framework may panic in, which is how it tells that a GPU has no memory left.
///
/// # Errors
/// What it panicked with.
#[cfg(feature = "train")]
pub(crate) fn guarded<T>(f: impl FnOnce() -> T) -> Result<T, DeviceError> {
    // Who calls this throws away what `f` left half-done.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).map_err(|payload| {
        let text = (payload.downcast_ref::<String>().map(String::as_str))
            .or_else(|| payload.downcast_ref::<&str>().copied());
        DeviceError::Failed(text.unwrap_or("it does not say why").to_owned())
    })
}
