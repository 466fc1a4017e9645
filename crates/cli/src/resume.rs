//! Resumption of interrupted batches.

use crate::{
    exit::{Failure, INPUT, refused},
    inputs, text,
};
use std::{collections::HashSet, fs, io::Write as _, path::Path};
use unriddle_catalog::{Limit, ParseError, Record, Spec, input::Named};

/// Identity of a solve: records with equal keys have the same instance, puzzle and solver.
fn key(record: &Record) -> [&str; 4] {
    [&record.id, &record.puzzle, &record.instance, &record.solver]
}

/// Whether the whole run ended before the instance was finished. The instance is then solved again.
fn is_unfinished(record: &Record) -> bool {
    text::not_begun(record) || record.stopped_by.as_deref() == Some(Limit::Cancelled.name())
}

/// Parses the JSON lines of an earlier run. A file that does not exist has no records. An
/// incomplete last line is skipped.
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

/// Resumes a batch from the records of its output file.
///
/// Complete records remain in the file and are returned. Instances with a complete record are
/// removed from `named` and `specs`. An instance whose known solution was being improved continues
/// from the best solution of its incomplete record.
///
/// # Errors
/// The file cannot be read or written, or contains a record that does not belong to the batch. Such
/// a file is left unchanged, so that no record is lost.
pub(crate) fn kept(
    path: &Path,
    puzzle: &str,
    seed: u64,
    named: &mut Vec<Named>,
    specs: &mut Vec<Spec>,
) -> Result<Vec<Record>, Failure> {
    let mut records = read(path)?;
    let wanted = |(named, spec): (&Named, &Spec)| {
        [named.id.clone(), puzzle.to_owned(), named.instance.text(), spec.to_string()]
    };
    let all: Vec<[String; 4]> = named.iter().zip(&*specs).map(wanted).collect();
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
    // The search continues from the best solution of the interrupted run.
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
    // A complete file replaces the old one, so that a kill loses nothing.
    let partial = path.with_extension("partial");
    let store = || {
        let mut file = fs::File::create(&partial)?;
        for record in &records {
            writeln!(file, "{}", record.json()?)?;
        }
        file.sync_all()?;
        fs::rename(&partial, path)
    };
    store().map_err(|error: std::io::Error| Failure::file(path, &error))?;
    Ok(records)
}
