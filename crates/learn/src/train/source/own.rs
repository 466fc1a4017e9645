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
        teacher::Teacher,
    },
    Batch, ExampleSource, RoundContext, SourceContext, SourceId,
    pool::{self, Pool, Solution},
    solved::{Drawn, Position, Starter, solve},
};
use unriddle_catalog::{
    parallel::in_order,
    training_data::{Narrow, States},
    work::WorkError,
};

/// Share of a wave's instances that must be solved for longer walks in the next wave.
const SOLVED: f64 = 0.5;

/// Factor by which walks become longer.
const GROWTH: f64 = 1.01;

/// Cost of a solution that is allowed beyond the estimate and its tolerance, which is small for
/// short solutions.
const SPARE: f64 = 4.0;

/// Number of own examples from which on the network gives its whole share of a batch. With fewer
/// examples the share is smaller in proportion, so that the network does not memorise its first
/// solutions.
const SETTLED: f64 = 50_000.0;

/// Distance between the first numbers of consecutive waves.
const WAVE: u64 = 1 << 32;

/// Solutions of a solver, found beside the updates.
pub(super) struct Taught<'a> {
    solved: &'a Solved,
    size: PoolSize,
    teacher: Teacher<'a>,
    starter: Starter<'a>,
    pool: Pool,
    seed: u64,
}

impl<'a> Taught<'a> {
    pub(super) fn new(
        solved: &'a Solved,
        size: PoolSize,
        context: &'a SourceContext<'a>,
        id: SourceId,
    ) -> Result<Self, WorkError> {
        let starter = Starter { training_data: context.training_data, context, seed: id.seed };
        Ok(Self {
            solved,
            size,
            teacher: context.teachers.solver(&solved.solver, solved.nodes)?,
            starter,
            pool: Pool::new(
                context.training_data,
                size.kept,
                pool::file(context.folder, id.number),
            ),
            seed: id.seed,
        })
    }

    fn wave(&mut self, wave: u64) -> Result<Option<()>, WorkError> {
        let SourceContext { jobs, cancel, .. } = self.starter.context;
        let count = match wave {
            0 => self.size.first + self.size.boards,
            _ => self.size.boards,
        };
        let found = in_order(count as usize, *jobs, cancel, &|i| {
            let position = Position { wave, size: WAVE, within: i as u32 };
            solve(self.solved, &self.starter, &self.teacher, position, Keep::Paths).map(Some)
        })?;
        let Some(found) = found else {
            return Ok(None);
        };
        let found: Vec<_> = found.into_iter().flatten().collect();
        self.pool.add(&found)?;
        Ok(Some(()))
    }
}

impl ExampleSource for Taught<'_> {
    fn readiness(&self) -> f64 {
        f64::from(u8::from(self.pool.len() > 0))
    }

    fn add(&self, number: u64, rows: usize, now: RoundContext<'_>, batch: &mut Batch) {
        let drawn = Drawn {
            pool: &self.pool,
            head: now.head,
            ahead: None,
            from: 0..self.pool.len(),
            aside: self.solved.aside,
            seed: self.seed,
        };
        drawn.add(number, rows, batch);
    }

    fn begin(&mut self, rounds: u64, _: RoundContext<'_>) -> Result<Option<()>, WorkError> {
        let (starter, solved) = (&self.starter, self.solved);
        let start = |wave: u64, within: u32, steps: u32| {
            starter.start(solved, wave * WAVE + u64::from(within), steps)
        };
        let known = self.pool.read(rounds, &start)?;
        match rounds - known {
            0 => Ok(Some(())),
            _ => Err(self.pool.waves_differ(known, rounds)),
        }
    }

    fn advance(&mut self, round: u64, _: RoundContext<'_>) -> Result<Option<()>, WorkError> {
        self.wave(round)
    }
}

/// Solutions of the network's own beams.
pub(super) struct Bootstrapped<'a> {
    own: &'a Own,
    size: PoolSize,
    starter: Starter<'a>,
    pool: Pool,
    seed: u64,
}

impl<'a> Bootstrapped<'a> {
    pub(super) fn new(
        own: &'a Own,
        size: PoolSize,
        context: &'a SourceContext<'a>,
        id: SourceId,
    ) -> Self {
        Self {
            own,
            size,
            starter: Starter { training_data: context.training_data, context, seed: id.seed },
            pool: Pool::new(
                context.training_data,
                size.kept,
                pool::file(context.folder, id.number),
            ),
            seed: id.seed,
        }
    }

    /// Most steps of the walks, which grow with every wave that is solved well enough.
    fn longest(&self) -> u64 {
        let enough = (SOLVED * self.size.boards as f64).ceil() as usize;
        let waves = self.pool.waves().iter();
        let grown = waves.filter(|&&solved| solved >= enough).count();
        let steps = self.own.first as f64 * GROWTH.powi(grown as i32);
        (steps as u64).min(self.own.walks.steps)
    }

    /// Solves the end of a walk; `None` if the beam finds no solution that is short enough.
    fn solve(&self, start: &dyn States, now: RoundContext<'_>) -> Option<Vec<u16>> {
        let target = now.target?;
        let most = match self.own.tolerance {
            None => f64::from(u16::MAX),
            Some(tolerance) => {
                let estimate = f64::from(target.estimates(start)[0]);
                estimate * (1.0 + tolerance) + SPARE
            }
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

    fn add(&self, number: u64, rows: usize, now: RoundContext<'_>, batch: &mut Batch) {
        let drawn = Drawn {
            pool: &self.pool,
            head: now.head,
            ahead: now.target.zip(self.own.ahead),
            from: 0..self.pool.len(),
            aside: self.own.aside,
            seed: self.seed,
        };
        drawn.add(number, rows, batch);
    }

    fn begin(&mut self, rounds: u64, _: RoundContext<'_>) -> Result<Option<()>, WorkError> {
        let (starter, own) = (&self.starter, self.own);
        let start = |wave: u64, within: u32, steps: u32| {
            Ok(starter.walk(&own.walks, wave * WAVE + u64::from(within), steps))
        };
        let known = self.pool.read(rounds, &start)?;
        match rounds - known {
            0 => Ok(Some(())),
            _ => Err(self.pool.waves_differ(known, rounds)),
        }
    }

    /// Solves a wave of instances; none before there is a target network.
    fn advance(&mut self, round: u64, now: RoundContext<'_>) -> Result<Option<()>, WorkError> {
        let SourceContext { jobs, cancel, .. } = self.starter.context;
        let count = match now.target {
            Some(target) if target.has_learned => self.size.boards,
            _ => 0,
        };
        let mut walks = self.own.walks.clone();
        walks.steps = self.longest().max(walks.least);
        let found = in_order(count as usize, *jobs, cancel, &|i| {
            let number = round * WAVE + i as u64;
            let steps = walks.draw(&mut super::stream(self.seed, number)) as u32;
            let start = self.starter.walk(&self.own.walks, number, steps);
            let solution = self.solve(&*start, now);
            Ok(Some(solution.map(|actions| (i as u32, steps, start, actions))))
        })?;
        let Some(found) = found else {
            return Ok(None);
        };
        let mut solved = Vec::new();
        for (within, steps, start, actions) in found.into_iter().flatten() {
            let mut left = Vec::new();
            start.along(0, &actions, &mut *start.fresh(), &mut left);
            let solution = Solution {
                start: within,
                steps,
                cost: left.first().copied().unwrap_or_default(),
                actions,
            };
            solved.push((start, solution));
        }
        self.pool.add(&solved)?;
        Ok(Some(()))
    }

    fn steps(&self) -> Option<u64> {
        Some(self.longest())
    }
}
