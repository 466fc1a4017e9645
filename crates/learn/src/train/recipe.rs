//! Training recipes: the network, the sources of its examples, and the schedule.

use serde::Deserialize;
use std::{path::PathBuf, time::Duration};
use unriddle_catalog::{
    Registry, fields,
    training_data::{States, TrainingData},
    units,
    work::{Fields, Optional, Table, Unit, Words, reader::Name},
};
use unriddle_core::{Rng, Steps};
use unriddle_neural::{Architecture, Head, Precision, train::Products};

/// Upper limit of batches, walks and other counts.
const MOST: u64 = 1_000_000;

/// A training recipe.
pub struct Recipe {
    /// The registry in which its puzzle and its solvers are looked up.
    pub(crate) registry: Registry,
    /// Text of the file.
    pub text: String,
    /// Heading.
    pub title: String,
    /// Spec of the puzzle.
    pub puzzle: String,
    /// Spec of the generator of the instances for which the network is trained.
    pub instances: String,
    /// Number of instances in which walks begin.
    pub levels: u64,
    /// Training data of the first of these instances.
    pub(crate) training_data: Box<dyn TrainingData>,
    /// Layers of the network.
    pub architecture: Architecture,
    /// First weights of the linear part, if a heuristic of the puzzle gives them.
    pub linear: Option<Vec<f32>>,
    /// Whether units of the first layer share their weights, each for another symmetric state.
    pub shared: bool,
    /// Precision of the model's file.
    pub precision: Precision,
    /// Model file with which training begins (`None` = random weights).
    pub start: Option<PathBuf>,
    /// Measurement of how far the network overrates good paths, if the log contains it.
    pub margin: Option<Margin>,
    /// Consecutive trainings; each begins with the network of the one before.
    pub stages: Vec<Stage>,
}

/// A training: its seed, sources, target network and schedule.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Seed of all random decisions.
    pub seed: u64,
    /// Sources of examples.
    pub sources: Vec<SourceShare>,
    /// Renewal of the target network, if a source needs a target network.
    pub target: Option<Renewal>,
    /// Schedule of the updates.
    pub schedule: Schedule,
}

/// A source of examples, and its share of every batch.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceShare {
    /// Share of the rows, relative to the shares of the other sources.
    pub share: f64,
    /// Train on this source only for the first `alone` updates.
    pub alone: u64,
    /// The source.
    pub source: Source,
}

/// A source of examples.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// States of random walks that begin at goals.
    Walks(WalkSource),
    /// States that beams of the target network evaluate.
    Beams(BeamSource),
    /// States that a greedy walk by the target network visits (DeepCubeA's repository).
    Greedy(GreedySource),
    /// All states that a short search expands. Their targets are backed up from its open states.
    Backups(BackupSource),
    /// States that beams of the network keep, found beside the updates. Their targets are backed up
    /// through all layers of a beam.
    Layers(LayerSource),
    /// Solutions of a solver, found before training begins.
    Solved(SolvedSource),
    /// Solutions of a solver, found beside the updates.
    Taught(TaughtSource),
    /// Solutions of the network's own beams, found beside the updates (bootstrapping).
    Own(OwnSource),
}

impl Source {
    /// Whether the source evaluates the target network.
    pub(crate) fn needs_target(&self) -> bool {
        match self {
            Self::Walks(source) => {
                matches!(source.target, WalkTarget::Bellman | WalkTarget::Clipped)
            }
            Self::Beams(_)
            | Self::Greedy(_)
            | Self::Backups(_)
            | Self::Layers(_)
            | Self::Own(_) => true,
            Self::Solved(_) | Self::Taught(_) => false,
        }
    }

    /// The walks at whose states or ends the source begins; `None` if a generator makes its
    /// instances.
    pub(crate) fn walks(&self) -> Option<&Walks> {
        let solved = match self {
            Self::Walks(source) => return Some(&source.walks),
            Self::Beams(source) => return Some(&source.walks),
            Self::Greedy(source) => return Some(&source.walks),
            Self::Backups(source) => return Some(&source.walks),
            Self::Layers(source) => return Some(&source.walks),
            Self::Own(source) => return Some(&source.own.walks),
            Self::Solved(source) => &source.solved,
            Self::Taught(source) => &source.solved,
        };
        match &solved.starts {
            Starts::Walks(walks) => Some(walks),
            Starts::Generator(_) => None,
        }
    }

