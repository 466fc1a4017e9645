//! The declaration and the options of the search for proved shortest solutions.

use unriddle_core::{Info, Options, Role, options, words};

/// Declaration for the catalogue.
pub const INFO: Info = Info {
    guarantee: "optimal in the measure chosen; complete",
    requires: "FreeCell; memory for all positions whose estimate is below the optimum",
    reference: "Paul and Helmert 2016, Optimal solitaire game solutions using A* search and deadlock \
                analysis, SoCS",
    parameters: OptimalConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "fc-optimal",
        "FreeCell: proved shortest solutions, in single-card moves or in moves of sequences, by A* \
         with the estimate `cycles`",
    )
};

words! {
    /// Definition of a move.
    pub enum Measure {
        /// A single card, whatever the puzzle allows.
        M1 = "m1",
        /// An action of the puzzle: a sequence too, where they move at once.
        M0 = "m0",
    }
}

options! {
    /// Options of [`Optimal`](super::Optimal).
    #[derive(Copy, Eq)]
    pub struct OptimalConfig of INFO {
        measure: Measure = "m1",
            "measure of solutions: m1 or m0", "`m1` counts single cards; `m0` counts a sequence as one move where the puzzle allows it.";
    }
}
