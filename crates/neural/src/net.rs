//! Network as a batch heuristic of every puzzle with active indices.

use crate::batch::Pool;
use crate::engine::Engine;
use crate::error::RowError;
use crate::lockstep::{Lockstep, Seat};
use crate::updates::Updates;
use std::sync::Arc;
use unriddle_core::{BatchHeuristic, Features, Guarantee, Puzzle, Row, Successor};

/// Upper limit of estimates. Infinity would claim a proved dead end.
pub(crate) const MOST: f32 = 1e6;

/// Network as a batch heuristic, without any guarantee.
///
/// Estimates are the values of the network's [head](crate::Head), limited to the range from 0 to a
/// million; NaN becomes 0. A network without a value does not fit any puzzle, and estimates 0. If
/// it has outputs of actions, [`Acting`](crate::Acting) uses them.
pub struct Net {
    engine: Arc<dyn Engine>,
    seat: Option<Seat>,
    threads: usize,
    less: f32,
    images: Vec<Vec<u32>>,
    pool: Pool<Scratch>,
}

#[derive(Default)]
struct Scratch {
    /// Active indices of rows.
    active: Vec<u32>,
    /// Estimates of rows and of their symmetric rows.
    both: Vec<f32>,
    updates: Updates,
}

impl Net {
    /// Heuristic of an engine, on one thread. Heuristics may share an engine.
    #[must_use]
    pub fn new(engine: impl Into<Arc<dyn Engine>>) -> Self {
        Self {
            engine: engine.into(),
            seat: None,
            threads: 1,
            less: 0.0,
            images: Vec::new(),
            pool: Pool::default(),
        }
    }

    /// Heuristic of one search among several searches that evaluate in lockstep.
    #[must_use]
    pub fn in_lockstep(with: &Arc<Lockstep>) -> Self {
        Self { seat: Some(with.join()), ..Self::new(Arc::clone(with.engine())) }
    }

    /// The same heuristic on up to `threads` threads. Estimates do not depend on it.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// The same heuristic with `less` subtracted from every estimate. A best-first search then
    /// returns fewer solutions that are too long, and expands more states. A* returns an optimal
    /// solution if the network overestimates by no more than `less`.
    #[must_use]
    pub fn with_less(mut self, less: f32) -> Self {
        self.less = less;
        self
    }

    /// The same heuristic with the mean of the estimates of each state and its symmetric states.
    /// `images` maps each index of the input to its index in a symmetric state; the symmetries must
    /// keep the distance to the goal. Evaluation takes `images.len() + 1` times as long. Errors
    /// that differ between symmetric states cancel out in part.
    #[must_use]
    pub fn with_images(mut self, images: Vec<Vec<u32>>) -> Self {
        self.images = images;
        self
    }

    /// Another heuristic of the same engine with the same options, but not in lockstep.
    #[must_use]
    pub fn share(&self) -> Self {
        Self::new(Arc::clone(&self.engine))
            .with_threads(self.threads)
            .with_less(self.less)
            .with_images(self.images.clone())
    }

    /// The engine.
    #[must_use]
    pub fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    /// Active indices of rows, one after the other.
    pub(crate) fn active<P: Features>(rows: &[Row<'_, P>], active: &mut Vec<u32>) {
        active.clear();
        for row in rows {
            row.puzzle.append_active(row.state, active);
        }
    }

    /// Appends the symmetric rows to the rows, which are the first `own` indices.
    pub(crate) fn add_image(active: &mut Vec<u32>, own: usize, image: &[u32]) {
        for place in 0..own {
            let index = active[place];
            // An index outside of the map is also outside of the input, so the engine reports it.
            active.push(image.get(index as usize).copied().unwrap_or(index));
        }
    }

    /// Converts an output to an estimate: subtracts `less` and applies the limits.
    pub(crate) fn estimate(&self, output: f32) -> f32 {
        // `clamp` would keep NaN.
        let left = output - self.less;
        if left > 0.0 { left.min(MOST) } else { 0.0 }
    }

    /// Converts outputs to estimates, which are 0 after an error.
    fn finish(&self, evaluated: Result<(), RowError>, out: &mut [f32]) {
        if evaluated.is_err() {
            out.fill(0.0);
        }
        out.iter_mut().for_each(|h| *h = self.estimate(*h));
    }

    /// Number of threads that evaluate.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    fn ask(&self, active: &[u32], out: &mut [f32]) -> Result<(), RowError> {
        match &self.seat {
            None => self.engine.evaluate(active, out, self.threads),
            Some(seat) => seat.evaluate(active, out, self.threads),
        }
    }

