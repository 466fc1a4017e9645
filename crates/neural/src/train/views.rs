//! Training of units that share their weights.

use super::lean::Lean;
use super::parts::Parts;
use crate::architecture::Architecture;
use crate::tensor::Tensors;
use crate::views::Views;

impl Views {
    /// Whether a network of this architecture can be trained with shared weights.
    #[must_use]
    pub fn suit(architecture: &Architecture) -> bool {
        Lean::suits(architecture)
    }

    /// The same views for an input that is extended by parts. Each part of an index maps to the
    /// part at the same position in the symmetric index.
    pub(super) fn with_parts(&self, parts: &Parts) -> Self {
        self.extended(|map| {
            let count = parts.extended_inputs() - map.len();
            let mut all = map.to_vec();
            all.extend((0..count).map(|part| (map.len() + part) as u32));
            for (index, &image) in map.iter().enumerate() {
                for (from, to) in parts.of(index).iter().zip(parts.of(image as usize)) {
                    all[map.len() + from.number as usize] = map.len() as u32 + to.number;
                }
            }
            all
        })
    }

    /// Reduces a network with all units to a first layer with a unit for each set. Random weights
    /// are copied from the first unit of a set, learned weights are averaged over its units.
    pub(super) fn shared(
        &self,
        mut tensors: Tensors,
        architecture: &Architecture,
        is_random: bool,
    ) -> Tensors {
        if let Some(first) = architecture.layers().first() {
            self.gather(&mut tensors, first, !is_random);
        }
        tensors
    }
}
