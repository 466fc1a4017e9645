//! First floor: values that cross the boundary of a puzzle, and object-safe traits over them.
//!
//! Nothing in this folder knows how a puzzle declares itself or how it is solved.

pub mod accuracy;
#[cfg(feature = "arrays")]
pub mod arrays;
pub mod board;
pub(crate) mod claims;
pub mod diagram;
pub(crate) mod files;
pub(crate) mod findings;
pub mod game;
pub(crate) mod instance;
pub(crate) mod pattern;
pub(crate) mod pending;
pub(crate) mod section;
pub mod sheet;
mod solid;
pub(crate) mod structure;
pub(crate) mod unit;
pub(crate) mod values;
