//! Errors of networks as errors of the run.

use unriddle_catalog::work::WorkError;
use unriddle_neural::ModelError;

/// The error of a run whose network failed.
// By value, as `map_err` gives it.
#[allow(clippy::needless_pass_by_value)]
pub(super) fn failed(why: ModelError) -> WorkError {
    match why {
        ModelError::Device(why) => WorkError::Device(why.to_string()),
        why => WorkError::Internal(why.to_string()),
    }
}
