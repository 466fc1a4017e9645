//! Learning curves.

use crate::error::LabError;
use unriddle_catalog::units::show_number;
pub(crate) use unriddle_plot::Curve;

/// A figure of lines over a common axis.
pub(crate) fn curves(
    title: &str,
    x_label: &str,
    y_label: &str,
    curves: Vec<Curve>,
) -> Result<String, LabError> {
    unriddle_plot::curves(title, x_label, y_label, curves, show_number)
        .map_err(|error| LabError::Internal(error.to_string()))
}
