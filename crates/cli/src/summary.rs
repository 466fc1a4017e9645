//! Summary of a batch, and the exit code of the command.

use crate::{
    exit::{CANCELLED, Failure, INTERNAL, TIME, UNSOLVABLE, code_of},
    text,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};
use unriddle_catalog::{Record, Status, record::Unit, units::show_seconds};

/// Sums over the records of a run.
#[derive(Default)]
pub(crate) struct Summary {
    instances: usize,
    optimal: usize,
    solved: usize,
    unsolvable: usize,
    refused: usize,
    /// Numbers of instances without an answer, by cause.
    unanswered: BTreeMap<String, usize>,
    /// Sum of the values of checked solutions, in whole units.
    value: f64,
    /// Units of these values; `None` for the puzzle's unit.
    units: BTreeSet<Option<String>>,
    cpu_s: f64,
    setup_cpu_s: f64,
    /// The highest code of an instance without an answer.
    code: u8,
    /// Why the last record has no answer, and its reason.
    last: (String, Option<String>),
}

impl Summary {
    pub(crate) fn add(&mut self, record: &Record) {
        self.instances += 1;
        self.cpu_s += record.cpu_s.unwrap_or(0.0);
        self.setup_cpu_s += record.setup_cpu_s.unwrap_or(0.0);
        self.code = self.code.max(code_of(record));
        let lack = if record.checked == Some(false) {
            self.refused += 1;
            "the checker refuses the solution".to_owned()
        } else if record.certified == Some(false) {
            self.refused += 1;
            "the checker refuses the certificate".to_owned()
        } else if record.status == Status::Unsolvable {
            self.unsolvable += 1;
            "proved unsolvable".to_owned()
        } else if record.is_answered() {
            self.solved += 1;
            self.optimal += usize::from(record.status == Status::Optimal);
            let value = record.value.unwrap_or(0) as f64;
            self.value += value / 10f64.powi(record.unit.as_ref().map_or(0, Unit::decimals) as i32);
            self.units.insert(record.unit.as_ref().map(|unit| unit.name().to_owned()));
            return;
        } else {
            let what = match record.status {
                Status::Exhausted => "with nothing left to try".to_owned(),
                Status::Unsupported => "not supported".to_owned(),
                Status::Refused => "not instances of the puzzle".to_owned(),
                Status::Crashed => "crashed".to_owned(),
                _ => text::stop(record).to_owned(),
            };
            *self.unanswered.entry(what).or_default() += 1;
            text::lack(record)
        };
        self.last = (lack, record.reason.clone());
    }

    /// Counts instances that were not begun when the time of the batch ended or it was cancelled.
    pub(crate) fn skip(&mut self, number: usize, is_cancelled: bool) {
        if number == 0 {
            return;
        }
        self.instances += number;
        *self.unanswered.entry("not begun".to_owned()).or_default() += number;
        self.code = self.code.max(if is_cancelled { CANCELLED } else { TIME });
        self.last = ("not begun".to_owned(), None);
    }

    /// The line about a batch, for standard error. `unit` is the puzzle's unit. Values of different
    /// units have no average.
    pub(crate) fn line(&self, unit: &str, wall: Duration) -> String {
        let mut parts = vec![format!("{} solved ({} proved optimal)", self.solved, self.optimal)];
        let unanswered: usize = self.unanswered.values().sum();
        for (number, what) in [
            (self.unsolvable, "proved unsolvable"),
            (unanswered, "without an answer"),
            (self.refused, "REFUSED BY THE CHECKER"),
        ] {
            if number > 0 {
                parts.push(format!("{number} {what}"));
            }
        }
        let mut text = format!("{} instances: {}", self.instances, parts.join(", "));
        let mut units: Vec<&str> =
            self.units.iter().map(|other| other.as_deref().unwrap_or(unit)).collect();
        units.sort_unstable();
        units.dedup();
        if let [unit] = units[..] {
            text += &format!("; {:.3} {unit} on average", self.value / self.solved as f64);
        }
        text += &format!("; {} of CPU time", show_seconds(self.cpu_s));
        if self.setup_cpu_s >= 0.001 {
            text += &format!(" and {} to prepare", show_seconds(self.setup_cpu_s));
        }
        text + &format!(", {} of wall time", show_seconds(wall.as_secs_f64()))
    }

