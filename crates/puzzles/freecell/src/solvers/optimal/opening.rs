//! A first solution: the result of a search that is stopped early, and an upper bound that prunes
//! positions.
//!
//! A narrow beam ([`short`](crate::solvers::short)) finds it; without a solution of the beam, the
//! search continues without an upper bound.

use super::{config::Measure, singles::singles};
use crate::solvers::short::{Short, ShortConfig};
use crate::{FreeCell, Move};
use unriddle_core::{Observer, SearchError, Solution, Stats};

/// Width of the beam that looks for it, by measure: where it is only a beginning, and where it is
/// often the shortest.
const WIDTH_SINGLE: usize = 64;
const WIDTH: usize = 1024;

/// Observer that converts solutions to the measure.
pub(crate) struct Relay<'o> {
    pub(crate) puzzle: &'o FreeCell,
    pub(crate) measure: Measure,
    pub(crate) best: &'o mut Option<Solution<Move>>,
    pub(crate) observer: &'o mut dyn Observer<Move>,
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

/// The search for it.
pub(crate) fn opening(puzzle: &FreeCell, measure: Measure) -> Result<Short<'_>, SearchError> {
    let width = match measure {
        Measure::M0 => WIDTH,
        Measure::M1 => WIDTH_SINGLE,
    };
    Short::new(puzzle, ShortConfig { first: width, last: width, ..ShortConfig::default() })
}
