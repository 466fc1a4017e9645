//! A search whose solutions are counted by another measure than its own. Proofs of the search do
//! not hold for the other measure.

use crate::{level::Move, rules::Sokoban};
use unriddle_core::{Notation as _, Observer, Outcome, Progress, Quota, Search, Solution, Stats};

/// Wrapper of a search that converts its solutions to the measure of the puzzle.
pub(crate) struct Measured<'p, S, const W: usize> {
    search: S,
    puzzle: &'p Sokoban<W>,
    best: Option<Solution<Move>>,
    /// The search's last solution that was converted.
    taken: Option<Solution<Move>>,
}

impl<'p, S: Search<Action = Move>, const W: usize> Measured<'p, S, W> {
    /// Wraps a search for a puzzle.
    pub(crate) fn new(search: S, puzzle: &'p Sokoban<W>) -> Self {
        Self { search, puzzle, best: None, taken: None }
    }

    /// Converts the search's best solution, if it is new.
    fn take(&mut self, observer: &mut dyn Observer<Move>) {
        let Some(best) = self.search.best() else {
            return;
        };
        if self.taken.as_ref() == Some(best) {
            return;
        }
        self.taken = Some(best.clone());
        let found = self.written(best);
        // Fewer actions of one measure may be more of the other.
        if self.best.as_ref().is_none_or(|best| found.value < best.value) {
            observer.improved(&found, &self.search.stats());
            self.best = Some(found);
        }
    }

    fn written(&self, solution: &Solution<Move>) -> Solution<Move> {
        let letters = self.puzzle.letters(&solution.actions);
        // Letters that were written by this crate are valid.
        let actions = self.puzzle.parse_solution(&letters).unwrap_or_default();
        let value = actions.len() as i64;
        Solution { actions, value }
    }
}

impl<S: Search<Action = Move>, const W: usize> Search for Measured<'_, S, W> {
    type Action = Move;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Progress<Move> {
        let progress = self.search.advance(quota, &mut ());
        self.take(observer);
        let Progress::Finished(outcome) = progress else {
            return progress;
        };
        // The fewest actions of one measure prove nothing about the other.
        Progress::Finished(match (outcome, self.best.clone()) {
            (Outcome::Unsolvable, _) => Outcome::Unsolvable,
            (_, Some(best)) => Outcome::Solved { best, proof: false, bound: None },
            (_, None) => Outcome::Exhausted { best: None },
        })
    }

    fn stats(&self) -> Stats {
        self.search.stats()
    }

    fn best(&self) -> Option<&Solution<Move>> {
        self.best.as_ref()
    }
}
