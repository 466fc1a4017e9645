//! Reading of runs.

use super::{Store, fault::Fault};
use crate::{
    LabError,
    cell::{Cell, Cells},
    row::{Failure, Incumbent, Key, Row},
};
use rusqlite::{Connection, params, types::ValueRef};
use std::{collections::HashSet, sync::LazyLock};

/// Summary of one experiment. All fields but `superseded` are about the live runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Name of the experiment.
    pub experiment: String,
    /// Runs that count.
    pub live: usize,
    /// Runs that are kept but do not count, because they were repeated.
    pub superseded: usize,
    /// Runs that failed for a reason other than a limit.
    pub unexplained: usize,
    /// Revisions of the program, sorted; `REVISION+modified` if files differed from the revision.
    pub revisions: Vec<String>,
    /// Start of the first run, in milliseconds since 1970 (UTC).
    pub first_ms: Option<i64>,
    /// Start of the last run.
    pub last_ms: Option<i64>,
    /// CPU seconds of all searches, preparations included.
    pub cpu_s: f64,
}

impl Store {
    /// Reads the keys of an experiment's live runs.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn finished(&self, experiment: &str) -> Result<HashSet<Key>, LabError> {
        self.reading(|connection| {
            let mut select = connection
                .prepare_cached("SELECT key FROM run WHERE superseded = 0 AND experiment = ?1")?;
            let key = |bytes| Key(u128::from_be_bytes(bytes));
            let keys = select.query_map([experiment], |row| row.get(0).map(key))?;
            Ok(keys.collect::<Result<_, _>>()?)
        })
    }

    /// Reads an experiment's live runs, in the order in which they were recorded.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn rows(&self, experiment: &str) -> Result<Vec<Row>, LabError> {
        self.reading(|connection| {
            let rows = select(connection, OF_EXPERIMENT, params![experiment])?;
            Ok(rows.into_iter().map(|(_, row)| row).collect())
        })
    }

    /// Reads all runs of an experiment, also runs that were repeated, in the order in which they
    /// were recorded.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn history(&self, experiment: &str) -> Result<Vec<Row>, LabError> {
        self.reading(|connection| {
            let rows = select(connection, "r.experiment = ?1", params![experiment])?;
            Ok(rows.into_iter().map(|(_, row)| row).collect())
        })
    }

    /// Reads the last `limit` live runs of an experiment, the newest first.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn last(&self, experiment: &str, limit: usize) -> Result<Vec<Row>, LabError> {
        self.reading(|connection| {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let rows = select(connection, LAST_OF_EXPERIMENT, params![experiment, limit])?;
            Ok(rows.into_iter().rev().map(|(_, row)| row).collect())
        })
    }

    /// Summarises all experiments, sorted by name.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn summary(&self) -> Result<Vec<Summary>, LabError> {
        self.reading(summary)
    }
}

fn summary(connection: &rusqlite::Transaction<'_>) -> Result<Vec<Summary>, Fault> {
    let explained = Failure::ALL.iter().filter(|failure| failure.is_explained());
    let explained: Vec<String> = explained.map(|f| format!("'{}'", f.name())).collect();
    let mut select = connection.prepare_cached(&format!(
        "SELECT experiment, sum(superseded = 0), sum(superseded),
            sum(superseded = 0 AND (checked IS 0
                OR (failure IS NOT NULL AND failure NOT IN ({})))),
            min(started_ms) FILTER (WHERE superseded = 0),
            max(started_ms) FILTER (WHERE superseded = 0),
            total(coalesce(cpu_s, 0) + coalesce(setup_cpu_s, 0)) FILTER (WHERE superseded = 0)
         FROM run GROUP BY experiment ORDER BY experiment",
        explained.join(", ")
    ))?;
    let found = select.query_map([], |row| {
        let count = |at: usize| row.get(at).map(|n: i64| usize::try_from(n).unwrap_or(0));
        Ok(Summary {
            experiment: row.get(0)?,
            live: count(1)?,
            superseded: count(2)?,
            unexplained: count(3)?,
            revisions: Vec::new(),
            first_ms: row.get(4)?,
            last_ms: row.get(5)?,
            cpu_s: row.get(6)?,
        })
    })?;
    let mut summaries = found.collect::<Result<Vec<_>, _>>()?;
    let mut select = connection.prepare_cached(
        "SELECT DISTINCT s.revision || iif(s.dirty, '+modified', '') AS name
         FROM (SELECT DISTINCT session FROM run WHERE superseded = 0 AND experiment = ?1) AS r
         JOIN session AS s ON s.id = r.session ORDER BY name",
    )?;
    for summary in &mut summaries {
        let revisions = select.query_map([&summary.experiment], |row| row.get(0))?;
        summary.revisions = revisions.collect::<Result<_, _>>()?;
    }
    Ok(summaries)
}

