//! Recording runs.

use super::{Owner, Store, fault::Fault};
use crate::{
    LabError,
    row::{Key, Row},
};
use rusqlite::{Connection, OptionalExtension, Params, named_params, params};

impl Store {
    /// Records finished runs. One whose key is already live in its experiment is left out; either way
    /// the owner's claim on it ends. Returns how many were new.
    ///
    /// # Errors
    /// The disk is full, another program holds the database, or a number is too large for it. None of
    /// the rows is recorded then.
    pub fn record(&mut self, owner: Option<&Owner>, rows: &[Row]) -> Result<usize, LabError> {
        self.writing(|transaction, _| record(transaction, owner, rows))
    }

    /// Marks live runs of these keys as superseded, so that they can be run again: those that are not of
    /// this revision, unmodified, and those that failed or were refused by the checker. They are kept.
    /// Returns how many there were.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn supersede(
        &mut self,
        experiment: &str,
        revision: &str,
        keys: &[Key],
    ) -> Result<usize, LabError> {
        self.writing(|transaction, _| {
            let mut update = transaction.prepare_cached(
                "UPDATE run SET superseded = 1
                 WHERE superseded = 0 AND experiment = ?1 AND key = ?3
                   AND (failure IS NOT NULL OR checked = 0
                        OR session IN (SELECT id FROM session WHERE dirty OR revision <> ?2))",
            )?;
            let mut count = 0;
            for key in keys {
                count += update.execute(params![experiment, revision, blob(*key)])?;
            }
            Ok(count)
        })
    }
}

/// A key as the database holds it.
pub(super) fn blob(key: Key) -> [u8; 16] {
    key.0.to_be_bytes()
}

/// See [`Store::record`].
pub(super) fn record(
    connection: &Connection,
    owner: Option<&Owner>,
    rows: &[Row],
) -> Result<usize, Fault> {
    let mut is_live = connection.prepare_cached(
        "SELECT 1 FROM run WHERE superseded = 0 AND experiment = ?1 AND key = ?2",
    )?;
    let mut end_claim = connection
        .prepare_cached("DELETE FROM claim WHERE experiment = ?1 AND key = ?2 AND owner = ?3")?;
    let mut new = 0;
    for row in rows {
        if !is_live.exists(params![row.experiment, blob(row.key)])? {
            insert(connection, row, false)?;
            new += 1;
        }
        if let Some(owner) = owner {
            end_claim.execute(params![row.experiment, blob(row.key), owner.id()])?;
        }
    }
    Ok(new)
}

