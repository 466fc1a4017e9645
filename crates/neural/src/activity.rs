//! Which units of a network are ever active. In narrow layers plain rectifiers may die: they are 0 whatever
//! the state is, and no gradient wakes them. A training that goes badly is often one whose narrow layers are
//! dead for the greater part.

use crate::error::ModelError;
use crate::model::Model;
use crate::network::Network;

/// How active the units of a layer are.
#[derive(Clone, Debug, PartialEq)]
pub struct Activity {
    /// The layer's name, as that of its tensors.
    pub layer: String,
    /// Units of the layer.
    pub units: usize,
    /// Share of the activations that are above 0, over all units and rows.
    pub share: f32,
    /// Units that are above 0 for no row. Rectifiers of this kind are dead; exponential and leaky ones have a
    /// gradient still, but are (nearly) constant or linear.
    pub dead: usize,
}

impl Model {
    /// How active each layer is over given rows, from the input to the output.
    ///
    /// # Errors
    /// A model that makes no network, or rows that do not fit it.
    pub fn activity(&self, rows: &[u32]) -> Result<Vec<Activity>, ModelError> {
        let layers = self.header.architecture.layers();
        let mut counts: Vec<Vec<u64>> = layers.iter().map(|layer| vec![0; layer.units]).collect();
        Network::new(self)?.observe(rows, &mut |layer, row| {
            for (count, &x) in counts[layer].iter_mut().zip(row) {
                *count += u64::from(x > 0.0);
            }
        })?;
        let rows = (rows.len() / self.header.architecture.groups).max(1);
        let activities = layers.into_iter().zip(counts).map(|(layer, counts)| {
            let all: u64 = counts.iter().sum();
            Activity {
                layer: layer.name,
                units: layer.units,
                share: (all as f64 / (rows * layer.places * layer.units) as f64) as f32,
                dead: counts.iter().filter(|&&count| count == 0).count(),
            }
        });
        Ok(activities.collect())
    }
}
