//! Training of cost-to-go networks: `unriddle train`.
//!
//! A recipe names a puzzle, a generator of its instances, the network, the sources of its examples
//! and the training schedule. The puzzle must be [`Learnable`](unriddle_core::Learnable). Batches
//! are made in parallel with the updates. Each batch follows from its number, so the result does
//! not depend on the number of threads. Sources are random walks with value iteration or their
//! lengths as targets, states that searches expand, solutions of a solver, and the network's own
//! solutions. Each source has a share of every batch.
//!
//! A run has a folder with the recipe, examples, two complete checkpoints (written alternately, so
//! that a full disk leaves a good one), a log with losses and the share of walks that a greedy
//! search solves by their length, and the present model. A run that was killed resumes from its
//! last checkpoint. A recipe of several stages has a folder for each stage; each stage begins with
//! the network of the one before.
//!
//! References: V. Cahlík and P. Surynek, "On the Design of a Heuristic based on Artificial Neural
//! Networks for the Near Optimal Solving of the (N²–1)-puzzle", NCTA 2019; F. Agostinelli, S.
//! McAleer, A. Shmakov, P. Baldi, "Solving the Rubik's cube with deep reinforcement learning and
//! search", Nature Machine Intelligence 1 (2019).

mod checkpoint;
mod failure;
mod instances;
mod log;
mod margin;
mod prepare;
mod read;
mod recipe;
mod run;
mod source;
mod target;
mod teacher;
mod worker;

pub use log::Line;
pub use recipe::{
    BackupSource, BeamSource, GreedySource, Keep, Learn, Own, OwnSource, PoolSize, Recipe, Renewal,
    Round, Schedule, Solved, SolvedSource, Source, SourceShare, Stage, Starts, TaughtSource,
    WalkSource, WalkTarget, Walks, Window,
};
pub use run::{TrainContext, train};
