//! Iterative widening: beams one after another, each twice as wide as the previous one. It finds a
//! solution soon, and better solutions while there is time.
//!
//! Without a clock the first beam has 1/256 of the configured width. With one
//! ([`Widening::paced`]) it is narrow, to answer within a tenth of the time limit; a beam that does
//! not takes turns with a narrower and a wider one, and the widths of all further beams follow from
//! the time that earlier ones took.
//!
//! Only the budget ends the search: beams wider than configured follow as well. After the first
//! solution a beam seeks only cheaper ones, so that it ends once a whole layer costs as much. The
//! first beam ends without a solution after 1024 layers, the second one after twice as many, and so
//! on, because a narrow beam may circle.
//!
//! A beam that cut off no state and found no cheaper solution proves that the best solution is
//! optimal, or that there is no solution. Counters are sums over all beams. Without a clock the
//! order of work depends only on the configuration, so that a limit of expansions always stops at
//! the same state.
//!
//! Memory: the current beam, and the best solution.
//!
//! Reference: R. Zhou and E. A. Hansen, "Beam-Stack Search", ICAPS 2005, on beams as anytime
//! searches; W. Zhang, "Complete Anytime Beam Search", AAAI 1998, on beams that are weakened step
//! by step.

use crate::{
    beam::{BeamConfig, MAX_WIDTH},
    memory::Bytes as _,
    pace::{Pace, Turn},
    report::{Halt, Report},
    turns::{Before, Inner, Turns},
};
use std::time::Duration;
use unriddle_core::{
    Cost, Observer, Outcome, Progress, Quota, Search, SearchError, Solution, Stats,
};

/// Ratio of the configured width to the width of the first beam.
const BEGIN: usize = 256;
/// Maximum number of layers of the first beam.
const LAYERS: u32 = 1024;
/// Number of expansions between two looks at the clock.
const BETWEEN_LOOKS: u64 = 4096;

/// Beams of growing widths. `F` creates a beam from its configuration and the cost below which it
/// seeks solutions.
///
/// ```
/// # use unriddle_core::{GoalPuzzle, Puzzle};
/// # unriddle_core::toy!(Stairs: GoalPuzzle);
/// use unriddle_core::{Blind, Budget, Scalar, run};
/// use unriddle_search::{beam::{Beam, BeamConfig}, widening::Widening};
///
/// let stairs = Stairs(9);
/// let blind = Scalar(Blind);
/// let config = BeamConfig { width: 256, ..BeamConfig::default() };
/// let mut search = Widening::new(config, |config, below| {
///     Ok(Box::new(Beam::new(&stairs, &blind, config)?.below(below)))
/// });
/// let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
/// assert_eq!(outcome.best().unwrap().value, 5);
/// // A beam cut off no state, so that the search ended before the budget.
/// assert!(outcome.is_optimal());
/// ```
pub struct Widening<'a, A, F> {
    make: F,
    config: BeamConfig,
    /// Number of beams that have begun.
    begun: u32,
    /// Clock and rule of the widths under a time limit.
    pace: Option<Pace<'a>>,
    turns: Turns<'a, A>,
    report: Report<A>,
}