    /// Whether the source has training targets for a network with the outputs `head`.
    pub(crate) fn suits(&self, head: Head) -> bool {
        match self {
            Self::Walks(source) => match (head, source.target) {
                (Head::Policy(_), target) => target == WalkTarget::Step,
                // Lengths are targets of the value only. A later stage can train the actions.
                (Head::Value | Head::ValueAndActions(_), target) => target != WalkTarget::Step,
                (Head::Pair, _) => false,
                (_, target) => matches!(target, WalkTarget::Bellman | WalkTarget::Clipped),
            },
            Self::Solved(source) => match head {
                Head::Value => true,
                Head::Pair => source.learn == Learn::Order,
                _ => source.keep == Keep::Paths && source.learn == Learn::Distances,
            },
            Self::Taught(_) => head != Head::Pair,
            Self::Beams(_) | Self::Greedy(_) | Self::Own(_) => {
                !matches!(head, Head::Pair | Head::Policy(_))
            }
            Self::Backups(_) | Self::Layers(_) => head == Head::Value,
        }
    }

    /// Whether the network learns which of a few states is nearest to the goal instead of its
    /// distance.
    pub(crate) fn is_choice(&self) -> bool {
        matches!(self, Self::Solved(source) if source.learn != Learn::Distances)
    }
}

