//! Beam search from both ends of the path on a GPU: states, estimates, selection and the exact set near the goal all stay there.
//!
//! | module | what it holds |
//! |---|---|
//! | [`places`] | a puzzle as tables, learned from its own rules |
//! | [`small`] | the networks that the GPU computes, and their weights as it takes them |
//! | `gpu` | the GPU: its program, memory and the calls of it (feature `cuda`) |
//! | `packed` | the tables as the GPU's program has them (feature `cuda`) |
//! | `beam` | the search (feature `cuda`) |
//!
//! It is the search of `unriddle_search::bidirectional` with the same means: a node stands for a state and its inverse, all children are
//! estimated, a histogram gives the limit, duplicates are removed among the candidates alone, inverses of candidates are reranked, and exact distances
//! near the goal end it.

pub mod places;
pub mod small;

#[cfg(feature = "cuda")]
mod beam;
#[cfg(feature = "cuda")]
mod device;
#[cfg(feature = "cuda")]
mod packed;

#[cfg(feature = "cuda")]
pub use beam::{GpuBeam, GpuConfig};
#[cfg(feature = "cuda")]
pub use device::{Gpu, GpuError};
pub use places::{Places, PlacesError};
pub use small::{Small, SmallError};
