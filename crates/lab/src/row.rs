//! One recorded run, flat: the same fields in the database, in CSV files and in reports.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use unriddle_catalog::{Record, Status as Solved};

/// A digest (XXH3, 128 bits) of everything that decides a run's result: suite, instance, puzzle, solver and
/// what it takes from elsewhere, seed, threads and limits. Written as 32 hexadecimal digits.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(into = "String", try_from = "String")]
pub struct Key(pub u128);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.to_string()
    }
}

impl TryFrom<String> for Key {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Key {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match u128::from_str_radix(text, 16) {
            Ok(key) if text.len() == 32 => Ok(Self(key)),
            _ => Err(format!("expected 32 hexadecimal digits, found \"{text}\"")),
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Solved, and proved optimal.
    Optimal,
    /// Solved.
    Solved,
    /// Proved to have no solution.
    Unsolvable,
    /// An incomplete search has nothing left to try.
    Exhausted,
    /// A limit was reached and the search ended of itself.
    Stopped,
    /// The run did not end of itself: see [`Failure`].
    Failed,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Optimal,
        Self::Solved,
        Self::Unsolvable,
        Self::Exhausted,
        Self::Stopped,
        Self::Failed,
    ];

    /// The word for records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Exhausted => "exhausted",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
        }
    }
}

/// Why a run did not end of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Failure {
    /// Its process ended (a signal, an abort) or it panicked.
    Crashed,
    /// It gave no sign of life for longer than the limit `hang`.
    Hung,
    /// Its process took more resident memory than the limit `resident`.
    Memory,
    /// Its process took much more CPU time than the limit `cpu`.
    Cpu,
    /// The solver does not fit the instance, or a table or program cannot be had.
    Refused,
}

impl Failure {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Crashed,
        Self::Hung,
        Self::Memory,
        Self::Cpu,
        Self::Refused,
    ];

    /// The word for records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Crashed => "crashed",
            Self::Hung => "hung",
            Self::Memory => "memory",
            Self::Cpu => "cpu",
            Self::Refused => "refused",
        }
    }

    /// Whether a limit of the experiment explains it.
    #[must_use]
    pub fn is_explained(self) -> bool {
        matches!(self, Self::Memory | Self::Cpu)
    }
}

/// A solution better than all before, and when it was found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Incumbent {
    /// CPU seconds since the search began.
    pub cpu_s: f64,
    /// States expanded so far.
    pub expanded: u64,
    /// Its value.
    pub value: i64,
}

/// One run. The order of the fields is that of the CSV columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Name of the experiment.
    pub experiment: String,
    /// Name of the suite.
    pub suite: String,
    /// Name of the instance in the suite.
    pub id: String,
    /// Spec of the puzzle.
    pub puzzle: String,
    /// Text of the instance.
    pub instance: String,
    /// Spec of the solver with all defaults, or `peer NAME`.
    pub solver: String,
    /// What the solver takes from elsewhere: the version of an external program, or the networks of our own
    /// with the hashes of their files, such as `tiles15 0a1b…`; else empty.
    pub peer_version: String,
    /// Seed, below 2⁶³.
    pub seed: u64,
    /// Threads inside the search.
    pub threads: u64,
    /// The limits in canonical form, such as `time=30s memory=4G`.
    pub limits: String,
    /// What decides the run.
    pub key: Key,

    /// Git revision of the program, or `unknown`.
    pub revision: String,
    /// Whether the program was built from files that differ from that revision.
    pub dirty: bool,
    /// Version of the program.
    pub version: String,
    /// The machine, in words.
    pub machine: String,
    /// When the run began: milliseconds since 1970 (UTC).
    pub started_ms: i64,

    /// How it ended.
    pub status: Status,
    /// The limit at which the search ended of itself: `time`, `memory`, `expansions`, `generated`,
    /// `cpu`.
    pub stopped_by: Option<String>,
    /// Why it did not end of itself.
    pub failure: Option<Failure>,
    /// More about the end, where there is more to say.
    pub reason: Option<String>,
    /// The objective of the best solution.
    pub value: Option<i64>,
    /// Number of its actions.
    pub length: Option<u64>,
    /// The solution in the puzzle's notation.
    pub solution: Option<String>,
    /// Best proved bound of the optimum: a lower one of costs, an upper one of scores.
    pub lower_bound: Option<i64>,
    /// The heuristic's estimate at the start.
    pub initial_h: Option<f64>,
    /// Whether the checker agrees; `None` without a solution.
    pub checked: Option<bool>,
    /// Who checked it.
    pub checked_by: Option<String>,
    /// States expanded; this and the next three are `None` where they would depend on timing.
    pub expanded: Option<u64>,
    /// States generated.
    pub generated: Option<u64>,
    /// States evaluated.
    pub evaluated: Option<u64>,
    /// States reopened.
    pub reopened: Option<u64>,
    /// CPU seconds of the search.
    pub cpu_s: Option<f64>,
    /// CPU seconds of loading or building tables and other preparations.
    pub setup_cpu_s: Option<f64>,
    /// Wall seconds of the search.
    pub wall_s: Option<f64>,
    /// Memory that the search accounted for, at its peak, in bytes.
    pub peak_accounted_bytes: Option<u64>,
    /// Resident memory of the process during the run, at its peak, in bytes (mapped tables included).
    pub peak_resident_bytes: Option<u64>,
    /// Better and better solutions over time.
    pub incumbents: Vec<Incumbent>,
}