fields! {
    /// Random walks that begin at goals.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Walks {
        /// Most steps.
        pub steps: u64, 1..=MOST;
        /// Fewest steps.
        pub least: u64 = 0, 0..=steps.unwrap_or(MOST);
        /// Walk length = least + (steps + 1 − least)·u^power, rounded down, with u uniform in
        /// [0, 1). Higher powers favour short walks.
        pub power: f64 = 1.0, 0.1..=10.0;
        /// Steps that a walk may make.
        pub kind("walk"): Steps = Steps::NoReturn, Words(&[
            ("any", Steps::Any),
            ("no-return", Steps::NoReturn),
            ("canonical", Steps::Canonical),
            ("forward", Steps::Forward),
        ]);
    }

    /// A solver and the instances that it solves.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Solved {
        {
            /// Origin of the instances.
            pub starts: Starts;
        }
        /// Spec of the solver.
        pub solver: String;
        /// Skip instances that need more than `nodes` generated states.
        pub nodes: Option<u64> = None, Optional(1..=u64::MAX);
        /// Share of rows that are one action off the solution path.
        pub aside: f64 = 0.0, 0.0..=1.0;
        /// Distance that counts for instances with a proof that they have no solution
        /// (`None` = skip them).
        pub dead: Option<u32> = None, Optional(1..=MOST);
        /// A start is up to `astray` random actions away from the end of its walk.
        pub astray: u64 = 0, 0..=1_000;
    }

    /// Examples that are replaced during training.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct PoolSize {
        /// Instances that are solved beside every round of updates.
        pub boards: u64, 1..=MOST;
        /// Instances that are solved before the first update.
        pub first: u64 = 0, 0..=100 * MOST;
        /// Number of examples that are kept; new examples replace the oldest.
        pub kept: usize, 1..=100 * MOST;
    }

    /// Beams of the network that is trained, whose solutions are examples.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Own {
        {
            /// The walks at whose ends the beams begin.
            pub walks: Walks;
        }
        /// Width of the beam: states of a layer that it keeps.
        pub width: usize, 1..=MOST;
        /// Most steps of the walks at first. The limit grows to `walks.steps` as instances are
        /// solved.
        pub first("first_steps"): u64 = walks.as_ref().map_or(1, |walks| walks.steps),
            1..=walks.as_ref().map_or(MOST, |walks| walks.steps);
        /// Share by which a solution may be longer than the network's estimate (`None` = keep all).
        /// A limit rejects exactly the instances whose estimate was too low.
        pub tolerance: Option<f64> = None, Optional(0.0..=10.0);
        /// Actions of a solution after which the target network's estimate replaces the rest
        /// (`None` = count the whole solution).
        pub ahead: Option<u32> = None, Optional(1..=u64::from(u16::MAX));
        /// Share of rows that are one action off the solution path.
        pub aside: f64 = 0.0, 0.0..=1.0;
    }

    /// [`Source::Walks`].
    #[derive(Clone, Debug, PartialEq)]
    pub struct WalkSource {
        {
            /// The walks.
            pub walks: Walks;
        }
        /// Number of rows that are states of the same walk.
        pub per_walk: usize = 1, 1..=MOST;
        /// Training targets of these states.
        pub target: WalkTarget;
    }

    /// [`Source::Beams`].
    #[derive(Clone, Debug, PartialEq)]
    pub struct BeamSource {
        {
            /// The walks at whose ends the beams begin.
            pub walks: Walks;
        }
        /// Width of the beam: states of a layer that it keeps.
        pub width: usize, 1..=MOST;
        /// Layers of the beam.
        pub depth: u32, 1..=MOST;
        /// Keep one state in `every` as a row.
        pub every: usize = 1, 1..=MOST;
    }

    /// [`Source::Greedy`].
    #[derive(Clone, Debug, PartialEq)]
    pub struct GreedySource {
        {
            /// The random walks at whose ends the greedy walks begin.
            pub walks: Walks;
        }
        /// Most steps of a greedy walk.
        pub steps("greedy_steps"): u64, 1..=MOST;
    }

    /// [`Source::Backups`].
    #[derive(Clone, Debug, PartialEq)]
    pub struct BackupSource {
        {
            /// The walks at whose ends the searches begin.
            pub walks: Walks;
        }
        /// States that a search expands.
        pub expansions: usize, 1..=MOST;
        /// Weight of the cost so far; the estimate has the weight 1.
        pub weight: f32 = 1.0, 0.0..=1.0;
        /// Whether a search ends when it expands a goal.
        pub to_goal: bool = false;
        /// Largest target (infinity = no limit).
        pub most: f32 = f32::INFINITY, 1.0..=f64::INFINITY;
    }

    /// [`Source::Layers`].
    #[derive(Clone, Debug, PartialEq)]
    pub struct LayerSource {
        {
            /// The walks at whose ends the beams begin.
            pub walks: Walks;
        }
        /// Greatest width of a beam: states of a layer that it keeps.
        pub width: usize, 1..=MOST;
        /// Least width. The logarithm of a beam's width is uniform between both.
        pub least_width: usize = width.unwrap_or(1), 1..=width.map_or(MOST, |width| width as u64);
        /// Most layers of a beam.
        pub depth: u32 = 10_000, 1..=MOST;
        /// Examples of a beam beside its best path. Each is a random state of a random layer.
        pub samples: usize, 1..=MOST;
        /// Further beams of each beam, from states that it does not keep. They share the samples.
        pub strays: u32 = 0, 0..=100;
        /// Beams beside every round of updates.
        pub beams: u64, 1..=MOST;
        /// Number of examples that are kept; new examples replace the oldest.
        pub kept: usize, 1..=100 * MOST;
    }

    /// [`Source::Solved`].
    #[derive(Clone, Debug, PartialEq)]
    pub struct SolvedSource {
        {
            /// The solver and its instances.
            pub solved: Solved;
        }
        /// Number of examples.
        pub states: u64, 1..=u64::MAX;
        /// States of a solution that are examples.
        pub keep: Keep = Keep::Paths;
        /// Training target of the examples.
        pub learn: Learn = Learn::Distances;
    }

    /// [`Source::Taught`].
    #[derive(Clone, Debug, PartialEq)]
    pub struct TaughtSource {
        {
            /// The solver and its instances.
            pub solved: Solved;
            /// Number of instances and examples.
            pub pool: PoolSize;
        }
    }

    /// [`Source::Own`].
    #[derive(Clone, Debug, PartialEq)]
    pub struct OwnSource {
        {
            /// The beams and their instances.
            pub own: Own;
            /// Number of instances and examples.
            pub pool: PoolSize;
        }
    }

    /// Rules by which the trained network becomes the target network.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Renewal {
        /// Check every `every` updates whether to renew the target network.
        pub every: u64, 1..=MOST;
        /// Renew only if the loss is below this.
        pub below: f64 = f64::INFINITY, 0.0..=f64::MAX;
        /// The loss that is compared with `below`.
        pub loss: Window = Window::Mean;
        /// Renew the target network after `at_most` updates in any case.
        pub at_most: u64 = u64::MAX, every.unwrap_or(1)..=u64::MAX;
        /// Targets follow from the target network's estimates of states `look_ahead` actions away.
        /// Each action makes two or three times as many states.
        pub look_ahead: u32 = 1, 1..=4;
        /// Whether the target network is computed in 8-bit integers.
        pub in_bytes("numbers"): bool = false, Words(&[("single", false), ("bytes", true)]);
        /// Whether the target network is the running average of the weights.
        pub averaged: bool = false;
        /// Whether estimates are 0 until the first renewal (DeepCubeA's repository).
        pub from_zero: bool = false;
        /// Whether estimates are means over the symmetric states.
        pub images: bool = false;
        /// Rounding of estimates.
        pub round: Round = Round::No;
    }

    /// Measurement of the margin at every checkpoint: the excess of estimates of states of good
    /// paths over the greatest estimate that a beam keeps in their layer. A beam drops a path where
    /// the excess is positive.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Margin {
        {
            /// The walks at whose ends paths begin.
            pub walks: Walks;
        }
        /// Number of paths.
        pub boards: u64, 1..=MOST;
        /// Width of the beams that find the paths, by the network of the first checkpoint.
        pub wide: usize, 1..=MOST;
        /// Width of the beams that drop them.
        pub narrow: usize, 1..=MOST;
    }

    /// Schedule of the updates.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Schedule {
        /// Rows of a batch.
        pub batch: usize, 1..=MOST;
        /// Examples of all updates together.
        pub examples: u64, 0..=u64::MAX;
        /// Learning rate at the beginning; it falls like a cosine.
        pub rate: f64, 1e-9..=1.0;
        /// Learning rate at the end.
        pub last_rate: f64 = rate.unwrap_or(1.0), 0.0..=rate.unwrap_or(1.0);
        /// Updates over which the learning rate rises from 0.
        pub warm_up: u64 = 0, 0..=MOST;
        /// Weight of an overestimate relative to an underestimate.
        pub over: f64 = 1.0, 1e-3..=1e3;
        /// Weight of the loss of actions relative to the loss of values, if a network has both.
        pub action_weight: f64 = 1.0, 1e-6..=1e6;
        /// Precision of the products of large networks.
        pub products("numbers"): Products = Products::Single,
            Words(&[("single", Products::Single), ("bf16", Products::Bf16)]);
        /// Whether rows are replaced by symmetric states, each row by another symmetry.
        pub images: bool = false;
        /// Time between checkpoints.
        pub checkpoint: Duration = Duration::from_secs(300), Unit(units::duration);
    }
}