impl<'a, A, F> Widening<'a, A, F>
where
    A: Clone,
    F: FnMut(BeamConfig, Option<Cost>) -> Result<Inner<'a, A>, SearchError>,
{
    /// Creates a search that has not begun.
    pub fn new(config: BeamConfig, make: F) -> Self {
        Self { make, config, begun: 0, pace: None, turns: Turns::new(), report: Report::new() }
    }

    /// The same search under a time limit of `limit`, which chooses the widths of its beams by the
    /// time that they take: readings of `clock`, which never decrease. The search does not end
    /// itself when the time is used up.
    ///
    /// ```
    /// # use unriddle_core::{GoalPuzzle, Puzzle};
    /// # unriddle_core::toy!(Stairs: GoalPuzzle);
    /// use std::time::{Duration, Instant};
    /// use unriddle_core::{Blind, Budget, Scalar, run};
    /// use unriddle_search::{beam::{Beam, BeamConfig}, widening::Widening};
    ///
    /// let (stairs, blind, begun) = (Stairs(9), Scalar(Blind), Instant::now());
    /// let limit = Duration::from_secs(10);
    /// let search = Widening::new(BeamConfig::default(), |config, below| {
    ///     Ok(Box::new(Beam::new(&stairs, &blind, config)?.below(below)))
    /// });
    /// let budget = Budget { time: Some(limit), ..Budget::default() };
    /// let mut search = search.paced(limit, || begun.elapsed());
    /// assert!(run(&mut search, &budget, &mut ())?.is_optimal());
    /// # Ok::<(), unriddle_core::SearchError>(())
    /// ```
    #[must_use]
    pub fn paced(mut self, limit: Duration, clock: impl Fn() -> Duration + 'a) -> Self {
        self.pace = Some(Pace::new(limit, clock));
        self
    }

    /// The width of the next beam; `None` if the previous beam had the largest width.
    fn next_width(&mut self) -> Option<usize> {
        match &mut self.pace {
            Some(pace) => pace.begin(self.config.width),
            None => self.width(self.begun),
        }
    }

    /// The width of a beam by its number, without a clock.
    fn width(&self, number: u32) -> Option<usize> {
        let first = (self.config.width / BEGIN).max(1);
        let width =
            |number: u32| first.saturating_mul(1_usize.checked_shl(number).unwrap_or(usize::MAX));
        let is_new = number == 0 || width(number - 1) < MAX_WIDTH;
        is_new.then(|| width(number).min(MAX_WIDTH))
    }

    /// Begins the next beam, or ends.
    fn begin(&mut self) -> Result<(), SearchError> {
        let Some(width) = self.next_width() else {
            self.report.outcome = Some(match self.report.best.clone() {
                Some(best) => Outcome::Solved { best, proof: false, bound: self.report.bound },
                None => Outcome::Exhausted { best: None },
            });
            return Ok(());
        };
        let layers = LAYERS.saturating_mul(1_u32.checked_shl(self.begun).unwrap_or(u32::MAX));
        let config =
            BeamConfig { width, max_depth: self.config.max_depth.min(layers), ..self.config };
        self.begun += 1;
        // Costs of paths have 32 bits, or the beam fails.
        let below = self.report.best.as_ref().and_then(|best| best.value.try_into().ok());
        self.turns.begin((self.make)(config, below)?);
        Ok(())
    }

    /// Ends the search after a beam, unless another beam follows.
    fn end(&mut self, beam: &Outcome<A>) {
        let value = self.report.best.as_ref().map(|best| best.value);
        let is_least = matches!(beam, Outcome::Unsolvable) || beam.is_optimal();
        if is_least || value.is_some() && value == self.report.bound {
            self.report.bound = value;
            self.report.finish();
        }
    }

    /// Ends the current beam. A beam that waits resumes, unless there is a solution.
    fn close(&mut self, is_solved: bool) {
        self.turns.end();
        if self.pace.as_mut().is_some_and(|pace| pace.end(is_solved)) {
            self.turns.resume();
        } else {
            self.turns.end_waiting();
        }
    }

    /// Pauses the current beam if it is another beam's turn.
    fn take_turns(&mut self) {
        let turn = self.pace.as_mut().filter(|_| self.report.best.is_none()).and_then(Pace::turn);
        if turn.is_some() {
            self.turns.pause();
        }
        if turn == Some(Turn::Waiting) {
            self.turns.resume();
        }
    }

    fn take_steps(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Result<(), Halt> {
        while self.report.outcome.is_none() {
            if self.turns.get().is_none() {
                if quota.is_used_up(&self.turns.stats()) {
                    return Err(Halt::Quota);
                }
                self.begin()?;
                continue;
            }
            let own = self.report.best.bytes();
            let before = self.turns.before(own);
            let mut better = Better { before, report: &mut self.report, observer };
            let more = if self.pace.is_some() { BETWEEN_LOOKS } else { u64::MAX };
            let outcome = match self.turns.advance(quota, more, own, &mut better) {
                // The solution of a narrower beam remains.
                Err(Halt::Fault(SearchError::TooLarge(_))) if self.report.best.is_some() => {
                    self.begun -= 1;
                    self.turns.end();
                    return Err(Halt::Full);
                }
                outcome => outcome?,
            };
            match outcome {
                Some(outcome) => {
                    self.end(&outcome);
                    self.close(self.report.best.is_some());
                }
                None => {
                    self.take_turns();
                    if quota.is_used_up(&self.turns.stats()) {
                        return Err(Halt::Quota);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Observer that passes on only improvements on all earlier beams.
struct Better<'s, A> {
    before: Before,
    report: &'s mut Report<A>,
    observer: &'s mut dyn Observer<A>,
}

impl<A: Clone> Observer<A> for Better<'_, A> {
    fn improved(&mut self, best: &Solution<A>, stats: &Stats) {
        self.report.offer(best.clone(), &self.before.and(*stats), self.observer);
    }
    fn bound(&mut self, bound: i64, stats: &Stats) {
        self.report.prove(bound, &self.before.and(*stats), self.observer);
    }
}

impl<'a, A, F> Search for Widening<'a, A, F>
where
    A: Clone,
    F: FnMut(BeamConfig, Option<Cost>) -> Result<Inner<'a, A>, SearchError>,
{
    type Action = A;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Progress<A> {
        if let Some(pace) = &mut self.pace {
            pace.enter();
        }
        let steps = self.take_steps(quota, observer);
        if let Some(pace) = &mut self.pace {
            pace.leave();
        }
        self.report.progress(steps, None)
    }

    fn stats(&self) -> Stats {
        self.turns.stats()
    }

    fn best(&self) -> Option<&Solution<A>> {
        self.report.best.as_ref()
    }

    fn bound(&self) -> Option<i64> {
        self.report.bound
    }
}
