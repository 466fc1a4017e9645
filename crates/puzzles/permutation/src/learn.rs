//! Interface of permutation puzzles to the training of networks.
//!
//! The input has a group for each position that moves change, with an index for each label that
//! can come to the position: the labels of the position's orbit.

use crate::{
    definition::Definition,
    family::INFO,
    puzzle::{Labels, Permutation},
};
use std::sync::Arc;
use unriddle_core::{Features, Learnable, Purpose, Rows};

/// Code of a label that does not come to a position.
const NONE: u8 = u8::MAX;

/// Inputs of networks for a puzzle.
#[derive(Debug)]
pub struct Inputs {
    /// The positions that moves change, each with the number of its orbit.
    positions: Vec<Input>,
    /// For each orbit, the code of each label.
    codes: Vec<Vec<u8>>,
    /// For each orbit, the label of each code.
    labels: Vec<Vec<u8>>,
    /// Number of indices of a group.
    values: usize,
}

/// Position that moves change.
#[derive(Clone, Copy, Debug)]
struct Input {
    position: u16,
    orbit: u16,
}

impl Inputs {
    /// The inputs of a definition.
    pub(crate) fn new(definition: &Definition) -> Self {
        let mut orbit_of = vec![None; definition.goal.len()];
        let (mut positions, mut labels) = (Vec::new(), Vec::new());
        for first in 0..definition.goal.len() {
            let is_moved =
                definition.moves.iter().any(|step| usize::from(step.array[first]) != first);
            if orbit_of[first].is_some() || !is_moved {
                continue;
            }
            let orbit = labels.len() as u16;
            orbit_of[first] = Some(orbit);
            let mut reached = vec![first];
            let mut at = 0;
            while at < reached.len() {
                for step in &definition.moves {
                    let from = usize::from(step.array[reached[at]]);
                    if orbit_of[from].is_none() {
                        orbit_of[from] = Some(orbit);
                        reached.push(from);
                    }
                }
                at += 1;
            }
            let mut of_orbit: Vec<u8> = reached.iter().map(|&at| definition.goal[at]).collect();
            of_orbit.sort_unstable();
            of_orbit.dedup();
            labels.push(of_orbit);
        }
        for (position, orbit) in orbit_of.iter().enumerate() {
            positions.extend(orbit.map(|orbit| Input { position: position as u16, orbit }));
        }
        let code = |labels: &Vec<u8>| {
            let mut codes = vec![NONE; 256];
            labels.iter().zip(0..).for_each(|(&label, code)| codes[usize::from(label)] = code);
            codes
        };
        Self {
            codes: labels.iter().map(code).collect(),
            values: labels.iter().map(Vec::len).max().unwrap_or(1),
            positions,
            labels,
        }
    }

    /// The codes of a state's labels, each below [`values`](Self::values).
    fn codes<'s>(&'s self, state: &'s [u8]) -> impl Iterator<Item = u8> + 's {
        self.positions.iter().map(|input| {
            let label = usize::from(state[usize::from(input.position)]);
            // A label of another orbit, in a state that no moves lead to, counts as the first one.
            let code = self.codes[usize::from(input.orbit)][label];
            if code == NONE { 0 } else { code }
        })
    }
}

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
            puzzle: INFO.name.to_owned(),
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
