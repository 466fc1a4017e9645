//! Results of finished solves: a database, or the last ones in memory.

use super::{Program, job::lock};
use serde::Serialize;
use serde_json::Value;
use std::{
    collections::VecDeque,
    path::Path,
    sync::Mutex,
    time::{SystemTime, UNIX_EPOCH},
};
use unriddle_catalog::Record;
use unriddle_lab::{
    LabError, Row, Store,
    row::{Incumbent, Key},
    runner::machine,
};

/// Experiment under which results are stored.
pub(super) const EXPERIMENT: &str = "studio";

/// Most results and bytes in memory.
const MOST: usize = 200;
const BYTES: usize = 64 << 20;

/// Finished solve.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Solved {
    /// Name of the result.
    id: String,
    /// Time of its beginning, in milliseconds since 1970 (UTC).
    when: i64,
    /// Spec of the puzzle.
    puzzle: String,
    /// Text of the instance.
    instance: String,
    /// Spec of the solver.
    solver: String,
    /// The record.
    record: Value,
}

impl Solved {
    fn of(id: String, when: i64, record: Value) -> Self {
        let text = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
        Self {
            id,
            when,
            puzzle: text("puzzle"),
            instance: text("instance"),
            solver: text("solver"),
            record,
        }
    }

    fn bytes(&self) -> usize {
        let text = |name: &str| self.record[name].as_str().map_or(0, str::len);
        1024 + 2 * self.instance.len() + text("solution") + text("certificate")
    }
}

/// Store of the results.
pub(super) struct Results {
    program: Program,
    machine: String,
    place: Mutex<Place>,
}

enum Place {
    Memory { results: VecDeque<Solved>, bytes: usize },
    Database(Store),
}

/// Milliseconds since 1970 (UTC).
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

impl Results {
    /// Results in a file, or in memory without one.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub(super) fn open(file: Option<&Path>, program: Program) -> Result<Self, LabError> {
        let place = match file {
            Some(file) => Place::Database(Store::open(file)?),
            None => Place::Memory { results: VecDeque::new(), bytes: 0 },
        };
        Ok(Self { program, machine: machine(), place: Mutex::new(place) })
    }

    /// Stores the record of a solve that began at the time `when`, with its better and better
    /// solutions.
    ///
    /// # Errors
    /// The database cannot be written.
    pub(super) fn store(
        &self,
        record: &Record,
        when: i64,
        incumbents: Vec<Incumbent>,
    ) -> Result<(), String> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
        let key = Key(u128::from_ne_bytes(bytes));
        match &mut *lock(&self.place) {
            Place::Memory { results, bytes } => {
                let record = serde_json::to_value(record).map_err(|error| error.to_string())?;
                let result = Solved::of(key.to_string(), when, record);
                *bytes += result.bytes();
                results.push_front(result);
                while results.len() > MOST || (*bytes > BYTES && results.len() > 1) {
                    *bytes -= results.pop_back().map_or(0, |result| result.bytes());
                }
                Ok(())
            }
            Place::Database(store) => {
                let row = Row {
                    experiment: EXPERIMENT.to_owned(),
                    key,
                    revision: self.program.revision.clone(),
                    dirty: self.program.is_modified,
                    version: self.program.version.clone(),
                    machine: self.machine.clone(),
                    started_ms: when,
                    incumbents,
                    ..Row::of(record.clone())
                };
                store.record(None, &[row]).map(|_| ()).map_err(|error| error.to_string())
            }
        }
    }

    /// The last results, at most `limit`, the newest first.
    ///
    /// # Errors
    /// The database cannot be read.
    pub(super) fn last(&self, limit: usize) -> Result<Vec<Solved>, LabError> {
        match &*lock(&self.place) {
            Place::Memory { results, .. } => Ok(results.iter().take(limit).cloned().collect()),
            Place::Database(store) => {
                let rows = store.last(EXPERIMENT, limit)?;
                Ok(rows.iter().map(of_row).collect())
            }
        }
    }
}

/// Result of a stored run. The fields of a record have the same names in a row.
fn of_row(row: &Row) -> Solved {
    let mut record = serde_json::to_value(row).unwrap_or_default();
    if let Value::Object(fields) = &mut record {
        fields.retain(|name, _| Record::FIELDS.contains(&name.as_str()));
    }
    Solved::of(row.key.to_string(), row.started_ms, record)
}
