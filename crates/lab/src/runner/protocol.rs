//! What a worker process and the lab say to each other: one JSON object per line.

use crate::{experiment::Limits, row::Row};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A worker refuses a lab of another version of this protocol: both are the same program, unless it was
/// replaced meanwhile.
pub(super) const PROTOCOL: u32 = 3;

/// A run to be done.
#[derive(Serialize, Deserialize)]
pub(super) struct Job {
    /// All that is known of it; comes back with its result.
    pub(super) row: Row,
    /// Its limits.
    pub(super) limits: Limits,
    /// Whether networks are computed on a GPU.
    pub(super) is_on_gpu: bool,
    /// The description of the external program, for a peer.
    pub(super) peer: Option<PathBuf>,
}

/// What a worker says.
#[derive(Serialize, Deserialize)]
pub(super) enum Message {
    /// It has started.
    Ready(u32),
    /// It is still at work.
    Alive,
    /// The preparations are over: from now on the limit of CPU time counts.
    Searching,
    /// It waits for another process, which may take its time.
    Waiting,
    /// Something that people want to know.
    Note(String),
    /// A run has ended.
    Done(Box<Row>),
}
