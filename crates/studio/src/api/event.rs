//! Events of a job.

use super::refusal::Refusal;
use serde::Serialize;
use unriddle_catalog::{Record, review::Review, validate::Validation};

/// Values of other crates in the description of the requests.
#[cfg(test)]
type Object = serde_json::Map<String, serde_json::Value>;

/// Something that happened during a job.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Event {
    /// The job was begun.
    Begun {
        /// Normal form of its solver.
        solver: String,
    },
    /// A better solution was found.
    Improved {
        /// Its value.
        value: i64,
        /// Number of its actions.
        length: usize,
        /// The solution.
        solution: String,
        /// Expanded states at that time.
        expanded: u64,
        /// Seconds since the job began.
        seconds: f64,
    },
    /// A better bound was proved.
    Bound {
        /// The bound.
        bound: i64,
        /// Whether it is an upper bound of a score.
        upper: bool,
        /// Expanded states at that time.
        expanded: u64,
        /// Seconds since the job began.
        seconds: f64,
    },
    /// Counters, while the job runs.
    Stats {
        /// Expanded states.
        expanded: u64,
        /// Generated states.
        generated: u64,
        /// Seconds since the job began.
        seconds: f64,
        /// Current work, such as the building of a table.
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// The review so far.
    Review {
        /// The review; positions that were not searched yet are unknown.
        #[cfg_attr(test, schemars(with = "Object"))]
        review: Box<Review>,
        /// Number of searched positions.
        done: usize,
        /// Number of positions.
        of: usize,
    },
    /// A report on an instance.
    Validated {
        /// The report.
        #[cfg_attr(test, schemars(with = "Object"))]
        validation: Box<Validation>,
        /// The report as a page.
        html: String,
        /// Number of reports so far.
        done: usize,
        /// Number of instances.
        of: usize,
    },
    /// The job has ended; no event follows.
    Ended {
        /// Checked record of a solve.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, schemars(with = "Option<Object>"))]
        record: Option<Box<Record>>,
        /// Reason of a failure.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<Refusal>,
        /// Whether the job was cancelled.
        cancelled: bool,
    },
    /// The job still runs; for connections that would be closed otherwise.
    Beat {},
}
