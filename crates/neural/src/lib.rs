//! Cost-to-go networks of `unriddle`: the file format and batched inference, which are always
//! built, and training (feature `train`).
//!
//! | module | contents |
//! |---|---|
//! | [`architecture`] | layers of a network, as JSON |
//! | [`head`] | meaning of the outputs of a network |
//! | [`model`], [`mod@format`], [`tensor`] | the file: header and tensors, read, checked, written |
//! | [`error`] | errors of models, devices and rows |
//! | `engine` | interface of networks that are ready to compute ([`Engine`]) |
//! | [`network`] | inference in single precision |
//! | [`int8`] | inference in 8-bit integers, with the same results on every CPU |
//! | [`first`] | the first layer as a sum of columns, and its update after an action |
//! | [`views`] | units of the first layer that share their weights |
//! | [`updates`] | rows that differ from parent rows by a few indices |
//! | [`net`] | a network as a batch heuristic of a puzzle |
//! | [`acting`] | a network of actions as a batch heuristic, and the values of all actions of a state |
//! | [`activity`] | share of a network's units that are ever active |
//! | [`lockstep`] | several searches whose states are evaluated in one batch |
//! | [`device`] | the CPU, or a GPU (feature `cuda`) |
//! | `framework` | networks in operations of the training framework (feature `train`) |
//! | `train` | training (feature `train`) |
//!
//! Inference is independent of the two modules above it: `framework`, which also serves `device` on
//! GPUs, and `train`.
//!
//! The input is never a dense vector. A row lists its *active indices*, one of each group, and the
//! first layer adds up their columns of weights (the idea of efficiently updatable networks, Nasu
//! 2018). All further layers are products with packed weights, compiled for several levels of
//! vector instructions, of which the best is chosen when a network is loaded.
//!
//! Residual networks follow DeepCubeA (Agostinelli, McAleer, Shmakov and Baldi 2019). Plain
//! networks with exponential linear units follow Cahlík and Surynek (2019).
//!
//! # Speed
//!
//! - The first layer is an exact sum of columns, one per active index. Sums are updated from row
//!   to row, or from a parent to its successors by differences of columns ([`updates`], ADR 34).
//!   Where inputs are many, columns of bytes are added directly ([`int8`], ADR 37).
//! - Further layers are products with weights that are packed once, in tiles whose sums stay in
//!   registers, in f32 or in bytes. A convolution is such a product with one row per cell of the
//!   grid (ADR 36).
//! - Kernels are a few lines for each level of vector instructions. Bits of estimates depend
//!   neither on threads nor on batches, so that several searches can share a batch ([`lockstep`]).

pub mod acting;
pub mod activity;
pub mod architecture;
pub mod device;
mod engine;
pub mod error;
pub mod first;
pub mod format;
#[cfg(feature = "train")]
pub mod framework;
pub mod head;
pub mod int8;
pub mod lockstep;
pub mod model;
pub mod net;
pub mod network;
pub mod tensor;
#[cfg(feature = "train")]
pub mod train;
pub mod updates;
pub mod views;
mod widen;

mod activation;
mod aligned;
mod batch;
#[cfg(feature = "cuda")]
mod cuda;
mod dense;
mod fold;
#[cfg(feature = "train")]
mod guard;
mod half;
mod kernels;
// Without a GPU it is tested on the CPU.
#[cfg(any(feature = "cuda", all(test, feature = "train")))]
mod offload;
pub mod packed;
mod precision;
mod random;
mod simd;

pub use acting::Acting;
pub use activity::Activity;
pub use architecture::{Activation, Architecture, Block};
pub use device::Device;
pub use engine::Engine;
pub use error::{ArchitectureError, DeviceError, ModelError, RowError};
pub use head::Head;
pub use int8::{Int8, Ranges};
pub use lockstep::{Lockstep, Seat};
pub use model::{Header, Model, Sharing, Training, content_hash};
pub use net::{Net, Rounded};
pub use network::Network;
pub use precision::Precision;
pub use tensor::{Tensor, Tensors};
pub use updates::Updates;
pub use views::Views;
