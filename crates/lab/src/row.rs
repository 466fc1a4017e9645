//! Recorded run as a flat row: the same fields in the database, in CSV files and in reports.

use crate::cell::{Cell, Cells, Column, csv_as_displayed};
use rusqlite::types::{Value, ValueRef};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt, str::FromStr};
use unriddle_catalog::{Record, Status as Solved};

/// Digest (XXH3, 128 bits) of everything that decides a run's result: suite, instance, puzzle, the
/// solver's options that differ from the defaults, the versions of the declarations involved, the
/// networks or the version of an external program, seed, threads and limits. Written as 32
/// hexadecimal digits.
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

/// Final status of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    /// The search stopped regularly because it reached a limit.
    Stopped,
    /// The run did not end regularly: see [`Failure`].
    #[default]
    Failed,
}

impl Status {
    /// All values.
    pub const ALL: [Self; 6] = [
        Self::Optimal,
        Self::Solved,
        Self::Unsolvable,
        Self::Exhausted,
        Self::Stopped,
        Self::Failed,
    ];

    /// Word in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["optimal", "solved", "unsolvable", "exhausted", "stopped", "failed"][self as usize]
    }
}

/// Reason why a run did not end regularly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Failure {
    /// Its process ended (a signal, an abort) or it panicked.
    Crashed,
    /// It sent no sign of life for longer than the limit `hang`.
    Hung,
    /// Its process took more resident memory than the limit `resident`.
    Memory,
    /// Its process took much more CPU time than the limit `cpu`.
    Cpu,
    /// The solver does not support the instance, or a table or program is not available.
    Refused,
}

impl Failure {
    /// All values.
    pub const ALL: [Self; 5] = [Self::Crashed, Self::Hung, Self::Memory, Self::Cpu, Self::Refused];

    /// Word in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["crashed", "hung", "memory", "cpu", "refused"][self as usize]
    }

    /// Whether a limit of the experiment explains it.
    #[must_use]
    pub fn is_explained(self) -> bool {
        matches!(self, Self::Memory | Self::Cpu)
    }
}

/// Solution better than all earlier ones, with the time at which it was found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Incumbent {
    /// CPU seconds since the search began.
    pub cpu_s: f64,
    /// States expanded so far.
    pub expanded: u64,
    /// Objective value.
    pub value: i64,
}

impl Cell for Key {
    const EXPECTED: &'static str = "32 hexadecimal digits";
    const KIND: &'static str = "BLOB";

    csv_as_displayed!();
    fn sql(&self) -> Result<Value, String> {
        Ok(Value::Blob(self.0.to_be_bytes().to_vec()))
    }
    fn read(value: ValueRef<'_>) -> Option<Self> {
        Some(Self(u128::from_be_bytes(value.as_blob().ok()?.try_into().ok()?)))
    }
}

impl Cell for Status {
    const EXPECTED: &'static str = "one of optimal, solved, unsolvable, exhausted, stopped, failed";

    fn csv(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.name())
    }
    fn parse(cell: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == cell)
    }
}

impl Cell for Failure {
    const EXPECTED: &'static str = "one of crashed, hung, memory, cpu, refused";

    fn csv(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.name())
    }
    fn parse(cell: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|failure| failure.name() == cell)
    }
}

/// In the database, incumbents have a table of their own.
impl Cell for Vec<Incumbent> {
    const EXPECTED: &'static str = "incumbents such as 0.5:1200:42, separated by spaces";
    const KIND: &'static str = "";

    fn csv(&self) -> Cow<'_, str> {
        let one = |i: &Incumbent| format!("{:?}:{}:{}", i.cpu_s, i.expanded, i.value);
        Cow::Owned(self.iter().map(one).collect::<Vec<_>>().join(" "))
    }
    fn parse(cell: &str) -> Option<Self> {
        let incumbent = |text: &str| {
            let (cpu_s, rest) = text.split_once(':')?;
            let (expanded, value) = rest.split_once(':')?;
            Some(Incumbent {
                cpu_s: f64::parse(cpu_s)?,
                expanded: expanded.parse().ok()?,
                value: value.parse().ok()?,
            })
        };
        cell.split_whitespace().map(incumbent).collect()
    }
    fn sql(&self) -> Result<Value, String> {
        Ok(Value::Null)
    }
    fn read(_: ValueRef<'_>) -> Option<Self> {
        Some(Vec::new())
    }
}

/// Value of a field; `None` if its column is not in the table of runs.
fn in_run(field: &impl Cell, name: &str, place: &str) -> Result<Option<Value>, String> {
    let value = place.starts_with("r.").then(|| field.sql());
    value.transpose().map_err(|why| format!("{name} {why}"))
}

