//! The searches that every puzzle of an aim has, by name.
//!
//! A search of goal puzzles is a variant of `GoalSearch`, one of score puzzles of `ScoreSearch`: a
//! search that is listed and not wired does not compile.

use super::prove;
use unriddle_core::Info;
use unriddle_search::{
    astar, beam, bfs, bwas, dbs, deepening, greedy, idastar, idtt, layers, levin, lns, nmcs, nrpa,
    spmcts, staged, windows,
};

/// Declares an enumeration of searches with their declarations: the list, and the search of a
/// declaration.
macro_rules! searches {
    ($(#[$meta:meta])* $name:ident { $($search:ident = $module:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name {
            $($search),*
        }

        impl $name {
            /// Their declarations.
            pub(crate) const INFOS: &'static [&'static Info] = &[$(&$module::INFO),*];

            /// The search of a name.
            pub(crate) fn of(name: &str) -> Option<Self> {
                const ALL: &[$name] = &[$($name::$search),*];
                let at = Self::INFOS.iter().position(|info| info.name == name)?;
                Some(ALL[at])
            }
        }
    };
}

searches! {
    /// A search of goal puzzles.
    GoalSearch {
        IdaStar = idastar,
        Idtt = idtt,
        Deepening = deepening,
        AStar = astar,
        Greedy = greedy,
        Bwas = bwas,
        Levin = levin,
        Beam = beam,
        Staged = staged,
        Bfs = bfs,
        Windows = windows,
        Prove = prove,
    }
}

searches! {
    /// A search of only score puzzles.
    ScoreSearch {
        Spmcts = spmcts,
        Nrpa = nrpa,
        Nmcs = nmcs,
        Dbs = dbs,
        Layers = layers,
        Lns = lns,
    }
}

searches! {
    /// A search of goal puzzles that also runs on score puzzles, as a loss against an upper bound.
    RegretSearch {
        AStar = astar,
        IdaStar = idastar,
    }
}

/// Searches of goal puzzles.
pub const GOAL_SEARCHES: &[&Info] = GoalSearch::INFOS;

/// Searches of only score puzzles.
pub const SCORE_SEARCHES: &[&Info] = ScoreSearch::INFOS;

/// All searches.
pub fn searches() -> impl Iterator<Item = &'static Info> {
    GOAL_SEARCHES.iter().chain(SCORE_SEARCHES).copied()
}
