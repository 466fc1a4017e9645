//! Training of units that share their weights.

use super::lean::Lean;
use super::network::Tensors;
use super::parts::Parts;
use crate::architecture::Architecture;
use crate::views::Views;

impl Views {
    /// Whether such a network can be trained with units that share their weights.
    #[must_use]
    pub fn suit(architecture: &Architecture) -> bool {
        Lean::suits(architecture)
    }

    /// The same with parts behind the indices: the image of a part is that part of an index's image which stands where it stands.
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

    /// A network whose first layer has a unit for each set, from one with all units: with random weights, or with those that it learned.
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
