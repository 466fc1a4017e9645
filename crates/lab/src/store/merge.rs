//! Adding runs that other machines recorded.

use super::{
    Store,
    fault::Fault,
    read::{LIVE, SUPERSEDED, select},
    write::{blob, insert},
};
use crate::{
    LabError,
    row::{Failure, Row, Status},
};
use rusqlite::{Connection, params};

/// Rows per transaction, which bounds the time that other writers wait.
const BATCH: usize = 1000;

/// Result of merging.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Runs that were added as live runs.
    pub added: usize,
    /// Runs of the same key and revision that were already here.
    pub known: usize,
    /// Runs superseded by a run of another revision that started later: added ones and former ones.
    pub superseded: usize,
    /// Known runs whose results differ although they should be equal, with the differences.
    pub differing: Vec<String>,
}

impl Store {
    /// Adds runs that were recorded elsewhere. A run of a known key and revision is skipped. If two
    /// runs of a key have different revisions, the later one is live. Merging the same rows again
    /// changes nothing.
    ///
    /// # Errors
    /// Returns the first error among the rows, or the database cannot be written. Complete batches
    /// of a thousand rows before the error are kept.
    pub fn merge(
        &mut self,
        rows: impl Iterator<Item = Result<Row, LabError>>,
    ) -> Result<Merged, LabError> {
        let mut merged = Merged::default();
        let mut rows = rows.peekable();
        while rows.peek().is_some() {
            // Rows are read before the transaction, so that no writer waits for a slow source.
            let batch: Vec<Row> = rows.by_ref().take(BATCH).collect::<Result<_, _>>()?;
            self.writing(|transaction, _| {
                batch.iter().try_for_each(|row| merge_one(transaction, row, &mut merged))
            })?;
        }
        Ok(merged)
    }
}

fn merge_one(connection: &Connection, row: &Row, merged: &mut Merged) -> Result<(), Fault> {
    let place = params![row.experiment, blob(row.key)];
    let live = select(connection, LIVE, place)?;
    let superseded = select(connection, SUPERSEDED, place)?;
    let same =
        |(_, other): &&(i64, Row)| other.revision == row.revision && other.dirty == row.dirty;
    if let Some((_, here)) = live.iter().chain(&superseded).find(same) {
        merged.known += 1;
        let difference = if row.dirty { None } else { difference(here, row) };
        merged.differing.extend(difference);
        return Ok(());
    }
    let is_older = live.iter().any(|(_, here)| row.started_ms <= here.started_ms);
    for (id, _) in live.iter().filter(|_| !is_older) {
        connection.prepare_cached("UPDATE run SET superseded = 1 WHERE id = ?1")?.execute([id])?;
    }
    insert(connection, row, is_older)?;
    merged.added += usize::from(!is_older);
    merged.superseded += live.len();
    Ok(())
}

/// Whether the end of the run depended on the clock or on the machine's memory.
fn is_cut_short(row: &Row) -> bool {
    let by_clock = |limit: &String| limit == "time" || limit == "cpu";
    row.stopped_by.as_ref().is_some_and(by_clock) || row.failure.is_some_and(Failure::is_explained)
}

/// Describes how two runs of one key and revision differ although they should be equal. Runs with
/// several threads may find other solutions after other work, so that only proofs are compared.
fn difference(here: &Row, there: &Row) -> Option<String> {
    if is_cut_short(here) || is_cut_short(there) {
        return None;
    }
    fn of<T: PartialEq + ToString>(
        name: &str,
        here: Option<T>,
        there: Option<T>,
    ) -> Option<String> {
        let word = |value: Option<T>| value.map_or_else(|| "none".to_owned(), |v| v.to_string());
        (here != there).then(|| format!("{name} {} here, {} there", word(here), word(there)))
    }
    let status = of("status", Some(here.status.name()), Some(there.status.name()));
    let value = of("value", here.value, there.value);
    let fields = if here.threads == 1 {
        vec![
            status,
            value,
            of("length", here.length, there.length),
            of("solution", here.solution.as_ref(), there.solution.as_ref()),
            of("expanded", here.expanded, there.expanded),
            of("generated", here.generated, there.generated),
        ]
    } else if here.status == Status::Optimal {
        vec![status, value]
    } else {
        vec![status]
    };
    let found: Vec<String> = fields.into_iter().flatten().collect();
    let Row { experiment, id, solver, seed, .. } = here;
    (!found.is_empty())
        .then(|| format!("{experiment}, {id} with {solver}, seed {seed}: {}", found.join("; ")))
}
