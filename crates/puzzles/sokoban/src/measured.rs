//! A search for solutions of another measure than the puzzle's: what it proves is not proved of them.

use crate::{level::Move, rules::Sokoban};
use unriddle_core::{Notation as _, Observer, Outcome, Progress, Quota, Search, Solution, Stats};

/// A search whose solutions are taken as those of a puzzle, whether they are pushes or steps.
pub(crate) struct Measured<'p, S, const W: usize> {
    search: S,
    puzzle: &'p Sokoban<W>,
    best: Option<Solution<Move>>,
}

impl<'p, S: Search<Action = Move>, const W: usize> Measured<'p, S, W> {
    /// The search for a puzzle.
    pub(crate) fn new(search: S, puzzle: &'p Sokoban<W>) -> Self {
        Self {
            search,
            puzzle,
            best: None,
        }
    }

    fn taken(&self, solution: &Solution<Move>) -> Solution<Move> {
        let letters = self.puzzle.letters(&solution.actions);
        // What was written is read.
        let actions = self.puzzle.parse_solution(&letters).unwrap_or_default();
        let value = actions.len() as i64;
        Solution { actions, value }
    }
}

impl<S: Search<Action = Move>, const W: usize> Search for Measured<'_, S, W> {
    type Action = Move;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Progress<Move> {
        let progress = self.search.advance(quota, &mut ());
        let Progress::Finished(outcome) = progress else {
            return progress;
        };
        let best = outcome.best().map(|best| self.taken(best));
        if self.best.is_none()
            && let Some(best) = &best
        {
            observer.improved(best, &self.search.stats());
        }
        self.best.clone_from(&best);
        // The fewest of one measure prove nothing of the other.
        Progress::Finished(match (outcome, best) {
            (Outcome::Unsolvable, _) => Outcome::Unsolvable,
            (_, Some(best)) => Outcome::Solved {
                best,
                proof: false,
                bound: None,
            },
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
