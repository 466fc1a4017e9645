//! The record of one solved instance, and the seal: every solution is replayed by the puzzle's checker
//! ([`Registry::checker`]) before it leaves.

use crate::instance::{Events, Instance, NoCertificate, Report, Request, SolveError, Status};
use crate::registry::Registry;
use serde::{Deserialize, Serialize};
use std::fmt;
use unriddle_core::Limit;
use unriddle_tables::TableError;

/// Version of the record's form.
pub const SCHEMA: u32 = 1;

/// One instance and what became of it. The fields and their order are those of the JSON form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Name of the instance.
    pub id: String,
    /// Spec of the puzzle.
    pub puzzle: String,
    /// Text of the instance.
    pub instance: String,
    /// Spec of the solver.
    pub solver: String,
    /// Seed.
    pub seed: u64,
    /// How it ended.
    pub status: Status,
    /// The limit that was reached: `time`, `memory`, `expansions`, `generated`, `cancelled`.
    pub stopped_by: Option<String>,
    /// The objective.
    pub value: Option<i64>,
    /// Number of actions of the solution.
    pub length: Option<usize>,
    /// The solution in the puzzle's notation.
    pub solution: Option<String>,
    /// Best proved bound of the optimum, where less is better: no solution has a value below it.
    pub lower_bound: Option<i64>,
    /// Best proved bound of the optimum, where more is better: no solution has a value above it.
    #[serde(default)]
    pub upper_bound: Option<i64>,
    /// The heuristic's estimate of the start, as a cost; `null` without a heuristic, of a proved dead end,
    /// and where no search began. It counts in no counter.
    #[serde(default)]
    pub initial_h: Option<f64>,
    /// Whether the checker agrees; `null` without a solution.
    pub checked: Option<bool>,
    /// Who checked it.
    pub checked_by: Option<String>,
    /// States expanded; this and the next three are `null` where they would depend on timing.
    pub expanded: Option<u64>,
    /// States generated.
    pub generated: Option<u64>,
    /// States evaluated.
    pub evaluated: Option<u64>,
    /// States reopened.
    pub reopened: Option<u64>,
    /// CPU seconds of the search.
    pub cpu_s: f64,
    /// CPU seconds of loading or building tables and other preparations.
    pub setup_cpu_s: f64,
    /// Wall seconds of the search.
    pub wall_s: f64,
    /// Accounted memory of the search at its peak.
    pub peak_bytes: u64,
    /// Which of the following lengths the value is, of puzzles with several; left out otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    /// Length in moves, a sequence of cards as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub m0: Option<u64>,
    /// Length in single cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub m1: Option<u64>,
    /// Length in moves without safe moves home.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub m2: Option<u64>,
    /// Length in moves without any move home.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub m3: Option<u64>,
    /// Why it is unsolvable, stopped or not accepted, where there is more to say.
    #[serde(default)]
    pub reason: Option<String>,
    /// What proves the bound, or that there is no solution, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// Whether the checker has followed it to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certified: Option<bool>,
    /// The networks that the solver estimates with, each as its file and the hash of the file's bytes, as
    /// [`content_hash`](unriddle_neural::content_hash) has it, and where they were computed, if not on the processor; left out
    /// without any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub networks: Option<String>,
    /// Version of this form.
    pub schema: u32,
}

impl Record {
    /// The names of all fields, in order: the columns of a table of records.
    pub const FIELDS: &[&str] = &[
        "id",
        "puzzle",
        "instance",
        "solver",
        "seed",
        "status",
        "stopped_by",
        "value",
        "length",
        "solution",
        "lower_bound",
        "upper_bound",
        "initial_h",
        "checked",
        "checked_by",
        "expanded",
        "generated",
        "evaluated",
        "reopened",
        "cpu_s",
        "setup_cpu_s",
        "wall_s",
        "peak_bytes",
        "measure",
        "m0",
        "m1",
        "m2",
        "m3",
        "reason",
        "certificate",
        "certified",
        "networks",
        "schema",
    ];

