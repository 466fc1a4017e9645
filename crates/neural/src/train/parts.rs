//! Coarser features that a network learns with, and that the written network does not need.
//!
//! An index of the input often represents several things at once, such as two pieces side by side,
//! and is rarely active. Each of these things is a *part* of the index. In training a part has its
//! own column of weights, which all indices with this part learn together. In the written network
//! each index adds its share of the column to its own column. The method is known as feature
//! factorisation of evaluation functions in chess and shogi.

use crate::{
    architecture::Architecture,
    tensor::{Tensor, Tensors},
};
use unriddle_core::Part;

/// Parts of the indices of an input.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Parts of all indices, in the order of the indices.
    all: Vec<Part>,
    /// End of the parts of each index in `all`.
    ends: Vec<usize>,
    count: usize,
    groups: usize,
}

impl Parts {
    /// Parts `of` each index. Every row must have as many different parts as `row`. `None` if no
    /// index has a part.
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

    /// Parts of an index.
    pub(super) fn of(&self, index: usize) -> &[Part] {
        let from = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[from..self.ends[index]]
    }

    /// Number of inputs without parts.
    pub(super) fn inputs(&self) -> usize {
        self.ends.len()
    }

    /// Number of inputs including parts.
    pub(super) fn extended_inputs(&self) -> usize {
        self.inputs() + self.count
    }

    /// Number of different parts of a row.
    pub(super) fn groups(&self) -> usize {
        self.groups
    }

    /// Architecture with additional inputs and groups for the parts.
    pub(super) fn extended(&self, architecture: &Architecture) -> Architecture {
        Architecture {
            inputs: self.extended_inputs(),
            groups: architecture.groups + self.groups,
            ..architecture.clone()
        }
    }

    /// Appends a row and its parts, each once. `seen` holds, for each part, the `number` of the
    /// last row that had it.
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

    /// Converts columns of `N` numbers of all inputs, followed by the columns of parts, to columns
    /// of the inputs only: each index adds its share of the columns of its parts.
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

    /// Adds the gradients of the inputs' columns to the gradients of the columns of their parts:
    /// the transposed operation of [`fold`](Self::fold).
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

    /// Converts the weights of a network with parts to the weights of the network without parts.
    pub(super) fn folded(&self, tensors: Tensors, architecture: &Architecture) -> Tensors {
        let fold = |row: &[f32]| {
            let mut folded = vec![0.0; self.inputs()];
            self.fold::<1>(row, &mut folded);
            folded
        };
        self.with_rows(tensors, architecture, [self.extended_inputs(), self.inputs()], fold)
    }

    /// Extends the weights of a network without parts by zeros for the parts.
    pub(super) fn unfolded(&self, tensors: &Tensors, architecture: &Architecture) -> Tensors {
        let sizes = [self.inputs(), self.extended_inputs()];
        self.with_rows(tensors.clone(), architecture, sizes, |row| self.linear(row))
    }

    /// Replaces the rows of `inputs` numbers by rows of `new` numbers, in all tensors that have a
    /// number for each input in their last dimension.
    fn with_rows(
        &self,
        mut tensors: Tensors,
        architecture: &Architecture,
        [inputs, new]: [usize; 2],
        to: impl Fn(&[f32]) -> Vec<f32>,
    ) -> Tensors {
        let first = architecture.layers().into_iter().take(1).map(|layer| layer.weight());
        for name in first.chain(["skip.weight".to_owned()]) {
            if let Some(Tensor { shape, data }) = tensors.get_mut(&name) {
                *data = data.chunks_exact(inputs).flat_map(&to).collect();
                if let Some(last) = shape.last_mut() {
                    *last = new;
                }
            }
        }
        tensors
    }

    /// Extends the weights of a linear skip by zeros for the parts.
    pub(super) fn linear(&self, weights: &[f32]) -> Vec<f32> {
        let mut weights = weights.to_vec();
        weights.resize(self.extended_inputs(), 0.0);
        weights
    }
}
