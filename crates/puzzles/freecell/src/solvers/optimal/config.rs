//! The declaration and the options of the search for proved shortest solutions.

use unriddle_core::{Domain, Info, Parameter, Role};

/// What `describe fc-optimal` shows.
pub const INFO: Info = Info {
    name: "fc-optimal",
    role: Role::Search,
    version: 1,
    summary: "FreeCell: proved shortest solutions, in single-card moves or in moves of sequences, by A* \
              with the estimate `cycles`",
    guarantee: "optimal in the measure chosen; complete",
    requires: "FreeCell; memory for all positions whose estimate is below the optimum",
    reference: "Paul and Helmert 2016, Optimal solitaire game solutions using A* search and deadlock \
                analysis, SoCS",
    parameters: &[Parameter::named(
        "measure",
        Domain::Choice(&Measure::NAMES),
        Measure::NAMES[0],
        "what counts as one move: a single card (m1), or also a sequence where the puzzle allows it (m0)",
    )],
};

/// What counts as one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// A single card, whatever the puzzle allows.
    #[default]
    M1,
    /// An action of the puzzle: a sequence too, where they move at once.
    M0,
}

impl Measure {
    /// The words of the parameter `measure`.
    pub const NAMES: [&'static str; 2] = ["m1", "m0"];

    /// The measure of a word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        match Self::NAMES.iter().position(|name| *name == word)? {
            0 => Some(Self::M1),
            _ => Some(Self::M0),
        }
    }
}

/// Options of [`Optimal`](super::Optimal).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OptimalConfig {
    /// What counts as one move.
    pub measure: Measure,
}
