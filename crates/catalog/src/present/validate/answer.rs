//! The report on an instance.

use crate::interface::{
    findings::Verdict,
    instance::batch::{Duplicate, Like},
    section::{Attachment, Section},
    structure::Structure,
    values::Aim,
};
use crate::units::count_of;
use serde::{Serialize, Serializer, ser::SerializeMap as _};

/// Version of the JSON form. Version 1 belonged to party building only.
pub const SCHEMA: u32 = 2;

/// Effort of the reference solver.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Effort {
    /// States that were expanded.
    pub expanded: u64,
    /// States that were generated.
    pub generated: u64,
    /// CPU seconds of the search.
    pub cpu_s: f64,
}

/// Report on an instance.
#[derive(Clone, Debug, Serialize)]
pub struct Validation {
    /// Name of the instance.
    pub id: String,
    /// Spec of the puzzle.
    pub puzzle: String,
    /// Whether there is a solution.
    pub verdict: Verdict,
    /// Reasons why there is no solution, or why no solution was found.
    pub reasons: Vec<String>,
    /// The reference solver, or the solver that the puzzle used instead.
    pub solver: String,
    /// The best solution found.
    pub solution: Option<String>,
    /// Number of its actions.
    pub length: Option<u64>,
    /// Its value.
    pub value: Option<i64>,
    /// Unit of values, such as `moves`.
    pub unit: &'static str,
    /// The optimum of a cost is proved not to be below it.
    pub lower_bound: Option<i64>,
    /// The optimum of a score is proved not to be above it.
    pub upper_bound: Option<i64>,
    /// The difference of value and bound, as a share of the bound.
    pub gap: Option<f64>,
    /// Whether the value is proved to be optimal.
    pub optimal: bool,
    /// Whether the checker replayed the solution to the same value.
    pub checked: Option<bool>,
    /// The checker.
    pub checked_by: Option<String>,
    /// Why the checker refused it.
    pub refused: Option<String>,
    /// Effort of the reference solver; `None` if the puzzle answered itself.
    pub effort: Option<Effort>,
    /// Figures of the states around it; `None` for a puzzle without states.
    pub structure: Option<Structure>,
    /// An instance before it that is the same.
    pub duplicate_of: Option<Duplicate>,
    /// An instance before it that is nearly the same, where none is the same.
    pub like: Option<Like>,
    /// Sections of the puzzle.
    #[serde(serialize_with = "by_name")]
    pub sections: Vec<Section>,
    /// Seed.
    pub seed: u64,
    /// CPU seconds of the whole report.
    pub cpu_s: f64,
    /// Wall seconds of the whole report.
    pub wall_s: f64,
    /// Version of this form.
    pub schema: u32,
    /// Kind of the values.
    #[serde(skip)]
    pub aim: Aim,
    /// The drawing as SVG: the solution of an assignment puzzle, or else the initial state.
    #[serde(skip)]
    pub drawing: Option<String>,
    /// The same as text.
    #[serde(skip)]
    pub table: Option<String>,
    /// Files.
    #[serde(skip)]
    pub attachments: Vec<Attachment>,
    /// Number of findings in the sections that the checker refused.
    #[serde(skip)]
    pub refusals: u64,
}

fn by_name<S: Serializer>(sections: &[Section], to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(sections.len()))?;
    for section in sections {
        map.serialize_entry(section.name, &section.data)?;
    }
    map.end()
}

impl Validation {
    /// The verdict in a sentence.
    #[must_use]
    pub fn headline(&self) -> String {
        let amount = |value: i64| match value {
            0.. => count_of(value.unsigned_abs(), self.unit),
            _ => format!("{value} {}", self.unit),
        };
        let bound = self.lower_bound.or(self.upper_bound);
        let side = if self.aim == Aim::Score { "at most" } else { "at least" };
        match (self.verdict, self.value, bound) {
            (Verdict::Solvable, Some(value), _) if self.optimal => {
                format!("solvable, optimum {} (proved)", amount(value))
            }
            (Verdict::Solvable, Some(value), Some(bound)) => {
                let gap = 100.0 * self.gap.unwrap_or(0.0);
                format!(
                    "solvable, best found {}; the optimum is {side} {} (gap: {gap:.1} %)",
                    amount(value),
                    amount(bound)
                )
            }
            (Verdict::Solvable, Some(value), None) => {
                format!("solvable, best found {}", amount(value))
            }
            (Verdict::Solvable, None, _) => "solvable".to_owned(),
            (Verdict::Unsolvable, ..) => "unsolvable (proved)".to_owned(),
            (Verdict::Unknown, ..) => {
                "unknown: neither a solution nor a proof that none exists was found".to_owned()
            }
            (Verdict::Refused, ..) => "refused: the text is no instance of the puzzle".to_owned(),
            (Verdict::Failed, ..) => "failed: no report on this instance".to_owned(),
        }
    }

    /// Whether anything of the report was refused by the checker.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        let attachment = self.attachments.iter().any(|file| file.refused.is_some());
        self.checked == Some(false) || self.refusals > 0 || attachment
    }
}
