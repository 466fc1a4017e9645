//! `unriddle check`: replay solutions with the checkers of their puzzles.

use crate::{
    args::{Check, Format},
    exit::{Failure, INPUT, INTERNAL, note},
    inputs, text,
};
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use unriddle_catalog::{
    Registry, Status,
    record::{Claim, Unit, refused_other, verify_certificate},
};

/// The result for one solution.
#[derive(Default, Serialize)]
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

/// The fields of a record that a check needs: a solution with its claimed value and length, and
/// perhaps a certificate.
#[derive(Default, Deserialize)]
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

impl Row {
    /// Whether there is nothing to check.
    fn is_empty(&self) -> bool {
        self.solution.is_none() && self.certificate.is_none()
    }

    /// The claim that the certificate has to prove. A record without a status claims that its value
    /// is the best.
    fn claim(&self) -> Claim {
        let status = self.status.unwrap_or(Status::Optimal);
        Claim::of(status, self.value, self.lower_bound, self.upper_bound)
            .unwrap_or(Claim::AtLeast(i64::MIN))
    }
}

fn check(registry: &Registry, row: Row) -> Checked {
    let Row { puzzle, instance, value: claimed, length: claimed_length, .. } = &row;
    let mut checked = Checked { id: row.id.clone(), puzzle: puzzle.clone(), ..Checked::default() };
    if let Some(puzzle) = registry.checker(puzzle).err() {
        checked.reason = Some(format!("the record is of {puzzle}"));
        return checked;
    }
    let certified = (row.certificate.as_ref())
        .map(|certificate| verify_certificate(puzzle, instance, certificate, row.claim()));
    checked.certified = certified.as_ref().map(Result::is_ok);
    // The last reason is reported.
    let mut reasons = vec![certified.and_then(Result::err)];
    match row.solution.as_ref().map(|solution| registry.verify(puzzle, instance, solution)) {
        None => {}
        Some(Err(why)) => reasons.push(Some(why)),
        Some(Ok((value, length))) => {
            (checked.value, checked.length) = (Some(value), Some(length));
            reasons.push(refused_other(registry, puzzle, instance, *claimed, &row.others));
            let differs = claimed.is_some_and(|claimed| claimed != value)
                || claimed_length.is_some_and(|claimed| claimed != length);
            let shown = |number: Option<String>| number.unwrap_or_else(|| "none".to_owned());
            reasons.push(differs.then(|| {
                format!(
                    "the record claims value {} and length {}, but they are {value} and {length}",
                    shown(claimed.map(|v| v.to_string())),
                    shown(claimed_length.map(|l| l.to_string())),
                )
            }));
        }
    }
    checked.reason = reasons.into_iter().flatten().last();
    checked.checked = Some(checked.reason.is_none());
    checked.unit = row.unit;
    checked
}

/// The solutions to check, and how many records have none.
fn claims(registry: &Registry, options: &Check) -> Result<(Vec<Row>, usize), Failure> {
    if let (Some(puzzle), Some(instance), Some(solution)) =
        (&options.puzzle, &options.instance, &options.solution)
    {
        let (family, puzzle) = inputs::puzzle(registry, puzzle)?;
        let instance = inputs::one(family, &*puzzle, instance)?;
        let row = Row {
            id: "1".to_owned(),
            puzzle: puzzle.spec(),
            instance: instance.text(),
            unit: instance.unit(),
            solution: Some(solution.clone()),
            ..Row::default()
        };
        return Ok((vec![row], 0));
    }
    // The argument parser requires either an instance with a solution, or a file.
    let Some(file) = &options.file else {
        return Ok((Vec::new(), 0));
    };
    let mut rows: Vec<Row> = inputs::records(&inputs::name_of(file), &inputs::read(file)?)?;
    let number = rows.len();
    rows.retain(|row| !row.is_empty());
    let without = number - rows.len();
    Ok((rows, without))
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
    write().map_err(Failure::output)?;
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
            Err(Failure::new(INPUT, format!("{unknown} of {all} solutions are of unknown puzzles")))
        }
        _ => Err(Failure::new(INTERNAL, format!("{wrong} of {} solutions wrong", results.len()))),
    }
}
