//! The parameters of the puzzle.

use unriddle_core::{Info, Options as _, Role, options};

options! {
    /// Lights Out on a board with edges, or on a torus.
    pub struct Variety of INFO {
        torus: bool = "off" of ["off", "on"], "join opposite edges of the board";
    }
}

/// The declaration of the puzzle.
pub const INFO: Info = Info {
    parameters: Variety::PARAMETERS,
    reference: "Anderson and Feil 1998, Turning lights out with linear algebra, Mathematics Magazine 71",
    ..Info::new(
        Role::Puzzle,
        "lightsout",
        "press lights, which toggles them and their neighbours, until all are off",
    )
};
