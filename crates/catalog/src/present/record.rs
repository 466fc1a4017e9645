//! The record of one solved instance, and the seal: every solution is replayed by the puzzle's
//! checker ([`Registry::checker`]) before it leaves.

use super::registry::Registry;
use crate::interface::{
    instance::Instance,
    pending,
    values::{Events, NoCertificate, Report, Request, SolveError, Status},
};
use serde::{Deserialize, Serialize};
use std::fmt;
use unriddle_core::{Limit, ranks::Message};
use unriddle_tables::TableError;

mod measured;
mod outcome;

pub use crate::interface::unit::Unit;
pub use measured::Measured;
#[doc(hidden)]
pub use outcome::seconds;

/// Version of the record's form.
pub const SCHEMA: u32 = 2;

/// Makes the record from its own fields, before and after the results of the solve.
macro_rules! record {
    ({
        head { $($(#[$head_meta:meta])* $head:ident: $head_type:ty;)* }
        tail { $($(#[$tail_meta:meta])* $tail:ident: $tail_type:ty = $tail_of:expr;)* }
    } {
        $($(#[$meta:meta])* $name:ident: $type:ty = $of:expr;)*
    }) => {
        /// Record of a solved instance. The fields and their order are the same in the JSON form.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(from = "Stored")]
        pub struct Record {
            $($(#[$head_meta])* pub $head: $head_type,)*
            $($(#[$meta])* pub $name: $type,)*
            $($(#[$tail_meta])* pub $tail: $tail_type,)*
        }

        impl Record {
            /// The names of all fields, in order: the columns of a table of records.
            pub const FIELDS: &[&str] = &[
                $(stringify!($head),)* $(stringify!($name),)* $(stringify!($tail),)*
            ];

            /// The record of a report that nobody has checked.
            fn of(report: &Report, $($head: $head_type),*) -> Self {
                $(let $name: fn(&Report) -> $type = $of;)*
                $(let $tail: fn(&Report) -> $tail_type = $tail_of;)*
                Self {
                    $($head,)*
                    $($name: $name(report),)*
                    $($tail: $tail(report),)*
                }
            }
        }

        /// A record of any version.
        #[derive(Deserialize)]
        struct Stored {
            $($(#[$head_meta])* $head: $head_type,)*
            $($(#[$meta])* $name: $type,)*
            $($(#[$tail_meta])* $tail: $tail_type,)*
            /// Version 1 had these measures and no others.
            m0: Option<u64>,
            m1: Option<u64>,
            m2: Option<u64>,
            m3: Option<u64>,
        }

        impl From<Stored> for Record {
            fn from(stored: Stored) -> Self {
                let Stored { m0, m1, m2, m3, .. } = stored;
                let all = [("m0", m0), ("m1", m1), ("m2", m2), ("m3", m3)];
                let flat: Vec<_> = all.into_iter().filter_map(|(name, n)| Some((name, n?))).collect();
                let mut record = Self {
                    $($head: stored.$head,)*
                    $($name: stored.$name,)*
                    $($tail: stored.$tail,)*
                };
                record.measures = record.measures.or_else(|| Measured::of(&flat));
                record.schema = record.schema.max(SCHEMA);
                record
            }
        }
    };
}

crate::outcome_fields! { record! {
    head {
        /// Name of the instance.
        id: String;
        /// Spec of the puzzle.
        puzzle: String;
        /// Text of the instance.
        instance: String;
        /// Spec of the solver.
        solver: String;
        /// Seed.
        seed: u64;
        /// Status of the solve.
        status: Status;
    }
    tail {
        /// Accounted memory of the search at its peak.
        peak_bytes: u64 = |report| report.peak_bytes;
        /// Further solutions as good as the best, of a solver that was asked for several; left out
        /// otherwise. Each is checked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        others: Option<Vec<String>> = |report| (!report.others.is_empty()).then(|| report.others.clone());
        /// Proof of the bound or of unsolvability, where it was requested.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        certificate: Option<String> = |_| None;
        /// Whether the checker has followed it to its end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        certified: Option<bool> = |_| None;
        /// Version of this form.
        schema: u32 = |_| SCHEMA;
    }
} }

impl Record {
    /// The record as JSON in one line, without an end of line. Programs that write many records
    /// call this instead of serialising themselves: it is compiled with optimisation, once.
    ///
    /// # Errors
    /// A value that JSON cannot represent.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// Whether the instance has a definite, checked answer: a solution, or a proof that none
    /// exists.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        match self.status {
            Status::Unsolvable => true,
            _ => self.solution.is_some() && self.checked == Some(true),
        }
    }

    /// Makes the record of a report and lets the puzzle's checker replay its solution. A solution
    /// that the checker refuses, values differently, or is claimed and missing, makes `checked`
    /// false, and never stays `optimal`.
    #[must_use]
    pub fn seal(
        registry: &Registry,
        id: &str,
        puzzle: &str,
        instance: &str,
        solver: &str,
        seed: u64,
        report: &Report,
    ) -> Self {
        let (id, puzzle_spec) = (id.to_owned(), puzzle.to_owned());
        let (text, solver) = (instance.to_owned(), solver.to_owned());
        let mut record = Self::of(report, id, puzzle_spec, text, solver, seed, report.status);
        let solved = matches!(record.status, Status::Optimal | Status::Solved);
        if solved || record.solution.is_some() {
            let verdict = record
                .solution
                .as_ref()
                .map(|solution| registry.verify(puzzle, instance, solution));
            let objection = match verdict {
                None => Some("the search claims a solution and gives none".to_owned()),
                Some(Err(why)) => Some(why.to_string()),
                Some(Ok((value, length))) => {
                    let claimed = (record.value, record.length);
                    (claimed != (Some(value), Some(length)))
                        .then(|| format!("the checker counts value {value} and length {length}"))
                }
            };
            let others = record.others.as_deref().unwrap_or_default();
            let objection = objection
                .or_else(|| refused_other(registry, puzzle, instance, record.value, others));
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

    /// The claim that a certificate of this record must prove; `None` if the record claims no
    /// proof.
    #[must_use]
    pub fn claim(&self) -> Option<Claim> {
        Claim::of(self.status, self.value, self.lower_bound, self.upper_bound)
    }
}

/// Objection to the first further solution that the puzzle's checker refuses, or values
/// differently.
#[must_use]
pub fn refused_other(
    registry: &Registry,
    puzzle: &str,
    instance: &str,
    value: Option<i64>,
    others: &[String],
) -> Option<String> {
    (1..).zip(others).find_map(|(number, other)| {
        let why = match registry.verify(puzzle, instance, other) {
            Ok((found, _)) if Some(found) == value => return None,
            Ok((found, _)) => format!("the checker counts value {found}"),
            Err(why) => why.to_string(),
        };
        Some(format!("further solution {number}: {why}"))
    })
}

/// Claim about an instance that a record calls proved.
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
    /// The claim of a record with this status, value and bounds. An upper bound means that values
    /// are scores.
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
            _ => lower_bound.map(Self::AtLeast).or(upper_bound.map(Self::AtMost)),
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

/// Adds the certificate of its claim to a record, and lets the checker verify it. `go_on` is called
/// now and then with the number of steps so far. A record without a claim is unchanged; the reason
/// of a record whose certificate is given up is set.
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
        false => {
            Err(format!("the record claims that {claim}, but the certificate proves that {proved}"))
        }
    }
}

impl Message for Record {
    fn write(&self, bytes: &mut Vec<u8>) {
        // A record that cannot be written is a damaged message.
        bytes.extend(serde_json::to_vec(self).unwrap_or_default());
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}

/// Solves an instance and seals the result. A table whose building was cancelled makes a record of
/// a stopped search, not an error.
///
/// # Errors
/// Errors of [`Instance::solve`].
pub fn solve(
    registry: &Registry,
    id: &str,
    puzzle: &str,
    instance: &dyn Instance,
    request: &Request<'_>,
    events: &mut dyn Events,
) -> Result<Record, SolveError> {
    pending::finish(begin(registry, id, puzzle, instance, request, events))
}

/// Begins to solve an instance, as [`solve`] does; the caller advances the solve by polling it.
///
/// # Errors
/// Errors of [`Instance::solve`].
pub async fn begin(
    registry: &Registry,
    id: &str,
    puzzle: &str,
    instance: &dyn Instance,
    request: &Request<'_>,
    events: &mut dyn Events,
) -> Result<Record, SolveError> {
    let solver = request.solver.to_string();
    if request.ranks.is_some() {
        let on_ranks = registry.on_ranks();
        if !on_ranks.contains(&request.solver.name()) {
            let others = on_ranks.join(", ");
            let message =
                format!("several ranks cannot search together by {solver}; these can: {others}");
            return Err(SolveError::Unsupported(message));
        }
    }
    if request.journal.is_some() {
        let with_journal = registry.with_journal();
        let others = with_journal.join(", ");
        if !with_journal.contains(&request.solver.name()) {
            let message = format!("{solver} keeps no journal; these do: {others}");
            return Err(SolveError::Unsupported(message));
        }
        if request.ranks.is_some() {
            let message = "a journal and several ranks do not go together: processes share a journal by shards";
            return Err(SolveError::Unsupported(message.to_owned()));
        }
    }
    let report = match instance.unsolvable() {
        Some(reason) => Report::unsolvable(reason),
        None => match instance.begin(request, events).await {
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
    Ok(Record::seal(registry, id, puzzle, &text, &solver, seed, &report))
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
