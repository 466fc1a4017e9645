//! Heuristics of FreeCell: the nine features of GA-FreeCell, Heineman's heuristic, and mixtures.

mod features;
pub(crate) mod hsdh;
pub(crate) mod mixture;
pub mod weights;

pub use features::{FEATURES, Feature};
pub use hsdh::{Hsdh, Single};
pub use mixture::{Combine, Mixture, Orientation, Scaled};
pub use weights::{Provenance, Weights};

#[cfg(test)]
mod tests;
