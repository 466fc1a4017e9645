//! The fitness of a solver: the share of a baseline's effort that it saves.
//!
//! For one instance, with the efforts of the solver and the baseline in the same unit (nodes):
//! - solved with less effort than the baseline: the share that is saved, 1 − effort / baseline;
//! - solved, but not with less effort: (1 − excess) / 1000, where the excess is the share by
//!   which the effort is above the baseline's, at most 1;
//! - not solved: 0.
//!
//! An instance that the baseline did not solve counts as if the baseline had taken a penalty effort
//! (1000 million nodes). The formula is the paper's, although a solver that saves less than a
//! thousandth scores less than a solver that saves nothing.
//!
//! Reference: A. Elyasaf, A. Hauptman, M. Sipper, "GA-FreeCell" (GECCO 2011), 3.3.4.

use crate::error::{EvolveError, MAX_EFFORT, MIN_BASELINE, within};
use serde::{Deserialize, Serialize};

/// The result of one solver on one instance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// Effort of the search, in nodes or any other unit that does not depend on the machine;
    /// without meaning where the instance was not solved.
    pub effort: f64,
    /// Whether the instance was solved.
    pub solved: bool,
}

impl Trial {
    /// Solved with this effort.
    #[must_use]
    pub const fn solved(effort: f64) -> Self {
        Self { effort, solved: true }
    }

    /// Not solved.
    #[must_use]
    pub const fn unsolved() -> Self {
        Self { effort: 0.0, solved: false }
    }

    /// Refuses a meaningful effort that is less than `least` or `NaN`.
    pub(crate) fn check(
        self,
        what: &'static str,
        index: usize,
        least: f64,
    ) -> Result<(), EvolveError> {
        if !self.solved || (least..=MAX_EFFORT).contains(&self.effort) {
            return Ok(());
        }
        Err(EvolveError::BadEffort { what, index, value: self.effort, least })
    }
}

/// Scoring of trials.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scoring {
    /// The effort that an unsolved instance counts as, 1e-9 to 1e100.
    pub penalty: f64,
    /// Divisor of the score of a solution that saves nothing, 1 to 1e9.
    pub divisor: f64,
}

impl Default for Scoring {
    fn default() -> Self {
        Self { penalty: 1e9, divisor: 1000.0 }
    }
}

impl Scoring {
    /// Checks the bounds.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`].
    pub fn validate(&self) -> Result<(), EvolveError> {
        within("scoring", "penalty", &self.penalty, &MIN_BASELINE, &MAX_EFFORT)?;
        within("scoring", "divisor", &self.divisor, &1.0, &1e9)
    }

    /// The effort that a trial counts as: its own, or the penalty where it did not solve.
    #[must_use]
    pub fn effort(&self, trial: Trial) -> f64 {
        if trial.solved { trial.effort } else { self.penalty }
    }

    /// The score of a trial against the effort that the baseline's trial [counts as](Self::effort):
    /// 0 to 1.
    #[must_use]
    pub fn score(&self, trial: Trial, baseline: f64) -> f64 {
        if !trial.solved {
            return 0.0;
        }
        if trial.effort < baseline {
            return 1.0 - trial.effort / baseline;
        }
        let excess = ((trial.effort - baseline) / baseline).min(1.0);
        (1.0 - excess).max(0.0) / self.divisor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(trial: Trial, baseline: Trial) -> f64 {
        let scoring = Scoring::default();
        scoring.score(trial, scoring.effort(baseline))
    }

    fn assert_close(x: f64, y: f64) {
        assert!((x - y).abs() < 1e-12, "{x}, expected {y}");
    }

    #[test]
    fn a_reduction_scores_the_share_that_is_saved() {
        assert_close(score(Trial::solved(300.0), Trial::solved(1000.0)), 0.7);
        assert_close(score(Trial::solved(0.0), Trial::solved(1000.0)), 1.0);
    }

    #[test]
    fn a_solution_without_reduction_scores_a_thousandth_at_most() {
        assert_close(score(Trial::solved(1000.0), Trial::solved(1000.0)), 0.001);
        assert_close(score(Trial::solved(1300.0), Trial::solved(1000.0)), 0.0007);
    }

    #[test]
    fn an_excess_of_all_or_more_scores_nothing() {
        assert_eq!(score(Trial::solved(2000.0), Trial::solved(1000.0)), 0.0);
        assert_eq!(score(Trial::solved(3100.0), Trial::solved(1000.0)), 0.0);
        assert_eq!(score(Trial::solved(MAX_EFFORT), Trial::solved(MIN_BASELINE)), 0.0);
    }

    #[test]
    fn no_solution_scores_nothing() {
        assert_eq!(score(Trial::unsolved(), Trial::solved(1000.0)), 0.0);
        assert_eq!(score(Trial::unsolved(), Trial::unsolved()), 0.0);
        // However little was spent on it.
        let gave_up = Trial { effort: 1.0, solved: false };
        assert_eq!(score(gave_up, Trial::solved(1000.0)), 0.0);
    }

    #[test]
    fn the_baseline_pays_the_penalty_where_it_did_not_solve() {
        // The paper's example: 500 million nodes where the baseline gave up are a reduction by
        // half.
        assert_close(score(Trial::solved(500e6), Trial::unsolved()), 0.5);
        assert_close(score(Trial::solved(1200e6), Trial::unsolved()), 0.0008);
    }

    #[test]
    fn bad_scorings_and_efforts_are_refused() {
        for penalty in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let scoring = Scoring { penalty, ..Scoring::default() };
            assert!(scoring.validate().is_err());
        }
        for effort in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(Trial::solved(effort).check("job", 0, 0.0).is_err());
            let ignored = Trial { effort, solved: false };
            assert!(ignored.check("job", 0, 0.0).is_ok());
        }
    }
}
