//! Learning curves.

use unriddle_catalog::units::show_number;
use unriddle_catalog::work::WorkError;
pub(crate) use unriddle_plot::Curve;

/// A figure of lines over a common axis.
pub(crate) fn curves(
    title: &str,
    x_label: &str,
    y_label: &str,
    curves: Vec<Curve>,
) -> Result<String, WorkError> {
    unriddle_plot::curves(title, x_label, y_label, curves, show_number)
        .map_err(|error| WorkError::Internal(error.to_string()))
}
