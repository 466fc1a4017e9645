//! A first solution: the result of a search that is stopped early, and an upper bound that prunes
//! positions.
//!
//! A narrow beam ([`short`](crate::solvers::short)) finds it; without a solution of the beam, the
//! search continues without an upper bound.

use super::{config::Measure, singles::singles};
use crate::solvers::short::{Short, ShortConfig};
use crate::{FreeCell, Move};
use unriddle_core::{Observer, Progress, Quota, Search, SearchError, Solution, Stats};

/// Width of the beam that looks for it, by measure: where it is only a beginning, and where it is
/// often the shortest.
const WIDTH_SINGLE: usize = 64;
const WIDTH: usize = 1024;

/// The search for it.
pub(crate) struct Opening<'a> {
    puzzle: &'a FreeCell,
    measure: Measure,
    short: Short<'a>,
}

impl std::fmt::Debug for Opening<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opening").finish_non_exhaustive()
    }
}

/// Observer that converts solutions to the measure.
struct Relay<'o> {
    puzzle: &'o FreeCell,
    measure: Measure,
    best: &'o mut Option<Solution<Move>>,
    observer: &'o mut dyn Observer<Move>,
}

impl Observer<Move> for Relay<'_> {
    fn improved(&mut self, found: &Solution<Move>, stats: &Stats) {
        let actions = match self.measure {
            Measure::M0 => Some(found.actions.clone()),
            Measure::M1 => singles(self.puzzle, &found.actions),
        };
        let Some(actions) = actions else {
            return;
        };
        let found = Solution { value: actions.len() as i64, actions };
        if self.best.as_ref().is_none_or(|best| found.value < best.value) {
            self.observer.improved(&found, stats);
            *self.best = Some(found);
        }
    }
}

impl<'a> Opening<'a> {
    pub(crate) fn new(puzzle: &'a FreeCell, measure: Measure) -> Result<Self, SearchError> {
        let width = match measure {
            Measure::M0 => WIDTH,
            Measure::M1 => WIDTH_SINGLE,
        };
        let config = ShortConfig { first: width, last: width, ..ShortConfig::default() };
        Ok(Self { puzzle, measure, short: Short::new(puzzle, config)? })
    }

    pub(crate) fn stats(&self) -> Stats {
        self.short.stats()
    }

    pub(crate) fn advance(
        &mut self,
        quota: &Quota,
        best: &mut Option<Solution<Move>>,
        observer: &mut dyn Observer<Move>,
    ) -> Progress<Move> {
        let mut relay = Relay { puzzle: self.puzzle, measure: self.measure, best, observer };
        self.short.advance(quota, &mut relay)
    }
}
