//! Solutions in the notation of the World Cube Association: `R U2 F'`.

use crate::{
    Cube, Metric, Pieces, Turn,
    facelets::{Colours, stickers},
    geometry::{FACES, Layers},
    sequence,
};
use unriddle_core::{Notation, ParseError};

/// A turn as people write it.
pub(crate) fn word(turn: Turn) -> String {
    let sign = ["", "2", "'"][usize::from(turn.0 % 3)];
    format!("{}{sign}", FACES[usize::from(turn.face())])
}

impl<const N: usize> Notation for Cube<N> {
    /// The colours of all stickers, face by face (U, R, F, D, L, B) and row by row as in the
    /// unfolded net: Kociemba's notation.
    fn state_text(&self, state: &Pieces) -> String {
        let colours = Colours::of(state);
        stickers::<N>().map(|sticker| FACES[usize::from(colours.0[sticker])]).collect()
    }

    /// Quarter turns are written one by one.
    fn solution_text(&self, turns: &[Turn]) -> String {
        let words: Vec<String> = turns.iter().map(|&turn| word(turn)).collect();
        words.join(" ")
    }

    /// Turns of faces. In quarter turns `R2` is `R R`.
    fn parse_solution(&self, text: &str) -> Result<Vec<Turn>, ParseError> {
        let expected = match N {
            3 => "a turn of U, R, F, D, L or B, such as R, U2 or F'",
            _ => "a turn of U, R or F, such as R, U2 or F'",
        };
        let is_known = |one: &sequence::Move| {
            one.layers == Layers::Face && one.face < Self::FACES && one.quarters > 0
        };
        let moves = sequence::read(text, expected, is_known)?;
        let turns = moves.iter().map(|one| Turn(3 * one.face + one.quarters - 1));
        Ok(match self.metric {
            Metric::Quarter => turns.flat_map(Turn::in_quarters).collect(),
            Metric::Half => turns.collect(),
        })
    }
}
