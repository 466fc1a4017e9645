//! Interface of all trainers, and the names of tensors in a saved state.

use super::loss::Labels;
use crate::tensor::Tensors;

/// Prefixes of the tensors that hold Adam's first and second moments.
pub(super) const MOMENTS: [&str; 2] = ["first.", "second."];

/// Prefix of the tensors of the averaged network.
pub(super) const AVERAGE: &str = "average.";

/// Type-erased trainer.
pub(super) trait AnyTrainer: std::fmt::Debug {
    /// Whether it expects rows without the parts of their indices, and adds these itself.
    fn finds_parts(&self) -> bool {
        false
    }
    fn learn(&mut self, active: &[u32], labels: Labels<'_>, rate: f32);
    fn losses(&mut self) -> Vec<f32>;
    fn export(&self, averaged: bool) -> Tensors;
    fn ranges(&self, active: &[u32], averaged: bool) -> Tensors;
    fn state(&self) -> Tensors;
    fn steps(&self) -> u64;
}
