//! Tensors of a file.

use crate::error::ModelError;
use std::collections::BTreeMap;

/// Tensor: numbers in row-major order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tensor {
    /// Length of each dimension.
    pub shape: Vec<usize>,
    /// Numbers; their count is the product of the shape.
    pub data: Vec<f32>,
}

/// Tensors by name; weights are `[units, inputs]`.
pub type Tensors = BTreeMap<String, Tensor>;

impl Tensor {
    /// Checks the shape, and that all numbers are finite.
    pub(crate) fn check(&self, name: &str, expected: &[usize]) -> Result<(), ModelError> {
        let name = name.to_owned();
        if self.shape != expected {
            let (found, expected) = (self.shape.clone(), expected.to_vec());
            return Err(ModelError::Shape { name, found, expected });
        }
        let (found, expected) = (self.data.len(), expected.iter().product());
        if found != expected {
            return Err(ModelError::Count { name, found, expected });
        }
        // Inference takes the square root of variances.
        let least = if name.ends_with(".variance") { 0.0 } else { f32::MIN };
        let bad = |&x: &f32| !x.is_finite() || x < least;
        let index = self.data.iter().position(bad);
        index.map_or(Ok(()), |index| {
            Err(ModelError::Number { name, index, value: self.data[index] })
        })
    }
}
