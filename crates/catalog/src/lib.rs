//! The catalogue: everything that is known by name, and how it fits together.
//!
//! | module | what it holds |
//! |---|---|
//! | [`spec`], [`bind`] | the spec language: `idastar(pdb(7-8))`, `tiles(goal=blank-first)` |
//! | [`registry`] | the lists of searches and heuristics, and the [`Registry`] of puzzles |
//! | [`instance`] | the erased [`AnyPuzzle`] and [`Instance`] |
//! | [`solver`] | which search runs with which heuristic on which puzzle |
//! | [`solving`] | a solve that is advanced in steps, paused and cancelled from outside |
//! | [`game`] | an instance that is played action by action |
//! | [`record`] | the record of one solved instance; the seal of the puzzle's checker |
//! | [`input`] | files of instances |
//! | [`documents`] | the generated `docs/algorithms.md` and `docs/puzzles.md` |
//! | [`units`] | durations, sizes, counts and ranges as people write them |
//! | [`score`] | which search runs with which play-out or bound on a score puzzle |
//! | [`work`] | files that describe long work: errors with their places |
//! | [`parallel`] | work on several threads, with results in order |
//! | [`learning`] | what a puzzle declares whose distances networks learn |
//! | `training data` | states to train networks on (feature `training data`) |
//! | [`validate`] | what a designer is told of an instance, as text and HTML |
//!
//! A solve is erased once, when [`Instance::solve`] is called; below that everything is monomorphised
//! over the puzzle, and depth-first searches also over the heuristic.

pub mod analysis;
pub mod assignment;
pub mod bind;
pub mod diagram;
pub mod documents;
pub mod ends;
pub mod family;
pub mod game;
pub mod goal;
pub mod heuristic;
pub mod input;
pub mod instance;
pub mod learning;
pub mod listed;
pub mod net;
#[cfg(feature = "cuda")]
mod on_gpu;
pub mod parallel;
pub mod record;
pub mod registry;
pub mod score;
pub mod searches;
pub mod solver;
pub mod solving;
pub mod spec;
#[cfg(feature = "training-data")]
pub mod training_data;
pub mod units;
pub mod validate;
pub mod work;

pub use assignment::Assignment;
pub use family::{Bare, Family, Generator, Models, Plain, Size, Variant};
pub use game::Game;
pub use goal::Goal;
pub use heuristic::{ErasedHeuristic, HeuristicOf, Setup};
pub use instance::{
    Aim, AnyPuzzle, Device, Events, Extensions, Frame, Incumbent, Instance, Measures, Networks,
    NoCertificate, Report, Request, Rng, SolveError, Status, Style, Visit,
};
pub use learning::Learning;
pub use listed::{Costs, ErasedInstance, Placings, Presentation, Preset, Scores, Solver};
pub use net::networks_of;
pub use record::{Record, solve};
pub use registry::Registry;
pub use score::Scored;
pub use spec::{Spec, SpecError};
pub use unriddle_core::{Budget, Cancel, Info, Limit, ParseError, Role, Stats};
pub use unriddle_tables as tables;