impl Walks {
    /// The end of one walk, as the only state of a list; none in a puzzle without goals.
    pub(super) fn end(&self, training_data: &dyn TrainingData, rng: &mut Rng) -> Box<dyn States> {
        let mut end = training_data.list();
        training_data.walk(&[self.draw(rng)], self.kind, rng, &mut *end);
        end
    }

    /// Draws the number of steps of a walk.
    pub(super) fn draw(&self, rng: &mut Rng) -> u64 {
        let all = (self.steps - self.least + 1) as f64;
        self.least + (all * rng.unit().powf(self.power)) as u64
    }
}

impl Schedule {
    /// Number of updates.
    pub(crate) fn updates(&self) -> u64 {
        self.examples.div_ceil(self.batch as u64)
    }
}

/// Training target of a state of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WalkTarget {
    /// Value iteration (DeepCubeA, Algorithm 1): 1 + the least estimate of the successors by the
    /// target network.
    Bellman,
    /// The same, but no more than the length of the walk.
    Clipped,
    /// The length of the walk, which is an upper bound.
    Length,
    /// The action that leads back along the walk, for a policy (EfficientCube).
    Step,
}

/// Origin of instances that are solved.
#[derive(Clone, Debug, PartialEq)]
pub enum Starts {
    /// A generator of the puzzle, by its spec.
    Generator(String),
    /// Ends of walks.
    Walks(Walks),
}

impl Fields for Starts {
    fn read(table: &mut Table<'_>) -> Option<Self> {
        match table.maybe::<Name>("starts")? {
            Some(generator) => Some(Self::Generator(generator.into_inner())),
            None => Walks::read(table).map(Self::Walks),
        }
    }
}

/// States of a solution that are examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// All states.
    Paths,
    /// Only the first state (the ANN-distance paper).
    Starts,
}

/// Training target of examples from solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Learn {
    /// Cost-to-go.
    Distances,
    /// Imitation: which successor of a state is the next state of the solution.
    Moves,
    /// Comparison: the state of a pair that is nearer to the goal.
    Order,
}

/// Rounding of a target network's estimates. The least of several noisy estimates is too low;
/// rounding removes noise that would otherwise add up from renewal to renewal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Round {
    /// No rounding.
    No,
    /// To whole numbers, as costs are whole numbers.
    Whole,
    /// To even or odd numbers, by the state's parity.
    Parity,
}

/// Loss that decides on a renewal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Window {
    /// Mean of the updates since the last check.
    Mean,
    /// Loss of the last batch (DeepCubeA's repository).
    Last,
}
