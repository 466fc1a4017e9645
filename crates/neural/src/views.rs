//! Units of the first layer that share their weights: each of a set sees another image of a state.
//!
//! A state and its images under the symmetries of a puzzle are as far from the goal. What a unit learns of one is worth as much of the others. So
//! units come in sets, of which all have the same column of weights for what they see: the first sees the state, each other one an image of it. A set
//! learns from every row as many times as it has units. In the network that is written each unit has weights of its own, as in any other, so
//! that searches know nothing of sets.

use super::lean::Lean;
use super::network::Tensors;
use super::parts::Parts;
use crate::{architecture::Architecture, model::Tensor};

/// The images of a state that units of the first layer see.
#[derive(Clone, Debug)]
pub struct Views {
    /// Where each index of the input goes in each image; the first is the state itself.
    maps: Vec<Vec<u32>>,
}

impl Views {
    /// Those of a state and these images of it, each of which maps all `inputs` indices. `None` without images.
    #[must_use]
    pub fn new(images: Vec<Vec<u32>>, inputs: usize) -> Option<Self> {
        if images.is_empty() {
            return None;
        }
        let mut maps = vec![(0..inputs as u32).collect::<Vec<_>>()];
        maps.extend(images);
        debug_assert!(maps.iter().all(|map| map.len() == inputs));
        Some(Self { maps })
    }

    /// Whether such a network can be trained with units that share their weights.
    #[must_use]
    pub fn suit(architecture: &Architecture) -> bool {
        Lean::suits(architecture)
    }

    /// The same with parts behind the indices: the image of a part is that part of an index's image which stands where it stands.
    pub(super) fn with_parts(&self, parts: &Parts) -> Self {
        let extend = |map: &Vec<u32>| {
            let count = parts.extended_inputs() - map.len();
            let mut all = map.clone();
            all.extend((0..count).map(|part| (map.len() + part) as u32));
            for (index, &image) in map.iter().enumerate() {
                for (from, to) in parts.of(index).iter().zip(parts.of(image as usize)) {
                    all[map.len() + from.number as usize] = map.len() as u32 + to.number;
                }
            }
            all
        };
        let maps = self.maps.iter().map(extend).collect();
        Self { maps }
    }

    /// How many sets make these units. The last may have fewer units than there are views.
    pub(super) fn sets(&self, units: usize) -> usize {
        units.div_ceil(self.maps.len())
    }

    /// The set of a unit, and where its view takes each index.
    pub(super) fn of(&self, unit: usize) -> (usize, &[u32]) {
        let views = self.maps.len();
        (unit / views, &self.maps[unit % views])
    }

    /// The weights of all units, `[units, inputs]`, from those of the sets.
    pub(super) fn spread(&self, sets: &[f32], units: usize) -> Vec<f32> {
        let inputs = self.maps[0].len();
        let mut all = Vec::with_capacity(units * inputs);
        for unit in 0..units {
            let (set, map) = self.of(unit);
            let row = &sets[set * inputs..][..inputs];
            all.extend(map.iter().map(|&to| row[to as usize]));
        }
        all
    }

    /// The weights of the sets from those of all units: of the first of each, or the mean of all.
    fn gathered(&self, all: &[f32], units: usize, is_mean: bool) -> Vec<f32> {
        let inputs = self.maps[0].len();
        let mut sets = vec![0.0; self.sets(units) * inputs];
        for (unit, row) in all.chunks_exact(inputs).enumerate() {
            let (set, map) = self.of(unit);
            let views = match is_mean {
                true => self.maps.len().min(units - set * self.maps.len()),
                false if unit % self.maps.len() == 0 => 1,
                false => continue,
            };
            let to = &mut sets[set * inputs..][..inputs];
            for (&at, weight) in map.iter().zip(row) {
                to[at as usize] += weight / views as f32;
            }
        }
        sets
    }

    /// A network whose first layer has a unit for each set, from one with all units: with random weights, or with those that it learned.
    pub(super) fn shared(
        &self,
        tensors: &Tensors,
        architecture: &Architecture,
        is_random: bool,
    ) -> Tensors {
        let mut tensors = tensors.clone();
        let Some(layer) = architecture.layers().into_iter().next() else {
            return tensors;
        };
        let (units, sets) = (layer.units, self.sets(layer.units));
        if let Some(weight) = tensors.get_mut(&format!("{}.weight", layer.name)) {
            *weight = Tensor {
                shape: vec![sets, self.maps[0].len()],
                data: self.gathered(&weight.data, units, !is_random),
            };
        }
        if let Some(bias) = tensors.get_mut(&format!("{}.bias", layer.name)) {
            let mean = |set: &[f32]| set.iter().sum::<f32>() / set.len() as f32;
            *bias = Tensor {
                shape: vec![sets],
                data: bias.data.chunks(self.maps.len()).map(mean).collect(),
            };
        }
        tensors
    }
}
