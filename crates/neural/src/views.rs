//! Units of the first layer that share their weights: each unit of a set sees another symmetric
//! state.
//!
//! A state and its symmetric states are equally far from the goal, so a weight learned from one of
//! them is valid for the others. Units therefore form sets. All units of a set have the same row of
//! weights; the first unit sees the state itself, and each other unit sees a symmetric state. A set
//! learns from every row as many times as it has units.
//!
//! A file may store only the rows of the sets ([`Model::with_sets`]). A network that computes has
//! weights for each unit ([`Model::with_units`]), so that searches need not know about sets.

use crate::architecture::Layer;
use crate::error::ModelError;
use crate::model::{Model, Sharing, content_hash};
use crate::tensor::{Tensor, Tensors};

/// Relative tolerance of sums in another order, as a share of the greatest weight.
const ROUNDING: f32 = 1e-5;

/// Symmetric states that units of the first layer see.
#[derive(Clone, Debug)]
pub struct Views {
    /// For each symmetric state, the map from each index of the input to its index there; the first
    /// map is the identity.
    maps: Vec<Vec<u32>>,
}

impl Views {
    /// Views of a state and of its symmetric states. Each map in `images` covers all `inputs`
    /// indices. `None` without `images`.
    #[must_use]
    pub fn new(images: Vec<Vec<u32>>, inputs: usize) -> Option<Self> {
        if images.is_empty() {
            return None;
        }
        let mut maps = vec![(0..inputs as u32).collect::<Vec<_>>()];
        maps.extend(images);
        Some(Self { maps })
    }

    /// Description of the views in the header of a file.
    #[must_use]
    pub fn sharing(&self) -> Sharing {
        let indices = self.maps.iter().flatten();
        let bytes: Vec<u8> = indices.flat_map(|to| to.to_le_bytes()).collect();
        Sharing { views: self.maps.len(), images: content_hash(&bytes) }
    }

    /// Views with each map extended by `map`.
    #[cfg(feature = "train")]
    pub(crate) fn extended(&self, map: impl Fn(&[u32]) -> Vec<u32>) -> Self {
        let maps = self.maps.iter().map(|of| map(of)).collect();
        Self { maps }
    }

    /// Number of sets of `units` units. The last set may have fewer units than there are views.
    pub(crate) fn sets(&self, units: usize) -> usize {
        units.div_ceil(self.maps.len())
    }

    /// Set of a unit, and the map of its view.
    pub(crate) fn of(&self, unit: usize) -> (usize, &[u32]) {
        let views = self.maps.len();
        (unit / views, &self.maps[unit % views])
    }

    /// Expands the weights and biases of sets in the first layer to all units.
    pub(crate) fn spread(&self, tensors: &mut Tensors, first: &Layer) {
        let (inputs, units) = (self.maps[0].len(), first.units);
        if let Some(weight) = tensors.get_mut(&first.weight()) {
            let rows = (0..units).flat_map(|unit| {
                let (set, map) = self.of(unit);
                let row = &weight.data[set * inputs..][..inputs];
                map.iter().map(move |&to| row[to as usize])
            });
            *weight = Tensor { shape: vec![units, inputs], data: rows.collect() };
        }
        if let Some(bias) = tensors.get_mut(&first.bias()) {
            let data = (0..units).map(|unit| bias.data[self.of(unit).0]);
            *bias = Tensor { shape: vec![units], data: data.collect() };
        }
    }

    /// Reduces the weights and biases of all units in the first layer to sets. The weights of a set
    /// are the weights of its first unit or, with `is_mean`, the mean over its units. The bias of a
    /// set is always the mean.
    pub(crate) fn gather(&self, tensors: &mut Tensors, first: &Layer, is_mean: bool) {
        let (inputs, sets) = (self.maps[0].len(), self.sets(first.units));
        if let Some(weight) = tensors.get_mut(&first.weight()) {
            let mut data = vec![0.0; sets * inputs];
            for (unit, row) in weight.data.chunks_exact(inputs).enumerate() {
                let (set, map) = self.of(unit);
                let views = match is_mean {
                    true => self.maps.len().min(first.units - set * self.maps.len()),
                    false if unit % self.maps.len() == 0 => 1,
                    false => continue,
                };
                let to = &mut data[set * inputs..][..inputs];
                for (&at, weight) in map.iter().zip(row) {
                    to[at as usize] += weight / views as f32;
                }
            }
            *weight = Tensor { shape: vec![sets, inputs], data };
        }
        if let Some(bias) = tensors.get_mut(&first.bias()) {
            let mean = |set: &[f32]| set.iter().sum::<f32>() / set.len() as f32;
            let data = bias.data.chunks(self.maps.len()).map(mean).collect();
            *bias = Tensor { shape: vec![sets], data };
        }
    }
}

impl Model {
    /// The same network with weights and biases of sets of units in the first layer, which reduces
    /// the number of weights by the number of views.
    ///
    /// # Errors
    /// Units that do not share their weights under these views.
    pub fn with_sets(&self, views: &Views) -> Result<Self, ModelError> {
        let Some(first) = self.header.architecture.layers().into_iter().next() else {
            return Ok(self.clone());
        };
        let mut model = self.clone();
        views.gather(&mut model.tensors, &first, false);
        model.header.sharing = Some(views.sharing());
        model.check()?;
        let mut units = model.tensors.clone();
        views.spread(&mut units, &first);
        for name in [first.weight(), first.bias()] {
            let ours = self.data(&name);
            let theirs = units.get(&name).map_or(&[][..], |tensor| &tensor.data);
            let most = ours.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            let mut both = ours.iter().zip(theirs);
            if both.any(|(x, y)| (x - y).abs() > ROUNDING * most) {
                return Err(ModelError::Unlike(first.name));
            }
        }
        Ok(model)
    }

    /// The same network with weights for each unit of the first layer. `images` returns the
    /// puzzle's symmetries for the network's input; it is only called if units share weights.
    ///
    /// # Errors
    /// The symmetries differ from the symmetries of the model.
    pub fn with_units(self, images: impl FnOnce() -> Vec<Vec<u32>>) -> Result<Self, ModelError> {
        let mut model = self;
        let Some(sharing) = model.header.sharing.take() else {
            return Ok(model);
        };
        let architecture = &model.header.architecture;
        let images = images();
        let other = ModelError::Images { found: images.len() + 1, expected: sharing.views };
        // Symmetries of another input have another hash.
        let views = Views::new(images, architecture.inputs);
        let views = views.filter(|views| views.sharing() == sharing);
        let views = views.ok_or(other)?;
        if let Some(first) = architecture.layers().first() {
            views.spread(&mut model.tensors, first);
        }
        model.check()?;
        Ok(model)
    }
}
