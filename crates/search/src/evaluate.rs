//! Calls of a batch heuristic with scratch buffers that are kept between calls, and what becomes of the
//! numbers: costs that a search can lean on.

use crate::memory::{Full, reserve, vec_bytes};
use unriddle_core::{BatchHeuristic, Puzzle, Row, SearchError, heuristic::PRIORITY_UNIT};

/// Scratch buffers of evaluation.
#[derive(Debug)]
pub(crate) struct Evaluator<P: Puzzle> {
    /// Empty between calls.
    rows: Vec<Row<'static, P>>,
    out: Vec<f32>,
}

impl<P: Puzzle> Evaluator<P> {
    pub(crate) fn new() -> Self {
        Self {
            rows: Vec::new(),
            out: Vec::new(),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        vec_bytes(&self.rows) + vec_bytes(&self.out)
    }

    /// Makes place for batches of `len` states.
    pub(crate) fn reserve(&mut self, len: usize, room: u64) -> Result<(), Full> {
        let before = self.bytes();
        self.out.clear();
        reserve(&mut self.rows, len, room)?;
        let room = room.saturating_add(before).saturating_sub(self.bytes());
        reserve(&mut self.out, len, room)
    }

    /// The estimates of the states, in their order, each at least 0; infinity for a proved dead end.
    /// With `admissible` they are whole: costs are integers, so that a lower bound may be rounded up.
    pub(crate) fn evaluate<'s>(
        &mut self,
        puzzle: &'s P,
        heuristic: &dyn BatchHeuristic<P>,
        admissible: bool,
        states: impl Iterator<Item = &'s P::State>,
    ) -> Result<&[f32], SearchError> {
        let mut rows: Vec<Row<'s, P>> = recycle(std::mem::take(&mut self.rows));
        rows.extend(states.map(|state| Row { puzzle, state }));
        self.out.clear();
        self.out.resize(rows.len(), f32::NAN);
        heuristic.evaluate(&rows, &mut self.out);
        self.rows = recycle(rows);
        for h in &mut self.out {
            if h.is_nan() {
                return Err(SearchError::BadEstimate(
                    "the heuristic gave no number for a state".into(),
                ));
            }
            *h = if admissible { lower(*h) } else { h.max(0.0) };
        }
        Ok(&self.out)
    }
}

/// An admissible estimate as the smallest whole cost that it proves, allowing for rounding errors of less
/// than one priority unit and for whole numbers that an `f32` cannot hold.
fn lower(h: f32) -> f32 {
    if h >= (1 << 24) as f32 {
        return if h.is_finite() { h.next_down() } else { h };
    }
    let unit = PRIORITY_UNIT as f32;
    ((h * unit).floor() / unit).ceil().max(0.0)
}

/// The same allocation for rows of another lifetime. Collecting a vector's own iterator reuses its
/// memory; if it did not, this would be slow and still right.
fn recycle<'b, P: Puzzle>(mut rows: Vec<Row<'_, P>>) -> Vec<Row<'b, P>> {
    rows.clear();
    rows.into_iter().filter_map(|_| None).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_bounds_are_whole() {
        assert_eq!(lower(3.0), 3.0);
        assert_eq!(lower(3.000_01), 3.0);
        assert_eq!(lower(3.01), 4.0);
        assert_eq!(lower(2.999_99), 3.0);
        assert_eq!(lower(-1.0), 0.0);
        assert_eq!(lower(f32::INFINITY), f32::INFINITY);
        assert!(lower(16_777_220.0) < 16_777_220.0);
    }
}
