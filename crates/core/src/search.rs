//! The trait of resumable searches, and the driver that runs one under a [`Budget`].

pub use crate::error::{MAX_STATE_BYTES, SearchError};

use crate::{
    budget::{Budget, Limit, Watch},
    outcome::{Observer, Outcome, Solution, Stats},
    puzzle::Puzzle,
    slice::Slice,
};
use cpu_time::ThreadTime;
use std::time::Instant;

/// Rejects puzzles whose states are too large to be copied often.
///
/// # Errors
/// [`SearchError::StateTooLarge`].
pub fn check_state_size<P: Puzzle>() -> Result<(), SearchError> {
    match size_of::<P::State>() {
        bytes if bytes > MAX_STATE_BYTES => Err(SearchError::StateTooLarge { bytes }),
        _ => Ok(()),
    }
}

/// Limits of a call of [`Search::advance`]. The numbers are totals since the search began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Do not begin another expansion once this many states are expanded.
    pub expanded: u64,
    /// Do not begin another expansion once this many states are generated.
    pub generated: u64,
    /// Do not let the accounted structures grow beyond this many bytes.
    pub bytes: u64,
    /// Give up a play-out that is not over at this time. The run checks the time itself between
    /// expansions; a single play-out may be endless.
    pub until: Option<Instant>,
    /// Give up a play-out during which a [`Cancel`](crate::Cancel) flag was raised. If it was the
    /// flag of another run, the search repeats the play-out.
    pub watch: Option<Watch>,
}

impl Quota {
    /// No limit.
    pub const UNLIMITED: Self =
        Self { expanded: u64::MAX, generated: u64::MAX, bytes: u64::MAX, until: None, watch: None };

    /// Whether the counters allow no further expansion.
    #[must_use]
    pub fn is_used_up(&self, stats: &Stats) -> bool {
        stats.expanded >= self.expanded || stats.generated >= self.generated
    }

    /// Whether a play-out is given up, because the time is over or a flag was raised.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
            || self.watch.is_some_and(Watch::has_seen_one)
    }
}

/// Result of a call of [`Search::advance`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress<A> {
    /// The quota is used up; the search can be resumed.
    Running,
    /// The search cannot continue within the quota's bytes.
    OutOfMemory,
    /// The search has ended (never with [`Outcome::Stopped`]).
    Finished(Outcome<A>),
    /// The search or its puzzle has failed.
    Failed(SearchError),
}

/// Resumable search. However its work is divided into calls of [`advance`](Self::advance), it
/// expands the same states in the same order and ends with the same outcome.
///
/// ```
/// use unriddle_core::{
///     Budget, Observer, Outcome, Progress, Quota, Search, Solution, Stats, run,
/// };
///
/// /// Counts to a number by one in each expansion.
/// struct Count {
///     to: u64,
///     stats: Stats,
/// }
///
/// impl Search for Count {
///     type Action = ();
///
///     fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<()>) -> Progress<()> {
///         while self.stats.expanded < self.to {
///             if quota.is_used_up(&self.stats) {
///                 return Progress::Running;
///             }
///             self.stats.expanded += 1;
///         }
///         let best = Solution { actions: Vec::new(), value: self.to as i64 };
///         observer.improved(&best, &self.stats);
///         Progress::Finished(Outcome::Solved { bound: Some(best.value), proof: true, best })
///     }
///     fn stats(&self) -> Stats {
///         self.stats
///     }
/// }
///
/// let mut search = Count { to: 1_000, stats: Stats::default() };
/// assert_eq!(search.step(10, &mut ()), Progress::Running);
/// assert_eq!(search.stats().expanded, 10);
/// let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
/// assert!(outcome.is_optimal());
/// ```
pub trait Search {
    /// Actions of the puzzle.
    type Action: Clone;

    /// Continues until the quota is used up, the search ends or fails. After its end every further
    /// call returns the same outcome, and after a failure the same error.
    fn advance(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<Self::Action>,
    ) -> Progress<Self::Action>;

    /// Counters so far.
    fn stats(&self) -> Stats;

    /// Best solution so far; after the end, the solution of the outcome.
    fn best(&self) -> Option<&Solution<Self::Action>> {
        None
    }

    /// Further solutions that are as good as the best, of a search that was asked for several; in
    /// the order of preference.
    fn others(&self) -> Vec<Solution<Self::Action>> {
        Vec::new()
    }

