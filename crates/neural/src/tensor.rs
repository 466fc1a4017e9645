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
        if self.shape != expected {
            return Err(ModelError::Shape {
                name: name.into(),
                found: self.shape.clone(),
                expected: expected.to_vec(),
            });
        }
        let count = expected.iter().product();
        if self.data.len() != count {
            return Err(ModelError::Count {
                name: name.into(),
                found: self.data.len(),
                expected: count,
            });
        }
        // Inference takes the square root of variances.
        let least = if name.ends_with(".variance") { 0.0 } else { f32::MIN };
        let bad = |&x: &f32| !x.is_finite() || x < least;
        match self.data.iter().position(bad) {
            Some(index) => {
                Err(ModelError::Number { name: name.into(), index, value: self.data[index] })
            }
            None => Ok(()),
        }
    }
}
