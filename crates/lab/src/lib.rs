//! The lab: experiments as data, an embedded results database, reports beside the published figures.
//!
//! | module | what it holds |
//! |---|---|
//! | [`experiment`] | an experiment's TOML file, read and validated |
//! | [`references`] | published figures with their sources |
//! | [`attribute`] | what a report may show of a run: unit, scale, direction, statistic |
//! | [`plan`] | the runs that an experiment asks for, each with a key that says all that decides it |
//! | [`row`] | one recorded run |
//! | [`store`] | the results database (SQLite) and its exchange form (CSV) |
//! | [`runner`] | worker processes, their watch, and the loop that records what they did |
//! | [`peer`] | external programs on the same instances |
//! | [`report`] | tables and plots in Markdown and HTML |
//! | [`papers`] | pages with every table and figure of a paper, ours beside it |
//! | [`evolve`] | weights of heuristics by (co)evolution |
//! | [`tune`] | parameters of solvers of score puzzles and assignments by the Cross-Entropy Method |
//!
//! A run is known by its [`Key`](row::Key): a digest of everything that decides its result. An experiment
//! that is edited keeps the runs whose keys it still asks for; all others are kept apart.

pub mod attribute;
mod cell;
mod error;
pub mod evolve;
pub mod experiment;
mod folder;
mod key;
pub mod papers;
mod parallel;
pub mod peer;
pub mod plan;
mod reader;
pub mod references;
pub mod report;
pub mod row;
pub mod runner;
pub mod store;
#[cfg(feature = "train")]
pub mod train;
pub mod tune;
mod units;

pub use error::LabError;
pub use experiment::Experiment;
pub use key::Kept;
pub use papers::Paper;
pub use plan::Plan;
pub use report::{Judged, Verdict, claims};
pub use row::Row;
pub use store::Store;
