//! Calls of a batch heuristic with scratch buffers that are kept between calls, and checks of its
//! estimates.

use crate::{
    estimates::ActionValues,
    memory::{Full, left, reserve, vec_bytes},
};
use unriddle_core::{
    BatchHeuristic, Puzzle, Row, SearchError, Successor, heuristic::PRIORITY_UNIT,
};

/// Scratch buffers of evaluations.
#[derive(Debug)]
pub(crate) struct Evaluator<P: Puzzle> {
    /// Rows of a batch; empty between calls.
    rows: Vec<Row<'static, P>>,
    out: Vec<f32>,
}

impl<P: Puzzle> Evaluator<P> {
    pub(crate) fn new() -> Self {
        Self { rows: Vec::new(), out: Vec::new() }
    }

    pub(crate) fn bytes(&self) -> u64 {
        vec_bytes(&self.rows) + vec_bytes(&self.out)
    }

    /// Reserves memory for batches of `len` states.
    pub(crate) fn reserve(&mut self, len: usize, room: u64) -> Result<(), Full> {
        self.reserve_both(len, len, room)
    }

    /// Reserves memory for `numbers` estimates of each of `len` states.
    pub(crate) fn reserve_actions(
        &mut self,
        len: usize,
        numbers: usize,
        room: u64,
    ) -> Result<(), Full> {
        self.reserve_both(len, len.saturating_mul(numbers), room)
    }

    /// Reserves memory for batches of `states` states, or of their successors, with `estimates`
    /// estimates in all.
    pub(crate) fn reserve_both(
        &mut self,
        states: usize,
        estimates: usize,
        room: u64,
    ) -> Result<(), Full> {
        let before = self.bytes();
        self.out.clear();
        reserve(&mut self.rows, states, room)?;
        let room = left(room, before, self.bytes());
        reserve(&mut self.out, estimates, room)
    }

    /// Estimates all actions of the states; [`of_action`](Self::of_action) returns the estimates.
    pub(crate) fn evaluate_actions<'s>(
        &mut self,
        puzzle: &'s P,
        values: &dyn ActionValues<P>,
        states: impl Iterator<Item = &'s P::State>,
    ) {
        let mut rows: Vec<Row<'s, P>> = recycle(std::mem::take(&mut self.rows));
        rows.extend(states.map(|state| Row { puzzle, state }));
        self.out.clear();
        self.out.resize(rows.len() * values.actions(), f32::NAN);
        values.evaluate(&rows, &mut self.out);
        self.rows = recycle(rows);
    }

    /// The estimate of an action of the `row`-th state, at least 0; `numbers` is the number of
    /// estimates per state.
    pub(crate) fn of_action(
        &self,
        row: usize,
        numbers: usize,
        action: usize,
    ) -> Result<f32, SearchError> {
        let estimates = &self.out[row * numbers..(row + 1) * numbers];
        match estimates.get(action) {
            None => {
                let message = format!("action {action} of {numbers} has no estimate");
                Err(SearchError::BadEstimate(message))
            }
            Some(estimate) if estimate.is_nan() => {
                let message = format!("the estimate of action {action} is NaN");
                Err(SearchError::BadEstimate(message))
            }
            Some(estimate) => Ok(estimate.max(0.0)),
        }
    }

    /// Estimates the states. Each estimate is at least 0; infinity is a proved dead end.
    /// `admissible` estimates are whole numbers: costs are integers, so that a lower bound may be
    /// rounded up.
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
        self.checked(admissible)
    }

    /// Estimates successors of `parents`, as [`evaluate`](Self::evaluate).
    pub(crate) fn evaluate_successors<'s>(
        &mut self,
        puzzle: &'s P,
        heuristic: &dyn BatchHeuristic<P>,
        admissible: bool,
        parents: impl Iterator<Item = &'s P::State>,
        successors: &[Successor<P::Action>],
    ) -> Result<&[f32], SearchError> {
        let mut rows: Vec<Row<'s, P>> = recycle(std::mem::take(&mut self.rows));
        rows.extend(parents.map(|state| Row { puzzle, state }));
        self.out.clear();
        self.out.resize(successors.len(), f32::NAN);
        heuristic.evaluate_successors(&rows, successors, &mut self.out);
        self.rows = recycle(rows);
        self.checked(admissible)
    }

    fn checked(&mut self, admissible: bool) -> Result<&[f32], SearchError> {
        for h in &mut self.out {
            if h.is_nan() {
                return Err(SearchError::BadEstimate(
                    "the heuristic returned NaN for a state".into(),
                ));
            }
            *h = if admissible { lower(*h) } else { h.max(0.0) };
        }
        Ok(&self.out)
    }
}

/// The smallest whole cost that an admissible estimate proves, allowing for rounding errors of less
/// than one priority unit and for whole numbers that an `f32` cannot represent.
fn lower(h: f32) -> f32 {
    if h >= (1 << 24) as f32 {
        return if h.is_finite() { h.next_down() } else { h };
    }
    let unit = PRIORITY_UNIT as f32;
    ((h * unit).floor() / unit).ceil().max(0.0)
}

/// Reuses the allocation for rows of another lifetime. Collecting a vector's own iterator reuses
/// its memory; otherwise this would be slow, but still correct.
#[allow(clippy::unnecessary_filter_map)] // a filter cannot change the lifetime
fn recycle<'b, P: Puzzle>(mut rows: Vec<Row<'_, P>>) -> Vec<Row<'b, P>> {
    rows.clear();
    rows.into_iter().filter_map(|_| None).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug)]
    struct NoActions;
    impl Iterator for NoActions {
        type Item = u8;
        fn next(&mut self) -> Option<u8> {
            None
        }
    }

    /// Puzzle of which only the states are used.
    #[derive(Debug)]
    struct Numbers;
    impl Puzzle for Numbers {
        type State = u32;
        type Action = u8;
        type Actions = NoActions;
        fn initial_state(&self) -> u32 {
            0
        }
        fn actions(&self, _: &u32) -> Self::Actions {
            NoActions
        }
        fn apply(&self, s: &u32, _: u8) -> u32 {
            *s
        }
    }

    struct Half;
    impl BatchHeuristic<Numbers> for Half {
        fn guarantee(&self) -> unriddle_core::Guarantee {
            unriddle_core::Guarantee::None
        }
        fn evaluate(&self, rows: &[Row<'_, Numbers>], out: &mut [f32]) {
            for (row, out) in rows.iter().zip(out) {
                *out = match row.state {
                    13 => f32::NAN,
                    s => *s as f32 / 2.0 - 1.0,
                };
            }
        }
    }

    #[test]
    fn buffers_are_kept() {
        let mut evaluator = Evaluator::new();
        evaluator.reserve(5, u64::MAX).unwrap();
        let (bytes, rows) = (evaluator.bytes(), evaluator.rows.as_ptr());
        for _ in 0..3 {
            let out = evaluator.evaluate(&Numbers, &Half, false, [1, 2, 3, 4, 5].iter());
            assert_eq!(out.unwrap(), [0.0, 0.0, 0.5, 1.0, 1.5]);
            assert_eq!((evaluator.bytes(), evaluator.rows.as_ptr()), (bytes, rows));
        }
        let out = evaluator.evaluate(&Numbers, &Half, true, [5].iter());
        assert_eq!(out.unwrap(), [2.0]);
        let out = evaluator.evaluate(&Numbers, &Half, true, [1, 13].iter());
        assert!(matches!(out, Err(SearchError::BadEstimate(_))));
    }

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