impl Row {
    /// Whether the answer is proved: an optimum, or that there is no solution.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        self.checked != Some(false) && matches!(self.status, Status::Optimal | Status::Unsolvable)
    }

    /// Whether there is a solution that the checker agrees with.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.value.is_some() && self.checked == Some(true)
    }

    /// Whether the run ended without an answer because of a limit (its counters and times are then lower
    /// bounds of what an answer would have taken).
    #[must_use]
    pub fn is_censored(&self) -> bool {
        let by_limit =
            self.status == Status::Stopped || self.failure.is_some_and(Failure::is_explained);
        by_limit && !self.is_proved()
    }

    /// Whether something went wrong that no limit explains: a crash, a hang, a refusal, a solution that
    /// the checker does not accept.
    #[must_use]
    pub fn is_unexplained(&self) -> bool {
        self.checked == Some(false) || self.failure.is_some_and(|f| !f.is_explained())
    }

    /// Takes over what a solver's record says.
    pub(crate) fn take(&mut self, record: Record) {
        self.status = match record.status {
            Solved::Optimal => Status::Optimal,
            Solved::Solved => Status::Solved,
            Solved::Unsolvable => Status::Unsolvable,
            Solved::Exhausted => Status::Exhausted,
            Solved::Stopped => Status::Stopped,
            Solved::Unsupported => Status::Failed,
        };
        if record.status == Solved::Unsupported {
            self.failure = Some(Failure::Refused);
        }
        self.stopped_by = record.stopped_by;
        self.reason = record.reason;
        self.value = record.value;
        self.length = record.length.map(|l| l as u64);
        self.solution = record.solution;
        // A run has one column for both: which of them it is, its puzzle tells.
        self.lower_bound = record.lower_bound.or(record.upper_bound);
        self.initial_h = record.initial_h;
        self.checked = record.checked;
        self.checked_by = record.checked_by;
        self.expanded = record.expanded;
        self.generated = record.generated;
        self.evaluated = record.evaluated;
        self.reopened = record.reopened;
        self.cpu_s = Some(record.cpu_s);
        self.setup_cpu_s = Some(record.setup_cpu_s);
        self.wall_s = Some(record.wall_s);
        self.peak_accounted_bytes = Some(record.peak_bytes);
    }
}

impl Default for Row {
    /// An empty run, failed: what is known of it is filled in.
    fn default() -> Self {
        Self {
            experiment: String::new(),
            suite: String::new(),
            id: String::new(),
            puzzle: String::new(),
            instance: String::new(),
            solver: String::new(),
            peer_version: String::new(),
            seed: 0,
            threads: 1,
            limits: String::new(),
            key: Key::default(),
            revision: String::new(),
            dirty: false,
            version: String::new(),
            machine: String::new(),
            started_ms: 0,
            status: Status::Failed,
            stopped_by: None,
            failure: None,
            reason: None,
            value: None,
            length: None,
            solution: None,
            lower_bound: None,
            initial_h: None,
            checked: None,
            checked_by: None,
            expanded: None,
            generated: None,
            evaluated: None,
            reopened: None,
            cpu_s: None,
            setup_cpu_s: None,
            wall_s: None,
            peak_accounted_bytes: None,
            peak_resident_bytes: None,
            incumbents: Vec::new(),
        }
    }
}

/// Brings runs into an order that does not depend on when they were done: by experiment, suite, instance
/// (numbers by value), solver, seed.
pub fn sort(rows: &mut [Row]) {
    rows.sort_by(|a, b| {
        let id = |row: &Row| row.id.parse::<u64>().unwrap_or(u64::MAX);
        (
            &a.experiment,
            &a.suite,
            id(a),
            &a.id,
            &a.solver,
            a.seed,
            a.key,
        )
            .cmp(&(
                &b.experiment,
                &b.suite,
                id(b),
                &b.id,
                &b.solver,
                b.seed,
                b.key,
            ))
    });
}
