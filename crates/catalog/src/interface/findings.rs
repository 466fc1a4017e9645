//! Contributions of a puzzle to the report for designers.

use super::section::{Attachment, Section};
use serde::{Deserialize, Serialize};
use unriddle_core::{Info, Options as _, Role, options};

/// Declaration of `validate`, with the keys of every puzzle.
pub const VALIDATE: Info = Info {
    parameters: ValidateConfig::PARAMETERS,
    ..Info::new(
        Role::Validation,
        "validate",
        "report on an instance for designers, with keys that every puzzle has",
    )
};

options! {
    /// Keys of every puzzle.
    #[derive(Copy)]
    pub struct ValidateConfig of VALIDATE {
        states: u64 = "200k" in 0..=1 << 31, "maximum number of enumerated states",
            "This limit applies separately to dead ends and to the number of optimal solutions.";
        games: u64 = "200" in 0..=1_000_000, "random games of a score puzzle";
    }
}

/// Whether an instance is solvable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// There is a solution.
    Solvable,
    /// It is proved that there is no solution.
    Unsolvable,
    /// Neither a solution nor a proof was found within the limits.
    Unknown,
    /// The text is no instance of the puzzle.
    Refused,
    /// The solver does not fit the instance, or the rules of the puzzle panicked.
    Failed,
}

impl Verdict {
    /// The word of the JSON form.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Solvable => "solvable",
            Self::Unsolvable => "unsolvable",
            Self::Unknown => "unknown",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }
}

/// Answer that a puzzle found itself, instead of the reference solver.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Whether the instance is solvable.
    pub verdict: Verdict,
    /// Reasons for unsolvability.
    pub reasons: Vec<String>,
    /// Name of the solver, as specs call it.
    pub solver: String,
    /// The best solution.
    pub solution: Option<String>,
    /// Its value.
    pub value: Option<i64>,
    /// The proved bound of the optimum: a lower one of a cost, an upper one of a score.
    pub bound: Option<i64>,
}

/// Findings that a puzzle adds to the report.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The puzzle's own answer; `None` if the reference solver is to answer.
    pub answer: Option<Answer>,
    /// Its sections.
    pub sections: Vec<Section>,
    /// Files.
    pub attachments: Vec<Attachment>,
    /// Number of findings besides the solution that the independent checker refused.
    pub refused: u64,
}
