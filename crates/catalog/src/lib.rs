//! .

pub mod bind;
pub mod spec;
