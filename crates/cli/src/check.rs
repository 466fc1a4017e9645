//! `unriddle check`: replay solutions with the checkers of their puzzles, and compare the claims of
//! records with each other.

use crate::{
    args::{Check, Format},
    exit::{Failure, INPUT, INTERNAL, note},
    inputs, text,
};
use serde::{Deserialize, Serialize};
use std::{collections::HashMap, io::Write as _};
use unriddle_catalog::{
    Instance, Objection, Registry, Status,
    record::{Claim, Unit, refused_other, verify_certificate},
    units::printable,
};

/// Proof of the claims of a record: of its optimality, its unsolvability or its bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Proof {
    /// A certificate proves the claim; the checker followed it.
    Certified,
    /// The record claims it, and nothing was checked.
    Claimed,
    /// Nothing is claimed.
    #[default]
    None,
}

/// The result for one record.
#[derive(Default, Serialize)]
struct Checked {
    id: String,
    puzzle: String,
    /// Whether the solution is correct and the record agrees with itself and with the others;
    /// `None` if there is nothing to check, or the program does not know the puzzle.
    checked: Option<bool>,
    value: Option<i64>,
    length: Option<u64>,
    /// Unit of the value, if values count parts of the puzzle's unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<Unit>,
    /// Proof of the record's claims.
    proof: Proof,
    /// Whether the certificate proves its claim, or `None` without a certificate.
    certified: Option<bool>,
    reason: Option<String>,
    #[serde(skip)]
    claim: Option<Claim>,
    #[serde(skip)]
    instance: String,
}

/// The fields of a record that a check needs: a solution with its claimed value and length, bounds,
/// and perhaps a certificate.
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
    /// The record's claim, if it makes one.
    fn claim(&self) -> Option<Claim> {
        let status = self.status.unwrap_or(Status::Solved);
        Claim::of(status, self.value, self.lower_bound, self.upper_bound)
    }

    /// The claim that the certificate has to prove. A record without a status claims that its value
    /// is the best.
    fn certified_claim(&self) -> Claim {
        let status = self.status.unwrap_or(Status::Optimal);
        Claim::of(status, self.value, self.lower_bound, self.upper_bound)
            .unwrap_or(Claim::AtLeast(i64::MIN))
    }

    /// A contradiction between the record's own fields.
    fn contradiction(&self) -> Option<String> {
        let is_solved = matches!(self.status, Some(Status::Optimal | Status::Solved));
        if self.status == Some(Status::Unsolvable) && self.solution.is_some() {
            return Some("the record claims unsolvability and has a solution".to_owned());
        }
        if is_solved && self.solution.is_none() && self.certificate.is_none() {
            return Some("the record claims a solution and has none".to_owned());
        }
        let value = self.value?;
        if let Some(bound) = self.lower_bound.filter(|&bound| bound > value) {
            return Some(format!("the lower bound {bound} is above the value {value}"));
        }
        if let Some(bound) = self.upper_bound.filter(|&bound| bound < value) {
            return Some(format!("the upper bound {bound} is below the value {value}"));
        }
        let bound = self.lower_bound.or(self.upper_bound).filter(|&bound| bound != value);
        let bound = bound.filter(|_| self.status == Some(Status::Optimal))?;
        Some(format!("the record claims that {value} is optimal, with a bound of {bound}"))
    }
}

