//! Unriddle for library users: a prelude of its crates, and the registry of its puzzles.
//!
//! A [`Registry`] finds a puzzle by its spec, the puzzle reads an instance from a text, a solver is
//! an expression, and a record holds the result after the solution has been replayed:
//!
//! ```
//! use unriddle::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let registry = unriddle::registry();
//! # if registry.families().is_empty() { return Ok(()) }
//! let (_, puzzle) = registry.puzzle("tiles")?;
//! let instance = puzzle.load("1 2 3  4 5 6  0 7 8")?;
//! let cache = Cache::new(None, 1, Policy::Reuse);
//! let solver = Spec::parse("astar(linear-conflict)")?;
//! let request = Request { seed: 1, ..Request::new(&solver, &cache) };
//! let record = solve(&registry, "easy", &puzzle.spec(), &*instance, &request, &mut ())?;
//! assert_eq!((record.status, record.value), (Status::Optimal, Some(2)));
//! assert_eq!(record.solution.as_deref(), Some("LL"));
//! assert_eq!(record.checked_by.as_deref(), Some("check"));
//! # Ok(())
//! # }
//! ```
//!
//! A program with a user-defined puzzle passes a registry with that puzzle to `cli::Program` and
//! gets the whole command line. The command line (feature `cli`) and the puzzles of this project
//! (feature `puzzles`) are default features.

#![forbid(unsafe_code)]

/// The programs of `docs/library.md`, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
pub struct LibraryGuide;

pub use unriddle_catalog as catalog;
pub use unriddle_check as check;
#[cfg(feature = "cli")]
pub use unriddle_cli as cli;
pub use unriddle_core as core;
pub use unriddle_evolve as evolve;
#[cfg(feature = "cli")]
pub use unriddle_lab as lab;
#[cfg(feature = "cli")]
pub use unriddle_learn as learn;
pub use unriddle_neural as neural;
pub use unriddle_search as search;
pub use unriddle_tables as tables;

use catalog::{Family, Registry};

/// Items that most programs need.
pub mod prelude {
    pub use unriddle_catalog::{
        Bare, Costs, ErasedHeuristic, ErasedInstance, Generator, Goal, HeuristicOf, Learning,
        Placings, Plain, Presentation, Preset, Scored, Scores, Setup, Size, Solver, Style, Variant,
        bind::Bound,
        ends::BothEnds,
        listed::plain_drawing,
        score::{BoundOf, PlayoutOf},
        solver::Runner,
    };
    pub use unriddle_catalog::{
        Family, Instance, Networks, Record, Registry, Request, Spec, Status, solve,
    };
    pub use unriddle_core::{
        Backward, BatchHeuristic, Bits, Blind, Coded, Cost, Estimate, Features, Guarantee, Info,
        Invertible, Layered, Learnable, Mobility, Notation, Numbers, Options, Parameter,
        ParseError, Playout, Purpose, Puzzle, Reversible, Role, Score, SearchError, Selective,
        StateValue, Unfiltered, UpperBound, Weighted, options, text, words,
    };
    pub use unriddle_core::{
        Budget, Cancel, GoalPuzzle, Heuristic, Limit, Outcome, Rng, ScorePuzzle, Search, Stats, run,
    };
    pub use unriddle_tables::{Cache, Database, Pattern, Places, cache::Policy};
}

/// The puzzles that come with the program.
#[cfg(feature = "puzzles")]
pub const FAMILIES: &[&Family] = &[
    &unriddle_tiles::FAMILY,
    &unriddle_freecell::FAMILY,
    &unriddle_samegame::FAMILY,
    &unriddle_morpion::FAMILY,
    &unriddle_party::FAMILY,
    &unriddle_party::qap::FAMILY,
    &unriddle_hanoi::FAMILY,
    &unriddle_lightsout::FAMILY,
    &unriddle_cube::FAMILY,
    &unriddle_sokoban::FAMILY,
    &unriddle_permutation::FAMILY,
];

/// Empty list: built without the feature `puzzles`.
#[cfg(not(feature = "puzzles"))]
pub const FAMILIES: &[&Family] = &[];

/// The registry of [`FAMILIES`].
#[must_use]
pub fn registry() -> Registry {
    Registry::new(FAMILIES.iter().copied()).expect("every puzzle of the list has its own name")
}
