//! Reading runs.

use super::{Store, fault::Fault};
use crate::{
    LabError,
    cell::{Cell, Cells},
    row::{Failure, Incumbent, Key, Row},
};
use rusqlite::{Connection, params, types::ValueRef};
use std::{collections::HashSet, sync::LazyLock};

/// What the database holds of one experiment. All but `superseded` is about the live runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Name of the experiment.
    pub experiment: String,
    /// Runs that count.
    pub live: usize,
    /// Runs that are kept but do not count: they were run again.
    pub superseded: usize,
    /// Runs that went wrong in a way that no limit explains.
    pub unexplained: usize,
    /// The revisions that made them, sorted; `REVISION+modified` where files differed from it.
    pub revisions: Vec<String>,
    /// Start of the first run, in milliseconds since 1970 (UTC).
    pub first_ms: Option<i64>,
    /// Start of the last.
    pub last_ms: Option<i64>,
    /// CPU seconds of all searches, preparations included.
    pub cpu_s: f64,
}

impl Store {
    /// The keys of an experiment's live runs.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn finished(&self, experiment: &str) -> Result<HashSet<Key>, LabError> {
        self.reading(|connection| {
            let mut select = connection
                .prepare_cached("SELECT key FROM run WHERE superseded = 0 AND experiment = ?1")?;
            let keys = select.query_map([experiment], |row| row.get(0).map(key))?;
            Ok(keys.collect::<Result<_, _>>()?)
        })
    }

    /// An experiment's live runs, in the order in which they were recorded.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn rows(&self, experiment: &str) -> Result<Vec<Row>, LabError> {
        self.reading(|connection| {
            Ok(select(connection, OF_EXPERIMENT, params![experiment])?
                .into_iter()
                .map(|(_, row)| row)
                .collect())
        })
    }

    /// All experiments, by name.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn summary(&self) -> Result<Vec<Summary>, LabError> {
        self.reading(summary)
    }
}

fn summary(connection: &rusqlite::Transaction<'_>) -> Result<Vec<Summary>, Fault> {
    let explained: Vec<String> = Failure::ALL
        .iter()
        .filter(|failure| failure.is_explained())
        .map(|failure| format!("'{}'", failure.name()))
        .collect();
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

fn key(bytes: [u8; 16]) -> Key {
    Key(u128::from_be_bytes(bytes))
}

/// The places of all columns that a query of runs has.
static PLACES: LazyLock<String> = LazyLock::new(|| {
    let columns = Row::COLUMNS.iter().map(|column| column.place);
    let places: Vec<&str> = columns.filter(|place| !place.is_empty()).collect();
    places.join(", ")
});

/// The joins are CROSS so that they are done in the order in which they stand here: first the few runs
/// that are asked for, then what belongs to them.
pub(super) fn runs_where(condition: &str) -> String {
    format!(
        "SELECT r.id, {}
         FROM run AS r
         CROSS JOIN instance AS i ON i.id = r.instance
         CROSS JOIN solver AS s ON s.id = r.solver
         CROSS JOIN session AS b ON b.id = r.session
         WHERE {condition} ORDER BY r.id",
        *PLACES
    )
}

/// As [`runs_where`], and in the same order.
pub(super) fn incumbents_where(condition: &str) -> String {
    format!(
        "SELECT n.run, n.cpu_s, n.expanded, n.value
         FROM run AS r CROSS JOIN incumbent AS n ON n.run = r.id
         WHERE {condition} ORDER BY r.id, n.n"
    )
}

/// All live runs of an experiment.
pub(super) const OF_EXPERIMENT: &str =
    "r.id IN (SELECT id FROM run WHERE superseded = 0 AND experiment = ?1)";
/// The live run with a key.
pub(super) const LIVE: &str = "r.superseded = 0 AND r.experiment = ?1 AND r.key = ?2";
/// The superseded runs with a key.
pub(super) const SUPERSEDED: &str = "r.superseded = 1 AND r.experiment = ?1 AND r.key = ?2";

/// Runs with their numbers, by number. The condition is about `run AS r`.
pub(super) fn select(
    connection: &Connection,
    condition: &str,
    params: impl rusqlite::Params + Copy,
) -> Result<Vec<(i64, Row)>, Fault> {
    let mut select = connection.prepare_cached(&runs_where(condition))?;
    let mut rows = Vec::new();
    let mut found = select.query(params)?;
    while let Some(row) = found.next()? {
        let mut values = Values::of(row)?;
        rows.push((values.run, Row::read(&mut values)?));
    }
    let mut select = connection.prepare_cached(&incumbents_where(condition))?;
    let mut found = select.query(params)?;
    // Both are in the order of the runs' numbers.
    let mut behind = rows.iter_mut();
    let mut current = behind.next();
    while let Some(row) = found.next()? {
        let mut values = Values::of(row)?;
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

/// The values behind the number of a run, from left to right.
struct Values<'a> {
    row: &'a rusqlite::Row<'a>,
    at: usize,
    run: i64,
}

impl<'a> Values<'a> {
    fn of(row: &'a rusqlite::Row<'a>) -> Result<Self, Fault> {
        let run = row.get(0)?;
        Ok(Self { row, at: 0, run })
    }
}

impl Cells for Values<'_> {
    type Error = Fault;

    fn next<T: Cell>(&mut self) -> Result<T, Fault> {
        self.at += 1;
        let width = self.row.as_ref().column_count();
        // What has a table of its own comes behind all others.
        let value = match self.at < width {
            true => self.row.get_ref(self.at)?,
            false => ValueRef::Null,
        };
        T::of_value(value).ok_or_else(|| {
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
            Fault::Said(format!("the database is damaged: {field} of run {run} is \"{found}\""))
        })
    }
}
