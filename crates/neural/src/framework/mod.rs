//! Networks in the operations of the training framework (burn), for training and for GPUs.
//!
//! | module | contents |
//! |---|---|
//! | [`operands`] | arguments and results of kernels |
//! | [`kernels`] | operations that the framework lacks, with defaults (`plain`) |
//! | `flex`, `conv` | the same operations as loops on the CPU |
//! | [`layers`] | kernels as layers with gradients |
//! | [`parameters`] | tensors of a file as parameters, initial values |
//! | [`network`] | the network |

mod conv;
mod flex;
pub mod kernels;
pub mod layers;
pub mod network;
pub mod operands;
pub mod parameters;
pub(crate) mod plain;
pub mod tensors;