    /// Whether the instance has a definite, checked answer: a solution, or a proof that none exists.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        match self.status {
            Status::Unsolvable => true,
            _ => self.solution.is_some() && self.checked == Some(true),
        }
    }

    /// Makes the record of a report and lets the puzzle's checker replay its solution. A solution that the
    /// checker refuses, values differently, or is claimed and missing, makes `checked` false, and never
    /// stays `optimal`.
    #[must_use]
    pub fn seal(
        registry: &Registry,
        id: &str,
        puzzle: &str,
        instance: &str,
        solver: &str,
        seed: u64,
        report: Report,
    ) -> Self {
        let stats = report.stats;
        let round = |d: std::time::Duration| d.as_micros() as f64 / 1e6;
        let [m0, m1, m2, m3] = match report.measures.lengths {
            Some(lengths) => lengths.map(Some),
            None => [None; 4],
        };
        let mut record = Self {
            id: id.to_owned(),
            puzzle: puzzle.to_owned(),
            instance: instance.to_owned(),
            solver: solver.to_owned(),
            seed,
            status: report.status,
            stopped_by: report.stopped_by.map(|limit| limit.name().to_owned()),
            value: report.value,
            length: report.length,
            solution: report.solution,
            lower_bound: report.bound,
            upper_bound: report.upper_bound,
            initial_h: report.initial_h,
            checked: None,
            checked_by: None,
            expanded: stats.map(|s| s.expanded),
            generated: stats.map(|s| s.generated),
            evaluated: stats.map(|s| s.evaluated),
            reopened: stats.map(|s| s.reopened),
            cpu_s: round(report.cpu),
            setup_cpu_s: round(report.setup_cpu),
            wall_s: round(report.wall),
            peak_bytes: report.peak_bytes,
            measure: report.measures.of_value.map(str::to_owned),
            m0,
            m1,
            m2,
            m3,
            reason: report.reason,
            certificate: None,
            certified: None,
            networks: report.networks,
            schema: SCHEMA,
        };
        let solved = matches!(record.status, Status::Optimal | Status::Solved);
        if solved || record.solution.is_some() {
            let verdict = record
                .solution
                .as_ref()
                .map(|solution| registry.verify(puzzle, instance, solution));
            let objection = match verdict {
                None => Some("the search claims a solution and gives none".to_owned()),
                Some(Err(why)) => Some(why),
                Some(Ok((value, length))) => {
                    let claimed = (record.value, record.length.map(|l| l as u64));
                    (claimed != (Some(value), Some(length)))
                        .then(|| format!("the checker counts value {value} and length {length}"))
                }
            };
            record.checked = Some(objection.is_none());
            record.checked_by = registry.checker(puzzle).ok().map(|c| c.to_string());
            if let Some(objection) = objection {
                if record.status == Status::Optimal {
                    record.status = Status::Solved;
                }
                record.reason = Some(objection);
            }
        }
        record
    }

    /// What a certificate of this record must prove; `None` if the record claims that nothing is proved.
    #[must_use]
    pub fn claim(&self) -> Option<Claim> {
        Claim::of(self.status, self.value, self.lower_bound, self.upper_bound)
    }
}

/// What is claimed to be proved of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It has no solution.
    Unsolvable,
    /// No solution has a value below this one.
    AtLeast(i64),
    /// No solution has a value above this one.
    AtMost(i64),
}

impl Claim {
    /// The claim of a record with this status, value and bounds. An upper bound tells that values are scores.
    #[must_use]
    pub fn of(
        status: Status,
        value: Option<i64>,
        lower_bound: Option<i64>,
        upper_bound: Option<i64>,
    ) -> Option<Self> {
        match (status, upper_bound) {
            (Status::Unsolvable, _) => Some(Self::Unsolvable),
            (Status::Optimal, None) => value.map(Self::AtLeast),
            (Status::Optimal, Some(_)) => value.map(Self::AtMost),
            _ => lower_bound
                .map(Self::AtLeast)
                .or(upper_bound.map(Self::AtMost)),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsolvable => f.write_str("there is no solution"),
            Self::AtLeast(value) => write!(f, "no value is below {value}"),
            Self::AtMost(value) => write!(f, "no value is above {value}"),
        }
    }
}

/// A puzzle, or a claim, that is not certified.
fn no_certificates(record: &Record) -> SolveError {
    let puzzle = &record.puzzle;
    SolveError::Unsupported(format!("there are no certificates for {puzzle}"))
}

