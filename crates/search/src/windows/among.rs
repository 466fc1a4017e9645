//! Cheapest path through a window among the states near it.

use crate::{
    bfs::{Bfs, Scope},
    index,
    memory::Full,
    report::{Halt, ObserverOf, search},
};
use hashbrown::HashTable;
use std::sync::Arc;
use unriddle_core::{GoalPuzzle, NearKeys, Outcome, Quota, Vicinity, Window};

/// A set of keys.
#[derive(Default)]
pub(super) struct Keys(HashTable<u64>);

impl Keys {
    pub(super) fn bytes(&self) -> u64 {
        self.0.allocation_size() as u64
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Reserves memory for `extra` more keys.
    pub(super) fn reserve(&mut self, extra: usize, room: u64) -> Result<(), Full> {
        if self.0.capacity() - self.0.len() >= extra {
            return Ok(());
        }
        let wanted = (self.0.len() + extra).max(2 * self.0.capacity());
        // A bucket takes its key and a control byte; at most seven of eight are used.
        let buckets = (wanted * 8).div_ceil(7).next_power_of_two();
        if (buckets * (size_of::<u64>() + 1) + 64) as u64 > room {
            return Err(Full);
        }
        self.0.reserve(wanted - self.0.len(), |&key| key);
        Ok(())
    }

    /// Adds a key, for which memory is reserved. Returns whether the key is new.
    pub(super) fn insert(&mut self, key: u64) -> bool {
        let is_new = self.number(key).is_none();
        if is_new {
            self.0.insert_unique(key, key, |&key| key);
        }
        is_new
    }
}

impl NearKeys for Keys {
    fn number(&self, key: u64) -> Option<usize> {
        self.0.find_bucket_index(key, |&other| other == key)
    }

    fn numbers(&self) -> usize {
        self.0.num_buckets()
    }
}

/// Search of a window in any puzzle, by breadth-first search.
pub(super) struct Among<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    vicinity: Option<Arc<dyn Vicinity<P> + 'a>>,
    near: Arc<Keys>,
    window: Window<P::State>,
    inner: Bfs<'a, P>,
}

impl<'a, P: GoalPuzzle> Among<'a, P> {
    /// Creates a search that has not begun. Without a vicinity, keys are hashes of states.
    pub(super) fn new(
        puzzle: &'a P,
        vicinity: Option<Arc<dyn Vicinity<P> + 'a>>,
        window: Window<P::State>,
        near: Arc<Keys>,
    ) -> Self {
        Self { puzzle, vicinity, near, window, inner: Bfs::begun_at(puzzle, window.from) }
    }
}

impl<P: GoalPuzzle> Among<'_, P> {
    /// Takes steps until the quota is used up or the search ends.
    fn take_steps(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        let (puzzle, near, vicinity) = (self.puzzle, &self.near, &self.vicinity);
        let key = |state: &P::State| vicinity.as_ref().map_or(0, |vicinity| vicinity.key(state));
        let admits = |state: &P::State, key, action| {
            let after = match vicinity {
                Some(vicinity) => vicinity.key_after(puzzle, state, key, action),
                None => index::hash(&puzzle.apply(state, action)),
            };
            near.number(after).is_some()
        };
        let is_end = |state: &P::State| match &self.window.end {
            Some(end) => state == end,
            None => puzzle.is_goal(state),
        };
        let scope = Scope { below: self.window.below, key: &key, admits: &admits, is_end: &is_end };
        while self.inner.report.outcome.is_none() {
            self.inner.step_within(Some(&scope), quota, observer)?;
        }
        Ok(())
    }
}

search! {
    Among<P: GoalPuzzle>,
    |search, quota, observer| {
        let steps = search.take_steps(quota, observer);
        match search.inner.report.progress(steps, None) {
            // Without a path among the near states the puzzle may still be solvable.
            Progress::Finished(Outcome::Unsolvable) => {
                Progress::Finished(Outcome::Exhausted { best: None })
            }
            progress => progress,
        }
    },
    stats: search.inner.stats(),
    best: search.inner.best(),
    bound: search.inner.bound(),
}
