//! Sources of examples: each source of a recipe has its part of every batch.

mod choices;
mod layered;
mod own;
mod pool;
mod solved;
mod walked;

use super::{
    recipe::{OwnSource, Source, SourceShare, Stage, TaughtSource},
    target::Target,
    teacher::Teachers,
};
use crate::folder::Folder;
use pool::Solution;
use unriddle_catalog::{
    Cancel,
    parallel::{Share, in_order_on},
    ranks::{Message, Ranks, join, parts},
    training_data::{States, TrainingData},
    work::WorkError,
};
use unriddle_neural::{
    Head,
    train::{Labels, Targets},
};

/// Rows of a network's input, and their targets.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Batch {
    /// The active indices of the rows, one after the other.
    pub active: Vec<u32>,
    /// A target for each row, in the puzzle's costs; empty if choices are learned.
    pub targets: Vec<f32>,
    /// The number of rows of each choice, of which the first is the right one; empty if values are
    /// learned.
    pub choices: Vec<u32>,
    /// For each action of each row, the cost of the action plus the cost-to-go behind it; NaN where
    /// it is unknown. Empty if the network has no outputs of actions.
    pub actions: Vec<f32>,
    /// For each row, the number of the right action, or of the nearer of its two states. Empty
    /// unless the network is a policy or compares states.
    pub right: Vec<u32>,
}

/// Labels of a row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known<'a> {
    /// Cost-to-go.
    pub left: f32,
    /// Actions, each with the cost-to-go through it.
    pub through: &'a [(u16, f32)],
    /// The action that leads on.
    pub right: Option<u16>,
}

impl Batch {
    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.targets().rows()
    }

    /// The targets of a network whose outputs are values.
    fn targets(&self) -> Targets<'_> {
        if self.choices.is_empty() {
            Targets::Values(&self.targets)
        } else {
            Targets::Choices(&self.choices)
        }
    }

    /// Labels for the outputs of a network.
    pub(super) fn labels(&self, head: Head, weight: f32) -> Labels<'_> {
        match head {
            Head::Actions(_) => Labels::Actions(&self.actions),
            Head::ValueAndActions(_) => {
                Labels::ValueAndActions { values: &self.targets, actions: &self.actions, weight }
            }
            Head::Policy(_) | Head::Pair => Labels::Policy(&self.right),
            _ => Labels::Value(self.targets()),
        }
    }

    /// The share of rows of two states that a network's logits put in the wrong order.
    pub(super) fn wrong(&self, logits: &[f32]) -> f64 {
        let rows = logits.as_chunks().0.iter().zip(&self.right);
        let wrong = rows.filter(|&(&[one, two], &right)| u32::from(two > one) != right);
        wrong.count() as f64 / self.right.len().max(1) as f64
    }

    /// The error of a network's outputs: the root of the mean squared error, or the share of wrong
    /// choices.
    pub(super) fn error(&self, outputs: &[f32]) -> f64 {
        match self.targets() {
            Targets::Values(targets) => {
                let errors = outputs.iter().zip(targets).map(|(a, b)| f64::from(a - b));
                let sum: f64 = errors.map(|error| error * error).sum();
                (sum / targets.len().max(1) as f64).sqrt()
            }
            Targets::Choices(sizes) => {
                let (mut rest, mut wrong) = (outputs, 0);
                for &size in sizes {
                    let (group, others) = rest.split_at(size as usize);
                    let (right, wrongs) = group.split_at(group.len().min(1));
                    let is_least = wrongs.iter().all(|other| right < std::slice::from_ref(other));
                    wrong += usize::from(!is_least);
                    rest = others;
                }
                wrong as f64 / sizes.len().max(1) as f64
            }
        }
    }

    /// Adds a state with the labels that a network with the outputs `head` learns. A row without
    /// such labels is skipped.
    fn push(&mut self, states: &dyn States, row: usize, head: Head, known: Known<'_>) {
        let of_actions = matches!(head, Head::Actions(_) | Head::ValueAndActions(_));
        match head {
            Head::Actions(_) if known.through.is_empty() => return,
            Head::Policy(_) => match known.right {
                Some(right) => self.right.push(right.into()),
                None => return,
            },
            _ => {}
        }
        if of_actions {
            let first = self.actions.len();
            self.actions.resize(first + head.actions(), f32::NAN);
            for &(action, left) in known.through {
                self.actions[first + usize::from(action)] = left;
            }
        }
        states.active(row, &mut self.active);
        self.targets.push(known.left);
    }

    /// Adds a choice among some states, of which the first is the right one.
    fn push_choice(&mut self, states: &dyn States) {
        for row in 0..states.len() {
            states.active(row, &mut self.active);
        }
        self.choices.push(states.len() as u32);
    }

    /// Adds a row of two states, of which the first is nearer; the other one is shown first if they
    /// are turned round.
    fn push_pair(&mut self, states: &dyn States, turned: bool, inputs: usize) {
        both(states, if turned { [1, 0] } else { [0, 1] }, inputs, &mut self.active);
        self.targets.push(0.0);
        self.right.push(turned.into());
    }

    /// Replaces rows by symmetric states. The first of every `images.len() + 1` rows stays
    /// unchanged.
    fn replace_by_images(&mut self, images: &[Vec<u32>], groups: usize) {
        for (number, row) in self.active.chunks_exact_mut(groups).enumerate() {
            let Some(image) = (number % (images.len() + 1)).checked_sub(1) else {
                continue;
            };
            for index in row {
                *index = images[image][*index as usize];
            }
        }
    }
}

