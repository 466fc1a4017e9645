//! The parameters of the puzzle.

use crate::{extra::Extra, rules::Measure};
use unriddle_core::{Info, Options as _, Role, options};

options! {
    /// Sokoban with an objective: pushes or moves.
    pub struct Variety of INFO {
        measure: Measure = "pushes", "objective of a solution",
            "`pushes`: the fewest pushes of boxes; walking is free. `moves`: the fewest steps of \
             the player, pushes included.";
        extra: Extra = "none", "pieces that may be left over at the end",
            "`none`: a level has as many boxes as goals. `boxes`: it may have more boxes; the end \
             covers every goal. `goals`: it may have more goals; at the end every box is on a \
             goal. `any`: either.";
        signs: String = "", "meanings of other signs, as in `B=$ X=*`",
            "Pairs of a sign and its meaning `#`, `$`, `.`, `*`, `@`, `+` or `-`, with blanks \
             between, for levels with letters whose meaning is not sure: `signs=\"B=$ X=* &=@\"`.";
    }
}

/// The declaration of the puzzle.
pub const INFO: Info = Info {
    parameters: Variety::PARAMETERS,
    reference: "Dor and Zwick 1999, SOKOBAN and other motion planning problems; Junghanns and Schaeffer 2001",
    ..Info::new(Role::Puzzle, "sokoban", "push all boxes onto goals")
};
