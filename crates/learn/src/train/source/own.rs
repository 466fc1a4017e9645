//! Bootstrapping: the network solves instances, learns the cost-to-go along its own solutions, and
//! then solves harder instances.
//!
//! Two sources work together. A teacher solves instances by a solver from the first round to the
//! last. The network solves ends of walks by a beam beside every round of updates, as soon as a
//! target network exists. Its solutions may be far from optimal, and the network would learn their
//! errors. Therefore walks become longer only while most instances of a round are solved. With a
//! `tolerance`, solutions much longer than the network's own estimate are discarded. With `ahead`,
//! a target is the cost of a few actions of the solution plus the target network's estimate behind
//! them.
//!
//! Reference: S. Jabbari Arfaee, S. Zilles and R. C. Holte, "Learning heuristic functions for large
//! state spaces", Artificial Intelligence 175 (2011). Their IDA* has a time limit, which grows when
//! too few instances are solved.

use super::{
    super::{
        recipe::{Keep, Own, PoolSize, Solved},
        target::Target,
    },
    Batch, ExampleSource, SolvedStart, SourceContext,
    pool::{Pool, Solution},
    solved::{Drawn, Solver, walk_end},
};
use unriddle_catalog::{
    training_data::{Narrow, States},
    work::WorkError,
};
use unriddle_core::Rng;
use unriddle_neural::Head;

/// Share of a wave's instances that must be solved for longer walks in the next wave.
const SOLVED: f64 = 0.5;

/// Factor by which walks become longer.
const GROWTH: f64 = 1.01;

/// Cost of a solution that is allowed beyond the estimate and its tolerance, which is small for
/// short solutions.
const SPARE: f64 = 4.0;

/// Number of examples from which on the network's own searches give their whole share of a batch.
/// With fewer examples the share is smaller in proportion, so that the network does not memorise
/// its first ones.
pub(super) const SETTLED: f64 = 50_000.0;

/// Distance between the first numbers of consecutive waves.
pub(super) const WAVE: u64 = 1 << 32;

/// Solutions of a solver, found beside the updates.
pub(super) struct Taught<'a> {
    solver: Solver<'a>,
    size: PoolSize,
    head: Head,
    pool: Pool<'a>,
}

impl<'a> Taught<'a> {
    pub(super) fn new(
        solved: &'a Solved,
        size: PoolSize,
        context: &'a SourceContext<'a>,
        number: u64,
        seed: u64,
    ) -> Result<Self, WorkError> {
        let solver = Solver::new(solved, context, seed, Keep::Paths, WAVE)?;
        let pool = Pool::new(context, number, size.kept);
        Ok(Self { solver, size, head: context.head, pool })
    }
}

impl ExampleSource for Taught<'_> {
    fn readiness(&self) -> f64 {
        f64::from(u8::from(self.pool.len() > 0))
    }

    fn add(&self, number: u64, rows: usize, _: Option<&Target>, batch: &mut Batch) {
        let drawn = Drawn {
            pool: &self.pool,
            head: self.head,
            ahead: None,
            from: 0..self.pool.len(),
            aside: self.solver.solved.aside,
            seed: self.solver.seed,
        };
        drawn.add(number, rows, batch);
    }

    fn begin(&mut self, rounds: u64, _: &str) -> Result<(), WorkError> {
        let Self { solver, pool, .. } = self;
        pool.resume(rounds, &|wave, within, steps| solver.start(wave, within, steps))
    }

    fn advance(&mut self, round: u64, _: Option<&Target>) -> Result<Option<()>, WorkError> {
        let first = if round == 0 { self.size.first } else { 0 };
        let Some(found) = self.solver.wave(round, first + self.size.boards)? else {
            return Ok(None);
        };
        self.pool.add(&found).map(Some)
    }
}

/// Solutions of the network's own beams.
pub(super) struct Bootstrapped<'a> {
    own: &'a Own,
    size: PoolSize,
    context: &'a SourceContext<'a>,
    pool: Pool<'a>,
    seed: u64,
}

impl<'a> Bootstrapped<'a> {
    pub(super) fn new(
        own: &'a Own,
        size: PoolSize,
        context: &'a SourceContext<'a>,
        number: u64,
        seed: u64,
    ) -> Self {
        Self { own, size, context, pool: Pool::new(context, number, size.kept), seed }
    }

    /// Most steps of the walks, which grow with every wave that is solved well enough.
    fn longest(&self) -> u64 {
        let enough = (SOLVED * self.size.boards as f64).ceil() as usize;
        let grown = self.pool.waves().iter().filter(|&&solved| solved >= enough).count();
        let steps = self.own.first as f64 * GROWTH.powi(grown as i32);
        (steps as u64).min(self.own.walks.steps)
    }

    /// Solves the end of a walk; `None` if the beam finds no solution that is short enough.
    fn solve(&self, start: &dyn States, target: &Target) -> Option<Vec<u16>> {
        let most = match self.own.tolerance {
            None => f64::from(u16::MAX),
            Some(tolerance) => f64::from(target.estimates(start)[0]) * (1.0 + tolerance) + SPARE,
        };
        let beam = Narrow {
            width: self.own.width,
            // An estimate may be any number.
            depth: most.clamp(1.0, f64::from(u16::MAX)) as u32,
        };
        start.beam(0, &target.net, beam)
    }
}

impl ExampleSource for Bootstrapped<'_> {
    fn readiness(&self) -> f64 {
        (self.pool.len() as f64 / SETTLED.min(self.pool.most() as f64)).min(1.0)
    }

    fn add(&self, number: u64, rows: usize, target: Option<&Target>, batch: &mut Batch) {
        let drawn = Drawn {
            pool: &self.pool,
            head: self.context.head,
            ahead: target.zip(self.own.ahead),
            from: 0..self.pool.len(),
            aside: self.own.aside,
            seed: self.seed,
        };
        drawn.add(number, rows, batch);
    }

    fn begin(&mut self, rounds: u64, _: &str) -> Result<(), WorkError> {
        let Self { context, seed, own, pool, .. } = self;
        pool.resume(rounds, &|wave, within, steps| {
            let number = wave * WAVE + u64::from(within);
            Ok(walk_end(context, *seed, &own.walks, number, steps))
        })
    }

    /// Solves a wave of instances; none before there is a target network.
    fn advance(&mut self, round: u64, target: Option<&Target>) -> Result<Option<()>, WorkError> {
        let target = target.filter(|target| target.has_learned);
        let count = if target.is_some() { self.size.boards } else { 0 };
        let mut walks = self.own.walks.clone();
        walks.steps = self.longest().max(walks.least);
        let make = |within: u32, steps| {
            let number = round * WAVE + u64::from(within);
            walk_end(self.context, self.seed, &self.own.walks, number, steps)
        };
        let solve = |within| {
            let number = round * WAVE + u64::from(within);
            let steps = walks.draw(&mut Rng::stream(self.seed, number)) as u32;
            let start = make(within, steps);
            let solution = target.and_then(|target| self.solve(&*start, target));
            Ok(solution.map(|actions| {
                let mut left = Vec::new();
                start.along(0, &actions, &mut *start.fresh(), &mut left);
                let cost = left.first().copied().unwrap_or_default();
                let solution = Solution { start: within, steps, cost, actions };
                SolvedStart { start: Some(start), solution }
            }))
        };
        let start = |solution: &Solution| Ok(make(solution.start, solution.steps));
        let Some(found) = self.context.solved(count as usize, &solve, &start)? else {
            return Ok(None);
        };
        self.pool.add(&found).map(Some)
    }

    fn steps(&self) -> Option<u64> {
        Some(self.longest())
    }
}
