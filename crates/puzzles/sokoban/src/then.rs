//! An exact search after a fast one.

use unriddle_core::{Observer, Outcome, Progress, Quota, Search, Solution, Stats};

/// A search without a guarantee, and an exact search that begins where the first has nothing left
/// to try and no solution.
pub(crate) struct Then<'a, A> {
    search: Box<dyn Search<Action = A> + 'a>,
    /// Makes the exact search; `None` once it has begun, or if there is no exact search.
    exact: Option<MakeSearch<'a, A>>,
    /// Counters of the first search, once the exact one has begun.
    done: Stats,
}

/// Function that makes a search, or nothing if the search refuses the puzzle.
pub(crate) type MakeSearch<'a, A> =
    Box<dyn FnOnce() -> Option<Box<dyn Search<Action = A> + 'a>> + 'a>;

impl<'a, A: Clone> Then<'a, A> {
    /// Runs a search, and perhaps an exact one after it.
    pub(crate) fn new(
        search: Box<dyn Search<Action = A> + 'a>,
        exact: Option<MakeSearch<'a, A>>,
    ) -> Self {
        Self { search, exact, done: Stats::default() }
    }
}

impl<A: Clone> Search for Then<'_, A> {
    type Action = A;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Progress<A> {
        loop {
            let done = self.done;
            let left = Quota {
                expanded: quota.expanded.saturating_sub(done.expanded),
                generated: quota.generated.saturating_sub(done.generated),
                ..*quota
            };
            let progress = self.search.advance(&left, &mut Added { observer, done });
            let Progress::Finished(Outcome::Exhausted { best: None }) = progress else {
                return progress;
            };
            let Some(exact) = self.exact.take().and_then(|make| make()) else {
                return progress;
            };
            self.done = self.search.stats();
            // The memory of the first search is released.
            self.search = exact;
        }
    }

    fn stats(&self) -> Stats {
        self.search.stats().after(self.done)
    }

    fn best(&self) -> Option<&Solution<A>> {
        self.search.best()
    }

    fn bound(&self) -> Option<i64> {
        self.search.bound()
    }

    fn reason(&self) -> Option<String> {
        self.search.reason()
    }

    fn wind_up(&mut self, observer: &mut dyn Observer<A>) {
        self.search.wind_up(&mut Added { observer, done: self.done });
    }
}

/// Observer that is notified with the counters of both searches.
struct Added<'o, A> {
    observer: &'o mut dyn Observer<A>,
    done: Stats,
}

impl<A> Observer<A> for Added<'_, A> {
    fn improved(&mut self, best: &Solution<A>, stats: &Stats) {
        self.observer.improved(best, &stats.after(self.done));
    }

    fn bound(&mut self, bound: i64, stats: &Stats) {
        self.observer.bound(bound, &stats.after(self.done));
    }

    fn progress(&mut self, stats: &Stats) {
        self.observer.progress(&stats.after(self.done));
    }

    fn room(&self) -> u64 {
        self.observer.room()
    }
}
