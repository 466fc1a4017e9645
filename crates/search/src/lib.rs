//! Searches of `unriddle`, one file each, generic over the puzzle.
//!
//! | search | optimal | memory | module |
//! |---|---|---|---|
//! | breadth-first (uniform cost) | yes | all states | [`bfs`] |
//! | iterative-deepening A* | with an admissible heuristic | a path | [`idastar`] |
//! | iterative deepening with a transposition table | with an admissible heuristic | bounded | [`idtt`] |
//! | iterative deepening by cost, ordered successors | yes | bounded | [`deepening`] |
//! | A*, weighted A* | with an admissible heuristic; within a factor | all states | [`astar`] |
//! | greedy best-first | no | all states | [`greedy`] |
//! | greedy best-first, by comparisons of two states | no | all states | [`pairwise`] |
//! | batch weighted A* | no | all states | [`bwas`] |
//! | batch weighted Q*, by estimates of actions | no | all states | [`qbwas`] |
//! | Levin tree search, by a policy | no | all states | [`levin`] |
//! | beam | no | the beam | [`beam`] |
//! | beam by estimates of actions | no | the beam | [`qbeam`] |
//! | bidirectional beam | no | the beam | [`bidirectional`] |
//! | beams, each wider than the previous one | no | the widest beam | [`widening`] |
//! | views of a problem side by side | no | a search for each view | [`views`] |
//! | staged deepening | no | the open list and a bounded table | [`staged`] |
//! | parts of a path solved again | no | states near the path | [`windows`] |
//!
//! Searches of score puzzles by play-outs (an expansion is a play-out):
//!
//! | search | optimal | memory | module |
//! |---|---|---|---|
//! | single-player Monte-Carlo tree search | when the tree was explored completely | a node per play-out | [`spmcts`] |
//! | nested Monte-Carlo | no | a line for each level | [`nmcs`] |
//! | depth-budgeted | where the budget covers the tree | a path | [`dbs`] |
//! | nested roll-out policy adaptation | no | a policy for each level | [`nrpa`] |
//! | beam layered by the layers of states | where no state was cut off | the beam | [`layers`] |
//! | re-search of the rest of the best line | no | the inner search | [`lns`] |
//! | searches one after another | if one of them does | the current search | [`relay`] |
//!
//! Data structures of the searches, for user-defined searches:
//!
//! | structure | module |
//! |---|---|
//! | memory accounting: every growth is requested | [`memory`] |
//! | nodes: states with actions and records, found by state | [`nodes`] |
//! | a set of states that is emptied at no cost | [`visited`] |
//! | node numbers by priority | [`open`] |
//! | node numbers by hash | [`index`] |
//! | a bounded transposition table | [`table`] |
//! | an array that never moves its items | [`chunked`] |
//! | a type-erased heuristic with its memos | [`memos`] |
//!
//! # Example
//!
//! Two jugs of 3 and 5 litres and a tap: the fewest steps to 4 litres. A puzzle is a type with two
//! traits, a heuristic a function with its guarantee, and a search a value that [`run`] drives
//! under a budget. The solution is proved optimal, because the guarantee allows the proof.
//!
//! ```
//! use unriddle_core::{
//!     Bits, Budget, Cost, Estimate, GoalPuzzle, Guarantee, Puzzle, Scalar, run,
//! };
//! use unriddle_search::astar::{AStar, AStarConfig};
//!
//! struct Jugs;
//!
//! /// Litres in the jugs.
//! type Litres = [u8; 2];
//! const FULL: Litres = [3, 5];
//!
//! impl Puzzle for Jugs {
//!     type State = Litres;
//!     /// Fill a jug (0, 1), empty it (2, 3), or pour it into the other (4, 5).
//!     type Action = u8;
//!     type Actions = Bits<u64>;
//!
//!     fn initial_state(&self) -> Litres {
//!         [0, 0]
//!     }
//!     fn actions(&self, _: &Litres) -> Bits<u64> {
//!         Bits(0b11_1111)
//!     }
//!     fn apply(&self, litres: &Litres, action: u8) -> Litres {
//!         let mut after = *litres;
//!         let jug = usize::from(action % 2);
//!         let other = 1 - jug;
//!         match action {
//!             0 | 1 => after[jug] = FULL[jug],
//!             2 | 3 => after[jug] = 0,
//!             _ => {
//!                 let poured = litres[jug].min(FULL[other] - litres[other]);
//!                 after[jug] -= poured;
//!                 after[other] += poured;
//!             }
//!         }
//!         after
//!     }
//! }
//!
//! impl GoalPuzzle for Jugs {
//!     fn is_goal(&self, litres: &Litres) -> bool {
//!         litres.contains(&4)
//!     }
//! }
//!
//! // A step is left while there is no goal.
//! let step = |jugs: &Jugs, litres: &Litres| Some(Cost::from(!jugs.is_goal(litres)));
//! let heuristic = Scalar(Estimate::new(Guarantee::Consistent, step));
//! let mut search = AStar::new(&Jugs, &heuristic, AStarConfig::default())?;
//! let outcome = run(&mut search, &Budget::default(), &mut ())?;
//!
//! assert!(outcome.is_optimal());
//! assert_eq!(outcome.best().unwrap().actions, [1, 5, 2, 5, 1, 5]);
//! # Ok::<(), unriddle_core::SearchError>(())
//! ```
//!
//! [`run`]: unriddle_core::run
//!
//! Every search is a struct with a configuration, an `INFO` declaration and an implementation of
//! [`unriddle_core::Search`]. It can be suspended after any expansion and resumed, never lets its
//! accounted structures grow beyond the quota's bytes, and expands the same states in the same
//! order however its work is divided. Identity of states is `Eq` everywhere.
//!
//! # Speed
//!
//! IDA* ([`idastar`]) holds the top frame in registers and the other frames on an explicit stack,
//! which is copied field by field. Actions are a bit set from which the inverse of the last action
//! is removed.

#![forbid(unsafe_code)]

pub mod astar;
pub mod automaton;
pub mod beam;
pub mod bfs;
pub mod bidirectional;
pub mod bwas;
pub mod chunked;
pub mod dbs;
pub mod deepening;
pub mod estimates;
pub mod greedy;
pub mod idastar;
pub mod idtt;
pub mod index;
pub mod layers;
pub mod levin;
pub mod lns;
pub mod memory;
pub mod memos;
pub mod nmcs;
pub mod nodes;
pub mod nrpa;
pub mod open;
pub mod pairwise;
pub mod qbeam;
pub mod qbwas;
pub mod relay;
pub mod spmcts;
pub mod spread;
pub mod staged;
pub mod table;
pub mod views;
pub mod visited;
pub mod widening;
pub mod windows;

mod best_first;
mod evaluate;
mod guard;
mod layered_beam;
mod lines;
mod pace;
mod report;
mod roots;
mod tabled;
mod threads;
mod trace;
mod turns;
mod weights;

pub use turns::Inner;
