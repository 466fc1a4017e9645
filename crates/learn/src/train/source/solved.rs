//! Examples from solutions of a solver, made before training begins.

use super::{
    super::{
        recipe::{Keep, Learn, Solved, SolvedSource, Starts, Walks},
        target::Target,
        teacher::Teacher,
    },
    Batch, ExampleSource, Known, SolvedStart, SourceContext,
    choices::{Chosen, Ordered},
    pool::{Pool, Solution},
};
use std::ops::Range;
use unriddle_catalog::{training_data::States, work::WorkError};
use unriddle_core::Rng;
use unriddle_neural::Head;

/// Instances of a wave.
const WAVE: u64 = 1000;

/// Every `HELD_OUT`-th example is kept out of training, to measure the error.
const HELD_OUT: usize = 100;

/// The end of the walk of a number, which has `steps` steps.
pub(super) fn walk_end(
    context: &SourceContext<'_>,
    seed: u64,
    walks: &Walks,
    number: u64,
    steps: u32,
) -> Box<dyn States> {
    let mut end = context.training_data.list();
    // The first random number decided on the steps.
    let mut rng = Rng::stream(seed, number);
    walks.draw(&mut rng);
    context.training_data.walk(&[steps.into()], walks.kind, &mut rng, &mut *end);
    end
}

/// A start with its solution.
pub(super) type Start = (Box<dyn States>, Solution);

/// Solver of starts, which follow from their numbers.
pub(super) struct Solver<'a> {
    pub(super) solved: &'a Solved,
    pub(super) seed: u64,
    context: &'a SourceContext<'a>,
    teacher: Teacher<'a>,
    keep: Keep,
    /// Distance between the first numbers of consecutive waves.
    wave: u64,
}

impl<'a> Solver<'a> {
    pub(super) fn new(
        solved: &'a Solved,
        context: &'a SourceContext<'a>,
        seed: u64,
        keep: Keep,
        wave: u64,
    ) -> Result<Self, WorkError> {
        let teacher = context.teachers.solver(&solved.solver, solved.nodes)?;
        Ok(Self { solved, seed, context, teacher, keep, wave })
    }

    /// The start `within` a wave, at the end of a walk of `steps` steps.
    pub(super) fn start(
        &self,
        wave: u64,
        within: u32,
        steps: u32,
    ) -> Result<Box<dyn States>, WorkError> {
        let number = wave * self.wave + u64::from(within);
        match &self.solved.starts {
            Starts::Walks(walks) => {
                let end = walk_end(self.context, self.seed, walks, number, steps);
                // The random numbers differ from the walk's.
                Ok(astray(end, self.solved.astray, &mut Rng::stream(!self.seed, number)))
            }
            Starts::Generator(spec) => {
                self.context.teachers.generate(spec, &mut Rng::stream(self.seed, number))
            }
        }
    }

    /// Solves a start; `None` if the solver gives up.
    fn solve(&self, wave: u64, within: u32) -> Result<Option<SolvedStart>, WorkError> {
        let number = wave * self.wave + u64::from(within);
        let steps = match &self.solved.starts {
            Starts::Walks(walks) => walks.draw(&mut Rng::stream(self.seed, number)) as u32,
            Starts::Generator(_) => 0,
        };
        let start = self.start(wave, within, steps)?;
        let solution = self.teacher.solve(&*start, self.solved.dead)?;
        Ok(solution.map(|(actions, cost)| {
            let actions = if self.keep == Keep::Paths { actions } else { Vec::new() };
            SolvedStart {
                start: Some(start),
                solution: Solution { start: within, steps, cost, actions },
            }
        }))
    }

    /// Solves the first `count` starts of a wave. A start that the solver gives up is left out.
    /// `None` if it was cancelled.
    pub(super) fn wave(&self, wave: u64, count: u64) -> Result<Option<Vec<Start>>, WorkError> {
        let start = |solution: &Solution| self.start(wave, solution.start, solution.steps);
        self.context.solved(count as usize, &|within| self.solve(wave, within), &start)
    }
}

