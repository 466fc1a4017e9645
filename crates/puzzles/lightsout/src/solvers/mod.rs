//! Solvers of only Lights Out.

mod exact;
mod levels;
mod near;
mod table;

#[cfg(test)]
mod tests;

pub use exact::{EXACT, Exact, ExactConfig, Fewest};
