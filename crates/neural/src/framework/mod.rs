//! Networks in the operations of the training framework (burn), for training and for GPUs.
//!
//! | module | contents |
//! |---|---|
//! | [`operands`] | arguments and results of kernels |
//! | [`kernels`] | operations that the framework lacks, with defaults for any device |
//! | `flex`, `conv`, `loops` | the same operations as loops on the CPU |
//! | [`layers`] | kernels as layers with gradients |
//! | [`parameters`] | tensors of a file as parameters, initial values |
//! | [`network`] | the network |

mod conv;
mod flex;
pub mod kernels;
pub mod layers;
pub(crate) mod loops;
pub mod network;
pub mod operands;
pub mod parameters;
pub mod tensors;
