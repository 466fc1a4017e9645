//! Coarser inputs that a network learns with, and that what it has learned does without.
//!
//! An index of the input often stands for several things at once, two pieces side by side, say, and is rarely active. Each of these things is
//! a *part* of it. In training a part has a column of weights of its own, which all indices that it is a part of learn together; in the network
//! that is written, each of these takes over its share of the column. Known as feature factorisation of evaluation functions of chess and shogi.

use super::network::Tensors;
use crate::{architecture::Architecture, model::Tensor};
use unriddle_core::Part;

/// What a network learns with beside its input.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Of all indices, in their order.
    all: Vec<Part>,
    /// Where those of each index end.
    ends: Vec<usize>,
    count: usize,
    groups: usize,
}

impl Parts {
    /// Those of each index, of which every row has as many different ones as this. `None` if no index has any.
    #[must_use]
    pub fn new(of: &[Vec<Part>], row: &[u32]) -> Option<Self> {
        let count = of.iter().flatten().map(|part| part.number + 1).max()?;
        let mut end = 0;
        let ends = of.iter().map(|parts| {
            end += parts.len();
            end
        });
        let mut parts =
            Self { ends: ends.collect(), all: of.concat(), count: count as usize, groups: 0 };
        let mut all = Vec::new();
        parts.extend(row, &mut vec![0; parts.count], 1, &mut all);
        parts.groups = all.len() - row.len();
        Some(parts)
    }

    /// Those of an index.
    pub(super) fn of(&self, index: usize) -> &[Part] {
        let from = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[from..self.ends[index]]
    }

    /// Indices without those of parts.
    pub(super) fn inputs(&self) -> usize {
        self.ends.len()
    }

    /// Indices with those of parts.
    pub(super) fn extended_inputs(&self) -> usize {
        self.inputs() + self.count
    }

    /// How many different ones a row has.
    pub(super) fn groups(&self) -> usize {
        self.groups
    }

    /// The network with them.
    pub(super) fn extended(&self, architecture: &Architecture) -> Architecture {
        Architecture {
            inputs: self.extended_inputs(),
            groups: architecture.groups + self.groups,
            ..architecture.clone()
        }
    }

    /// Adds a row and its parts, each once. `seen` tells of each part the last row that had it; rows have numbers of their own.
    fn extend(&self, row: &[u32], seen: &mut [u32], number: u32, to: &mut Vec<u32>) {
        to.extend_from_slice(row);
        for part in row.iter().flat_map(|&index| self.of(index as usize)) {
            let seen = &mut seen[part.number as usize];
            if *seen != number {
                *seen = number;
                to.push(self.inputs() as u32 + part.number);
            }
        }
    }

    /// Rows of `groups` active indices with their parts.
    pub(super) fn rows(&self, active: &[u32], groups: usize) -> Vec<u32> {
        let mut all = Vec::with_capacity(active.len() / groups * (groups + self.groups));
        let mut seen = vec![0; self.count];
        for (number, row) in (1..).zip(active.chunks_exact(groups)) {
            self.extend(row, &mut seen, number, &mut all);
        }
        all
    }

    /// Columns of `N` numbers of all inputs, those of parts behind the others, as columns of the inputs alone: each index takes over its shares.
    pub(super) fn fold<const N: usize>(&self, columns: &[f32], to: &mut [f32]) {
        let (own, parts) = columns.split_at(self.inputs() * N);
        let (parts, _) = parts.as_chunks::<N>();
        let (own, _) = own.as_chunks::<N>();
        let (to, _) = to.as_chunks_mut::<N>();
        let mut from = 0;
        for ((to, own), &end) in to.iter_mut().zip(own).zip(&self.ends) {
            *to = *own;
            for part in &self.all[from..end] {
                let column = &parts[part.number as usize];
                for (to, &x) in to.iter_mut().zip(column) {
                    *to += part.share * x;
                }
            }
            from = end;
        }
    }

    /// Adds what the inputs' columns of gradients are for the columns of parts: what [`Self::fold`] makes of weights, turned round.
    pub(super) fn spread<const N: usize>(&self, gradients: &mut [f32]) {
        let (own, parts) = gradients.split_at_mut(self.inputs() * N);
        let (parts, _) = parts.as_chunks_mut::<N>();
        let (own, _) = own.as_chunks::<N>();
        let mut from = 0;
        for (own, &end) in own.iter().zip(&self.ends) {
            for part in &self.all[from..end] {
                let column = &mut parts[part.number as usize];
                for (to, &x) in column.iter_mut().zip(own) {
                    *to += part.share * x;
                }
            }
            from = end;
        }
    }

    /// The weights of a network with them as those of the network without.
    pub(super) fn folded(&self, mut tensors: Tensors, architecture: &Architecture) -> Tensors {
        let inputs = self.extended_inputs();
        for name in self.names(architecture) {
            let Some(Tensor { shape, data }) = tensors.get_mut(&name) else {
                continue;
            };
            let mut folded = vec![0.0; data.len() / inputs * self.inputs()];
            let rows = data.chunks_exact(inputs);
            for (row, to) in rows.zip(folded.chunks_exact_mut(self.inputs())) {
                self.fold::<1>(row, to);
            }
            *data = folded;
            if let Some(last) = shape.last_mut() {
                *last = self.inputs();
            }
        }
        tensors
    }

    /// The weights of a network without them as those of one that has learned nothing of them.
    pub(super) fn unfolded(&self, tensors: &Tensors, architecture: &Architecture) -> Tensors {
        let mut tensors = tensors.clone();
        for name in self.names(architecture) {
            let Some(Tensor { shape, data }) = tensors.get_mut(&name) else {
                continue;
            };
            let zeros = vec![0.0; self.count];
            let rows = data.chunks_exact(self.inputs());
            *data = rows.flat_map(|row| [row, &zeros]).flatten().copied().collect();
            if let Some(last) = shape.last_mut() {
                *last = self.extended_inputs();
            }
        }
        tensors
    }

    /// A linear part's weights with those of parts, which are nothing.
    pub(super) fn linear(&self, weights: &[f32]) -> Vec<f32> {
        let mut weights = weights.to_vec();
        weights.resize(self.extended_inputs(), 0.0);
        weights
    }

    /// Tensors that have a number for each input, in their last dimension.
    fn names(&self, architecture: &Architecture) -> impl Iterator<Item = String> {
        let layers = architecture.layers().into_iter().take(1);
        let first = layers.map(|layer| layer.weight());
        first.chain(["skip.weight".to_owned()])
    }
}
