//! The parameters of the puzzle.

use crate::rules::Measure;
use unriddle_core::{Info, Options as _, Role, options};

options! {
    /// Sokoban with an objective: pushes or moves.
    pub struct Variety of INFO {
        measure: Measure = "pushes", "objective: fewest pushes of boxes or fewest moves of the player";
    }
}

/// The declaration of the puzzle.
pub const INFO: Info = Info {
    parameters: Variety::PARAMETERS,
    reference: "Dor and Zwick 1999, SOKOBAN and other motion planning problems; Junghanns and Schaeffer 2001",
    ..Info::new(Role::Puzzle, "sokoban", "push all boxes onto goals")
};
