//! Cost-to-go networks of `unriddle`: the file format and batched inference, always built and light.
//! Training is elsewhere; a network comes here as a file.
//!
//! | module | what it holds |
//! |---|---|
//! | [`architecture`] | which layers a network has, as JSON |
//! | [`head`] | what the outputs of a network mean |
//! | [`model`] | the file: header and tensors, read, checked, written |
//! | [`network`] | inference in single precision |
//! | [`int8`] | inference in 8-bit integers, the same numbers on every CPU |
//! | [`first`] | the first layer as a sum of columns, and how a move updates it |
//! | [`views`] | units of the first layer that share their weights |
//! | [`updates`] | rows that come of others by a few changes |
//! | [`net`] | a network as a batch heuristic of a puzzle |
//! | [`acting`] | a network of actions as a batch heuristic, and the values of all actions of a state |
//! | [`activity`] | which units of a network are ever active |
//! | [`device`] | the CPU, or a GPU (feature `cuda`) |
//! | [`lockstep`] | several searches whose states go through the network in one batch |
//!
//! The input is never a dense vector: a row lists its *active indices*, one of each group, and the first
//! layer adds up their columns of weights (the idea of efficiently updatable networks, Nasu 2018).
//! Everything behind it is a product with packed weights, compiled for several levels of
//! vector instructions of which the best is chosen when a network is loaded.
//!
//! Networks: residual ones follow DeepCubeA (Agostinelli, McAleer, Shmakov and Baldi 2019), the plain ones
//! with exponential linear units follow Cahlík and Surynek (2019).
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
pub mod error;
pub mod first;
pub mod head;
pub mod int8;
pub mod lockstep;
pub mod model;
pub mod net;
pub mod network;
#[cfg(feature = "train")]
pub mod train;
pub mod updates;
pub mod views;

mod activation;
mod aligned;
mod batch;
#[cfg(feature = "cuda")]
mod cuda;
mod dense;
mod fold;
mod kernels;
// Without a GPU it is tested on the CPU.
#[cfg(any(feature = "cuda", all(test, feature = "train")))]
mod offload;
mod precision;
mod random;
mod simd;

pub use acting::Acting;
pub use activity::Activity;
pub use architecture::{Activation, Architecture, Block};
pub use device::{Device, DeviceError};
pub use error::{ArchitectureError, ModelError, RowError};
pub use head::Head;
pub use int8::{Int8, Ranges};
pub use lockstep::{Lockstep, Seat};
pub use model::{Header, Model, Sharing, Tensor, Training, content_hash};
pub use net::{Engine, Net, Offload, Rounded};
pub use network::Network;
pub use precision::Precision;
pub use updates::Updates;
pub use views::Views;
