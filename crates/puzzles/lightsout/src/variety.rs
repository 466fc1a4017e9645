//! The parameters of the puzzle.

use crate::{
    Reach, Shape,
    shape::{OTHER, SIDE},
};
use unriddle_core::{Info, Options as _, Role, options};

options! {
    /// Lights Out on a board with edges, or on a torus.
    #[derive(Copy, Eq)]
    pub struct Variety of INFO {
        torus: bool = "off" of ["off", "on"], "join opposite edges of the board";
        press: Reach = "plus",
            "lights that a press toggles",
            "`plus`: the pressed light and the four beside it; `sides`: the same without the pressed light; \
             `x`: the pressed light and the four at its corners; `corners`: the same without the pressed light; \
             `king`: the pressed light and the eight around it; `ring`: the same without the pressed light; \
             `cross`: its row and its column. \
             A text that lists the lights of each button needs no parameter.";
    }
}

impl Variety {
    /// Whether the parameters are at their defaults.
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// The shape of a board; the error is the reason why the size has no shape.
    pub(crate) fn shape(&self, rows: usize, columns: usize) -> Result<Shape, String> {
        Shape::reaching(rows, columns, self.torus, self.press).ok_or_else(|| match self.press {
            Reach::Plus => format!("expected 1 to {SIDE} rows and columns"),
            reach => format!(
                "expected at most {OTHER} lights with press={}, found {rows} rows and {columns} columns",
                reach.name()
            ),
        })
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