    /// Best proved bound of the optimum so far; after the end, the bound of the outcome.
    fn bound(&self) -> Option<i64> {
        None
    }

    /// Reason for the end of a search that ended without a proof, where the outcome does not
    /// explain itself.
    fn reason(&self) -> Option<String> {
        None
    }

    /// Completes the best solution at hand, if the search has states but no solution yet. The run
    /// calls it once when a limit has stopped the search; it counts no states.
    fn wind_up(&mut self, observer: &mut dyn Observer<Self::Action>) {
        let _ = observer;
    }

    /// Takes at most `expansions` further expansions.
    fn step(
        &mut self,
        expansions: u64,
        observer: &mut dyn Observer<Self::Action>,
    ) -> Progress<Self::Action> {
        let expanded = self.stats().expanded.saturating_add(expansions);
        self.advance(&Quota { expanded, ..Quota::UNLIMITED }, observer)
    }
}

/// Runs a search to its end or to the first limit of the budget.
///
/// The run checks the clock and the cancel flag between slices, whose length in expansions adapts
/// to about five milliseconds of CPU time; the other limits are exact.
///
/// # Errors
/// The error of a search that [failed](Progress::Failed).
pub fn run<S: Search + ?Sized>(
    search: &mut S,
    budget: &Budget,
    observer: &mut dyn Observer<S::Action>,
) -> Result<Outcome<S::Action>, SearchError> {
    let mut start = Instant::now();
    let limits = Quota {
        expanded: budget.expansions.unwrap_or(u64::MAX),
        generated: budget.generated.unwrap_or(u64::MAX),
        bytes: budget.memory.unwrap_or(u64::MAX),
        ..Quota::UNLIMITED
    };
    let mut slice = Slice::FIRST;
    loop {
        let watch = Some(Watch::begin());
        let why = if budget.cancel.is_cancelled() {
            Limit::Cancelled
        } else if budget.time.is_some_and(|t| start.elapsed() >= t) {
            Limit::Time
        } else {
            let (begun, clock) = (Instant::now(), ThreadTime::now());
            let slice_now = slice.0.min(observer.room().max(1));
            let expanded = limits.expanded.min(search.stats().expanded.saturating_add(slice_now));
            let until = budget.time.and_then(|time| start.checked_add(time));
            let progress = search.advance(&Quota { expanded, until, watch, ..limits }, observer);
            let stats = search.stats();
            match progress {
                Progress::Finished(outcome) => return Ok(outcome),
                Progress::Failed(error) => return Err(error),
                Progress::OutOfMemory => Limit::Memory,
                Progress::Running if stats.expanded >= limits.expanded => Limit::Expansions,
                Progress::Running if stats.generated >= limits.generated => Limit::Generated,
                Progress::Running => {
                    let (cpu, wall) = (clock.elapsed(), begun.elapsed());
                    let waits = Instant::now();
                    observer.progress(&stats);
                    start += waits.elapsed();
                    // The duration of a full slice does not follow from a short one.
                    if slice_now == slice.0 {
                        slice = slice.after(cpu, wall);
                    }
                    continue;
                }
            }
        };
        search.wind_up(observer);
        return Ok(Outcome::Stopped { why, best: search.best().cloned(), bound: search.bound() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slice::SLICE;

    /// Search of slow expansions that notes the requested numbers of expansions.
    struct Slow {
        stats: Stats,
        asked: Vec<u64>,
    }

    impl Search for Slow {
        type Action = ();

        fn advance(&mut self, quota: &Quota, _: &mut dyn Observer<()>) -> Progress<()> {
            self.asked.push(quota.expanded - self.stats.expanded);
            while !quota.is_used_up(&self.stats) {
                std::thread::sleep(SLICE * 15);
                self.stats.expanded += 1;
            }
            Progress::Running
        }

        fn stats(&self) -> Stats {
            self.stats
        }
    }

    /// The run checks limits and the cancel flag after each slow expansion.
    #[test]
    fn slow_expansions_are_asked_for_one_at_a_time() {
        let mut slow = Slow { stats: Stats::default(), asked: Vec::new() };
        let budget = Budget { expansions: Some(5), ..Budget::default() };
        let outcome = run(&mut slow, &budget, &mut ()).unwrap();
        assert!(matches!(outcome, Outcome::Stopped { why: Limit::Expansions, .. }));
        assert_eq!(slow.asked, [1; 5]);
    }
}
