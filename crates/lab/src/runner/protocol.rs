//! Messages between a worker process and the lab: one JSON object per line.

use crate::{experiment::Limits, row::Row};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Version of the protocol. The lab refuses a worker of another version, which means that the
/// program was replaced while the lab runs.
pub(super) const PROTOCOL: u32 = 3;

/// Run to be done.
#[derive(Serialize, Deserialize)]
pub(super) struct Job {
    /// Known fields; the worker returns the row with its result.
    pub(super) row: Row,
    /// Limits.
    pub(super) limits: Limits,
    /// Whether networks are computed on a GPU.
    pub(super) is_on_gpu: bool,
    /// Description of the external program, for a peer.
    pub(super) peer: Option<PathBuf>,
}

/// Message of a worker.
#[derive(Serialize, Deserialize)]
pub(super) enum Message {
    /// The worker has started, with this version of the protocol.
    Ready(u32),
    /// Sign of life.
    Alive,
    /// The preparations have ended: the limit of CPU time counts from now on.
    Searching,
    /// The worker waits for another process, for an unlimited time.
    Waiting,
    /// Note for the user.
    Note(String),
    /// A run has ended.
    Done(Box<Row>),
}
