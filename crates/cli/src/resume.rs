//! Resumption of interrupted batches.

use crate::{
    exit::{Failure, INPUT, refused},
    inputs::{self, Choice, Entries},
    output::LockedFile,
    text,
};
use std::{collections::HashSet, path::Path};
use unriddle_catalog::{Limit, ParseError, Record, Registry, Status};

/// Whether the whole run ended before the instance was finished. The instance is then solved again.
fn is_unfinished(record: &Record) -> bool {
    text::not_begun(record) || record.stopped_by.as_deref() == Some(Limit::Cancelled.name())
}

/// Parses the JSON lines of an earlier run. An incomplete last line is skipped.
fn read(path: &Path) -> Result<Vec<Record>, Failure> {
    let (name, text) = (inputs::name_of(path), inputs::read(path)?);
    let mut records = Vec::new();
    for (i, line) in text.split_inclusive('\n').enumerate() {
        match serde_json::from_str(line) {
            Ok(record) => records.push(record),
            Err(_) if line.trim().is_empty() || !line.ends_with('\n') => {}
            Err(error) => {
                let message = format!("not a record: {error}");
                return Err(refused(&name, &ParseError::at(i + 1, error.column().max(1), message)));
            }
        }
    }
    Ok(records)
}

/// Objection to the solution of a record: a file may be altered between two runs.
fn objection(registry: &Registry, record: &Record) -> Option<String> {
    let solution = record.solution.as_deref().filter(|_| record.checked == Some(true))?;
    match registry.verify(&record.puzzle, &record.instance, solution) {
        Ok((value, length)) if record.value == Some(value) && record.length == Some(length) => None,
        Ok((value, length)) => {
            Some(format!("the checker counts value {value} and length {length}"))
        }
        Err(why) => Some(why.to_string()),
    }
}

/// Resumes a batch from the records of its output file.
///
/// Complete records remain in the file and are returned, each of them once. Entries with a complete
/// record are removed from `entries`. An instance whose known solution was being improved continues
/// from the best solution of its incomplete record.
///
/// # Errors
/// The file cannot be read or written, contains a record that does not belong to the batch, or a
/// solution that the checker refuses. Such a file is left unchanged, so that no record is lost.
pub(crate) fn kept(
    registry: &Registry,
    file: &mut LockedFile,
    puzzle: &str,
    seed: u64,
    entries: &mut Entries<'_>,
    choice: &Choice,
) -> Result<Vec<Record>, Failure> {
    let path = file.path().to_owned();
    let (mut kept, mut done) = (Vec::new(), HashSet::new());
    let position = entries.positions();
    let refuse = |record: &Record, why: &str| {
        let name = inputs::name_of(&path);
        let message = format!("{name}: --resume: the record of `{}` {why}", record.id);
        Failure::new(INPUT, message)
    };
    for record in read(&path)? {
        let other = "is of another instance, puzzle, solver or seed than this batch";
        let Some(index) = position(&record.id) else {
            return Err(refuse(&record, other));
        };
        let is_wanted = match &*entries.get(index) {
            // A text that was refused may have become an instance.
            Err(_) => false,
            Ok(_) if record.status == Status::Refused => false,
            Ok(named) => {
                let is_same = record.puzzle == puzzle
                    && record.seed == seed
                    && record.instance == named.instance.text();
                // A record without a solver is of an instance that was not searched.
                let solver = || choice.spec(&*named.instance).map(|spec| spec.to_string());
                let is_same = is_same
                    && (record.solver.is_empty()
                        || solver().is_ok_and(|spec| spec == record.solver));
                if !is_same {
                    return Err(refuse(&record, other));
                }
                true
            }
        };
        if !is_wanted || record.solver.is_empty() {
            continue;
        }
        if let Some(why) = objection(registry, &record) {
            return Err(refuse(&record, &format!("is wrong: {why}")));
        }
        if !is_unfinished(&record) {
            if done.insert(index) {
                kept.push(record);
            }
        } else if let Some(Ok(named)) = entries.stored(index)
            && named.solution.is_some()
            && record.checked == Some(true)
            && record.solution.is_some()
        {
            // The search continues from the best solution of the interrupted run.
            named.solution = record.solution;
        }
    }
    entries.forget(&done);
    file.replace(&kept)?;
    Ok(kept)
}
