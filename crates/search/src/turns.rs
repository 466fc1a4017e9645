//! Sequence of inner searches, with the sums of their counters.

use crate::report::Halt;
use std::collections::VecDeque;
use unriddle_core::{Observer, Outcome, Progress, Quota, Search, Stats};

/// An inner search.
pub type Inner<'a, A> = Box<dyn Search<Action = A> + 'a>;

/// Counters of the inner searches before the current one.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    done: Stats,
    peak: u64,
    own: u64,
}

impl Before {
    /// Counters of all searches, given the counters of the current one.
    pub(crate) fn and(self, inner: Stats) -> Stats {
        Stats { peak_bytes: self.peak.max(self.own + inner.peak_bytes), ..inner.after(self.done) }
    }
}

/// The current inner search, searches that wait, and the counters of earlier ones.
pub(crate) struct Turns<'a, A> {
    inner: Option<Inner<'a, A>>,
    /// Searches that were paused, the earliest first.
    waiting: VecDeque<Inner<'a, A>>,
    /// Counters of the searches that have ended.
    done: Stats,
    peak: u64,
}

impl<'a, A: Clone> Turns<'a, A> {
    pub(crate) fn new() -> Self {
        Self { inner: None, waiting: VecDeque::new(), done: Stats::default(), peak: 0 }
    }

    /// The counters of all inner searches.
    pub(crate) fn stats(&self) -> Stats {
        let inner = self.inner.as_ref().map(|i| i.stats()).unwrap_or_default();
        self.before(0).and(inner)
    }

    /// Counters of the searches before the current one, beside which the owner holds `own` bytes.
    pub(crate) fn before(&self, own: u64) -> Before {
        Before { done: self.others(), peak: self.peak, own: own + self.waiting_bytes() }
    }

    /// The counters of all searches but the current one.
    fn others(&self) -> Stats {
        let waiting = self.waiting.iter().map(|inner| inner.stats());
        Stats { peak_bytes: 0, ..waiting.fold(self.done, |sum, stats| stats.after(sum)) }
    }

    /// Bytes of the searches that wait, at their peak.
    fn waiting_bytes(&self) -> u64 {
        self.waiting.iter().map(|inner| inner.stats().peak_bytes).sum()
    }

    pub(crate) fn get(&self) -> Option<&Inner<'a, A>> {
        self.inner.as_ref()
    }

    /// Begins with another inner search, after the [end](Self::end) of the last.
    pub(crate) fn begin(&mut self, inner: Inner<'a, A>) {
        self.inner = Some(inner);
    }

    /// Ends the current inner search. Returns the number of its expansions.
    pub(crate) fn end(&mut self) -> u64 {
        let stats = self.inner.take().map(|inner| inner.stats()).unwrap_or_default();
        self.done = Stats { peak_bytes: 0, ..stats.after(self.done) };
        stats.expanded
    }

    /// Pauses the current search behind the other waiting ones.
    pub(crate) fn pause(&mut self) {
        self.waiting.extend(self.inner.take());
    }

    /// Resumes the search that has waited longest.
    pub(crate) fn resume(&mut self) {
        self.inner = self.waiting.pop_front();
    }

    /// Ends all waiting searches.
    pub(crate) fn end_waiting(&mut self) {
        self.done = self.others();
        self.waiting.clear();
    }

    /// Advances the inner search by at most `more` expansions within a quota of the whole, of which
    /// `own` bytes are the owner's. Returns the outcome once the inner search has ended.
    pub(crate) fn advance(
        &mut self,
        quota: &Quota,
        more: u64,
        own: u64,
        observer: &mut dyn Observer<A>,
    ) -> Result<Option<Outcome<A>>, Halt> {
        let (others, own) = (self.others(), own + self.waiting_bytes());
        let Some(inner) = &mut self.inner else { return Ok(None) };
        let expanded = inner.stats().expanded.saturating_add(more);
        let share = Quota {
            expanded: expanded.min(quota.expanded.saturating_sub(others.expanded)),
            generated: quota.generated.saturating_sub(others.generated),
            bytes: quota.bytes.saturating_sub(own),
            ..quota.clone()
        };
        let progress = inner.advance(&share, observer);
        self.peak = self.peak.max(own + inner.stats().peak_bytes);
        match progress {
            // A play-out that the time ends would be begun again and again.
            Progress::Running if quota.is_over() => Err(Halt::Quota),
            Progress::Running => Ok(None),
            Progress::OutOfMemory => Err(Halt::Full),
            Progress::Failed(fault) => Err(Halt::Fault(fault)),
            Progress::Finished(outcome) => Ok(Some(outcome)),
        }
    }
}
