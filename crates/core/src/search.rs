//! The trait of resumable searches, and the driver that runs one under a [`Budget`].

pub use crate::error::{MAX_STATE_BYTES, SearchError};

use crate::{
    budget::{Budget, Cancel, Limit},
    clock::{Instant, ThreadTime},
    outcome::{Observer, Outcome, Solution, Stats, TreeShape},
    puzzle::Puzzle,
    ranks::{Ranks, broadcast},
    slice::Slice,
};

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
#[derive(Clone, Debug)]
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
    /// Give up a play-out during which this flag is raised, for the same reason.
    pub cancel: Option<Cancel>,
}

impl Quota {
    /// No limit.
    pub const UNLIMITED: Self = Self {
        expanded: u64::MAX,
        generated: u64::MAX,
        bytes: u64::MAX,
        until: None,
        cancel: None,
    };

    /// Whether the counters allow no further expansion.
    #[must_use]
    pub fn is_used_up(&self, stats: &Stats) -> bool {
        stats.expanded >= self.expanded || stats.generated >= self.generated
    }

    /// Whether a play-out is given up, because the time is over or a flag was raised.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
            || self.cancel.as_ref().is_some_and(Cancel::is_cancelled)
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

    /// The path that the search is at; empty where it is at none, or at several.
    fn at_hand(&self) -> Vec<Self::Action> {
        Vec::new()
    }

    /// Shape of the trees of a Monte-Carlo search; `None` of other searches.
    fn tree(&self) -> Option<TreeShape> {
        None
    }

    /// Diversity of the population of an evolutionary search, from 0 to 1; of others `None`.
    fn diversity(&self) -> Option<f64> {
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

/// A search under a [`Budget`], advanced slice by slice by its caller.
///
/// The length of a slice in expansions adapts to about five milliseconds of CPU time. The run
/// checks the clock and the cancel flag between slices; the other limits are exact. The time
/// between two slices does not count against the limit of time.
pub struct Run<'s, S: Search + ?Sized> {
    search: &'s mut S,
    budget: Budget,
    limits: Quota,
    slice: Slice,
    /// The beginning, later by all times between slices.
    start: Instant,
    /// The end of the last slice.
    paused: Instant,
    /// The ranks that search together.
    ranks: Option<&'s dyn Ranks>,
}

impl<'s, S: Search + ?Sized> Run<'s, S> {
    /// Begins a run, without searching a slice.
    pub fn new(search: &'s mut S, budget: Budget) -> Self {
        let limits = Quota {
            expanded: budget.expansions.unwrap_or(u64::MAX),
            generated: budget.generated.unwrap_or(u64::MAX),
            bytes: budget.memory.unwrap_or(u64::MAX),
            until: None,
            cancel: Some(budget.cancel.clone()),
        };
        let start = Instant::now();
        Self { search, budget, limits, slice: Slice::FIRST, start, paused: start, ranks: None }
    }

    /// Runs a search that all ranks take part in. Every call of [`advance`](Self::advance) is then
    /// made by all ranks together. Rank 0 decides about time and cancellation.
    #[must_use]
    pub fn on_ranks(mut self, ranks: Option<&'s dyn Ranks>) -> Self {
        self.ranks = ranks;
        self
    }

    /// The limit of time or the cancellation that ends the run.
    fn limit(&self) -> Option<Limit> {
        let is_late = || self.budget.time.is_some_and(|time| self.start.elapsed() >= time);
        let mine = match self.budget.cancel.is_cancelled() {
            true => Some(Limit::Cancelled),
            false => is_late().then_some(Limit::Time),
        };
        let Some(ranks) = self.ranks else { return mine };
        let code = |limit: &Option<Limit>| match limit {
            None => b' ',
            Some(Limit::Time) => b't',
            Some(_) => b'c',
        };
        match &broadcast(ranks, vec![code(&mine)])[..] {
            b"t" => Some(Limit::Time),
            b"c" => Some(Limit::Cancelled),
            _ => None,
        }
    }

    /// The search.
    pub fn search(&self) -> &S {
        self.search
    }

    /// Searches a slice. Returns the outcome if the search has ended or a limit has stopped it; no
    /// further slice follows.
    ///
    /// # Errors
    /// The error of a search that [failed](Progress::Failed).
    pub fn advance(
        &mut self,
        observer: &mut dyn Observer<S::Action>,
    ) -> Result<Option<Outcome<S::Action>>, SearchError> {
        self.start += self.paused.elapsed();
        let limit = self.limit();
        let Self { search, limits, budget, .. } = self;
        let why = if let Some(limit) = limit {
            limit
        } else {
            let (begun, clock) = (Instant::now(), ThreadTime::now());
            let slice = self.slice.0.min(observer.room().max(1));
            // A search on ranks divides itself into rounds.
            let slice_end = match self.ranks {
                None => search.stats().expanded.saturating_add(slice),
                Some(_) => u64::MAX,
            };
            let expanded = limits.expanded.min(slice_end);
            let until = budget.time.and_then(|time| self.start.checked_add(time));
            let progress = search.advance(&Quota { expanded, until, ..limits.clone() }, observer);
            let stats = search.stats();
            match progress {
                Progress::Finished(outcome) => return Ok(Some(outcome)),
                Progress::Failed(error) => return Err(error),
                Progress::OutOfMemory => Limit::Memory,
                Progress::Running if stats.expanded >= limits.expanded => Limit::Expansions,
                Progress::Running if stats.generated >= limits.generated => Limit::Generated,
                Progress::Running => {
                    // The duration of a full slice does not follow from a short one.
                    if slice == self.slice.0 {
                        self.slice = self.slice.after(clock.elapsed(), begun.elapsed());
                    }
                    self.paused = Instant::now();
                    observer.progress(&stats);
                    return Ok(None);
                }
            }
        };
        search.wind_up(observer);
        Ok(Some(Outcome::Stopped { why, best: search.best().cloned(), bound: search.bound() }))
    }
}

/// Runs a search to its end or to the first limit of the budget, in the slices of a [`Run`].
///
/// # Errors
/// The error of a search that [failed](Progress::Failed).
pub fn run<S: Search + ?Sized>(
    search: &mut S,
    budget: &Budget,
    observer: &mut dyn Observer<S::Action>,
) -> Result<Outcome<S::Action>, SearchError> {
    let mut run = Run::new(search, budget.clone());
    loop {
        if let Some(outcome) = run.advance(observer)? {
            return Ok(outcome);
        }
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