    /// Values of the active rows, or the means over them and their symmetric rows.
    fn ask_images(&self, scratch: &mut Scratch, out: &mut [f32]) -> Result<(), RowError> {
        let Scratch { active, both, .. } = scratch;
        if self.images.is_empty() {
            return self.ask(active, out);
        }
        let (count, own) = (out.len(), active.len());
        for image in &self.images {
            Self::add_image(active, own, image);
        }
        let all = self.images.len() + 1;
        both.resize(all * count, 0.0);
        self.ask(active, both)?;
        for (row, out) in out.iter_mut().enumerate() {
            let sum: f32 = (0..all).map(|image| both[image * count + row]).sum();
            *out = sum * (1.0 / all as f32);
        }
        Ok(())
    }

    /// Checks that a puzzle's start has as many active indices as the network expects, all within
    /// its input. A loader calls this once, as all states of a puzzle have the same form.
    ///
    /// # Errors
    /// Another number of indices, an index out of range, or a network without a value.
    pub fn fits<P: Features>(&self, puzzle: &P) -> Result<(), RowError> {
        let mut active = Vec::new();
        puzzle.active(&puzzle.initial_state(), &mut |index| active.push(index));
        self.engine.evaluate(&active, &mut [0.0], 1)
    }
}

impl<P: Features> BatchHeuristic<P> for Net {
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }

    /// If a row does not fit the network ([`Net::fits`]), its whole batch is estimated at 0.
    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        let count = rows.len().min(out.len());
        let (rows, out) = (&rows[..count], &mut out[..count]);
        self.pool.with(|scratch| {
            Self::active(rows, &mut scratch.active);
            let evaluated = self.ask_images(scratch, out);
            self.finish(evaluated, out);
        });
    }

    /// As [`evaluate`](Self::evaluate). The puzzle reports the changed indices of each successor
    /// ([`Features::delta`]).
    fn evaluate_successors(
        &self,
        parents: &[Row<'_, P>],
        successors: &[Successor<P::Action>],
        out: &mut [f32],
    ) {
        let count = successors.len().min(out.len());
        let (successors, out) = (&successors[..count], &mut out[..count]);
        self.pool.with(|scratch| {
            let Scratch { active, updates, .. } = scratch;
            Self::active(parents, active);
            updates.clear();
            for one in successors {
                updates.add(one.parent, one.number, |sink| {
                    if let Some(Row { puzzle, state }) = parents.get(one.parent as usize) {
                        puzzle.delta(state, one.action, sink);
                    }
                });
            }
            let evaluated = match (&self.seat, &*self.images) {
                (None, []) => (self.engine).evaluate_updates(active, updates, out, self.threads),
                _ => self.engine.expanded(active, updates, count).and_then(|all| {
                    scratch.active = all;
                    self.ask_images(scratch, out)
                }),
            };
            self.finish(evaluated, out);
        });
    }

    fn preferred_batch(&self) -> usize {
        1024
    }

    fn bytes(&self) -> u64 {
        self.engine.bytes() as u64
    }
}

/// Estimates rounded to the parity of the distance.
#[derive(Clone, Copy, Debug)]
pub struct Rounded<N, S> {
    net: N,
    is_odd: fn(&S) -> bool,
}

impl<N, S> Rounded<N, S> {
    /// Estimates of `net`, for a puzzle in which `is_odd` computes from a state whether its
    /// distance is odd.
    pub fn new(net: N, is_odd: fn(&S) -> bool) -> Self {
        Self { net, is_odd }
    }
}

impl<P: Puzzle, N: BatchHeuristic<P>> BatchHeuristic<P> for Rounded<N, P::State> {
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }

    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        self.net.evaluate(rows, out);
        for (row, h) in rows.iter().zip(out) {
            let odd = f32::from(u8::from((self.is_odd)(row.state)));
            *h = (2.0 * ((*h - odd) / 2.0).round() + odd).max(odd);
        }
    }

    fn preferred_batch(&self) -> usize {
        self.net.preferred_batch()
    }

    fn bytes(&self) -> u64 {
        self.net.bytes()
    }
}

impl std::fmt::Debug for Net {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Net")
            .field("engine", &self.engine)
            .field("threads", &self.threads)
            .field("lockstep", &self.seat.is_some())
            .field("less", &self.less)
            .field("images", &self.images.len())
            .finish_non_exhaustive()
    }
}
