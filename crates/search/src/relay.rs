//! Relay: searches one after another from the start, each of which may use the best line so far.
//!
//! A closure creates the search of each turn from the number of the turn and the best line of the
//! earlier turns, with a limit of expansions. A turn ends when the limit is used up or its search
//! has ended; a search that proves its line optimal ends the relay with it. So different searches
//! share the time in fixed shares of work, and the result depends only on the seed and the limits.
//!
//! Counters are sums over the turns. Memory: the current search, and the best line.
//!
//! Reference: C. P. Gomes and B. Selman, "Algorithm portfolios", Artificial Intelligence 126
//! (2001), for the principle.

use crate::{
    lines::Champion,
    memory::Full,
    report::{Halt, Report},
    turns::{Inner, Turns},
};
use unriddle_core::{Observer, Outcome, Progress, Quota, Search, SearchError, Solution, Stats};

/// Search of a turn, with its limit of expansions.
pub struct Turn<'a, A> {
    /// The search.
    pub search: Inner<'a, A>,
    /// Number of states or play-outs that it may expand, at least 1.
    pub expanded: u64,
}

impl<'a, A> Turn<'a, A> {
    /// Creates a turn without a limit.
    #[must_use]
    pub fn whole(search: impl Search<Action = A> + 'a) -> Self {
        Self { search: Box::new(search), expanded: u64::MAX }
    }
}

/// Searches one after another; `F` creates the search of a turn, or returns `None` at the end.
pub struct Relay<'a, A, F> {
    make: F,
    turns: Turns<'a, A>,
    turn: u64,
    /// Number of expansions left to the current search.
    left: u64,
    champion: Champion<A>,
    report: Report<A>,
}

impl<'a, A, F> Relay<'a, A, F>
where
    A: Copy,
    F: FnMut(u64, Option<&Solution<A>>) -> Result<Option<Turn<'a, A>>, SearchError>,
{
    /// Creates a relay that has not begun.
    pub fn new(make: F) -> Self {
        Self {
            make,
            turns: Turns::new(),
            turn: 0,
            left: 0,
            champion: Champion::new(),
            report: Report::new(),
        }
    }

    /// Begins the next turn.
    fn begin(&mut self) -> Result<(), SearchError> {
        match (self.make)(self.turn, self.champion.get())? {
            Some(turn) => {
                self.turn += 1;
                self.left = turn.expanded.max(1);
                self.turns.begin(turn.search);
            }
            None => self.report.outcome = Some(self.champion.exhausted()),
        }
        Ok(())
    }

    /// Takes over a better line of the current search.
    fn harvest(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Result<(), Full> {
        if let Some(inner) = self.turns.get()
            && let Some(best) = inner.best()
            && self.champion.yields_to(best.value)
        {
            let held = inner.stats().peak_bytes + self.champion.bytes();
            self.champion.fit(best.actions.len(), quota.bytes.saturating_sub(held))?;
            self.champion.offer(&best.actions, best.value, &self.turns.stats(), observer);
        }
        Ok(())
    }

    fn take_steps(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Result<(), Halt> {
        while self.report.outcome.is_none() {
            if quota.is_used_up(&self.turns.stats()) {
                return Err(Halt::Quota);
            }
            if self.left == 0 {
                self.turns.end();
                self.begin()?;
                continue;
            }
            let before = self.turns.stats().expanded;
            let own = self.champion.bytes();
            // The search takes single expansions, so that no better line is missed, however the
            // work is divided.
            let ended = self.turns.advance(quota, 1, own, &mut ());
            self.left -= (self.turns.stats().expanded - before).min(self.left);
            self.harvest(quota, observer)?;
            match ended? {
                None => {}
                Some(outcome) if outcome.is_optimal() => {
                    self.report.outcome = self.champion.proved().or(Some(outcome));
                }
                Some(_) => self.left = 0,
            }
        }
        Ok(())
    }
}

impl<'a, A, F> Search for Relay<'a, A, F>
where
    A: Copy,
    F: FnMut(u64, Option<&Solution<A>>) -> Result<Option<Turn<'a, A>>, SearchError>,
{
    type Action = A;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<A>) -> Progress<A> {
        let steps = self.take_steps(quota, observer);
        self.report.progress(steps, None)
    }

    fn stats(&self) -> Stats {
        self.turns.stats()
    }

    fn best(&self) -> Option<&Solution<A>> {
        self.champion.get()
    }

    fn bound(&self) -> Option<i64> {
        self.report.outcome.as_ref().and_then(Outcome::bound)
    }
}
