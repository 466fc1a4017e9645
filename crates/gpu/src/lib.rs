//! Bidirectional beam search on a GPU: states, estimates, selection and the goal table stay in its
//! memory.
//!
//! | module | contents |
//! |---|---|
//! | [`transition_tables`] | a puzzle as tables, learned from a random walk |
//! | [`network`] | networks that the GPU program computes, and the layout of their weights |
//! | `device` | the GPU program, its memory and its calls (feature `cuda`) |
//! | `packing` | the tables in the layout of the GPU program (feature `cuda`) |
//! | `beam` | the search (feature `cuda`) |
//!
//! The algorithm is the same as in `unriddle_search::bidirectional`. A node represents a state and
//! its inverse. All children are estimated, and a histogram of the estimates gives the limit of the
//! candidates. Duplicates are removed only among the candidates. The best candidates are reranked
//! by the estimates of their inverses. Exact distances near the goal end the search.

pub mod network;
pub mod transition_tables;

#[cfg(feature = "cuda")]
mod beam;
#[cfg(feature = "cuda")]
mod device;
#[cfg(feature = "cuda")]
mod packing;

#[cfg(feature = "cuda")]
pub use beam::{GpuBeam, GpuConfig};
#[cfg(feature = "cuda")]
pub use device::{Gpu, GpuError};
pub use network::{GpuNetwork, GpuNetworkError};
pub use transition_tables::{TransitionTables, TransitionTablesError};