    /// The result of the command. `is_shown`: the reason of a single instance has been shown.
    pub(crate) fn end(&self, is_shown: bool) -> Result<(), Failure> {
        let single = self.instances == 1;
        let code = match self.code {
            0 if single && self.unsolvable > 0 => UNSOLVABLE,
            0 => return Ok(()),
            code => code,
        };
        let message = if single {
            match &self.last {
                (lack, Some(reason)) if !is_shown => format!("{lack}: {reason}"),
                (lack, _) => lack.clone(),
            }
        } else if code == INTERNAL && self.refused > 0 {
            format!("the checker refuses {} of {} answers", self.refused, self.instances)
        } else {
            let causes: Vec<String> =
                self.unanswered.iter().map(|(what, number)| format!("{number} {what}")).collect();
            let number: usize = self.unanswered.values().sum();
            let causes = causes.join(", ");
            format!("{number} of {} instances without an answer ({causes})", self.instances)
        };
        Err(Failure::new(code, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record with a status and a limit.
    fn record(status: &str, stopped_by: Option<&str>, checked: Option<bool>) -> Record {
        let record = serde_json::json!({
            "id": "1", "puzzle": "toy", "instance": "", "solver": "", "seed": 0, "status": status,
            "stopped_by": stopped_by, "solution": checked.map(|_| ""), "value": checked.map(|_| 2),
            "checked": checked, "cpu_s": 0.0, "setup_cpu_s": 0.0, "wall_s": 0.0, "peak_bytes": 0, "schema": 1
        });
        serde_json::from_value(record).expect("a record")
    }

    fn end(records: &[Record]) -> (u8, String) {
        let mut summary = Summary::default();
        records.iter().for_each(|record| summary.add(record));
        match summary.end(false) {
            Ok(()) => (0, String::new()),
            Err(failure) => (failure.code, failure.message),
        }
    }

    #[test]
    fn summary_line_lists_only_causes_that_occur() {
        let mut summary = Summary::default();
        summary.add(&record("optimal", None, Some(true)));
        summary.add(&record("solved", None, Some(true)));
        let line = summary.line("moves", Duration::from_secs(3));
        assert_eq!(
            line,
            "2 instances: 2 solved (1 proved optimal); 2.000 moves on average; 0 µs of CPU time, 3.00 s of \
             wall time"
        );
        summary.add(&record("unsolvable", None, None));
        summary.add(&record("exhausted", None, None));
        summary.add(&record("solved", None, Some(false)));
        let line = summary.line("moves", Duration::ZERO);
        assert!(
            line.starts_with(
                "5 instances: 2 solved (1 proved optimal), 1 proved unsolvable, 1 without an answer, 1 REFUSED \
                 BY THE CHECKER; "
            ),
            "{line}"
        );
    }

    #[test]
    fn the_highest_code_of_an_unanswered_instance_counts() {
        let good = || record("optimal", None, Some(true));
        let unsolvable = || record("unsolvable", None, None);
        let time = || record("stopped", Some("time"), None);
        let memory = || record("stopped", Some("memory"), None);
        let exhausted = || record("exhausted", None, None);
        let refused = || record("solved", None, Some(false));
        assert_eq!(end(&[good()]).0, 0);
        assert_eq!(end(&[unsolvable()]).0, 10);
        assert_eq!(end(&[good(), unsolvable()]).0, 0);
        assert_eq!(end(&[exhausted()]).0, 11);
        assert_eq!(
            end(&[memory(), exhausted(), time(), time(), good()]),
            (
                21,
                "4 of 5 instances without an answer (1 stopped by the memory limit, 2 stopped by the time \
                 limit, 1 with nothing left to try)"
                    .to_owned()
            )
        );
        // A limit that is reached with a solution in hand leaves no instance unanswered.
        assert_eq!(end(&[record("stopped", Some("time"), Some(true)), good()]).0, 0);
        assert_eq!(
            end(&[refused(), memory()]),
            (30, "the checker refuses 1 of 2 answers".to_owned())
        );
        assert_eq!(end(&[refused()]), (30, "the checker refuses the solution".to_owned()));
        assert_eq!(end(&[record("stopped", Some("cancelled"), None)]).0, 23);
        let unsupported = || record("unsupported", None, None);
        assert_eq!(
            end(&[good(), unsupported(), memory()]),
            (
                32,
                "2 of 3 instances without an answer (1 not supported, 1 stopped by the memory limit)"
                    .to_owned()
            )
        );
        assert_eq!(end(&[record("stopped", Some("generated"), None)]).0, 22);
    }
}