/// Adds to a record the certificate of what it claims, and lets the checker follow it. `go_on` is asked now and then, with
/// how many steps are done. A record that claims nothing is left as it is; one whose certificate is given up says so.
///
/// # Errors
/// The puzzle has no certificates.
pub fn certify(
    record: &mut Record,
    instance: &dyn Instance,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<(), SolveError> {
    let Some(claim) = record.claim() else {
        return Ok(());
    };
    let Some(certifies) = instance.extensions().certifies else {
        return Err(no_certificates(record));
    };
    let certificate = match claim {
        Claim::Unsolvable => certifies.certificate(None, go_on),
        Claim::AtLeast(value) => certifies.certificate(Some(value), go_on),
        Claim::AtMost(_) => return Err(no_certificates(record)),
    };
    let objection = match certificate {
        Ok(certificate) => {
            let (puzzle, text) = (&record.puzzle, &record.instance);
            let verdict = verify_certificate(puzzle, text, &certificate, claim);
            record.certificate = Some(certificate);
            verdict.err()
        }
        Err(NoCertificate::Stopped) => {
            record.reason = Some("the certificate was given up".to_owned());
            return Ok(());
        }
        Err(NoCertificate::False(solution)) => Some(format!("{solution} is better")),
    };
    record.certified = Some(objection.is_none());
    if objection.is_some() {
        record.reason = objection;
    }
    Ok(())
}

/// Lets the independent checker follow a certificate that is to prove a claim.
///
/// # Errors
/// The first step that does not follow, or that something else is proved.
pub fn verify_certificate(
    puzzle: &str,
    instance: &str,
    certificate: &str,
    claim: Claim,
) -> Result<(), String> {
    let proved = unriddle_check::verify_certificate(puzzle, instance, certificate);
    let proved = proved.map_err(|error| error.to_string())?;
    let proved = proved.map_or(Claim::Unsolvable, Claim::AtLeast);
    let enough = match (proved, claim) {
        // That there is no solution is more than any bound.
        (Claim::Unsolvable, _) => true,
        (Claim::AtLeast(proved), Claim::AtLeast(claimed)) => proved >= claimed,
        _ => false,
    };
    match enough {
        true => Ok(()),
        false => Err(format!(
            "the record claims that {claim}, but the certificate proves that {proved}"
        )),
    }
}

/// Solves an instance and seals the result. A table whose building was cancelled makes a record of a
/// stopped search, not an error.
///
/// # Errors
/// Those of [`Instance::solve`].
pub fn solve(
    registry: &Registry,
    id: &str,
    puzzle: &str,
    instance: &dyn Instance,
    request: &Request<'_>,
    events: &mut dyn Events,
) -> Result<Record, SolveError> {
    let solver = request.solver.to_string();
    let report = match instance.unsolvable() {
        Some(reason) => Report::unsolvable(reason),
        None => match instance.solve(request, events) {
            // A table is given up for one of the two limits of the whole run.
            Err(SolveError::Table(TableError::Cancelled)) => {
                Report::unprepared(match request.budget.cancel.is_cancelled() {
                    true => Limit::Cancelled,
                    false => Limit::Time,
                })
            }
            report => report?,
        },
    };
    let (text, seed) = (instance.text(), request.seed);
    Ok(Record::seal(
        registry, id, puzzle, &text, &solver, seed, report,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_has_the_direction_of_the_bound() {
        let of = |status, value, lower, upper| Claim::of(status, value, lower, upper);
        let (least, most) = (Some(Claim::AtLeast(5)), Some(Claim::AtMost(5)));
        assert_eq!(of(Status::Optimal, Some(5), Some(5), None), least);
        assert_eq!(of(Status::Optimal, Some(5), None, Some(5)), most);
        assert_eq!(of(Status::Stopped, Some(7), Some(5), None), least);
        assert_eq!(of(Status::Stopped, Some(3), None, Some(5)), most);
        assert_eq!(of(Status::Stopped, Some(3), None, None), None);
        // No certificate that proves a bound from below proves one from above.
        let below = r#"{"certificate": 1, "least": 1, "regions": []}"#;
        assert!(verify_certificate("party", "{}", below, Claim::AtMost(1)).is_err());
    }
}
