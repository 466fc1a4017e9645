//! Errors of the lab.

pub use unriddle_catalog::work::WorkError as LabError;
