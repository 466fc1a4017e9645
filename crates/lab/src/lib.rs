//! The lab: experiments as data, an embedded results database, reports beside published figures.
//!
//! | module | contents |
//! |---|---|
//! | [`experiment`] | reads and validates an experiment's TOML file |
//! | [`references`] | published figures with their sources |
//! | [`attribute`] | attributes of runs: unit, scale, direction, statistic |
//! | [`plan`] | the runs that an experiment asks for, each with a key of everything that decides it |
//! | [`row`] | recorded run |
//! | [`store`] | results database (SQLite), files of results (CSV, compact) |
//! | [`runner`] | worker processes, their supervision, and the loop that records their results |
//! | [`peer`] | external programs on the same instances |
//! | [`report`] | tables and plots in Markdown and HTML |
//! | [`papers`] | pages with every table and figure of a paper beside our figures |
//!
//! A [`Key`](row::Key), a digest of everything that decides a run's result, identifies the run. An
//! experiment that is edited keeps the runs whose keys it still asks for; other runs are set apart.

#![forbid(unsafe_code)]

pub mod attribute;
mod cell;
mod error;
pub mod experiment;
mod key;
pub mod papers;
pub mod peer;
pub mod plan;
pub mod references;
pub mod report;
pub mod row;
pub mod runner;
pub mod store;
mod units;

pub use error::LabError;
pub use experiment::Experiment;
pub use key::build_of;
pub use papers::Paper;
pub use plan::Plan;
pub use report::{Judged, Verdict, claims};
pub use row::Row;
pub use store::Store;

use unriddle_catalog::work::reader;