/// A state that is up to `most` random actions away from the only one of a list, again as the only
/// one of a list.
fn astray(mut one: Box<dyn States>, most: u64, rng: &mut Rng) -> Box<dyn States> {
    for _ in 0..rng.below(most + 1) {
        let (mut others, mut steps) = (one.fresh(), Vec::new());
        one.successors(0, &mut *others, &mut steps);
        if steps.is_empty() {
            break;
        }
        let chosen = rng.below(steps.len() as u64) as usize;
        one = others.fresh();
        one.push(&*others, chosen);
    }
    one
}

/// The source of solutions that are made before training. `None` if it was cancelled.
pub(super) fn make<'a>(
    declared: &'a SolvedSource,
    context: &'a SourceContext<'a>,
    number: u64,
    seed: u64,
) -> Result<Option<Box<dyn ExampleSource + 'a>>, WorkError> {
    let SolvedSource { solved, states, keep, learn } = declared;
    let solver = Solver::new(solved, context, seed, *keep, WAVE)?;
    let mut pool = Pool::new(context, number, usize::MAX);
    let mut wave = pool.read(u64::MAX, &|wave, within, steps| solver.start(wave, within, steps))?;
    while (pool.len() as u64) < *states {
        (context.tell)(pool.len() as u64, *states);
        let Some(found) = solver.wave(wave, WAVE)? else {
            return Ok(None);
        };
        if found.is_empty() {
            let message = format!(
                "the solver `{}` solved none of {WAVE} instances within its limit",
                solved.solver
            );
            return Err(WorkError::Unsolved(message));
        }
        pool.add(&found)?;
        wave += 1;
    }
    let held_out = (pool.len() / HELD_OUT).max(1);
    let parts = [held_out..pool.len(), 0..held_out];
    if *learn == Learn::Distances {
        let (head, aside) = (context.head, solved.aside);
        return Ok(Some(Box::new(Distances { pool, parts, head, aside, seed })));
    }
    let ordered =
        (parts.clone()).map(|part| (*learn == Learn::Order).then(|| Ordered::new(&pool, part)));
    let chosen = Choices {
        pool,
        parts,
        ordered,
        pairs: (context.head == Head::Pair).then(|| context.training_data.inputs()),
        seed,
    };
    if !(0..2).all(|part| chosen.of(part).is_any()) {
        let message = "all examples are as far from the goal: there is nothing to choose";
        return Err(WorkError::Usage(message.to_owned()));
    }
    Ok(Some(Box::new(chosen)))
}

/// Exact distances.
struct Distances<'a> {
    pool: Pool<'a>,
    /// The rows for training, and the held-out rows.
    parts: [Range<usize>; 2],
    head: Head,
    aside: f64,
    seed: u64,
}

impl ExampleSource for Distances<'_> {
    fn add(&self, number: u64, rows: usize, _: Option<&Target>, batch: &mut Batch) {
        let Self { pool, parts: [from, _], head, aside, seed } = self;
        let from = from.clone();
        let drawn = Drawn { pool, head: *head, ahead: None, from, aside: *aside, seed: *seed };
        drawn.add(number, rows, batch);
    }

    fn held_out(&self, rows: usize) -> Option<Batch> {
        let Self { pool, parts: [_, from], seed, .. } = self;
        let (from, seed) = (from.clone(), seed ^ 1);
        let mut batch = Batch::default();
        let drawn = Drawn { pool, head: Head::Value, ahead: None, from, aside: 0.0, seed };
        drawn.add(0, rows, &mut batch);
        Some(batch)
    }
}

/// Choices among states of solutions.
struct Choices<'a> {
    pool: Pool<'a>,
    parts: [Range<usize>; 2],
    ordered: [Option<Ordered>; 2],
    /// The length of a state's input, of a network that sees two states at a time.
    pairs: Option<usize>,
    seed: u64,
}

impl Choices<'_> {
    fn of(&self, part: usize) -> Chosen<'_> {
        Chosen {
            pool: &self.pool,
            from: self.parts[part].clone(),
            ordered: self.ordered[part].as_ref(),
            pairs: self.pairs,
            seed: self.seed ^ part as u64,
        }
    }
}

impl ExampleSource for Choices<'_> {
    fn add(&self, number: u64, rows: usize, _: Option<&Target>, batch: &mut Batch) {
        self.of(0).add(number, rows, batch);
    }

    fn held_out(&self, rows: usize) -> Option<Batch> {
        let mut batch = Batch::default();
        self.of(1).add(0, rows, &mut batch);
        Some(batch)
    }
}

