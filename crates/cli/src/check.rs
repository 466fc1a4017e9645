//! `unriddle check`: replay solutions with the independent checker.

use crate::{
    args::{Check, Format},
    exit::{Failure, INPUT, INTERNAL},
    inputs,
};
use serde::Serialize;
use std::io::Write as _;
use unriddle_catalog::{record::verify, registry};

/// The result for one solution.
#[derive(Serialize)]
struct Checked {
    id: String,
    puzzle: String,
    checked: bool,
    value: Option<i64>,
    length: Option<u64>,
    reason: Option<String>,
}

/// One solution to be checked, with the value that was claimed for it.
struct Claim {
    id: String,
    puzzle: String,
    instance: String,
    solution: String,
    value: Option<i64>,
}

/// The fields of a record that a check needs.
#[derive(serde::Deserialize)]
struct Row {
    id: String,
    puzzle: String,
    instance: String,
    solution: Option<String>,
    value: Option<i64>,
}

fn check(claim: Claim) -> Checked {
    let verdict = verify(&claim.puzzle, &claim.instance, &claim.solution);
    let mut checked = Checked {
        id: claim.id,
        puzzle: claim.puzzle,
        checked: true,
        value: None,
        length: None,
        reason: None,
    };
    match verdict {
        Err(why) => {
            checked.checked = false;
            checked.reason = Some(why);
        }
        Ok((value, length)) => {
            checked.value = Some(value);
            checked.length = Some(length);
            if let Some(claimed) = claim.value.filter(|&claimed| claimed != value) {
                checked.checked = false;
                checked.reason = Some(format!("its value is {value}, not {claimed}"));
            }
        }
    }
    checked
}

fn claims(options: &Check) -> Result<Vec<Claim>, Failure> {
    if let (Some(puzzle), Some(instance), Some(solution)) =
        (&options.puzzle, &options.instance, &options.solution)
    {
        let (_, puzzle) = registry::puzzle(puzzle)?;
        return Ok(vec![Claim {
            id: "1".to_owned(),
            puzzle: puzzle.spec(),
            instance: inputs::one(&*puzzle, instance)?.text(),
            solution: solution.clone(),
            value: None,
        }]);
    }
    let Some(file) = &options.file else { return Ok(Vec::new()) };
    let text = inputs::read(file)?;
    let mut claims = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let row: Row = serde_json::from_str(line).map_err(|error| {
            let place = format!("{}, line {}, column {}", file.display(), i + 1, error.column());
            Failure::new(INPUT, format!("{place}: not a record: {error}"))
        })?;
        if let Some(solution) = row.solution {
            let Row { id, puzzle, instance, value, .. } = row;
            claims.push(Claim { id, puzzle, instance, solution, value });
        }
    }
    Ok(claims)
}

pub(crate) fn run(options: &Check) -> Result<(), Failure> {
    let results: Vec<Checked> = claims(options)?.into_iter().map(check).collect();
    let mut out = std::io::stdout().lock();
    let mut write = || -> std::io::Result<()> {
        match options.format {
            Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&results)?),
            Format::Jsonl => results
                .iter()
                .try_for_each(|result| writeln!(out, "{}", serde_json::to_string(result)?)),
            Format::Csv => {
                let mut csv = csv::Writer::from_writer(&mut out);
                results.iter().try_for_each(|result| csv.serialize(result))?;
                csv.flush()
            }
            Format::Text => results.iter().try_for_each(|result| {
                let id = &result.id;
                match (&result.reason, result.value, result.length) {
                    (Some(reason), ..) => writeln!(out, "{id}: WRONG: {reason}"),
                    (None, Some(value), Some(length)) => {
                        writeln!(out, "{id}: right, value {value}, {length} actions")
                    }
                    _ => writeln!(out, "{id}: right"),
                }
            }),
        }
    };
    write().map_err(|error| Failure::output(&error))?;
    match results.iter().filter(|result| !result.checked).count() {
        0 => Ok(()),
        wrong => {
            let message = format!("{wrong} of {} solutions are wrong", results.len());
            Err(Failure::new(INTERNAL, message))
        }
    }
}
