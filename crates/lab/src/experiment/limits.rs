//! Limits of a run.

use serde::{Deserialize, Serialize};
use std::{fmt, time::Duration};

/// Limits of one run. The search ends of itself at the first five and keeps its best solution; the
/// last two end its process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time of the search.
    pub time: Option<Duration>,
    /// CPU time of the search.
    pub cpu: Option<Duration>,
    /// Memory that the search and its heuristic account for, in bytes.
    pub memory: Option<u64>,
    /// States expanded.
    pub expansions: Option<u64>,
    /// States generated.
    pub generated: Option<u64>,
    /// Resident memory of the process, in bytes.
    pub resident: Option<u64>,
    /// Time without a sign of life.
    pub hang: Option<Duration>,
}

impl Limits {
    /// These limits, completed by the limits of `others`.
    #[must_use]
    pub fn or(&self, others: &Self) -> Self {
        Self {
            time: self.time.or(others.time),
            cpu: self.cpu.or(others.cpu),
            memory: self.memory.or(others.memory),
            expansions: self.expansions.or(others.expansions),
            generated: self.generated.or(others.generated),
            resident: self.resident.or(others.resident),
            hang: self.hang.or(others.hang),
        }
    }
}

impl fmt::Display for Limits {
    /// The canonical form: `time=30s memory=4294967296`, empty without limits. Limits that only
    /// guard against a broken program (`resident`, `hang`) are not part of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |d: Duration| format!("{}s", d.as_secs_f64());
        let parts = [
            ("time", self.time.map(seconds)),
            ("cpu", self.cpu.map(seconds)),
            ("memory", self.memory.map(|n| n.to_string())),
            ("expansions", self.expansions.map(|n| n.to_string())),
            ("generated", self.generated.map(|n| n.to_string())),
        ];
        let parts =
            parts.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?)));
        f.write_str(&parts.collect::<Vec<_>>().join(" "))
    }
}
