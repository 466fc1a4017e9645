//! Lines of play of the Monte-Carlo searches: the best one found, and room for lines.

use crate::memory::{Full, reserve, vec_bytes};
use unriddle_core::{Observer, Score, Solution, Stats};

/// Makes place for `len` actions in all, whatever the line holds now.
#[inline]
pub(crate) fn fit<T>(line: &mut Vec<T>, len: usize, room: u64) -> Result<(), Full> {
    reserve(line, len.saturating_sub(line.len()), room)
}

/// The best line of a run. Its buffer is kept, so that a better line is no new allocation.
#[derive(Debug)]
pub(crate) struct Champion<A> {
    solution: Solution<A>,
    found: bool,
}

impl<A: Copy> Champion<A> {
    pub(crate) fn new() -> Self {
        Self { solution: Solution { actions: Vec::new(), value: Score::MIN }, found: false }
    }

    pub(crate) fn get(&self) -> Option<&Solution<A>> {
        self.found.then_some(&self.solution)
    }

    pub(crate) fn bytes(&self) -> u64 {
        vec_bytes(&self.solution.actions)
    }

    /// Makes place for a line of `len` actions.
    pub(crate) fn fit(&mut self, len: usize, room: u64) -> Result<(), Full> {
        fit(&mut self.solution.actions, len, room)
    }

    /// Whether a line of this value would be the best.
    #[inline]
    pub(crate) fn yields_to(&self, value: Score) -> bool {
        !self.found || value > self.solution.value
    }

    /// Takes a line if it is the best, and tells of it. Place was made for it.
    #[inline]
    pub(crate) fn offer(
        &mut self,
        line: &[A],
        value: Score,
        stats: &Stats,
        observer: &mut dyn Observer<A>,
    ) {
        if self.yields_to(value) {
            self.solution.actions.clear();
            self.solution.actions.extend_from_slice(line);
            self.solution.value = value;
            self.found = true;
            observer.improved(&self.solution, stats);
        }
    }
}
