//! Interface of permutation puzzles to the training of networks, by their
//! [`inputs`](crate::inputs).

use crate::puzzle::{Labels, NAME, Permutation};
use std::sync::Arc;
use unriddle_core::{Features, Learnable, Purpose, Rows};

impl<const N: usize> Features for Permutation<N> {
    fn feature_len(&self) -> usize {
        self.rules.inputs.positions.len() * self.rules.inputs.values
    }

    fn active(&self, state: &Labels<N>, sink: &mut dyn FnMut(u32)) {
        let inputs = &self.rules.inputs;
        let mut first = 0;
        for code in inputs.codes(state) {
            sink(first + u32::from(code));
            first += inputs.values as u32;
        }
    }

    fn append_active(&self, state: &Labels<N>, to: &mut Vec<u32>) {
        let inputs = &self.rules.inputs;
        let firsts = (0..).step_by(inputs.values.max(1));
        to.extend(
            firsts.zip(inputs.codes(state)).map(|(first, code): (u32, u8)| first + u32::from(code)),
        );
    }
}

impl<const N: usize> Learnable for Permutation<N> {
    fn purpose(&self) -> Purpose {
        Purpose {
            puzzle: NAME.to_owned(),
            size: self.rules.positions().to_string(),
            goal: format!("{:016x}", self.rules.id),
        }
    }

    fn groups(&self) -> usize {
        self.rules.inputs.positions.len()
    }

    fn begun_at(&self, state: Labels<N>) -> Self {
        Self::new(Arc::clone(&self.rules), self.labels(&state))
    }

    fn action_count(&self) -> usize {
        self.definition().moves.len()
    }

    fn action_number(&self, step: u8) -> usize {
        step.into()
    }

    fn images(&self) -> Vec<Vec<u32>> {
        let inputs = &self.rules.inputs;
        self.rules.symmetries().iter().map(|symmetry| inputs.image(symmetry)).collect()
    }
}

/// Byte `g` of a row is the code of the label at the `g`-th position that moves change.
impl<const N: usize> Rows for Permutation<N> {
    fn state_of_row(&self, row: &[u8]) -> Result<Labels<N>, String> {
        let inputs = &self.rules.inputs;
        let mut state = [0; N];
        state[..self.rules.positions()].copy_from_slice(&self.definition().goal);
        for (at, (input, &code)) in inputs.positions.iter().zip(row).enumerate() {
            let labels = &inputs.labels[usize::from(input.orbit)];
            let Some(&label) = labels.get(usize::from(code)) else {
                let most = labels.len() - 1;
                return Err(format!("byte {at} is {code}: expected 0 to {most}"));
            };
            state[usize::from(input.position)] = label;
        }
        Ok(state)
    }
}
