//! Recipes of training: the network, where its examples come from, and how it is trained.

use std::{path::PathBuf, time::Duration};
use unriddle_catalog::{
    Registry,
    training_data::{Backup, Narrow, TrainingData},
};
use unriddle_core::{Rng, Steps};
use unriddle_neural::{Architecture, Head, Precision, train::Products};

/// A recipe.
pub struct Recipe {
    /// Where its puzzle and its solvers are looked up.
    pub(crate) registry: Registry,
    /// Its text.
    pub text: String,
    /// What it is.
    pub title: String,
    /// The puzzle's spec.
    pub puzzle: String,
    /// The spec of the generator of the instances that the network is for.
    pub instances: String,
    /// How many instances walks begin in.
    pub levels: u64,
    /// The first of these instances.
    pub(crate) training_data: Box<dyn TrainingData>,
    /// The network.
    pub architecture: Architecture,
    /// Where its linear part begins, if that is a heuristic of the puzzle.
    pub linear: Option<Vec<f32>>,
    /// Whether units of the first layer share their weights, where each sees another image of a state.
    pub shared: bool,
    /// In which numbers the model is written.
    pub precision: Precision,
    /// The file of the model that training begins with; random weights if there is none.
    pub start: Option<PathBuf>,
    /// Trainings one after the other, each of which begins with the network of the one before.
    pub stages: Vec<Stage>,
}

/// One training.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Seed of everything random.
    pub seed: u64,
    /// Where its examples come from.
    pub sources: Vec<Entry>,
    /// The target network, where a source needs one.
    pub target: Option<Renewal>,
    /// How.
    pub schedule: Schedule,
}

/// A source of examples, and its part of every batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its share of the rows, relative to the others'.
    pub share: f64,
    /// Train on this source alone for the first `alone` updates.
    pub alone: u64,
    /// What it is.
    pub source: Source,
}

/// Where examples come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The ends of random walks back from goals.
    Walks {
        /// The walks.
        walks: Walks,
        /// Rows that are states of the same walk.
        per_walk: usize,
        /// What the network is to say of them.
        target: WalkTarget,
    },
    /// States that beams of the target network evaluate, from the ends of walks.
    Beams {
        /// The walks.
        walks: Walks,
        /// The beam.
        beam: Narrow,
        /// Keep one state in `every` as a row.
        every: usize,
    },
    /// States that a greedy walk by the target network meets, from the ends of walks (DeepCubeA's repository).
    Greedy {
        /// The walks.
        walks: Walks,
        /// Most steps of a greedy walk.
        steps: u64,
    },
    /// All states that a short search from the end of a walk expands, with targets backed up from its open states.
    Backups {
        /// The walks.
        walks: Walks,
        /// The search.
        backup: Backup,
    },
    /// Solutions of a solver, found before training begins.
    Solved {
        /// What is solved.
        solved: Solved,
        /// How many examples.
        states: u64,
        /// Which states of a solution are examples.
        keep: Keep,
        /// What is learned from them.
        learn: Learn,
    },
    /// Solutions of a solver, found beside the updates.
    Taught {
        /// What is solved.
        solved: Solved,
        /// How much.
        pool: Pool,
    },
    /// Solutions of the network's own beams, found beside the updates: bootstrapping.
    Own {
        /// How.
        own: Own,
        /// How much.
        pool: Pool,
    },
}

impl Source {
    /// Whether it asks the target network.
    #[must_use]
    pub fn needs_target(&self) -> bool {
        match self {
            Self::Walks { target, .. } => {
                matches!(target, WalkTarget::Bellman | WalkTarget::Clipped)
            }
            Self::Beams { .. } | Self::Greedy { .. } | Self::Backups { .. } | Self::Own { .. } => {
                true
            }
            Self::Solved { .. } | Self::Taught { .. } => false,
        }
    }

    /// The walks whose states, or whose ends, it begins with; `None` of one that solves random instances.
    #[must_use]
    pub fn walks(&self) -> Option<&Walks> {
        match self {
            Self::Walks { walks, .. }
            | Self::Beams { walks, .. }
            | Self::Greedy { walks, .. }
            | Self::Backups { walks, .. } => Some(walks),
            Self::Own { own, .. } => Some(&own.walks),
            Self::Solved { solved, .. } | Self::Taught { solved, .. } => match &solved.starts {
                Starts::Walks(walks) => Some(walks),
                _ => None,
            },
        }
    }

    /// Whether it says something that a network with such outputs learns.
    #[must_use]
    pub fn suits(&self, head: Head) -> bool {
        match (head, self) {
            (Head::Value, Self::Walks { target, .. }) => *target != WalkTarget::Step,
            (Head::Value, _) => true,
            (Head::Pair, source) => {
                matches!(source, Self::Solved { learn, .. } if *learn == Learn::Order)
            }
            (Head::Policy(_), Self::Walks { target, .. }) => *target == WalkTarget::Step,
            (Head::Policy(_), Self::Solved { keep, learn, .. }) => {
                *keep == Keep::Paths && *learn == Learn::Distances
            }
            (Head::Policy(_), Self::Taught { .. }) => true,
            (Head::Policy(_), _) => false,
            // Lengths teach values alone, for a stage behind which another teaches actions.
            (Head::ValueAndActions(_), Self::Walks { target, .. }) => *target != WalkTarget::Step,
            (_, Self::Walks { target, .. }) => {
                matches!(target, WalkTarget::Bellman | WalkTarget::Clipped)
            }
            (_, Self::Solved { keep, learn, .. }) => {
                *keep == Keep::Paths && *learn == Learn::Distances
            }
            (_, Self::Backups { .. }) => false,
            _ => true,
        }
    }

