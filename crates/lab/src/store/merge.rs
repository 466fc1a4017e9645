//! Taking over what other machines recorded.

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

/// Rows of one transaction: others who write wait for no more than that.
const BATCH: usize = 1000;

/// What came of merging.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Runs that were added and count.
    pub added: usize,
    /// Runs that were already here, of the same revision.
    pub known: usize,
    /// Runs that do not count (any more) because one of another revision, started later, does: those
    /// added as such, and those that were here.
    pub superseded: usize,
    /// Known runs that should have come out the same but did not: which, and in what.
    pub differing: Vec<String>,
}

impl Store {
    /// Adds runs that were recorded elsewhere. A run that is here already, of the same revision, is
    /// left out; of two with different revisions, the one that started later is live. Merging the same
    /// rows again changes nothing.
    ///
    /// # Errors
    /// The first error among the rows, or the database cannot be written. The thousands of rows before
    /// the one with the error are kept.
    pub fn merge(
        &mut self,
        rows: impl Iterator<Item = Result<Row, LabError>>,
    ) -> Result<Merged, LabError> {
        let mut merged = Merged::default();
        let mut rows = rows.peekable();
        while rows.peek().is_some() {
            // Read first: nobody waits for a slow source of rows.
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
    match live.first() {
        Some((id, here)) if row.started_ms > here.started_ms => {
            connection
                .prepare_cached("UPDATE run SET superseded = 1 WHERE id = ?1")?
                .execute([id])?;
            insert(connection, row, false)?;
            merged.added += 1;
            merged.superseded += 1;
        }
        Some(_) => {
            insert(connection, row, true)?;
            merged.superseded += 1;
        }
        None => {
            insert(connection, row, false)?;
            merged.added += 1;
        }
    }
    Ok(())
}

/// Whether the clock or the machine's memory had a say in where the run ended.
fn is_cut_short(row: &Row) -> bool {
    let by_clock = |limit: &String| limit == "time" || limit == "cpu";
    row.stopped_by.as_ref().is_some_and(by_clock) || row.failure.is_some_and(Failure::is_explained)
}

/// In what two runs of one key and revision differ that should not. Several threads may find another
/// solution each time, after other work: of theirs, only proofs are compared.
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
    let found: Vec<String> = if here.threads == 1 {
        let solution = of("solution", here.solution.as_ref(), there.solution.as_ref());
        let fields = [
            status,
            value,
            of("length", here.length, there.length),
            solution,
            of("expanded", here.expanded, there.expanded),
            of("generated", here.generated, there.generated),
        ];
        fields.into_iter().flatten().collect()
    } else if here.status == Status::Optimal {
        [status, value].into_iter().flatten().collect()
    } else {
        status.into_iter().collect()
    };
    (!found.is_empty()).then(|| {
        format!(
            "{}, {} with {}, seed {}: {}",
            here.experiment,
            here.id,
            here.solver,
            here.seed,
            found.join("; ")
        )
    })
}
