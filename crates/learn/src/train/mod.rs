//! Training of cost-to-go networks: `unriddle train`.
//!
//! A recipe names a puzzle, a generator of its instances, the network, the sources of its examples and how it is trained.
//! Any puzzle will do that is [`Learnable`](unriddle_core::Learnable). Batches are made in parallel with the updates: each
//! follows from its number alone, so that any number of threads makes the same. Sources are random walks with value
//! iteration or their lengths as targets, states that searches meet, solutions of a solver, and the network's own
//! solutions; a batch takes a share of each.
//!
//! A run lives in a folder: the recipe, examples, checkpoints of everything (two, written in turn, so that a full disk
//! leaves a good one), a log with losses and the share of walks that a greedy search solves by their length, and the model
//! so far. Killed at any moment it goes on from its last checkpoint. A recipe of several stages has a folder for each;
//! each begins with the network of the one before.
//!
//! References: V. Cahlík and P. Surynek, "On the Design of a Heuristic based on Artificial Neural Networks for the Near
//! Optimal Solving of the (N²–1)-puzzle", NCTA 2019; F. Agostinelli, S. McAleer, A. Shmakov, P. Baldi, "Solving the
//! Rubik's cube with deep reinforcement learning and search", Nature Machine Intelligence 1 (2019).

mod checkpoint;
mod failure;
mod instances;
mod log;
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
