//! Training data of a puzzle: instances, and lists of states.

mod check;
pub(super) mod instances;
mod search;
mod states;
