//! The catalogue: everything that has a name, and how it fits together.
//!
//! The modules of this crate are on floors. A module imports only from its own floor and from the
//! floors below:
//!
//! | floor | contents |
//! |---|---|
//! | ground | the spec language: [`spec`], [`bind`]; [`units`], [`work`], [`parallel`] |
//! | `interface` | values of a solve and object-safe traits: [`instance`], [`game`], [`diagram`] |
//! | `declare` | declarations of a puzzle: [`goal`], [`score`], [`assignment`], [`listed`] |
//! | `solve` | declarations become solves: which search runs with which heuristic on which puzzle |
//! | `present` | [`family`], [`registry`], [`record`], [`validate`], [`review`], [`documents`], [`solving`] |
//!
//! A solve is type-erased once, when [`Instance::solve`] is called; below that call all code is
//! monomorphised over the puzzle, and depth-first searches also over the heuristic.

#![forbid(unsafe_code)]

pub mod bind;
mod declare;
mod interface;
pub mod parallel;
mod present;
mod solve;
pub mod spec;
pub mod units;
pub mod work;

#[cfg(feature = "arrays")]
pub use interface::arrays;
#[cfg(feature = "training-data")]
pub use interface::instance::training_data;
pub use {
    declare::{assignment, ends, goal, heuristic, learning, score, solver, view},
    interface::{accuracy, board, diagram, game, sheet},
    present::{analysis, documents, family, input, record, review, solving, validate},
    solve::{net, searches},
};

/// Object-safe traits of puzzles and instances, and the values that their methods exchange.
pub mod instance {
    pub use crate::interface::{
        instance::*,
        pending::{PendingSolve, finish, pause, poll},
        values::*,
    };
}

/// Declarations that puzzles of all three aims have in common.
pub mod listed {
    pub use crate::{
        declare::{
            listed::*,
            solver::{RunOf, Solver},
        },
        interface::diagram::plain_drawing,
        solve::erased::ErasedInstance,
    };
}

/// The lists: every puzzle, search and heuristic by name.
pub mod registry {
    pub use crate::present::{
        describe::{describe, summary},
        registry::*,
    };
}

pub use assignment::Assignment;
pub use family::{Bare, Family, Form, Generator, Plain, Size, Variant};
pub use game::Game;
pub use goal::Goal;
pub use heuristic::{ErasedHeuristic, HeuristicOf, Setup};
pub use instance::{
    Aim, AnyPuzzle, Device, Events, Extensions, Frame, Incumbent, Instance, Measures, Models,
    Networks, NoCertificate, PendingSolve, Report, Request, Rng, SolveError, Status, Style, Visit,
};
pub use interface::files::{Configure, Files};
pub use learning::Learning;
pub use listed::{Costs, ErasedInstance, Placings, Presentation, Preset, Scores, Solver};
pub use net::{network_names, networks_of};
pub use record::{Record, solve};
pub use registry::{Objection, Registry};
pub use score::Scored;
pub use spec::{Spec, SpecError};
pub use unriddle_core::{Budget, Cancel, Info, Limit, ParseError, Role, Stats};
pub use unriddle_core::{journal, ranks};
#[doc(hidden)]
pub use unriddle_neural::packed::provide;
pub use unriddle_tables as tables;

/// The bytes of a network that is part of the program. A module for browsers has no networks: its
/// host loads them one by one.
///
/// ```ignore
/// static NETWORKS: [(&str, &[u8]); 1] = [("mine", embedded!("../models/mine.safetensors.gz"))];
/// ```
#[macro_export]
macro_rules! embedded {
    ($path:literal) => {{
        #[cfg(not(target_family = "wasm"))]
        const BYTES: &[u8] = include_bytes!($path);
        #[cfg(target_family = "wasm")]
        const BYTES: &[u8] = &[];
        BYTES
    }};
}
