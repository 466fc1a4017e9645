//! What long work that people describe in files has in common: experiments, evolution, tuning, training.
//!
//! | module | what it holds |
//! |---|---|
//! | [`error`] | [`WorkError`]: what can go wrong, and at which line and column of which file |
//! | [`reader`] | [`Reader`](reader::Reader): TOML texts with the place of everything that is wrong with them |

pub mod error;
pub mod reader;

pub use error::WorkError;
