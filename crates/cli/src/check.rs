//! `unriddle check`: replay solutions with the checkers of their puzzles.

use crate::{
    args::{Check, Format},
    exit::{Failure, INPUT, INTERNAL, note},
    inputs, text,
};
use serde::Serialize;
use std::io::Write as _;
use unriddle_catalog::{
    Registry, Status,
    record::{self, Unit, refused_other, verify_certificate},
};

/// The result for one solution.
#[derive(Serialize)]
struct Checked {
    id: String,
    puzzle: String,
    /// Whether the solution is correct, or `None` if the program does not know the puzzle.
    checked: Option<bool>,
    value: Option<i64>,
    length: Option<u64>,
    /// Unit of the value, if values count parts of the puzzle's unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<Unit>,
    /// Whether the certificate proves its claim, or `None` without a certificate.
    certified: Option<bool>,
    reason: Option<String>,
}

/// Claim to check: a solution with its claimed value and length, and perhaps a certificate.
struct Claim {
    id: String,
    puzzle: String,
    instance: String,
    solution: Option<String>,
    value: Option<i64>,
    length: Option<u64>,
    unit: Option<Unit>,
    /// Further solutions of the same value.
    others: Vec<String>,
    /// A certificate and the claim that it has to prove.
    certificate: Option<(String, record::Claim)>,
}

/// The fields of a record that a check needs.
#[derive(serde::Deserialize)]
#[serde(expecting = "a record")]
struct Row {
    id: String,
    puzzle: String,
    instance: String,
    solution: Option<String>,
    value: Option<i64>,
    length: Option<u64>,
    #[serde(default)]
    status: Option<Status>,
    lower_bound: Option<i64>,
    upper_bound: Option<i64>,
    certificate: Option<String>,
    #[serde(default)]
    others: Vec<String>,
    #[serde(default)]
    unit: Option<Unit>,
}

fn check(registry: &Registry, claim: Claim) -> Checked {
    let unknown = registry.checker(&claim.puzzle).err();
    if let Some(puzzle) = unknown {
        return Checked {
            id: claim.id,
            puzzle: claim.puzzle,
            checked: None,
            value: None,
            length: None,
            unit: None,
            certified: None,
            reason: Some(format!("the record is of {puzzle}")),
        };
    }
    let certified = claim.certificate.as_ref().map(|(certificate, of)| {
        verify_certificate(&claim.puzzle, &claim.instance, certificate, *of)
    });
    let solution = claim.solution.as_deref();
    let verdict =
        solution.map(|solution| registry.verify(&claim.puzzle, &claim.instance, solution));
    let (puzzle, instance, value) = (&claim.puzzle, &claim.instance, claim.value);
    let other = refused_other(registry, puzzle, instance, value, &claim.others);
    let mut checked = Checked {
        id: claim.id,
        puzzle: claim.puzzle,
        checked: Some(true),
        value: None,
        length: None,
        unit: claim.unit,
        certified: certified.as_ref().map(Result::is_ok),
        reason: None,
    };
    if let Some(Err(why)) = certified {
        checked.checked = Some(false);
        checked.reason = Some(why);
    }
    match verdict {
        None => {}
        Some(Err(why)) => {
            checked.checked = Some(false);
            checked.reason = Some(why);
        }
        Some(Ok((value, length))) => {
            checked.value = Some(value);
            checked.length = Some(length);
            if let Some(why) = other {
                checked.checked = Some(false);
                checked.reason = Some(why);
            }
            let differs = claim.value.is_some_and(|claimed| claimed != value)
                || claim.length.is_some_and(|claimed| claimed != length);
            if differs {
                let claimed = |number: Option<String>| number.unwrap_or_else(|| "none".to_owned());
                checked.checked = Some(false);
                checked.reason = Some(format!(
                    "the record claims value {} and length {}, but they are {value} and {length}",
                    claimed(claim.value.map(|v| v.to_string())),
                    claimed(claim.length.map(|l| l.to_string())),
                ));
            }
        }
    }
    checked
}