    /// Whether the network learns which of a few states is the nearest to the goal, and not how near it is.
    #[must_use]
    pub fn is_choice(&self) -> bool {
        matches!(self, Self::Solved { learn, .. } if *learn != Learn::Distances)
    }
}

/// Random walks back from goals.
#[derive(Clone, Debug, PartialEq)]
pub struct Walks {
    /// Most steps.
    pub steps: u64,
    /// Fewest steps.
    pub least: u64,
    /// The length of a walk is between `least` and `steps`, at a uniform number to this power of the way. The
    /// higher the power, the more walks are short.
    pub power: f64,
    /// Which steps they have.
    pub kind: Steps,
}

impl Walks {
    /// The number of steps of a walk.
    pub(super) fn draw(&self, rng: &mut Rng) -> u64 {
        let all = (self.steps - self.least + 1) as f64;
        self.least + (all * rng.unit().powf(self.power)) as u64
    }
}

/// What a network is to say of the end of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkTarget {
    /// One more than the least estimate of the successors by the target network: value iteration (DeepCubeA,
    /// Algorithm 1).
    Bellman,
    /// The same, but no more than the length of the walk.
    Clipped,
    /// The length of the walk, which is an upper bound.
    Length,
    /// The action that leads back along the walk, for a policy (EfficientCube).
    Step,
}

/// Instances that are solved.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// The solver's spec.
    pub solver: String,
    /// Instances that need more generated states than this are left out.
    pub nodes: Option<u64>,
    /// Where they come from.
    pub starts: Starts,
    /// The share of rows that are one action off the solution path.
    pub aside: f64,
    /// What instances that are proved to have no solution count as; without it they are left out.
    pub dead: Option<u32>,
    /// A start is up to `astray` random actions away from the end of its walk.
    pub astray: u64,
}

/// Where instances that are solved come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Starts {
    /// A generator of the puzzle, by its spec.
    Generator(String),
    /// Ends of walks.
    Walks(Walks),
}

/// Which states of a solution are examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All of them.
    Paths,
    /// The first alone (the ANN-distance paper).
    Starts,
}

/// What a network learns of solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learn {
    /// What is left to the goal.
    Distances,
    /// Imitation: which of the states that an action leads to is the next one.
    Moves,
    /// Which of two states is nearer to the goal.
    Order,
}

/// Examples that come and go during training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pool {
    /// Instances that are solved beside every round of updates.
    pub boards: u64,
    /// Instances that are solved before the first update.
    pub first: u64,
    /// Examples that are kept; the oldest make room.
    pub kept: usize,
}

/// How a network solves instances to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// States that the beam keeps of a layer.
    pub width: usize,
    /// The walks whose ends it solves.
    pub walks: Walks,
    /// Most steps of these walks at first; they grow to the walks' own as instances are solved.
    pub first: u64,
    /// By what share solutions may be longer than the network's estimate; `None` keeps all. A limit rejects
    /// just the instances whose estimate was too low.
    pub tolerance: Option<f64>,
    /// Actions of a solution after which the target network's estimate is added; `None` counts all of it.
    pub ahead: Option<u32>,
    /// The share of rows that are one action off the solution path.
    pub aside: f64,
}

/// When the network that targets are made with becomes the one that is trained.
#[derive(Clone, Debug, PartialEq)]
pub struct Renewal {
    /// Check every `every` updates whether to renew the target network.
    pub every: u64,
    /// The loss must be below this.
    pub below: f64,
    /// Which loss.
    pub loss: Window,
    /// Renew the target network after `at_most` updates in any case.
    pub at_most: u64,
    /// Targets follow from the target network's estimates of states `look_ahead` actions away.
    pub look_ahead: u32,
    /// Whether the target network is computed in bytes.
    pub in_bytes: bool,
    /// Whether it is the running average of the weights.
    pub averaged: bool,
    /// Whether it says 0 everywhere until it is renewed for the first time (DeepCubeA's repository).
    pub from_zero: bool,
    /// Whether the images of states are evaluated, too.
    pub images: bool,
    /// To what estimates are rounded.
    pub round: Round,
}

/// To what a target network's estimates are rounded: noise that is smaller than that does not add up from renewal to renewal,
/// as the least of several noisy estimates is too low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// They are not.
    No,
    /// Whole numbers, which costs are.
    Whole,
    /// Even or odd numbers, as the state's parity says.
    Parity,
}

/// Which loss decides on a renewal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// The mean of the updates since the last check.
    Mean,
    /// That of the last batch (DeepCubeA's repository).
    Last,
}

/// How the network is trained.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Rows of a batch.
    pub batch: usize,
    /// Examples in all.
    pub examples: u64,
    /// Learning rate at first and at the end; between them it falls like a cosine.
    pub rate: (f64, f64),
    /// Updates over which the learning rate rises from 0.
    pub warm_up: u64,
    /// Weight of an overestimate relative to an underestimate.
    pub over: f64,
    /// Weight of the loss of actions beside that of values, where a network has both.
    pub action_weight: f64,
    /// In which numbers the products of large networks are computed.
    pub products: Products,
    /// Whether rows are also replaced by their images, each row by another.
    pub images: bool,
    /// Time between checkpoints.
    pub checkpoint: Duration,
}

impl Schedule {
    /// Updates in all.
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.examples.div_ceil(self.batch as u64)
    }
}
