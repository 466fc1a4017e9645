//! Solutions in the notation of the World Cube Association: `R U2 F'`.

use crate::{
    Cube, Metric, Pieces, Turn,
    facelets::{Colours, stickers},
    geometry::{self, FACES, Layers},
    parse::is_known,
    sequence::{self, Move},
};
use unriddle_core::{Notation, ParseError, words};

words! {
    /// Half turns in solutions in quarter turns.
    pub enum HalfTurns {
        /// As two quarter turns: `R R`.
        Quarters = "quarters",
        /// As one turn: `R2`.
        Halves = "halves",
    }
}

/// A turn as people write it.
pub(crate) fn word(turn: Turn) -> String {
    let sign = ["", "2", "'"][usize::from(turn.0 % 3)];
    format!("{}{sign}", FACES[usize::from(turn.face())])
}

impl<const N: usize> Cube<N> {
    /// The colours of a state as the cube is held.
    pub(crate) fn colours(&self, state: &Pieces) -> Colours {
        Colours::of(state).under(self.scheme)
    }

    /// The solution with pairs of equal quarter turns as clockwise half turns, two actions each.
    fn in_halves(&self, turns: &[Turn]) -> Vec<(Turn, usize)> {
        let mut words: Vec<(Turn, usize)> = Vec::new();
        for &turn in turns {
            match words.last_mut() {
                Some((last, count)) if *last == turn && *count == 1 && turn.quarters() != 2 => {
                    (*last, *count) = (Turn(3 * turn.face() + 1), 2);
                }
                _ => words.push((turn, 1)),
            }
        }
        words
    }

    fn writes_halves(&self) -> bool {
        self.metric == Metric::Quarter && self.half_turns == HalfTurns::Halves
    }
}

/// The turns of faces that are equal to moves, by the faces before the first move.
///
/// A wide move is a turn of the opposite face and a rotation of the whole cube. A slice is a
/// rotation and two turns. A 2×2×2 turns U, R or F instead of the opposite face.
fn turns_of<const N: usize>(moves: &[Move]) -> Vec<Turn> {
    let mut turns = Vec::new();
    // By position: the face that is there.
    let mut held: [u8; 6] = [0, 1, 2, 3, 4, 5];
    for one in moves {
        let here = usize::from(one.face);
        let (face, opposite) = (held[here], held[(here + 3) % 6]);
        let back = 4 - one.quarters;
        let layers = match one.layers {
            Layers::Face if face >= Cube::<N>::FACES => Layers::Wide,
            layers => layers,
        };
        let turn = |face: u8, quarters: u8| Turn(3 * face + quarters - 1);
        match layers {
            Layers::Face => turns.push(turn(face, one.quarters)),
            Layers::Wide => turns.push(turn(opposite, one.quarters)),
            Layers::Slice => turns.extend([turn(opposite, one.quarters), turn(face, back)]),
            Layers::All => {}
        }
        if layers != Layers::Face {
            let map = geometry::turn(here, Layers::All);
            for _ in 0..one.quarters {
                let before = held;
                for (position, &face) in before.iter().enumerate() {
                    held[usize::from(map[9 * position + 4]) / 9] = face;
                }
            }
        }
    }
    turns
}

impl<const N: usize> Notation for Cube<N> {
    /// The colours of all stickers as the cube is held, face by face (U, R, F, D, L, B) and row by
    /// row as in the unfolded net: Kociemba's notation.
    fn state_text(&self, state: &Pieces) -> String {
        let colours = self.colours(state);
        stickers::<N>().map(|sticker| FACES[usize::from(colours.0[sticker])]).collect()
    }

    /// Quarter turns are written one by one, or two equal ones as a half turn.
    fn solution_text(&self, turns: &[Turn]) -> String {
        let words: Vec<String> = match self.writes_halves() {
            true => self.in_halves(turns).into_iter().map(|(turn, _)| word(turn)).collect(),
            false => turns.iter().map(|&turn| word(turn)).collect(),
        };
        words.join(" ")
    }

    /// A half turn is read as two clockwise quarter turns.
    fn as_written(&self, turns: &[Turn]) -> Option<Vec<Turn>> {
        self.writes_halves().then(|| {
            let words = self.in_halves(turns).into_iter();
            words.flat_map(|(turn, _)| turn.in_quarters()).collect()
        })
    }

    /// Turns of faces, also as slices, wide moves and rotations, which are rewritten as turns. In
    /// quarter turns `R2` is `R R`.
    fn parse_solution(&self, text: &str) -> Result<Vec<Turn>, ParseError> {
        let expected = match N {
            3 => "a move such as R, U2, F', Rw, M or x",
            _ => "a move such as R, U2, F' or x",
        };
        let moves = sequence::read(text, expected, is_known::<N>)?;
        let turns = turns_of::<N>(&moves).into_iter();
        Ok(match self.metric {
            Metric::Quarter => turns.flat_map(Turn::in_quarters).collect(),
            Metric::Half => turns.collect(),
        })
    }
}
