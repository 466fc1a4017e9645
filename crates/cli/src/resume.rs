//! Batches that go on where they were broken off.

use crate::{
    exit::{Failure, INPUT, refused},
    inputs, text,
};
use std::{collections::HashSet, fs, io::Write as _, path::Path};
use unriddle_catalog::{Limit, ParseError, Record, Spec, input::Named};

/// What makes two records ones of the same solve.
fn key(record: &Record) -> [&str; 4] {
    [&record.id, &record.puzzle, &record.instance, &record.solver]
}

/// Whether the end of the whole run came before the instance's own: such a record is not the last word.
fn is_unfinished(record: &Record) -> bool {
    text::not_begun(record) || record.stopped_by.as_deref() == Some(Limit::Cancelled.name())
}

/// The records of a file that an earlier run wrote, one JSON object per line; none of a file that is not there. A last line that was
/// cut off is left out.
fn read(path: &Path) -> Result<Vec<Record>, Failure> {
    if !path.exists() {
        return Ok(Vec::new());
    }
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

/// Keeps of a file's records those of a batch that are complete, and of the batch the instances that have none, each with the solution that
/// it was bettered to, if it was being bettered. The file then holds
/// the records that are kept, which are returned; others of it are refused, so that nothing is lost.
///
/// # Errors
/// The file cannot be read or written, or holds a record that is none of the batch.
pub(crate) fn kept(
    path: &Path,
    (puzzle, seed): (&str, u64),
    named: &mut Vec<Named>,
    specs: &mut Vec<Spec>,
) -> Result<Vec<Record>, Failure> {
    let mut records = read(path)?;
    let wanted = |named: &Named, spec: &Spec| {
        let (id, puzzle) = (named.id.clone(), puzzle.to_owned());
        [id, puzzle, named.instance.text(), spec.to_string()]
    };
    let all: Vec<[String; 4]> =
        named.iter().zip(&*specs).map(|(named, spec)| wanted(named, spec)).collect();
    let texts = || all.iter().map(|wanted| wanted.each_ref().map(|text| &**text));
    let of_batch: HashSet<[&str; 4]> = texts().collect();
    let is_wanted = |record: &Record| record.seed == seed && of_batch.contains(&key(record));
    if let Some(other) = records.iter().find(|record| !is_wanted(record)) {
        let name = inputs::name_of(path);
        let message = format!(
            "{name}: --resume: the record of `{}` is of another instance, puzzle, solver or seed than this batch",
            other.id
        );
        return Err(Failure::new(INPUT, message));
    }
    // A solution that was being bettered goes on from what it had come to.
    for (named, wanted) in
        named.iter_mut().zip(texts()).filter(|(named, _)| named.solution.is_some())
    {
        let mut unfinished = records.iter().filter(|record| is_unfinished(record));
        let reached =
            unfinished.find(|record| key(record) == wanted && record.checked == Some(true));
        if let Some(Record { solution: Some(solution), .. }) = reached {
            named.solution = Some(solution.clone());
        }
    }
    records.retain(|record| !is_unfinished(record));
    let known: HashSet<[&str; 4]> = records.iter().map(key).collect();
    let left: Vec<bool> = texts().map(|text| !known.contains(&text)).collect();
    let mut of_named = left.iter();
    named.retain(|_| of_named.next() == Some(&true));
    let mut of_specs = left.iter();
    specs.retain(|_| of_specs.next() == Some(&true));
    // Beside its place and renamed: a kill loses nothing.
    let partial = path.with_extension("partial");
    let store = || {
        let mut file = fs::File::create(&partial)?;
        for record in &records {
            serde_json::to_writer(&mut file, record)?;
            file.write_all(b"\n")?;
        }
        file.sync_all()?;
        fs::rename(&partial, path)
    };
    store().map_err(|error: std::io::Error| {
        let message = format!("{}: cannot be written: {error}", path.display());
        Failure::new(INPUT, message)
    })?;
    Ok(records)
}
