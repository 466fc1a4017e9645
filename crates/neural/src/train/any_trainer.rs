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
    /// Takes a step on a batch: rows of active indices, one after another, and the labels of their
    /// outputs.
    fn learn(&mut self, active: &[u32], labels: Labels<'_>, rate: f32);
    /// Losses of all steps since the last call, each before its step.
    fn losses(&mut self) -> Vec<f32>;
    /// Tensors of the network in the form of a file. `averaged` selects the averaged weights where
    /// an average is kept.
    fn export(&self, averaged: bool) -> Tensors;
    /// Ranges of the activations of each layer over the rows, as the `range` tensors of a file.
    fn ranges(&self, active: &[u32], averaged: bool) -> Tensors;
    /// State from which a training resumes, together with the number of [`steps`](Self::steps): the
    /// tensors of the network and, with the prefixes [`MOMENTS`] and [`AVERAGE`], the moments
    /// (weights as `[in, out]`) and the averaged network.
    fn state(&self) -> Tensors;
    /// Number of steps taken.
    fn steps(&self) -> u64;
}
