//! Interface of all networks that are ready to compute.

use crate::error::RowError;
use crate::head::Head;
use crate::updates::Updates;

/// Network that is ready to compute: in single precision ([`Network`](crate::Network)), in bytes
/// ([`Int8`](crate::Int8)) or on another device ([`Device::engine`](crate::Device::engine)).
pub trait Engine: Compute + std::fmt::Debug + Send + Sync {
    /// Number of active indices of each row.
    fn groups(&self) -> usize;

    /// Meaning of the outputs.
    fn head(&self) -> Head;

    /// Memory of the weights in bytes.
    fn bytes(&self) -> usize;

    /// Checks that `active` holds the indices of `rows` rows, all within the input.
    ///
    /// # Errors
    /// Another number of indices, or an index out of range.
    fn check(&self, active: &[u32], rows: usize) -> Result<(), RowError>;

    /// Writes the value of every row to `out`, on up to `threads` threads. `active` holds `rows *
    /// groups` indices. The bits of `out` depend neither on `threads` nor on the division of rows
    /// into calls.
    ///
    /// # Errors
    /// Another number of indices, an index out of range, or a head without a value; `out` is
    /// unchanged.
    fn evaluate(&self, active: &[u32], out: &mut [f32], threads: usize) -> Result<(), RowError> {
        self.check(active, out.len())?;
        if !self.head().has_value() {
            return Err(RowError::NoValue(self.head()));
        }
        self.compute(Batch { active, outputs: Outputs::Value, threads }, out);
        Ok(())
    }

    /// Writes all outputs of every row to `out`, row after row, in the order that [`Head`] gives.
    /// The bits of a value are the same as in [`evaluate`](Self::evaluate).
    ///
    /// # Errors
    /// Another number of indices, an index out of range, or a length of `out` that is not a
    /// multiple of the number of outputs; `out` is unchanged.
    fn evaluate_all(
        &self,
        active: &[u32],
        out: &mut [f32],
        threads: usize,
    ) -> Result<(), RowError> {
        let (found, outputs) = (out.len(), self.head().outputs());
        if outputs == 0 || !found.is_multiple_of(outputs) {
            return Err(RowError::Outputs { found, outputs });
        }
        self.check(active, found / outputs)?;
        self.compute(Batch { active, outputs: Outputs::All, threads }, out);
        Ok(())
    }

    /// Writes the value of every row of `updates` to `out`: rows that differ by a few indices from
    /// parent rows, which have the indices `active`. The bits are the same as if
    /// [`evaluate`](Self::evaluate) computed the rows themselves.
    ///
    /// # Errors
    /// As there, or updates that do not fit the parent rows; `out` is unchanged.
    fn evaluate_updates(
        &self,
        active: &[u32],
        updates: &Updates,
        out: &mut [f32],
        threads: usize,
    ) -> Result<(), RowError> {
        self.evaluate(&self.expanded(active, updates, out.len())?, out, threads)
    }

    /// Active indices of the `rows` rows of `updates`.
    ///
    /// # Errors
    /// Wrong parent rows, or updates that do not fit them.
    fn expanded(
        &self,
        active: &[u32],
        updates: &Updates,
        rows: usize,
    ) -> Result<Vec<u32>, RowError> {
        let parents = active.len() / self.groups();
        self.check(active, parents)?;
        updates.check(parents, rows, usize::MAX)?;
        let mut all = Vec::with_capacity(rows * self.groups());
        updates.expand(active, self.groups(), &mut all);
        Ok(all)
    }
}

/// Computation of an engine. No other crate can implement it, or make a [`Batch`] to call it with.
pub trait Compute {
    /// Writes the outputs of a batch of checked rows.
    fn compute(&self, batch: Batch<'_>, out: &mut [f32]);
}

/// Rows that [`Engine::check`] accepts, and how to compute them.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    pub(crate) active: &'a [u32],
    pub(crate) outputs: Outputs,
    pub(crate) threads: usize,
}

/// Outputs to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outputs {
    /// The value: one number for each row.
    Value,
    /// All outputs of each row.
    All,
}

impl Outputs {
    /// Numbers of a row.
    pub(crate) fn width(self, head: Head) -> usize {
        match self {
            Self::Value => 1,
            Self::All => head.outputs(),
        }
    }
}
