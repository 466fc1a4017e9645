//! Reading runs.

use super::{Store, fault::Fault};
use crate::{
    LabError,
    row::{Failure, Incumbent, Key, Row, Status},
};
use rusqlite::{Connection, params, types::FromSql};
use std::collections::HashSet;

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

/// The joins are CROSS so that they are done in the order in which they stand here: first the few runs
/// that are asked for, then what belongs to them.
pub(super) fn runs_where(condition: &str) -> String {
    format!("SELECT r.id, r.experiment, r.suite, r.name, i.puzzle, i.text, s.spec, s.peer_version, r.seed,
            r.threads, r.limits, r.key, b.revision, b.dirty, b.version, b.machine, r.started_ms, r.status,
            r.stopped_by, r.failure, r.reason, r.value, r.length, r.solution, r.lower_bound, r.initial_h,
            r.checked, r.checked_by, r.expanded, r.generated, r.evaluated, r.reopened, r.cpu_s,
            r.setup_cpu_s, r.wall_s, r.peak_accounted_bytes, r.peak_resident_bytes
         FROM run AS r
         CROSS JOIN instance AS i ON i.id = r.instance
         CROSS JOIN solver AS s ON s.id = r.solver
         CROSS JOIN session AS b ON b.id = r.session
         WHERE {condition} ORDER BY r.id")
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
        rows.push(read(row)?);
    }
    let mut select = connection.prepare_cached(&incumbents_where(condition))?;
    let mut found = select.query(params)?;
    // Both are in the order of the runs' numbers.
    let mut behind = rows.iter_mut();
    let mut current = behind.next();
    while let Some(row) = found.next()? {
        let mut cells = Cells { row, at: 0, run: 0 };
        cells.run = cells.next()?;
        let incumbent = Incumbent {
            cpu_s: cells.next()?,
            expanded: cells.whole()?,
            value: cells.next()?,
        };
        while current.as_ref().is_some_and(|(id, _)| *id < cells.run) {
            current = behind.next();
        }
        if let Some((id, row)) = &mut current
            && *id == cells.run
        {
            row.incumbents.push(incumbent);
        }
    }
    Ok(rows)
}

/// The cells of a row, from left to right.
struct Cells<'a> {
    row: &'a rusqlite::Row<'a>,
    at: usize,
    /// For messages.
    run: i64,
}

impl Cells<'_> {
    fn next<T: FromSql>(&mut self) -> Result<T, Fault> {
        self.at += 1;
        Ok(self.row.get(self.at - 1)?)
    }

    fn damaged(&self, found: &dyn std::fmt::Display) -> Fault {
        let field = self
            .row
            .as_ref()
            .column_name(self.at - 1)
            .unwrap_or_default();
        Fault::Said(format!(
            "the database is damaged: {field} of run {} is \"{found}\"",
            self.run
        ))
    }

    fn whole(&mut self) -> Result<u64, Fault> {
        let number: i64 = self.next()?;
        u64::try_from(number).map_err(|_| self.damaged(&number))
    }

    fn whole_or(&mut self) -> Result<Option<u64>, Fault> {
        let number: Option<i64> = self.next()?;
        number
            .map(|n| u64::try_from(n).map_err(|_| self.damaged(&n)))
            .transpose()
    }

    /// A word of a list.
    fn word<T: Copy>(
        &self,
        word: &str,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Result<T, Fault> {
        let found = all.iter().copied().find(|&each| name(each) == word);
        found.ok_or_else(|| self.damaged(&word))
    }
}

fn read(row: &rusqlite::Row<'_>) -> Result<(i64, Row), Fault> {
    let mut cells = Cells { row, at: 0, run: 0 };
    cells.run = cells.next()?;
    // The fields are evaluated in the order in which they stand here: that of the columns.
    let read = Row {
        experiment: cells.next()?,
        suite: cells.next()?,
        id: cells.next()?,
        puzzle: cells.next()?,
        instance: cells.next()?,
        solver: cells.next()?,
        peer_version: cells.next()?,
        seed: cells.whole()?,
        threads: cells.whole()?,
        limits: cells.next()?,
        key: key(cells.next()?),
        revision: cells.next()?,
        dirty: cells.next()?,
        version: cells.next()?,
        machine: cells.next()?,
        started_ms: cells.next()?,
        status: {
            let word: String = cells.next()?;
            cells.word(&word, &Status::ALL, Status::name)?
        },
        stopped_by: cells.next()?,
        failure: {
            let word: Option<String> = cells.next()?;
            let failure = |word: String| cells.word(&word, &Failure::ALL, Failure::name);
            word.map(failure).transpose()?
        },
        reason: cells.next()?,
        value: cells.next()?,
        length: cells.whole_or()?,
        solution: cells.next()?,
        lower_bound: cells.next()?,
        initial_h: cells.next()?,
        checked: cells.next()?,
        checked_by: cells.next()?,
        expanded: cells.whole_or()?,
        generated: cells.whole_or()?,
        evaluated: cells.whole_or()?,
        reopened: cells.whole_or()?,
        cpu_s: cells.next()?,
        setup_cpu_s: cells.next()?,
        wall_s: cells.next()?,
        peak_accounted_bytes: cells.whole_or()?,
        peak_resident_bytes: cells.whole_or()?,
        incumbents: Vec::new(),
    };
    Ok((cells.run, read))
}