/// The solutions to check, and how many records have none.
fn claims(registry: &Registry, options: &Check) -> Result<(Vec<Claim>, usize), Failure> {
    if let (Some(puzzle), Some(instance), Some(solution)) =
        (&options.puzzle, &options.instance, &options.solution)
    {
        let (family, puzzle) = inputs::puzzle(registry, puzzle)?;
        let instance = inputs::one(family, &*puzzle, instance)?;
        let claim = Claim {
            id: "1".to_owned(),
            puzzle: puzzle.spec(),
            instance: instance.text(),
            unit: instance.unit(),
            solution: Some(solution.clone()),
            value: None,
            length: None,
            others: Vec::new(),
            certificate: None,
        };
        return Ok((vec![claim], 0));
    }
    // The argument parser requires either an instance with a solution, or a file.
    let Some(file) = &options.file else {
        return Ok((Vec::new(), 0));
    };
    let rows: Vec<Row> = inputs::records(&inputs::name_of(file), &inputs::read(file)?)?;
    let number = rows.len();
    let claims: Vec<Claim> = rows
        .into_iter()
        .filter_map(|row| {
            // A record without a status claims that its value is the best.
            let status = row.status.unwrap_or(Status::Optimal);
            let of = record::Claim::of(status, row.value, row.lower_bound, row.upper_bound)
                .unwrap_or(record::Claim::AtLeast(i64::MIN));
            let certificate = row.certificate.map(|certificate| (certificate, of));
            (row.solution.is_some() || certificate.is_some()).then_some(Claim {
                id: row.id,
                puzzle: row.puzzle,
                instance: row.instance,
                value: row.value,
                length: row.length,
                unit: row.unit,
                solution: row.solution,
                others: row.others,
                certificate,
            })
        })
        .collect();
    let without = number - claims.len();
    Ok((claims, without))
}

/// A result in words.
fn line(registry: &Registry, result: &Checked) -> String {
    let id = &result.id;
    match (&result.reason, result.value, result.length) {
        (Some(reason), ..) if result.checked.is_none() => format!("{id}: NOT CHECKED: {reason}"),
        (Some(reason), ..) => format!("{id}: WRONG: {reason}"),
        (None, Some(value), Some(length)) => {
            let puzzle = registry.puzzle(&result.puzzle);
            let unit = puzzle.map_or("moves", |(_, puzzle)| puzzle.unit());
            let mut text =
                format!("{id}: right: {}", text::amount(value, result.unit.as_ref(), unit));
            if i64::try_from(length) != Ok(value) {
                text += &format!(", {}", text::count(length as i64, "actions"));
            }
            if result.certified.is_some() {
                text += ", the bound is certified";
            }
            text
        }
        _ => format!("{id}: right: it is certified that there is no better solution"),
    }
}

pub(crate) fn run(registry: &Registry, options: &Check) -> Result<(), Failure> {
    let (claims, without) = claims(registry, options)?;
    let results: Vec<Checked> = claims.into_iter().map(|c| check(registry, c)).collect();
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
            Format::Text => {
                results.iter().try_for_each(|result| writeln!(out, "{}", line(registry, result)))
            }
        }
    };
    write().map_err(|error| Failure::output(&error))?;
    let number = |of| results.iter().filter(|result| result.checked == of).count();
    let (wrong, unknown) = (number(Some(false)), number(None));
    if results.len() + without > 1 {
        let mut summary = format!("{} solutions: {} right", results.len(), number(Some(true)));
        if wrong > 0 {
            summary += &format!(", {wrong} wrong");
        }
        if unknown > 0 {
            summary += &format!(", {unknown} of unknown puzzles");
        }
        if without > 0 {
            summary += &format!("; {} without a solution", text::count(without as i64, "records"));
        }
        note(&summary);
    }
    match (wrong, unknown) {
        (0, 0) => Ok(()),
        (0, unknown) => {
            let all = results.len();
            let message = format!("{unknown} of {all} solutions are of unknown puzzles");
            Err(Failure::new(INPUT, message))
        }
        _ => {
            let message = format!("{wrong} of {} solutions wrong", results.len());
            Err(Failure::new(INTERNAL, message))
        }
    }
}
