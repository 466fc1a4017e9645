//! Recording of runs.

use super::{Owner, Store, fault::Fault};
use crate::{
    LabError,
    cell::{Cell, Column},
    row::{Incumbent, Key, Row},
};
use rusqlite::{Connection, OptionalExtension, Params, params, params_from_iter, types::Value};
use std::sync::LazyLock;

impl Store {
    /// Records finished runs and ends the owner's claims on them. A run whose key is already live
    /// in its experiment is skipped. Returns the number of new runs.
    ///
    /// # Errors
    /// The disk is full, another program holds the database, or a number is too large for it. No
    /// row is recorded then.
    pub fn record(&mut self, owner: Option<&Owner>, rows: &[Row]) -> Result<usize, LabError> {
        self.writing(|transaction, _| record(transaction, owner, rows))
    }

    /// Marks live runs with these keys as superseded, so that they can be repeated: runs of another
    /// or a modified revision, runs that failed, and runs that the checker refused. Superseded runs
    /// are kept. Returns the number of marked runs.
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

/// Key in the form of the database.
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
            end_claim.execute(params![row.experiment, blob(row.key), owner.id])?;
        }
    }
    Ok(new)
}

/// Column of the table of runs that holds a field, if any.
pub(super) fn column_of_run(column: &Column) -> Option<&'static str> {
    column.sql.strip_prefix("r.")
}

static INSERT: LazyLock<String> = LazyLock::new(|| {
    let own: Vec<&str> = Row::COLUMNS.iter().filter_map(column_of_run).collect();
    let holes = ", ?".repeat(own.len());
    let own = own.join(", ");
    format!(
        "INSERT INTO run (instance, solver, session, superseded, {own}) VALUES (?, ?, ?, ?{holes})"
    )
});

/// Adds a run and the entries of side tables that it needs.
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
    let wrong = |why| Fault::Message(format!("{}, {}: {why}", row.experiment, row.id));
    let values = [instance, solver, session, i64::from(superseded)].map(Value::Integer);
    let values = values.into_iter().chain(row.sql().map_err(wrong)?);
    connection.prepare_cached(&INSERT)?.execute(params_from_iter(values))?;
    let run = connection.last_insert_rowid();
    let mut add = connection.prepare_cached(
        "INSERT INTO incumbent (run, n, cpu_s, expanded, value) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for (n, &Incumbent { cpu_s, expanded, value }) in row.incumbents.iter().enumerate() {
        let wrong = |why| wrong(format!("incumbents {why}"));
        let (cpu_s, expanded) = (cpu_s.sql().map_err(wrong)?, expanded.sql().map_err(wrong)?);
        add.execute(params![run, n as i64, cpu_s, expanded, value])?;
    }
    Ok(())
}

/// Returns the id of an entry in a side table. Adds the entry if it is missing.
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
