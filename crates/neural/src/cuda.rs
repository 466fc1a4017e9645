//! NVIDIA GPUs, through the framework. The driver and CUDA's run-time compiler are opened at run
//! time, so that the program builds and runs without them.

use crate::{
    engine::Engine,
    error::{DeviceError, ModelError},
    framework::kernels::Kernels,
    guard::guarded,
    model::Model,
    offload::Offloaded,
};
use burn::backend::cuda::{Cuda, CudaDevice};
use cudarc::{driver, nvrtc};
use std::sync::Arc;

// The framework's own operations suffice.
impl Kernels for Cuda {}

/// Checks that the driver, the run-time compiler and a GPU exist.
pub(crate) fn check() -> Result<(), DeviceError> {
    // SAFETY: the vendor's libraries are opened, whose initialisers may be run at any time.
    let (has_driver, has_compiler) =
        unsafe { (driver::sys::is_culib_present(), nvrtc::sys::is_culib_present()) };
    if !has_driver {
        return Err(DeviceError::Library("NVIDIA driver (libcuda)"));
    }
    if !has_compiler {
        return Err(DeviceError::Library("CUDA run-time compiler (libnvrtc)"));
    }
    match guarded(driver::CudaContext::device_count)? {
        Ok(0) => Err(DeviceError::NoGpu("the driver counts none".to_owned())),
        Ok(_) => Ok(()),
        Err(why) => Err(DeviceError::NoGpu(why.to_string())),
    }
}

/// Network on the first GPU.
pub(crate) fn engine(model: &Model) -> Result<Arc<dyn Engine>, ModelError> {
    check()?;
    Ok(Arc::new(Offloaded::new::<Cuda>(model, CudaDevice::default())?))
}