/// Checks one record by itself.
fn check(registry: &Registry, row: Row) -> Checked {
    let Row { puzzle, instance, value: claimed, length: claimed_length, .. } = &row;
    let mut checked = Checked {
        id: row.id.clone(),
        puzzle: puzzle.clone(),
        instance: instance.clone(),
        claim: row.claim(),
        ..Checked::default()
    };
    if let Some(puzzle) = registry.checker(puzzle).err() {
        checked.reason = Some(format!("the record is of {puzzle}"));
        return checked;
    }
    let certified = (row.certificate.as_ref()).map(|certificate| {
        verify_certificate(puzzle, instance, certificate, row.certified_claim())
    });
    checked.certified = certified.as_ref().map(Result::is_ok);
    checked.proof = match (checked.certified, checked.claim) {
        (Some(true), _) => Proof::Certified,
        (_, Some(_)) => Proof::Claimed,
        (_, None) => Proof::None,
    };
    // The last reason is reported.
    let mut reasons = vec![certified.and_then(Result::err), row.contradiction()];
    match row.solution.as_ref().map(|solution| registry.verify(puzzle, instance, solution)) {
        None => {}
        Some(Err(why)) => reasons.push(Some(why.to_string())),
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
    let is_replayed = row.solution.is_some() || row.certificate.is_some();
    let is_wrong = checked.reason.is_some();
    checked.checked = (is_replayed || is_wrong).then_some(!is_wrong);
    checked.unit = row.unit;
    checked
}

/// Finds claims that right solutions of the same instance in other records refute.
fn compare(results: &mut [Checked]) {
    // Records with the least and the greatest right value of each instance.
    let mut known: HashMap<(&str, &str), [(i64, &str); 2]> = HashMap::new();
    for result in results.iter().filter(|result| result.checked == Some(true)) {
        let Some(value) = result.value else { continue };
        let found = (value, &*result.id);
        let [least, most] =
            known.entry((&result.puzzle, &result.instance)).or_insert([found, found]);
        *least = found.min(*least);
        *most = found.max(*most);
    }
    let refuted = |result: &Checked| {
        let [least, most] = known.get(&(&*result.puzzle, &*result.instance))?;
        let (value, id) = match result.claim? {
            Claim::AtLeast(bound) if least.0 < bound => least,
            Claim::AtMost(bound) if most.0 > bound => most,
            Claim::Unsolvable => least,
            _ => return None,
        };
        Some(format!(
            "the record claims that {}, but `{id}` has a solution of value {value}",
            result.claim?
        ))
    };
    let reasons: Vec<_> = results.iter().map(refuted).collect();
    for (result, reason) in results.iter_mut().zip(reasons) {
        if reason.is_some() {
            (result.checked, result.reason) = (Some(false), reason);
        }
    }
}

/// The solution of an argument in a notation that the checker reads.
///
/// # Errors
/// The text is no solution: bad input, where a wrong solution is a result of the check.
fn readable(
    registry: &Registry,
    puzzle: &str,
    instance: &dyn Instance,
    solution: &str,
) -> Result<String, Failure> {
    match registry.verify(puzzle, &instance.text(), solution) {
        Err(Objection::Unreadable(why)) => instance
            .standard_solution(solution)
            .ok()
            .filter(|standard| standard != solution)
            .ok_or_else(|| Failure::new(INPUT, why)),
        _ => Ok(solution.to_owned()),
    }
}

/// The records to check.
fn claims(registry: &Registry, options: &Check) -> Result<Vec<Row>, Failure> {
    if let (Some(puzzle), Some(instance)) = (&options.puzzle, &options.instance) {
        let solution = match (&options.solution, &options.file) {
            (Some(solution), _) => solution.clone(),
            (None, Some(file)) => inputs::read(file)?.trim().to_owned(),
            (None, None) => String::new(),
        };
        let (family, puzzle) = inputs::puzzle(registry, puzzle)?;
        let instance = inputs::one(family, &*puzzle, instance)?;
        let puzzle = puzzle.spec();
        let row = Row {
            id: "1".to_owned(),
            instance: instance.text(),
            unit: instance.unit(),
            solution: Some(readable(registry, &puzzle, &*instance, &solution)?),
            puzzle,
            ..Row::default()
        };
        return Ok(vec![row]);
    }
    // The argument parser requires either an instance with a solution, or a file.
    match &options.file {
        Some(file) => inputs::records(&inputs::name_of(file), &inputs::read(file)?),
        None => Ok(Vec::new()),
    }
}

/// A result in words.
fn line(registry: &Registry, result: &Checked) -> String {
    let id = printable(&result.id);
    let proof = match (result.proof, result.claim) {
        (Proof::Certified, _) => ", the bound is certified",
        (Proof::Claimed, Some(Claim::Unsolvable)) => "unsolvability is claimed, not checked",
        (Proof::Claimed, Some(Claim::AtLeast(bound) | Claim::AtMost(bound))) => {
            let is_optimal = result.value == Some(bound);
            if is_optimal {
                ", optimality claimed, not checked"
            } else {
                ", bound claimed, not checked"
            }
        }
        _ => "",
    };
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
            text + proof
        }
        _ if result.proof == Proof::Certified => {
            format!("{id}: right: it is certified that there is no better solution")
        }
        _ => format!("{id}: no solution to check: {}", proof.trim_start_matches(", ")),
    }
}

pub(crate) fn run(registry: &Registry, options: &Check) -> Result<(), Failure> {
    let rows = claims(registry, options)?;
    let mut results: Vec<Checked> = rows.into_iter().map(|row| check(registry, row)).collect();
    compare(&mut results);
    let all = results.len();
    // A record that claims nothing has nothing to show.
    results.retain(|result| {
        let is_unsolvable = result.claim == Some(Claim::Unsolvable);
        result.checked.is_some() || result.reason.is_some() || is_unsolvable
    });
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
    let number = |of: fn(&Checked) -> bool| results.iter().filter(|result| of(result)).count();
    let (right, wrong) =
        (number(|r| r.checked == Some(true)), number(|r| r.checked == Some(false)));
    let unknown = number(|r| r.checked.is_none() && r.reason.is_some());
    let claimed = number(|r| r.checked == Some(true) && r.proof == Proof::Claimed);
    let without = all - right - wrong - unknown;
    let checked = all - without;
    if all > 1 {
        let mut summary = format!("{checked} solutions: {right} right");
        if wrong > 0 {
            summary += &format!(", {wrong} wrong");
        }
        if unknown > 0 {
            summary += &format!(", {unknown} of unknown puzzles");
        }
        if without > 0 {
            summary += &format!("; {} without a solution", text::count(without as i64, "records"));
        }
        if claimed > 0 {
            summary += &format!("; {claimed} with claims of bounds that are not checked");
        }
        note(&summary);
    }
    match (wrong, unknown) {
        (0, 0) => Ok(()),
        (0, unknown) => Err(Failure::new(
            INPUT,
            format!("{unknown} of {checked} solutions are of unknown puzzles"),
        )),
        _ => Err(Failure::new(INTERNAL, format!("{wrong} of {checked} solutions wrong"))),
    }
}
