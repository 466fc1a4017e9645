//! Share of a network's units that are ever active.
//!
//! In narrow layers plain rectifiers may die: their output is 0 for every state, and no gradient
//! revives them. Training often fails because most units of a narrow layer are dead.

use crate::error::ModelError;
use crate::model::Model;
use crate::network::Network;

/// Activity of the units of a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Activity {
    /// Name of the layer, which is also the prefix of its tensors.
    pub layer: String,
    /// Units of the layer.
    pub units: usize,
    /// Share of the activations that are above 0, over all units and rows.
    pub share: f32,
    /// Units that are above 0 for no row. Plain rectifiers of this kind are dead; exponential and
    /// leaky units still have a gradient, but are nearly constant or linear.
    pub dead: usize,
}

impl Model {
    /// Activity of each layer over the given rows, from the input to the output.
    ///
    /// # Errors
    /// An invalid model, or rows that do not fit it.
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
                share: (all as f64 / (rows * layer.cells * layer.units) as f64) as f32,
                dead: counts.iter().filter(|&&count| count == 0).count(),
            }
        });
        Ok(activities.collect())
    }
}
