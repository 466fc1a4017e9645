//! Settings and limits of a server.

use std::{net::IpAddr, path::PathBuf, time::Duration};
use unriddle_catalog::validate::Points;

/// Settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address to listen at.
    pub address: IpAddr,
    /// Port to listen at; 0 for any free one.
    pub port: u16,
    /// Database of the results; `None` keeps the last ones in memory.
    pub results: Option<PathBuf>,
    /// Databases whose experiments are shown.
    pub lab: Vec<PathBuf>,
    /// Folders whose runs of training, tuning and evolution are shown.
    pub runs: Vec<PathBuf>,
    /// Identity of the program, for stored results.
    pub program: Program,
    /// Limits.
    pub limits: Limits,
}

/// Identity of a program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Version.
    pub version: String,
    /// Revision of the source.
    pub revision: String,
    /// Whether the source differs from the revision.
    pub is_modified: bool,
}

/// Limits of a server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Jobs that run at the same time.
    pub jobs: usize,
    /// Jobs that wait for others.
    pub waiting: usize,
    /// Memory of a job in bytes, tables included.
    pub memory: u64,
    /// Time of a job that asks for no time, tables included.
    pub time: Duration,
    /// Time of a job that asks for a time, tables included.
    pub longest: Duration,
    /// Time after which a job without listeners is cancelled.
    pub unheard: Duration,
    /// Time between two signs of life of a job.
    pub beat: Duration,
    /// Ended jobs that are kept.
    pub ended: usize,
    /// Time for which ended jobs are kept.
    pub kept: Duration,
    /// Events of a job from which a listener resumes.
    pub events: usize,
    /// Connections at the same time.
    pub connections: usize,
    /// Time in which a client sends the head of a request, or its body.
    pub patience: Duration,
    /// Draws points as SVG for the reports of designers.
    pub draw: fn(&Points) -> Option<String>,
}

impl Limits {
    /// Limits of a server that runs `jobs` jobs at the same time: they share half of the memory
    /// that is available now.
    #[must_use]
    pub fn new(jobs: usize) -> Self {
        const LEAST: u64 = 256 << 20;
        const UNKNOWN: u64 = 4 << 30;
        let jobs = jobs.max(1);
        let available = sysinfo::System::new().map_or(UNKNOWN, |mut system| {
            system.refresh_memory();
            // The limit of a control group is below the memory of the machine.
            let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
            system.available_memory().min(limit)
        });
        Self {
            jobs,
            waiting: 64,
            memory: (available / 2 / jobs as u64).max(LEAST),
            time: Duration::from_secs(600),
            longest: Duration::from_secs(3600),
            unheard: Duration::from_secs(30),
            beat: Duration::from_secs(10),
            ended: 64,
            kept: Duration::from_secs(600),
            events: 1000,
            connections: 512,
            patience: Duration::from_secs(30),
            draw: |_| None,
        }
    }
}
