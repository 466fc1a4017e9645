//! Inputs of networks for permutation puzzles.
//!
//! The input has a group for each position that moves change, with an index for each label that
//! can come to the position: the labels of the position's orbit.

use crate::{definition::Definition, group::symmetries::Symmetry};

/// Code of a label that does not come to a position.
const NONE: u8 = u8::MAX;

/// Inputs of networks for a puzzle.
#[derive(Debug)]
pub struct Inputs {
    /// The positions that moves change, each with the number of its orbit.
    pub(crate) positions: Vec<Input>,
    /// For each orbit, the code of each label.
    codes: Vec<Vec<u8>>,
    /// For each orbit, the label of each code.
    pub(crate) labels: Vec<Vec<u8>>,
    /// Number of indices of a group.
    pub(crate) values: usize,
}

/// Position that moves change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub(crate) position: u16,
    pub(crate) orbit: u16,
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

    /// The index that replaces each index in the symmetric state.
    pub(crate) fn image(&self, symmetry: &Symmetry) -> Vec<u32> {
        let group = |position: u16| {
            self.positions.iter().position(|input| input.position == position).unwrap_or(0)
        };
        let of_input = |input: &Input| {
            let to = group(symmetry.positions[usize::from(input.position)]);
            let codes = &self.codes[usize::from(self.positions[to].orbit)];
            let labels = &self.labels[usize::from(input.orbit)];
            (0..self.values).map(move |code| {
                // Codes without a label belong to no state.
                let label = labels.get(code).map(|&label| symmetry.labels[usize::from(label)]);
                let code = label.map_or(code, |label| codes[usize::from(label)].into());
                (to * self.values + code) as u32
            })
        };
        self.positions.iter().flat_map(of_input).collect()
    }

    /// The codes of a state's labels, each below [`values`](Self::values).
    pub(crate) fn codes<'s>(&'s self, state: &'s [u8]) -> impl Iterator<Item = u8> + 's {
        self.positions.iter().map(|input| {
            let label = usize::from(state[usize::from(input.position)]);
            // A label of another orbit, in a state that no moves lead to, counts as the first one.
            let code = self.codes[usize::from(input.orbit)][label];
            if code == NONE { 0 } else { code }
        })
    }
}