/// Adds a run, with all that it refers to.
pub(super) fn insert(connection: &Connection, row: &Row, superseded: bool) -> Result<(), Fault> {
    let instance = side(
        connection,
        "SELECT id FROM instance WHERE puzzle = ?1 AND text = ?2",
        "INSERT INTO instance (puzzle, text) VALUES (?1, ?2)",
        params![row.puzzle, row.instance],
    )?;
    let solver = side(
        connection,
        "SELECT id FROM solver WHERE spec = ?1 AND peer_version = ?2",
        "INSERT INTO solver (spec, peer_version) VALUES (?1, ?2)",
        params![row.solver, row.peer_version],
    )?;
    let session = side(
        connection,
        "SELECT id FROM session
         WHERE revision = ?1 AND dirty = ?2 AND version = ?3 AND machine = ?4",
        "INSERT INTO session (revision, dirty, version, machine) VALUES (?1, ?2, ?3, ?4)",
        params![row.revision, row.dirty, row.version, row.machine],
    )?;
    let whole = |field, number| whole(row, field, number);
    let whole_or = |field, number: Option<u64>| number.map(|n| whole(field, n)).transpose();
    let real_or = |field, number: Option<f64>| number.map(|n| real(row, field, n)).transpose();
    connection
        .prepare_cached(
            "INSERT INTO run (
                experiment, suite, name, instance, solver, seed, threads, limits, key, session,
                started_ms, superseded, status, stopped_by, failure, reason, value, length, solution,
                lower_bound, initial_h, checked, checked_by, expanded, generated, evaluated, reopened,
                cpu_s, setup_cpu_s, wall_s, peak_accounted_bytes, peak_resident_bytes
            ) VALUES (
                :experiment, :suite, :name, :instance, :solver, :seed, :threads, :limits, :key, :session,
                :started_ms, :superseded, :status, :stopped_by, :failure, :reason, :value, :length,
                :solution, :lower_bound, :initial_h, :checked, :checked_by, :expanded, :generated,
                :evaluated, :reopened, :cpu_s, :setup_cpu_s, :wall_s, :peak_accounted_bytes,
                :peak_resident_bytes
            )",
        )?
        .execute(named_params! {
            ":experiment": row.experiment,
            ":suite": row.suite,
            ":name": row.id,
            ":instance": instance,
            ":solver": solver,
            ":seed": whole("seed", row.seed)?,
            ":threads": whole("threads", row.threads)?,
            ":limits": row.limits,
            ":key": blob(row.key),
            ":session": session,
            ":started_ms": row.started_ms,
            ":superseded": superseded,
            ":status": row.status.name(),
            ":stopped_by": row.stopped_by,
            ":failure": row.failure.map(|failure| failure.name()),
            ":reason": row.reason,
            ":value": row.value,
            ":length": whole_or("length", row.length)?,
            ":solution": row.solution,
            ":lower_bound": row.lower_bound,
            ":initial_h": real_or("initial_h", row.initial_h)?,
            ":checked": row.checked,
            ":checked_by": row.checked_by,
            ":expanded": whole_or("expanded", row.expanded)?,
            ":generated": whole_or("generated", row.generated)?,
            ":evaluated": whole_or("evaluated", row.evaluated)?,
            ":reopened": whole_or("reopened", row.reopened)?,
            ":cpu_s": real_or("cpu_s", row.cpu_s)?,
            ":setup_cpu_s": real_or("setup_cpu_s", row.setup_cpu_s)?,
            ":wall_s": real_or("wall_s", row.wall_s)?,
            ":peak_accounted_bytes": whole_or("peak_accounted_bytes", row.peak_accounted_bytes)?,
            ":peak_resident_bytes": whole_or("peak_resident_bytes", row.peak_resident_bytes)?,
        })?;
    let run = connection.last_insert_rowid();
    let mut add = connection.prepare_cached(
        "INSERT INTO incumbent (run, n, cpu_s, expanded, value) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for (n, incumbent) in row.incumbents.iter().enumerate() {
        add.execute(params![
            run,
            whole("incumbents", n as u64)?,
            real(row, "incumbents", incumbent.cpu_s)?,
            whole("incumbents", incumbent.expanded)?,
            incumbent.value
        ])?;
    }
    Ok(())
}

/// The number of an entry in a side table, which is added where it is missing.
fn side(
    connection: &Connection,
    find: &str,
    add: &str,
    entry: impl Params + Copy,
) -> Result<i64, Fault> {
    let mut find = connection.prepare_cached(find)?;
    let found = find.query_row(entry, |row| row.get(0)).optional()?;
    if let Some(id) = found {
        return Ok(id);
    }
    connection.prepare_cached(add)?.execute(entry)?;
    Ok(connection.last_insert_rowid())
}

/// SQLite's numbers have a sign.
fn whole(row: &Row, field: &str, number: u64) -> Result<i64, Fault> {
    i64::try_from(number).map_err(|_| {
        Fault::Said(format!(
            "{}, {}: {field} {number} is too large: the database holds numbers below 2^63",
            row.experiment, row.id
        ))
    })
}

/// SQLite has no word for what is not a number: it would become "unknown" without a trace.
fn real(row: &Row, field: &str, number: f64) -> Result<f64, Fault> {
    if number.is_nan() {
        return Err(Fault::Said(format!(
            "{}, {}: {field} is not a number",
            row.experiment, row.id
        )));
    }
    Ok(number)
}
