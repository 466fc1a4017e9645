//! Networks with a longer input.

use crate::{error::ModelError, model::Model, tensor::Tensor};

impl Model {
    /// The same network with an input of `inputs` indices in `groups` groups, which begins with the
    /// indices and groups of the network's own input. The weights of the additional indices are 0,
    /// so that no estimate changes.
    ///
    /// # Errors
    /// An input that is shorter, or a network whose first layer is no dense layer with weights of
    /// its own for each unit.
    pub fn with_longer_input(mut self, inputs: usize, groups: usize) -> Result<Self, ModelError> {
        let before = self.header.architecture.inputs;
        let Some(first) = self.header.architecture.layers().into_iter().next() else {
            return Ok(self);
        };
        for name in [first.weight(), "skip.weight".to_owned()] {
            let Some(weight) = self.tensors.get_mut(&name) else { continue };
            let mut shape = weight.shape.clone();
            if let Some(last) = shape.last_mut() {
                *last = inputs.max(before);
            }
            let mut data = Vec::with_capacity(shape.iter().product());
            for row in weight.data.chunks_exact(before) {
                data.extend_from_slice(row);
                data.resize(data.len() + inputs.saturating_sub(before), 0.0);
            }
            *weight = Tensor { shape, data };
        }
        self.header.architecture.inputs = inputs;
        self.header.architecture.groups = groups;
        self.check()?;
        Ok(self)
    }
}
