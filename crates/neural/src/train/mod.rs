//! Training: losses, Adam, running averages, and a state that can be saved.
//!
//! | module | contents |
//! |---|---|
//! | `learner` | a training on any device, with its state as bytes |
//! | `lean` | narrow networks on the CPU, by loops of this crate |
//! | `trainer` | all networks on all devices, in operations of the framework |
//! | `loss`, `slopes` | losses and their derivatives, as loops and on a device |
//! | `parts`, `views` | features that several inputs or units learn together |

mod any_trainer;
mod lean;
mod learner;
mod loss;
mod options;
mod parts;
mod slopes;
mod trainer;
mod views;

pub use crate::framework::operands::Products;
pub use crate::views::Views;
pub use learner::{Learner, Shape, Threads};
pub use loss::{Labels, Loss, Targets};
pub use options::Options;
pub use parts::Parts;
pub use trainer::{TrainBackend, Trainer};

#[cfg(test)]
mod tests;
