//! Vocabulary of `unriddle`: the traits of puzzles and heuristics, limits of runs, and outcomes.
//!
//! Puzzles (`crates/puzzles`) and searches (`unriddle-search`) never see each other; both know only
//! these traits. A search names the *abilities* that it needs in its bounds ([`ability`]), never a
//! concrete puzzle. Everything here is resolved at compile time: no call on a search's hot path is
//! virtual.
//!
//! | module | content |
//! |---|---|
//! | [`puzzle`] | [`Puzzle`], [`GoalPuzzle`], [`ScorePuzzle`] |
//! | [`ability`] | optional abilities: [`Reversible`], [`Backward`], [`Ranked`], [`Symmetric`], [`Vicinity`], [`Features`], [`Notation`] |
//! | [`error`] | [`SearchError`] |
//! | [`invertible`] | [`Invertible`]: states with inverses at the same distance from the goal |
//! | [`goal_distances`] | [`GoalDistances`]: exact distances of states near the goal |
//! | [`learnable`] | [`Learnable`]: requirements of network training on a puzzle; [`Walk`]s back from its goal |
//! | [`heuristic`] | [`Heuristic`], [`BatchHeuristic`], [`Guarantee`] |
//! | [`budget`] | [`Budget`], [`Limit`], [`Cancel`] |
//! | [`clock`] | wall time and CPU time |
//! | [`outcome`] | [`Outcome`], [`Solution`], [`Stats`], [`Observer`] |
//! | [`search`] | [`Search`] and the driver [`run`] |
//! | [`journal`] | [`Journal`](journal::Journal): finished pieces of a long search, kept outside of its process |
//! | [`parallel`](mod@parallel) | [`parallel::map`]: parallel maps with results in the order of the items |
//! | [`playout`] | [`Playout`], [`Selective`], [`Coded`]: playing score puzzles to their end, tabus, and policies that learn |
//! | [`layers`] | [`Layered`], [`StateValue`]: score puzzles whose states come in layers, and estimates of them |
//! | [`regret`] | [`Regret`]: a score puzzle as a goal puzzle |
//! | [`space`] | [`Space`], [`Breed`], [`Direction`]: candidates that are not paths, and how they are varied |
//! | [`info`] | [`Info`]: declarations that parser, help and documents share |
//! | [`options`](mod@options) | [`options!`], [`words!`], [`Options`]: options, each declared in one line |
//! | [`number`] | [`Number`](number::Number): numbers as people write them |
//! | [`rows`] | [`Rows`]: states as rows of bytes, the form in which arrays hold them |
//! | [`rng`] | [`Rng`]: seeded randomness, the same bytes for ever |

#![forbid(unsafe_code)]

pub mod ability;
pub mod budget;
pub mod clock;
pub mod error;
pub mod goal_distances;
pub mod heuristic;
pub mod info;
pub mod invertible;
pub mod journal;
pub mod layers;
pub mod learnable;
pub mod number;
pub mod options;
pub mod outcome;
pub mod parallel;
pub mod playout;
pub mod puzzle;
pub mod ranks;
pub mod regret;
pub mod rng;
pub mod rows;
pub mod search;
mod slice;
pub mod space;
pub mod text;
mod toy;

pub use ability::{
    Backward, Features, NearKeys, Notation, ParseError, Ranked, Reversible, Symmetric, Vicinity,
    Window,
};
pub use budget::{Budget, Cancel, Limit};
pub use error::{InconsistentEdge, MAX_STATE_BYTES, SearchError};
pub use goal_distances::GoalDistances;
pub use heuristic::{
    BatchHeuristic, Blind, Estimate, Feature, Guarantee, Heuristic, Row, Scalar, Successor,
    Weighted,
};
pub use info::{Domain, Info, Parameter, Role};
pub use invertible::{InverseStep, Inverses, Invertible};
pub use layers::{Layered, Mobility, StateValue};
pub use learnable::{Learnable, Linear, Part, Purpose, Steps, Walk};
pub use options::{Given, Options};
pub use outcome::{Observer, Outcome, Solution, Stats, TreeShape};
pub use playout::{Coded, Filtered, Greedy, Playout, Selective, Unfiltered, Uniform};
pub use puzzle::{Action, Bits, Cost, GoalPuzzle, Numbers, Puzzle, Score, ScorePuzzle, State};
pub use regret::{Regret, UpperBound};
pub use rng::Rng;
pub use rows::Rows;
pub use search::{Progress, Quota, Run, Search, run};
pub use space::{Breed, Direction, Space, SpaceError};