/// Random rows of some of the examples.
pub(super) struct Drawn<'a> {
    pub pool: &'a Pool<'a>,
    /// Outputs of the network.
    pub head: Head,
    /// Target network and number of actions of *n*-step returns (R. S. Sutton and A. G. Barto,
    /// "Reinforcement Learning", 2nd edition, 2018, section 7.1): a target is the cost of the
    /// actions along the solution plus the network's estimate behind them. `None`: a target is the
    /// cost-to-go along the solution.
    pub ahead: Option<(&'a Target, u32)>,
    /// The rows that are drawn from.
    pub from: Range<usize>,
    /// The share of rows that are one action off the solution path.
    pub aside: f64,
    pub seed: u64,
}

impl Drawn<'_> {
    /// A random successor of a row as the only state of a list, and the difference of its distance:
    /// less the cost of the action for the next state of the path; otherwise that cost more, which
    /// is an upper bound where the action can be undone at the same cost. The row itself if nothing
    /// follows it.
    ///
    /// Without such rows a network would learn nothing about states beside solution paths.
    fn beside(&self, row: usize, rng: &mut Rng) -> (Box<dyn States>, f32) {
        let pool = self.pool;
        let (mut others, mut steps) = (pool.states().fresh(), Vec::new());
        pool.states().successors(row, &mut *others, &mut steps);
        let mut one = others.fresh();
        if steps.is_empty() {
            one.push(pool.states(), row);
            return (one, 0.0);
        }
        let chosen = rng.below(steps.len() as u64) as usize;
        one.push(&*others, chosen);
        let next = pool.after(row, 1);
        let is_next = next.is_some_and(|next| pool.states().is_same(next, &*others, chosen));
        let cost = steps[chosen].cost;
        (one, if is_next { -cost } else { cost })
    }

    /// The number of the solution's next action at a row, if the network learns actions.
    fn right(&self, row: usize) -> Option<u16> {
        let pool = self.pool;
        let next = pool.after(row, 1).filter(|_| self.head.actions() > 0)?;
        let (mut others, mut steps) = (pool.states().fresh(), Vec::new());
        pool.states().successors(row, &mut *others, &mut steps);
        let is_next = |&other: &usize| pool.states().is_same(next, &*others, other);
        (0..others.len()).find(is_next).map(|other| steps[other].action)
    }

    /// Adds rows to the batch of a number.
    pub(super) fn add(&self, number: u64, rows: usize, batch: &mut Batch) {
        let pool = self.pool;
        let mut rng = Rng::stream(self.seed, number);
        // The states that the network estimates, and the rows whose targets need the estimates.
        let (mut states, mut waiting) = (pool.states().fresh(), Vec::new());
        for _ in 0..rows {
            let row = self.from.start + rng.below(self.from.len() as u64) as usize;
            let aside = self.aside > 0.0 && rng.unit() < self.aside;
            let beside = aside.then(|| self.beside(row, &mut rng));
            // A shorter path is counted to the goal.
            let ahead = (self.ahead.as_ref())
                .and_then(|&(_, actions)| pool.after(row, actions as usize))
                .filter(|&end| pool.left(end) > 0);
            let target = match ahead {
                None => pool.left(row) as f32,
                Some(end) => (pool.left(row) - pool.left(end)) as f32,
            };
            let left = target + beside.as_ref().map_or(0.0, |(_, farther)| *farther);
            let right = self.right(row).filter(|_| beside.is_none());
            let through = right.map(|action| (action, left));
            let known = Known { left, through: through.as_slice(), right };
            let before = batch.targets.len();
            match &beside {
                None => batch.push(pool.states(), row, self.head, known),
                Some((one, _)) => batch.push(&**one, 0, self.head, known),
            }
            if batch.targets.len() == before {
                // The row is skipped, and with it the entry that waits for its estimate.
                continue;
            }
            if let Some(end) = ahead {
                states.push(pool.states(), end);
                waiting.push((before, right));
            }
        }
        if let Some((target, _)) = self.ahead {
            let left = target.estimates(&*states);
            let outputs = self.head.actions();
            for ((row, right), left) in waiting.into_iter().zip(left) {
                batch.targets[row] += left;
                if let Some(right) = right.filter(|_| !batch.actions.is_empty()) {
                    batch.actions[row * outputs + usize::from(right)] += left;
                }
            }
        }
    }
}
