//! What a run adds up to: the summary of a batch, and how the command ends.

use crate::{
    exit::{Failure, INTERNAL, UNSOLVABLE, code_of, note},
    text,
    units::show_seconds,
};
use std::{collections::BTreeMap, time::Duration};
use unriddle_catalog::{Record, Status};

/// Sums over the records of a run.
#[derive(Default)]
pub(crate) struct Summary {
    instances: usize,
    optimal: usize,
    solved: usize,
    unsolvable: usize,
    refused: usize,
    /// Instances without an answer, by what was in the way.
    unanswered: BTreeMap<String, usize>,
    /// Sum of the values of checked solutions.
    value: i64,
    cpu_s: f64,
    setup_cpu_s: f64,
    /// The highest code of an instance without an answer.
    code: u8,
    /// What the last record lacks, and the reason.
    last: (String, Option<String>),
}

impl Summary {
    pub(crate) fn add(&mut self, record: &Record) {
        self.instances += 1;
        self.cpu_s += record.cpu_s;
        self.setup_cpu_s += record.setup_cpu_s;
        self.code = self.code.max(code_of(record));
        let lack = if record.checked == Some(false) {
            self.refused += 1;
            "the checker refuses the solution".to_owned()
        } else if record.status == Status::Unsolvable {
            self.unsolvable += 1;
            "proved unsolvable".to_owned()
        } else if record.is_answered() {
            self.solved += 1;
            self.optimal += usize::from(record.status == Status::Optimal);
            self.value += record.value.unwrap_or(0);
            return;
        } else {
            let what = match record.status {
                Status::Exhausted => "with nothing left to try".to_owned(),
                _ => text::stop(record).to_owned(),
            };
            *self.unanswered.entry(what).or_default() += 1;
            text::lack(record)
        };
        self.last = (lack, record.reason.clone());
    }

    /// The line about a batch.
    fn line(&self, unit: &str, wall: Duration) -> String {
        let mut parts = vec![format!(
            "{} solved ({} proved optimal)",
            self.solved, self.optimal
        )];
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
        if self.solved > 0 {
            text += &format!(
                "; {:.3} {unit} on average",
                self.value as f64 / self.solved as f64
            );
        }
        text += &format!("; {} of CPU time", show_seconds(self.cpu_s));
        if self.setup_cpu_s >= 0.001 {
            text += &format!(" and {} to prepare", show_seconds(self.setup_cpu_s));
        }
        text + &format!(", {} of wall time", show_seconds(wall.as_secs_f64()))
    }

    /// Writes the line about a batch to standard error, and decides how the command ends. `told` says
    /// that the reason for a single instance has been shown already.
    pub(crate) fn conclude(&self, unit: &str, wall: Duration, told: bool) -> Result<(), Failure> {
        let single = self.instances == 1;
        if !single {
            note(&self.line(unit, wall));
        }
        let code = match self.code {
            0 if single && self.unsolvable > 0 => UNSOLVABLE,
            0 => return Ok(()),
            code => code,
        };
        let message = if single {
            match &self.last {
                (lack, Some(reason)) if !told => format!("{lack}: {reason}"),
                (lack, _) => lack.clone(),
            }
        } else if code == INTERNAL {
            format!(
                "the checker refuses {} of {} solutions",
                self.refused, self.instances
            )
        } else {
            let causes: Vec<String> = self
                .unanswered
                .iter()
                .map(|(what, number)| format!("{number} {what}"))
                .collect();
            let number: usize = self.unanswered.values().sum();
            let causes = causes.join(", ");
            format!(
                "{number} of {} instances without an answer ({causes})",
                self.instances
            )
        };
        Err(Failure::new(code, message))
    }
}
