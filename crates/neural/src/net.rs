//! A network as a batch heuristic of every puzzle that names active indices.

use crate::batch::Pool;
use crate::error::RowError;
use crate::head::Head;
use crate::lockstep::{Lockstep, Seat};
use crate::updates::Updates;
use crate::{Int8, Network};
use std::sync::Arc;
use unriddle_core::{BatchHeuristic, Features, Guarantee, Puzzle, Row, Successor};

/// The number format in which a network computes.
#[derive(Debug)]
pub enum Engine {
    /// Single precision.
    F32(Network),
    /// Bytes: the same estimates on every CPU.
    Int8(Int8),
    /// Single precision, on another device than the CPU.
    Offloaded(Offload),
}

/// A network on another device.
pub struct Offload(Box<dyn Elsewhere>);

/// What another device does for an engine.
pub(crate) trait Elsewhere: Send + Sync {
    /// The same network on the CPU.
    fn processor(&self) -> &Network;
    /// As [`Engine::evaluate`]; `threads` are those of the CPU, should it have to go on.
    fn evaluate(&self, active: &[u32], out: &mut [f32], threads: usize) -> Result<(), RowError>;
    /// As [`Engine::evaluate_all`].
    fn evaluate_all(&self, active: &[u32], out: &mut [f32], threads: usize)
    -> Result<(), RowError>;
}

impl std::fmt::Debug for Offload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Offload").field(self.0.processor()).finish()
    }
}

impl Engine {
    /// An engine on another device.
    #[cfg(any(feature = "cuda", all(test, feature = "train")))]
    pub(crate) fn offloaded(elsewhere: impl Elsewhere + 'static) -> Self {
        Self::Offloaded(Offload(Box::new(elsewhere)))
    }

    /// Active indices of each row.
    #[must_use]
    pub fn groups(&self) -> usize {
        match self {
            Self::F32(network) => network.groups(),
            Self::Int8(network) => network.groups(),
            Self::Offloaded(Offload(elsewhere)) => elsewhere.processor().groups(),
        }
    }

    /// What the outputs mean.
    #[must_use]
    pub fn head(&self) -> Head {
        match self {
            Self::F32(network) => network.head(),
            Self::Int8(network) => network.head(),
            Self::Offloaded(Offload(elsewhere)) => elsewhere.processor().head(),
        }
    }

    /// Memory that the weights take, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::F32(network) => network.bytes(),
            Self::Int8(network) => network.bytes(),
            Self::Offloaded(Offload(elsewhere)) => elsewhere.processor().bytes(),
        }
    }

    /// Checks that these are active indices of `rows` rows, all within the input.
    ///
    /// |# Errors
    /// Names the wrong length or the index out of range.
    pub fn check(&self, active: &[u32], rows: usize) -> Result<(), RowError> {
        match self {
            Self::F32(network) => network.check(active, rows),
            Self::Int8(network) => network.check(active, rows),
            Self::Offloaded(Offload(elsewhere)) => elsewhere.processor().check(active, rows),
        }
    }

    /// Writes the value of every row to `out`. `active` holds rows × [`groups`](Self::groups) indices.
    ///
    /// # Errors
    /// Another number of indices, one out of range, or a head without a value; `out` is left as it was.
    pub fn evaluate(
        &self,
        active: &[u32],
        out: &mut [f32],
        threads: usize,
    ) -> Result<(), RowError> {
        match self {
            Self::F32(network) => network.evaluate(active, out, threads),
            Self::Int8(network) => network.evaluate(active, out, threads),
            Self::Offloaded(Offload(elsewhere)) => elsewhere.evaluate(active, out, threads),
        }
    }

    /// Writes the value of every row to `out`, of rows that come of others, which have the indices `active`: what
    /// [`evaluate`](Self::evaluate) writes for the rows themselves.
    ///
    /// # Errors
    /// As there, or rows that do not fit the others; `out` is left as it was.
    pub fn evaluate_updates(
        &self,
        active: &[u32],
        updates: &Updates,
        out: &mut [f32],
        threads: usize,
    ) -> Result<(), RowError> {
        match self {
            Self::Int8(network) => network.evaluate_updates(active, updates, out, threads),
            _ => self.evaluate(&self.expanded(active, updates, out.len())?, out, threads),
        }
    }

    /// The active indices of `rows` rows that come of others.
    fn expanded(
        &self,
        active: &[u32],
        updates: &Updates,
        rows: usize,
    ) -> Result<Vec<u32>, RowError> {
        let parents = active.len() / self.groups();
        self.check(active, parents)?;
        updates.check(parents, rows, usize::MAX)?;
        let mut all = Vec::with_capacity(rows * self.groups());
        updates.expand(active, self.groups(), &mut all);
        Ok(all)
    }

    /// Writes all outputs of every row to `out`, row after row, in the order that [`Head`] gives.
    ///
    /// # Errors
    /// Another number of indices, one out of range, or no room for whole rows; `out` is left as it was.
    pub fn evaluate_all(
        &self,
        active: &[u32],
        out: &mut [f32],
        threads: usize,
    ) -> Result<(), RowError> {
        match self {
            Self::F32(network) => network.evaluate_all(active, out, threads),
            Self::Int8(network) => network.evaluate_all(active, out, threads),
            Self::Offloaded(Offload(elsewhere)) => elsewhere.evaluate_all(active, out, threads),
        }
    }
}

