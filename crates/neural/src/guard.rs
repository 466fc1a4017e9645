//! Panics of the training framework as errors.

use crate::error::DeviceError;

/// Calls `f`. The framework panics where a GPU fails or has no memory left.
///
/// # Errors
/// The message of the panic.
pub(crate) fn guarded<T>(f: impl FnOnce() -> T) -> Result<T, DeviceError> {
    // Callers discard all values that `f` may have left half-changed.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).map_err(|payload| {
        let text = (payload.downcast_ref::<String>().map(String::as_str))
            .or_else(|| payload.downcast_ref::<&str>().copied());
        DeviceError::Failed(text.unwrap_or("the panic has no message").to_owned())
    })
}
