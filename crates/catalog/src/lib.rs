//! The catalogue: everything that is known by name, and how it fits together.
//!
//! | module | what it holds |
//! |---|---|
//! | [`spec`], [`bind`] | the spec language: `idastar(pdb(7-8))`, `tiles(goal=blank-first)` |
//! | [`registry`] | the lists of puzzles, searches, heuristics, and their descriptions |
//! | [`instance`] | the erased [`Puzzle`] and [`Instance`] |
//! | [`solver`] | which search runs with which heuristic on which puzzle |
//! | [`record`] | the record of one solved instance; the seal of the independent checker |
//! | [`input`] | files of instances |
//! | [`documents`] | the generated `docs/algorithms.md` and `docs/puzzles.md` |
//! | [`units`] | durations, sizes, counts and ranges as people write them |
//! | [`score`] | which search runs with which play-out or bound on a score puzzle |
//! | [`parallel`] | work on several threads, with results in order |
//! | [`validate`] | what a designer is told of an instance, as text and HTML |
//! | [`tiles`], [`freecell`], [`samegame`], [`party`], [`qap`] | the puzzles |
//!
//! A solve is erased once, when [`Instance::solve`] is called; below that everything is monomorphised
//! over the puzzle, and depth-first searches also over the heuristic.

pub mod bind;
pub mod documents;
pub mod freecell;
pub mod input;
pub mod instance;
mod net;
pub mod parallel;
pub mod party;
pub mod qap;
pub mod record;
pub mod registry;
pub mod samegame;
pub mod score;
pub mod solver;
pub mod spec;
pub mod tiles;
pub mod units;
pub mod validate;

pub use instance::{
    Aim, Device, Events, Frame, Instance, Networks, NoCertificate, Preset, Puzzle, Report, Request,
    Rng, Size, SolveError, Status, Style,
};
pub use net::networks_of;
pub use record::{Record, solve};
pub use spec::{Spec, SpecError};
pub use unriddle_core::{Budget, Cancel, Info, Limit, ParseError, Role, Stats};
pub use unriddle_tables as tables;
