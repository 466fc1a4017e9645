//! Training data of a puzzle: instances, and lists of states.

mod check;
#[cfg(test)]
mod corridor;
pub(super) mod instances;
mod layers;
mod search;
mod states;