/// Columns of a query of runs, separated by commas.
static COLUMNS: LazyLock<String> = LazyLock::new(|| {
    let columns = Row::COLUMNS.iter().map(|column| column.sql);
    let columns: Vec<&str> = columns.filter(|sql| !sql.is_empty()).collect();
    columns.join(", ")
});

/// Query of runs. SQLite evaluates CROSS joins in the written order: first the few requested runs,
/// then the rows of other tables that belong to them.
pub(super) fn runs_where(condition: &str) -> String {
    format!(
        "SELECT r.id, {}
         FROM run AS r
         CROSS JOIN instance AS i ON i.id = r.instance
         CROSS JOIN solver AS s ON s.id = r.solver
         CROSS JOIN session AS b ON b.id = r.session
         WHERE {condition} ORDER BY r.id",
        *COLUMNS
    )
}

/// Query of the incumbents of runs, in the order of [`runs_where`].
pub(super) fn incumbents_where(condition: &str) -> String {
    format!(
        "SELECT n.run, n.cpu_s, n.expanded, n.value
         FROM run AS r CROSS JOIN incumbent AS n ON n.run = r.id
         WHERE {condition} ORDER BY r.id, n.n"
    )
}

/// Condition: live runs of an experiment.
pub(super) const OF_EXPERIMENT: &str =
    "r.id IN (SELECT id FROM run WHERE superseded = 0 AND experiment = ?1)";
/// Condition: last live runs of an experiment.
const LAST_OF_EXPERIMENT: &str = "r.id IN (SELECT id FROM run
    WHERE superseded = 0 AND experiment = ?1 ORDER BY id DESC LIMIT ?2)";
/// Condition: live run with a key.
pub(super) const LIVE: &str = "r.superseded = 0 AND r.experiment = ?1 AND r.key = ?2";
/// Condition: superseded runs with a key.
pub(super) const SUPERSEDED: &str = "r.superseded = 1 AND r.experiment = ?1 AND r.key = ?2";

/// Reads runs with their ids, in the order of the ids. The condition is about `run AS r`.
pub(super) fn select(
    connection: &Connection,
    condition: &str,
    params: impl rusqlite::Params + Copy,
) -> Result<Vec<(i64, Row)>, Fault> {
    let mut select = connection.prepare_cached(&runs_where(condition))?;
    let mut rows = Vec::new();
    let mut found = select.query(params)?;
    while let Some(row) = found.next()? {
        let mut values = Values { row, at: 0, run: row.get(0)? };
        rows.push((values.run, Row::read(&mut values)?));
    }
    let mut select = connection.prepare_cached(&incumbents_where(condition))?;
    let mut found = select.query(params)?;
    // Both results are in the order of the runs' ids.
    let mut behind = rows.iter_mut();
    let mut current = behind.next();
    while let Some(row) = found.next()? {
        let mut values = Values { row, at: 0, run: row.get(0)? };
        let incumbent =
            Incumbent { cpu_s: values.next()?, expanded: values.next()?, value: values.next()? };
        while current.as_ref().is_some_and(|(id, _)| *id < values.run) {
            current = behind.next();
        }
        if let Some((id, row)) = &mut current
            && *id == values.run
        {
            row.incumbents.push(incumbent);
        }
    }
    Ok(rows)
}

/// Values after the id of a run, from left to right.
struct Values<'a> {
    row: &'a rusqlite::Row<'a>,
    at: usize,
    run: i64,
}

impl Cells for Values<'_> {
    type Error = Fault;

    fn next<T: Cell>(&mut self) -> Result<T, Fault> {
        self.at += 1;
        let width = self.row.as_ref().column_count();
        // Fields that have a table of their own are the last ones.
        let value = if self.at < width { self.row.get_ref(self.at)? } else { ValueRef::Null };
        T::read(value).ok_or_else(|| {
            let field = self.row.as_ref().column_name(self.at).unwrap_or_default();
            let found = match value {
                ValueRef::Null => "nothing".to_owned(),
                ValueRef::Integer(n) => n.to_string(),
                ValueRef::Real(x) => x.to_string(),
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                    String::from_utf8_lossy(bytes).into_owned()
                }
            };
            let run = self.run;
            Fault::Message(format!("the database is damaged: {field} of run {run} is \"{found}\""))
        })
    }
}