/// Upper limit of estimates. Infinity would claim a proved dead end.
pub(crate) const MOST: f32 = 1e6;

/// A network as a batch heuristic, without any guarantee.
///
/// Estimates are limited to the range from 0 to a million; NaN becomes 0. They are those of the
/// [head](Head)'s value; a network without one does not fit any puzzle, and estimates 0. Where it says
/// something of actions, [`Acting`](crate::Acting) makes use of it.
pub struct Net {
    engine: Arc<Engine>,
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
    /// Estimates of rows and of their images.
    both: Vec<f32>,
    updates: Updates,
}

impl Net {
    /// The heuristic of an engine, which may be shared, on one thread.
    #[must_use]
    pub fn new(engine: impl Into<Arc<Engine>>) -> Self {
        Self {
            engine: engine.into(),
            seat: None,
            threads: 1,
            less: 0.0,
            images: Vec::new(),
            pool: Pool::default(),
        }
    }

    /// The heuristic of an engine that several searches use in lockstep: each of them with its own.
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

    /// The same heuristic with the mean of the estimates of each state and its images under symmetries
    /// that keep distances to the goal. It takes as many times as long; errors that differ between images
    /// cancel out in part. An image maps each index of the input to the corresponding one of the image.
    #[must_use]
    pub fn with_images(mut self, images: Vec<Vec<u32>>) -> Self {
        self.images = images;
        self
    }

    /// Another heuristic of the same engine, with the same options but lockstep.
    #[must_use]
    pub fn share(&self) -> Self {
        Self::new(Arc::clone(&self.engine))
            .with_threads(self.threads)
            .with_less(self.less)
            .with_images(self.images.clone())
    }

    /// The engine.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Active indices of rows, one after the other.
    pub(crate) fn active<P: Features>(rows: &[Row<'_, P>], active: &mut Vec<u32>) {
        active.clear();
        for row in rows {
            row.puzzle.active(row.state, &mut |index| active.push(index));
        }
    }

    /// Adds the images of rows behind them; the rows themselves are the first `own` indices.
    pub(crate) fn add_image(active: &mut Vec<u32>, own: usize, image: &[u32]) {
        for place in 0..own {
            let index = active[place];
            // An index without an image is out of range itself.
            active.push(image.get(index as usize).copied().unwrap_or(index));
        }
    }

    /// An output as an estimate: `less` subtracted, within the limits.
    pub(crate) fn estimate(&self, output: f32) -> f32 {
        // Not `clamp`, which would keep NaN.
        let left = output - self.less;
        if left > 0.0 { left.min(MOST) } else { 0.0 }
    }

    /// How many threads evaluate.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    fn ask(&self, active: &[u32], out: &mut [f32]) -> Result<(), RowError> {
        match &self.seat {
            None => self.engine.evaluate(active, out, self.threads),
            Some(seat) => seat.evaluate(active, out, self.threads),
        }
    }

    /// Values of the active rows, or the means over them and their images.
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

    /// Checks that a puzzle's start gives as many active indices as the network takes, all within
    /// its input. A loader calls this once, as all states of a puzzle have the same form.
    ///
    /// |# Errors
    /// Says what does not fit.
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

    /// Rows that do not fit the network ([`Net::fits`]) get 0, and with them their whole batch.
    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        let count = rows.len().min(out.len());
        let (rows, out) = (&rows[..count], &mut out[..count]);
        self.pool.with(|scratch| {
            Self::active(rows, &mut scratch.active);
            if self.ask_images(scratch, out).is_err() {
                out.fill(0.0);
            }
        });
        out.iter_mut().for_each(|h| *h = self.estimate(*h));
    }

    /// As [`evaluate`](Self::evaluate): the indices that change are asked of the puzzle ([`Features::delta`]).
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
                _ => match self.engine.expanded(active, updates, count) {
                    Ok(all) => {
                        *active = all;
                        self.ask_images(scratch, out)
                    }
                    Err(why) => Err(why),
                },
            };
            if evaluated.is_err() {
                out.fill(0.0);
            }
        });
        out.iter_mut().for_each(|h| *h = self.estimate(*h));
    }

    fn preferred_batch(&self) -> usize {
        1024
    }

    fn bytes(&self) -> u64 {
        self.engine.bytes() as u64
    }
}

/// Estimates that are rounded to the parity of the distance.
#[derive(Clone, Copy, Debug)]
pub struct Rounded<N, S> {
    net: N,
    is_odd: fn(&S) -> bool,
}

impl<N, S> Rounded<N, S> {
    /// Estimates of `net`, for a puzzle in which a state alone tells whether its distance is odd.
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
