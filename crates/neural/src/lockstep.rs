//! Several searches in lockstep: their states are evaluated in one batch.
//!
//! A single search often evaluates too few states at a time to keep a CPU with many cores busy.
//! Searches that have a [`Seat`] at the same [`Lockstep`] wait for each other. The batch is
//! evaluated when all searches have asked, when it has at least `FULL` rows, or when one search has
//! waited for `PATIENCE`. The search that notices this evaluates all rows. An estimate does not
//! depend on the batch, so every search has the same result as without the others.

use crate::{engine::Engine, error::RowError};
use std::{
    collections::BTreeMap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use unriddle_core::clock::Instant;

/// Number of rows from which a batch is evaluated without further waiting.
const FULL: usize = 16_384;

/// Longest wait for the other searches, which may be busy with other work.
const PATIENCE: Duration = Duration::from_millis(2);

/// Engine that several searches share.
pub struct Lockstep {
    engine: Arc<dyn Engine>,
    round: Mutex<Round>,
    done: Condvar,
}

/// Rows that wait for estimates, and estimates that their searches have yet to fetch.
#[derive(Default)]
struct Round {
    seats: usize,
    /// Number of the batch that is being filled.
    number: u64,
    active: Vec<u32>,
    asked: usize,
    /// Estimates of earlier batches, and the number of searches that have yet to fetch theirs.
    answered: BTreeMap<u64, (Arc<[f32]>, usize)>,
}

impl Lockstep {
    /// Lockstep without searches.
    #[must_use]
    pub fn new(engine: impl Into<Arc<dyn Engine>>) -> Arc<Self> {
        Arc::new(Self { engine: engine.into(), round: Mutex::default(), done: Condvar::new() })
    }

    /// The engine.
    #[must_use]
    pub fn engine(&self) -> &Arc<dyn Engine> {
        &self.engine
    }

    /// Registers a search until the seat is dropped.
    #[must_use]
    pub fn join(self: &Arc<Self>) -> Seat {
        self.round().seats += 1;
        Seat(Arc::clone(self))
    }

    fn round(&self) -> MutexGuard<'_, Round> {
        // No holder of the lock leaves the data half-changed.
        self.round.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Evaluates the batch that is being filled.
    fn answer<'a>(
        &'a self,
        mut round: MutexGuard<'a, Round>,
        threads: usize,
    ) -> MutexGuard<'a, Round> {
        let (number, asked) = (round.number, round.asked);
        let active = std::mem::take(&mut round.active);
        (round.number, round.asked) = (number + 1, 0);
        drop(round);
        let mut estimates = vec![0.0; active.len() / self.engine.groups().max(1)];
        // Rows were checked in `Seat::evaluate`.
        let _ = self.engine.evaluate(&active, &mut estimates, threads);
        let mut round = self.round();
        round.answered.insert(number, (estimates.into(), asked));
        self.done.notify_all();
        round
    }
}

/// Membership of a search in a lockstep, until it is dropped.
pub struct Seat(Arc<Lockstep>);

impl Seat {
    /// As [`Engine::evaluate`], in one batch with the rows of the other searches.
    ///
    /// # Errors
    /// As there.
    pub fn evaluate(
        &self,
        active: &[u32],
        out: &mut [f32],
        threads: usize,
    ) -> Result<(), RowError> {
        let Lockstep { engine, done, .. } = &*self.0;
        engine.check(active, out.len())?;
        let mut round = self.0.round();
        let number = round.number;
        let from = round.active.len() / engine.groups().max(1);
        round.active.extend_from_slice(active);
        round.asked += 1;
        let begun = Instant::now();
        while !round.answered.contains_key(&number) {
            let all = round.asked >= round.seats || from + out.len() >= FULL;
            let left = PATIENCE.saturating_sub(begun.elapsed());
            if round.number == number && (all || left.is_zero()) {
                round = self.0.answer(round, threads);
                continue;
            }
            // The search that evaluates this batch notifies the others.
            let waited = done.wait_timeout(round, left.max(PATIENCE / 8));
            round = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if let Some((estimates, waiting)) = round.answered.get_mut(&number) {
            *waiting -= 1;
            let (estimates, is_last) = (Arc::clone(estimates), *waiting == 0);
            if is_last {
                round.answered.remove(&number);
            }
            drop(round);
            out.copy_from_slice(&estimates[from..][..out.len()]);
        }
        Ok(())
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.round().seats -= 1;
        // The others may have waited for this one.
        self.0.done.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Activation, Architecture, Block, Header, Model, Network, Training};
    use unriddle_core::Rng;

    /// Searches of different lengths with different numbers of rows get the same estimates together
    /// as each on its own.
    #[test]
    fn lockstep_does_not_change_estimates() {
        let architecture = Architecture {
            inputs: 12,
            groups: 3,
            grid: None,
            skip: true,
            blocks: vec![Block::dense(20, Activation::Relu)],
        };
        let header = Header {
            puzzle: "test".into(),
            size: "1".into(),
            goal: "goal".into(),
            input: String::new(),
            sharing: None,
            architecture,
            training: Training::default(),
        };
        let network = Network::new(&Model::random(header, 1).unwrap()).unwrap();
        let engine: Arc<dyn Engine> = Arc::new(network);
        let table = Lockstep::new(Arc::clone(&engine));
        let seats: Vec<Seat> = (0..7).map(|_| table.join()).collect();
        std::thread::scope(|scope| {
            for (i, seat) in seats.into_iter().enumerate() {
                let engine = &engine;
                scope.spawn(move || {
                    let mut rng = Rng::new(i as u64);
                    for _ in 0..20 * i {
                        let rows = rng.below(50) as usize;
                        let active =
                            (0..3 * rows).map(|k| 4 * (k as u32 % 3) + rng.below(4) as u32);
                        let active: Vec<u32> = active.collect();
                        let (mut one, mut other) = (vec![0.0; rows], vec![1.0; rows]);
                        engine.evaluate(&active, &mut one, 1).unwrap();
                        seat.evaluate(&active, &mut other, 1).unwrap();
                        assert_eq!(one, other);
                    }
                    assert!(seat.evaluate(&[99, 0, 0], &mut [0.0], 1).is_err());
                    assert!(seat.evaluate(&[0, 0], &mut [0.0], 1).is_err());
                });
            }
        });
        let round = table.round();
        assert!(round.seats == 0 && round.answered.is_empty() && round.active.is_empty());
        assert!(round.number > 0 && round.number <= 420, "{}", round.number);
    }
}
