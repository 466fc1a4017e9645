//! What can go wrong in the lab.

pub use unriddle_catalog::work::WorkError as LabError;
