//! A fast search with an exact one behind it.
//!
//! The fast search begins. If it has nothing left to try and no solution, the exact search follows.
//! If it has neither an end nor a solution after many expansions, the two take turns, so that a
//! level without a solution is refuted even where the fast search always has something left to try.

use unriddle_core::{Observer, Outcome, Progress, Quota, Search, Solution, Stats};

/// Expansions of the fast search before the exact one takes turns with it.
const ALONE: u64 = 20_000;

/// Expansions of a turn.
const TURN: u64 = 2_000;

/// A search of any kind.
type Inner<'a, A> = Box<dyn Search<Action = A> + 'a>;

/// Function that makes a search, or nothing if the search refuses the puzzle.
pub(crate) type MakeSearch<'a, A> = Box<dyn Fn() -> Option<Inner<'a, A>> + 'a>;

/// A search without a guarantee, and an exact search.
pub(crate) struct Then<'a, A> {
    /// The fast search; `None` once it is over.
    fast: Option<Inner<'a, A>>,
    exact: Option<Inner<'a, A>>,
    /// Function that makes the exact search, if it is wanted.
    make: Option<MakeSearch<'a, A>>,
    /// Counters of searches that are over.
    done: Stats,
    /// Whether it is the turn of the exact search, and the number of its own expansions at which
    /// the turn of a search ends.
    is_exact: bool,
    until: u64,
    /// The outcome of a search that has decided the level.
    outcome: Option<Outcome<A>>,
}

impl<'a, A: Clone> Then<'a, A> {
    /// Runs a search, and perhaps an exact one.
    pub(crate) fn new(fast: Inner<'a, A>, make: Option<MakeSearch<'a, A>>) -> Self {
        let done = Stats::default();
        let (fast, exact, outcome) = (Some(fast), None, None);
        Self { fast, exact, make, done, is_exact: false, until: ALONE, outcome }
    }

    /// The search whose turn it is, and the other one.
    fn turn(&mut self) -> (&mut Option<Inner<'a, A>>, &mut Option<Inner<'a, A>>) {
        match self.is_exact {
            false => (&mut self.fast, &mut self.exact),
            true => (&mut self.exact, &mut self.fast),
        }
    }

    /// Ends the search whose turn it is, and frees its memory.
    fn end(&mut self) {
        let (now, _) = self.turn();
        if let Some(search) = now.take() {
            self.done = search.stats().after(self.done);
        }
    }

    /// Begins the turn of the other search, whose turns are unlimited if it is the only one.
    fn switch(&mut self) {
        self.is_exact = !self.is_exact;
        if self.is_exact && self.exact.is_none() {
            self.exact = self.make.as_ref().and_then(|make| make());
        }
        let (now, other) = self.turn();
        let begun = now.as_ref().map_or(0, |search| search.stats().expanded);
        self.until = if other.is_some() { begun + TURN } else { u64::MAX };
    }

