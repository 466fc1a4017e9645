//! The parameters of the puzzle.

use crate::rules::Measure;
use unriddle_core::{Info, Options as _, Role, options};

options! {
    /// Sokoban with an objective: pushes or moves.
    pub struct Variety of INFO {
        measure: Measure = "pushes", "objective of a solution",
            "`pushes`: the fewest pushes of boxes; walking is free. `moves`: the fewest steps of \
             the player, pushes included.";
    }
}

/// The declaration of the puzzle.
pub const INFO: Info = Info {
    parameters: Variety::PARAMETERS,
    reference: "Dor and Zwick 1999, SOKOBAN and other motion planning problems; Junghanns and Schaeffer 2001",
    ..Info::new(Role::Puzzle, "sokoban", "push all boxes onto goals")
};