impl Message for Batch {
    fn write(&self, bytes: &mut Vec<u8>) {
        let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect();
        let lists: [Vec<u32>; 5] = [
            self.active.clone(),
            bits(&self.targets),
            self.choices.clone(),
            bits(&self.actions),
            self.right.clone(),
        ];
        let lists =
            lists.map(|list| list.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<_>>());
        join(lists.iter().map(Vec::as_slice), bytes);
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut lists = parts(bytes).map(|part| {
            part.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect::<Vec<_>>()
        });
        let floats = |bits: Vec<u32>| bits.into_iter().map(f32::from_bits).collect();
        Some(Self {
            active: lists.next()?,
            targets: floats(lists.next()?),
            choices: lists.next()?,
            actions: floats(lists.next()?),
            right: lists.next()?,
        })
    }
}

/// Adds the active indices of two states of a list as a row of both; a state's input has the length
/// `inputs`.
pub(super) fn both(
    states: &dyn States,
    [first, second]: [usize; 2],
    inputs: usize,
    active: &mut Vec<u32>,
) {
    states.active(first, active);
    let end = active.len();
    states.active(second, active);
    for index in &mut active[end..] {
        // At most 2^20 inputs.
        *index += inputs as u32;
    }
}

/// The environment in which sources are made.
pub(super) struct SourceContext<'a> {
    pub training_data: &'a dyn TrainingData,
    pub teachers: &'a Teachers<'a>,
    pub folder: &'a Folder<'a>,
    /// Outputs of the network.
    pub head: Head,
    /// The processes that share the work.
    pub ranks: &'a dyn Ranks,
    pub jobs: usize,
    pub cancel: &'a Cancel,
    /// Callback for the numbers of examples that are solved and wanted before training.
    pub tell: &'a (dyn Fn(u64, u64) + Sync),
}

/// A start and its solution. Another rank makes the start anew.
struct SolvedStart {
    pub start: Option<Box<dyn States>>,
    pub solution: Solution,
}

impl Message for SolvedStart {
    fn write(&self, bytes: &mut Vec<u8>) {
        self.solution.write(bytes);
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        Some(Self { start: None, solution: Solution::read(bytes)? })
    }
}

/// Makes the start of a solution.
type MakeStart<'m> = dyn Fn(&Solution) -> Result<Box<dyn States>, WorkError> + 'm;

impl SourceContext<'_> {
    /// Solves `count` starts on all ranks, and leaves out those for which `solve` returns `None`.
    /// `start` makes the start of a solution. `None` if it was cancelled.
    fn solved(
        &self,
        count: usize,
        solve: &(dyn Fn(u32) -> Result<Option<SolvedStart>, WorkError> + Sync),
        start: &MakeStart<'_>,
    ) -> Result<Option<Vec<solved::Start>>, WorkError> {
        let found = in_order_on(
            self.ranks,
            Share { count, jobs: self.jobs, is_shared: true },
            self.cancel,
            &|number| solve(number as u32).map(Some),
            &mut |_, _| Ok(()),
            &WorkError::Worker,
        )?;
        let Some(found) = found else {
            return Ok(None);
        };
        let found = found.into_iter().flatten().map(|SolvedStart { start: known, solution }| {
            Ok((known.map_or_else(|| start(&solution), Ok)?, solution))
        });
        found.collect::<Result<_, _>>().map(Some)
    }
}

/// A source of examples during a run, while the target network changes.
pub(super) trait ExampleSource: Sync {
    /// Fraction (0 to 1) of its share that the source can fill at present.
    fn readiness(&self) -> f64 {
        1.0
    }

    /// Adds `rows` rows to the batch of a number, or fewer where some turn out to have no target.
    /// The same number gives the same rows.
    fn add(&self, number: u64, rows: usize, target: Option<&Target>, batch: &mut Batch);

    /// Rows that are not trained on, on which the error is measured: values or choices.
    fn held_out(&self, _rows: usize) -> Option<Batch> {
        None
    }

    /// Restores the state of the source after `rounds` rounds, which a checkpoint of the name
    /// `checkpoint` was made with; 0 rounds begin a run.
    fn begin(&mut self, _rounds: u64, _checkpoint: &str) -> Result<(), WorkError> {
        Ok(())
    }