/// Defines the row: fields of its own before and after the fields of a solve's outcome. Each field
/// is followed by its column in the database.
macro_rules! row {
    ({
        head { $($(#[$head_meta:meta])* $head:ident: $head_type:ty = $head_place:literal;)* }
        tail { $($(#[$tail_meta:meta])* $tail:ident: $tail_type:ty = $tail_place:literal;)* }
    } {
        $($(#[$meta:meta])* $name:ident: $type:ty = $of:expr;)*
    }) => {
        /// Recorded run. The fields are in the order of the CSV columns.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Row {
            $($(#[$head_meta])* pub $head: $head_type,)*
            $($(#[$meta])* pub $name: $type,)*
            $($(#[$tail_meta])* pub $tail: $tail_type,)*
        }

        impl Row {
            /// All columns, in order.
            pub(crate) const COLUMNS: &[Column] = &[
                $(Column::of::<$head_type>(stringify!($head), $head_place),)*
                $(Column::of::<$type>(stringify!($name), concat!("r.", stringify!($name))),)*
                $(Column::of::<$tail_type>(stringify!($tail), $tail_place),)*
            ];

            /// Returns the cells of a CSV file, in the order of the columns.
            pub(crate) fn csv(&self) -> Vec<Cow<'_, str>> {
                vec![$(self.$head.csv(),)* $(self.$name.csv(),)* $(self.$tail.csv(),)*]
            }

            /// Returns the values of the fields in the table of runs, in the order of the columns.
            /// An error names the field.
            pub(crate) fn sql(&self) -> Result<Vec<Value>, String> {
                let mut values = Vec::new();
                $(values.extend(in_run(&self.$head, stringify!($head), $head_place)?);)*
                $(values.extend(in_run(&self.$name, stringify!($name), "r.")?);)*
                $(values.extend(in_run(&self.$tail, stringify!($tail), $tail_place)?);)*
                Ok(values)
            }

            /// Reads the fields in the order of the columns.
            pub(crate) fn read<C: Cells>(cells: &mut C) -> Result<Self, C::Error> {
                Ok(Self {
                    $($head: cells.next()?,)*
                    $($name: cells.next()?,)*
                    $($tail: cells.next()?,)*
                })
            }

            /// Copies the outcome from a solver's record.
            pub(crate) fn take(&mut self, record: Record) {
                self.status = match record.status {
                    Solved::Optimal => Status::Optimal,
                    Solved::Solved => Status::Solved,
                    Solved::Unsolvable => Status::Unsolvable,
                    Solved::Exhausted => Status::Exhausted,
                    Solved::Stopped => Status::Stopped,
                    Solved::Unsupported | Solved::Refused | Solved::Crashed => Status::Failed,
                };
                self.failure = match record.status {
                    Solved::Unsupported | Solved::Refused => Some(Failure::Refused),
                    Solved::Crashed => Some(Failure::Crashed),
                    _ => self.failure,
                };
                self.peak_accounted_bytes = Some(record.peak_bytes);
                $(self.$name = record.$name;)*
            }
        }

        impl Default for Row {
            /// Failed run without any data.
            fn default() -> Self {
                let empty = Self {
                    $($head: Default::default(),)*
                    $($name: Default::default(),)*
                    $($tail: Default::default(),)*
                };
                Self { threads: 1, ..empty }
            }
        }
    };
}

unriddle_catalog::outcome_fields! { row! {
    head {
        /// Name of the experiment.
        experiment: String = "r.experiment";
        /// Name of the suite.
        suite: String = "r.suite";
        /// Name of the instance in the suite.
        id: String = "r.name";
        /// Spec of the puzzle.
        puzzle: String = "i.puzzle";
        /// Text of the instance.
        instance: String = "i.text";
        /// Spec of the solver with all defaults, or `peer NAME`.
        solver: String = "s.spec";
        /// Version of an external program; otherwise empty.
        peer_version: String = "s.peer_version";
        /// Seed, below 2⁶³.
        seed: u64 = "r.seed";
        /// Threads inside the search.
        threads: u64 = "r.threads";
        /// Limits in canonical form, such as `time=30s memory=4G`.
        limits: String = "r.limits";
        /// Digest of everything that decides the result.
        key: Key = "r.key";

        /// Git revision of the program, or `unknown`.
        revision: String = "b.revision";
        /// Whether the program was built from files that differ from that revision.
        dirty: bool = "b.dirty";
        /// Version of the program.
        version: String = "b.version";
        /// Description of the machine.
        machine: String = "b.machine";
        /// Start of the run in milliseconds since 1970 (UTC).
        started_ms: i64 = "r.started_ms";

        /// Final status.
        status: Status = "r.status";
        /// Reason why the run did not end regularly.
        failure: Option<Failure> = "r.failure";
    }
    tail {
        /// Peak of the memory accounted by the search, in bytes.
        peak_accounted_bytes: Option<u64> = "r.peak_accounted_bytes";
        /// Peak resident memory of the process during the run, in bytes (mapped tables included).
        peak_resident_bytes: Option<u64> = "r.peak_resident_bytes";
        /// Successively better solutions over time.
        incumbents: Vec<Incumbent> = "";
    }
} }

impl Row {
    /// Row of a record outside any experiment; the fields that a record does not have are empty.
    #[must_use]
    pub fn of(record: Record) -> Self {
        let mut row = Self {
            id: record.id.clone(),
            puzzle: record.puzzle.clone(),
            instance: record.instance.clone(),
            solver: record.solver.clone(),
            seed: record.seed,
            ..Self::default()
        };
        row.take(record);
        row
    }

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

    /// Whether the run ended without an answer because of a limit. Its counters and times are then
    /// lower bounds on the effort of an answer.
    #[must_use]
    pub fn is_censored(&self) -> bool {
        let by_limit =
            self.status == Status::Stopped || self.failure.is_some_and(Failure::is_explained);
        by_limit && !self.is_proved()
    }

    /// Whether the run failed for a reason other than a limit: a crash, a hang, a refusal, a
    /// solution that the checker does not accept.
    #[must_use]
    pub fn is_unexplained(&self) -> bool {
        self.checked == Some(false) || self.failure.is_some_and(|f| !f.is_explained())
    }
}

/// Sorts runs by experiment, suite, instance (numbers by value), solver and seed, independently of
/// the time at which they were done.
pub fn sort(rows: &mut [Row]) {
    fn place(row: &Row) -> impl Ord + use<'_> {
        let id = row.id.parse::<u64>().unwrap_or(u64::MAX);
        (&row.experiment, &row.suite, id, &row.id, &row.solver, row.seed, row.key)
    }
    rows.sort_by(|a, b| place(a).cmp(&place(b)));
}
