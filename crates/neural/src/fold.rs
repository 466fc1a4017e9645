//! Conversion of a model for inference: batch normalisation is folded into weights and biases, and
//! every layer gets the buffers that it reads and writes.

use crate::architecture::{Activation, Grid};
use crate::error::ModelError;
use crate::head::Head;
use crate::model::Model;

/// Added to variances before the square root, as in training.
const EPSILON: f64 = 1e-5;

/// Buffers of activations that are needed at a time: a block's input, a layer's input and its
/// output.
pub(crate) const BUFFERS: usize = 3;

/// Layer without normalisation.
pub(crate) struct Layer {
    pub(crate) name: String,
    pub(crate) inputs: usize,
    pub(crate) units: usize,
    /// Number of cells at which the layer is computed.
    pub(crate) cells: usize,
    pub(crate) activation: Activation,
    /// Row-major, [units, inputs].
    pub(crate) weight: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    /// Index of the layer whose output is added before the activation.
    pub(crate) adds: Option<usize>,
    /// Buffer of the output. The input is the buffer of the layer before.
    pub(crate) buffer: usize,
}

/// Model without normalisation.
pub(crate) struct Folded {
    pub(crate) inputs: usize,
    pub(crate) groups: usize,
    pub(crate) grid: Option<Grid>,
    pub(crate) layers: Vec<Layer>,
    /// Meaning of the outputs.
    pub(crate) head: Head,
    /// Row-major, [outputs, units of the last layer].
    pub(crate) out_weight: Vec<f32>,
    pub(crate) out_bias: Vec<f32>,
    /// Weights of the linear skip; empty without a skip.
    pub(crate) skip: Vec<f32>,
}

impl Folded {
    /// Folds a model. It has at least one layer.
    pub(crate) fn new(model: &Model) -> Result<Self, ModelError> {
        model.check()?;
        if model.header.sharing.is_some() {
            return Err(ModelError::Sets);
        }
        let architecture = &model.header.architecture;
        let mut layers: Vec<Layer> = Vec::new();
        for (i, layer) in architecture.layers().into_iter().enumerate() {
            let of = |part: &str| model.data(&format!("{}.{part}", layer.name));
            let (mut weight, mut bias) = (of("weight").to_vec(), of("bias").to_vec());
            if layer.norm {
                let parts = [of("gamma"), of("beta"), of("mean"), of("variance")];
                for (unit, row) in weight.chunks_exact_mut(layer.inputs).enumerate() {
                    let [gamma, beta, mean, variance] = parts.map(|part| f64::from(part[unit]));
                    let factor = gamma / (variance + EPSILON).sqrt();
                    for w in row {
                        *w = (f64::from(*w) * factor) as f32;
                    }
                    bias[unit] = ((f64::from(bias[unit]) - mean) * factor + beta) as f32;
                }
            }
            if !weight.iter().chain(&bias).all(|w| w.is_finite()) {
                return Err(ModelError::Overflow(layer.name));
            }
            let adds = layer.adds.map(|back| i - back);
            layers.push(Layer {
                name: layer.name,
                inputs: layer.inputs,
                units: layer.units,
                cells: layer.cells,
                activation: layer.activation,
                weight,
                bias,
                adds,
                buffer: 0,
            });
        }
        assign_buffers(&mut layers);
        Ok(Self {
            inputs: architecture.inputs,
            groups: architecture.groups,
            grid: architecture.grid,
            layers,
            head: architecture.head(),
            out_weight: model.data("out.weight").to_vec(),
            out_bias: model.data("out.bias").to_vec(),
            skip: model.data("skip.weight").to_vec(),
        })
    }
}

/// Assigns a buffer to every layer, such that no layer overwrites a buffer that it or a later layer
/// still reads.
fn assign_buffers(layers: &mut [Layer]) {
    for i in 1..layers.len() {
        let kept = layers[i..].iter().filter_map(|l| l.adds).find(|&l| l < i);
        let taken = [Some(i - 1), kept].map(|l| l.map(|l| layers[l].buffer));
        layers[i].buffer = (0..BUFFERS).find(|&b| !taken.contains(&Some(b))).unwrap_or_default();
    }
}