    /// Writes the examples that the source cannot make again, as part of a checkpoint.
    fn save(&self, _checkpoint: &str) -> Result<(), WorkError> {
        Ok(())
    }

    /// Work of a round, before its batches are drawn. `None` if it was cancelled.
    fn advance(&mut self, _round: u64, _: Option<&Target>) -> Result<Option<()>, WorkError> {
        Ok(Some(()))
    }

    /// The present most steps of walks, if they grow.
    fn steps(&self) -> Option<u64> {
        None
    }
}

/// All sources of a stage.
pub(super) struct Sources<'a> {
    entries: Vec<(&'a SourceShare, Box<dyn ExampleSource + 'a>)>,
    images: Vec<Vec<u32>>,
    groups: usize,
}

impl<'a> Sources<'a> {
    /// Makes the sources of a stage; examples that are solved before training are made here. `None`
    /// if it was cancelled.
    pub(super) fn new(
        stage: &'a Stage,
        context: &'a SourceContext<'a>,
    ) -> Result<Option<Self>, WorkError> {
        let mut entries = Vec::new();
        for (number, entry) in (0u64..).zip(&stage.sources) {
            // No two sources draw the same.
            let seed = stage.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let source: Box<dyn ExampleSource + 'a> = match &entry.source {
                Source::Walks(_) | Source::Beams(_) | Source::Greedy(_) | Source::Backups(_) => {
                    Box::new(walked::Walked { declared: &entry.source, context, seed })
                }
                Source::Layers(declared) => {
                    Box::new(layered::Layered::new(declared, context, number, seed))
                }
                Source::Solved(declared) => match solved::make(declared, context, number, seed)? {
                    Some(source) => source,
                    None => return Ok(None),
                },
                Source::Taught(TaughtSource { solved, pool }) => {
                    Box::new(own::Taught::new(solved, *pool, context, number, seed)?)
                }
                Source::Own(OwnSource { own, pool }) => {
                    Box::new(own::Bootstrapped::new(own, *pool, context, number, seed))
                }
            };
            entries.push((entry, source));
        }
        let mut images =
            if stage.schedule.images { context.training_data.images() } else { Vec::new() };
        let mut groups = context.training_data.groups();
        if context.head == Head::Pair {
            groups *= 2;
            for image in &mut images {
                let half = image.len() as u32;
                image.extend_from_within(..);
                image[half as usize..].iter_mut().for_each(|index| *index += half);
            }
        }
        Ok(Some(Self { entries, images, groups }))
    }

    /// The batch of a number, of which `rows` rows are wanted. It is empty if no source has
    /// anything.
    pub(super) fn batch(&self, number: u64, rows: usize, target: Option<&Target>) -> Batch {
        let alone = |(entry, source): &(&SourceShare, Box<dyn ExampleSource + 'a>)| {
            number < entry.alone && source.readiness() > 0.0
        };
        let any_alone = self.entries.iter().any(alone);
        let wants: Vec<f64> =
            (self.entries.iter())
                .map(|both| {
                    if !any_alone || alone(both) { both.0.share * both.1.readiness() } else { 0.0 }
                })
                .collect();
        let all: f64 = wants.iter().sum();
        let mut batch = Batch::default();
        let (mut wanted, mut given) = (0.0, 0);
        for (want, (_, source)) in wants.iter().zip(&self.entries) {
            if *want <= 0.0 {
                continue;
            }
            wanted += want;
            // Later sources fill the rows that rounding leaves.
            let until = ((wanted / all) * rows as f64).round() as usize;
            source.add(number, until - given, target, &mut batch);
            given = until;
        }
        if !self.images.is_empty() {
            batch.replace_by_images(&self.images, self.groups);
        }
        batch
    }

    /// Rows that are not trained on, if a source has some.
    pub(super) fn held_out(&self, rows: usize) -> Option<Batch> {
        self.entries.iter().find_map(|(_, source)| source.held_out(rows))
    }

    /// As [`ExampleSource::begin`], for all.
    pub(super) fn begin(&mut self, rounds: u64, checkpoint: &str) -> Result<(), WorkError> {
        self.entries.iter_mut().try_for_each(|(_, source)| source.begin(rounds, checkpoint))
    }

    /// As [`ExampleSource::save`], for all.
    pub(super) fn save(&self, checkpoint: &str) -> Result<(), WorkError> {
        self.entries.iter().try_for_each(|(_, source)| source.save(checkpoint))
    }

    /// As [`ExampleSource::advance`], for all.
    pub(super) fn advance(
        &mut self,
        round: u64,
        target: Option<&Target>,
    ) -> Result<Option<()>, WorkError> {
        for (_, source) in &mut self.entries {
            if source.advance(round, target)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    /// Most steps of walks that grow.
    pub(super) fn steps(&self) -> Option<u64> {
        self.entries.iter().find_map(|(_, source)| source.steps())
    }
}