    /// Continues the search whose turn it is.
    fn proceed(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Progress<A> {
        let (done, until) = (self.done, self.until);
        let (now, other) = self.turn();
        let beside = other.as_ref().map(|search| search.stats()).unwrap_or_default();
        let Some(now) = now else {
            return Progress::Finished(Outcome::Exhausted { best: None });
        };
        let done = beside.after(done);
        let left = Quota {
            expanded: quota.expanded.saturating_sub(done.expanded).min(until),
            generated: quota.generated.saturating_sub(done.generated),
            bytes: quota.bytes.saturating_sub(beside.peak_bytes),
            ..quota.clone()
        };
        now.advance(&left, &mut Added { observer, done })
    }
}

impl<A: Clone> Search for Then<'_, A> {
    type Action = A;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Progress<A> {
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            let progress = self.proceed(quota, observer);
            match progress {
                // The fast search has nothing left to try.
                Progress::Finished(Outcome::Exhausted { best: None }) if !self.is_exact => {
                    self.end();
                    self.switch();
                    if self.exact.is_none() {
                        self.outcome = Some(Outcome::Exhausted { best: None });
                    }
                }
                Progress::Finished(outcome) => self.outcome = Some(outcome),
                // The memory of the exact search is needed, or does not suffice for it.
                Progress::OutOfMemory if self.fast.is_some() && self.exact.is_some() => {
                    if !self.is_exact {
                        self.switch();
                    }
                    self.end();
                    self.make = None;
                    self.switch();
                }
                Progress::Running => {
                    let (now, _) = self.turn();
                    let expanded = now.as_ref().map_or(0, |search| search.stats().expanded);
                    if expanded < self.until {
                        return progress;
                    }
                    self.switch();
                    // Without an exact search the fast one continues.
                    if self.is_exact && self.exact.is_none() {
                        self.switch();
                    }
                }
                _ => return progress,
            }
        }
    }

    fn stats(&self) -> Stats {
        let both = [&self.fast, &self.exact]
            .map(|search| search.as_ref().map(|search| search.stats()).unwrap_or_default());
        let peak_bytes = both[0].peak_bytes + both[1].peak_bytes;
        let all = both[0].after(both[1]);
        Stats { peak_bytes, ..all }.after(self.done)
    }

    fn best(&self) -> Option<&Solution<A>> {
        let of = |search: &'_ Option<Inner<'_, A>>| {
            search.as_ref().map(|search| search.best().is_some())
        };
        match (of(&self.fast), &self.outcome) {
            (_, Some(outcome)) => outcome.best(),
            (Some(true), None) => self.fast.as_ref()?.best(),
            _ => self.exact.as_ref()?.best(),
        }
    }

    fn bound(&self) -> Option<i64> {
        match &self.outcome {
            Some(outcome) => outcome.bound(),
            None => self.exact.as_ref()?.bound(),
        }
    }

    fn reason(&self) -> Option<String> {
        let both = [&self.exact, &self.fast];
        both.into_iter().flatten().find_map(|search| search.reason())
    }

    fn wind_up(&mut self, observer: &mut dyn Observer<A>) {
        let done = self.done;
        if let (Some(search), _) = self.turn() {
            search.wind_up(&mut Added { observer, done });
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::{Budget, Limit, run};

    /// A search that ends after some expansions, with a number of bytes for each.
    struct Counting {
        end: (u64, Outcome<u8>),
        bytes: u64,
        stats: Stats,
    }

    fn counting(end: u64, outcome: Outcome<u8>, bytes: u64) -> Inner<'static, u8> {
        Box::new(Counting { end: (end, outcome), bytes, stats: Stats::default() })
    }

    impl Search for Counting {
        type Action = u8;

        fn advance(&mut self, quota: &Quota, _: &mut dyn Observer<u8>) -> Progress<u8> {
            while self.stats.expanded < self.end.0 {
                if quota.is_used_up(&self.stats) {
                    return Progress::Running;
                }
                if (self.stats.expanded + 1) * self.bytes > quota.bytes {
                    return Progress::OutOfMemory;
                }
                self.stats.expanded += 1;
                self.stats.peak_bytes = self.stats.expanded * self.bytes;
            }
            Progress::Finished(self.end.1.clone())
        }

        fn stats(&self) -> Stats {
            self.stats
        }
    }

    fn then(fast: (u64, Outcome<u8>), exact: (u64, Outcome<u8>), bytes: u64) -> Then<'static, u8> {
        let make = move || Some(counting(exact.0, exact.1.clone(), bytes));
        Then::new(counting(fast.0, fast.1, 1), Some(Box::new(make)))
    }

    const NOTHING: Outcome<u8> = Outcome::Exhausted { best: None };

    fn solved() -> Outcome<u8> {
        Outcome::proved(Solution { actions: vec![1], value: 1 })
    }

    #[test]
    fn searches_follow_each_other_or_take_turns() {
        let never = (u64::MAX, NOTHING);
        for (fast, exact, outcome, expanded) in [
            ((100, solved()), never.clone(), solved(), 100),
            ((100, NOTHING), (50, Outcome::Unsolvable), Outcome::Unsolvable, 150),
            ((ALONE, solved()), never.clone(), solved(), ALONE),
            // The exact search needs two turns, the fast one has one between them.
            (
                never.clone(),
                (TURN + 1, Outcome::Unsolvable),
                Outcome::Unsolvable,
                ALONE + 2 * TURN + 1,
            ),
            ((ALONE + 1, solved()), never.clone(), solved(), ALONE + TURN + 1),
            // The exact search resumes.
            ((ALONE + 1, NOTHING), (3 * TURN, solved()), solved(), ALONE + 3 * TURN + 1),
        ] {
            let mut search = then(fast.clone(), exact.clone(), 1);
            let all = run(&mut search, &Budget::default(), &mut ()).unwrap();
            assert_eq!((&all, search.stats().expanded), (&outcome, expanded));
            // However the work is cut.
            let mut cut = then(fast, exact, 1);
            let end = loop {
                match cut.step_by(777) {
                    Progress::Running => {}
                    other => break other,
                }
            };
            assert_eq!((end, cut.stats().expanded), (Progress::Finished(outcome), expanded));
        }
    }

    impl Then<'_, u8> {
        fn step_by(&mut self, expansions: u64) -> Progress<u8> {
            Search::step(self, expansions, &mut ())
        }
    }

    #[test]
    fn the_fast_search_has_the_memory() {
        let exhausted = (10 * TURN + ALONE, solved());
        let budget = Budget { memory: Some(10 * ALONE), ..Budget::default() };
        let mut search = then(exhausted, (u64::MAX, NOTHING), 100);
        assert_eq!(run(&mut search, &budget, &mut ()).unwrap(), solved());
        // After the fast search, the exact one is stopped by its memory.
        let mut search = then((5, NOTHING), (u64::MAX, NOTHING), 100);
        let outcome = run(&mut search, &budget, &mut ()).unwrap();
        assert!(matches!(outcome, Outcome::Stopped { why: Limit::Memory, .. }), "{outcome:?}");
    }
}
