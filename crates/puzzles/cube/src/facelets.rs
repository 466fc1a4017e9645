//! The colours of a cube's stickers, and the pieces that they show.

use crate::{
    Pieces,
    geometry::{
        CODES, CORNERS, EDGE_CODES, EDGES, FACES, Map, STICKER_OF, STICKERS, SYMMETRY, sticker_of,
    },
    pieces::{CORNER_COUNT, EDGE_COUNT},
};

/// Position of the fixed corner of the 2×2×2, at D, B and L.
const STAYS: usize = 6;

/// Stickers of a cube of side `N` in order, by their numbers on the 3×3×3. A 2×2×2 has only the
/// corners.
pub(crate) fn stickers<const N: usize>() -> impl Iterator<Item = usize> + Clone {
    (0..STICKERS).filter(|sticker| N == 3 || (sticker % 3 != 1 && sticker % 9 / 3 != 1))
}

/// Colour of each sticker, as the face of that colour. Stickers that a 2×2×2 lacks have arbitrary
/// values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colours(pub(crate) [u8; STICKERS]);

/// Error in the colours of a cube, with the sticker at which it is found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) sticker: usize,
    pub(crate) why: String,
}

/// Name of a piece or of its position.
pub(crate) fn name(faces: &[usize]) -> String {
    faces.iter().map(|&face| FACES[face]).collect()
}

impl Colours {
    /// The colours of a cube with these pieces. Edges and centres of a 2×2×2 are solved.
    pub(crate) fn of(pieces: &Pieces) -> Self {
        let mut colours = std::array::from_fn(|sticker| sticker as u8 / 9);
        for place in 0..CORNER_COUNT {
            let (piece, twist) = pieces.corner(place);
            for (i, &face) in CORNERS[piece].iter().enumerate() {
                let code = 3 * place + (twist + i) % 3;
                colours[usize::from(STICKER_OF[code])] = face as u8;
            }
        }
        for place in 0..EDGE_COUNT {
            let (piece, flip) = pieces.edge(place);
            for (i, &face) in EDGES[piece].iter().enumerate() {
                let code = EDGE_CODES + 2 * place + (flip ^ i);
                colours[usize::from(STICKER_OF[code])] = face as u8;
            }
        }
        Self(colours)
    }

    /// The solved cube after a permutation of the stickers.
    pub(crate) fn moved(map: &Map) -> Self {
        let mut colours = [0; STICKERS];
        for (sticker, &to) in map.iter().enumerate() {
            colours[usize::from(to)] = sticker as u8 / 9;
        }
        Self(colours)
    }

    /// Rotates the whole cube so that the centres, or the fixed corner, are at home. Returns also
    /// the former sticker of each sticker.
    fn held<const N: usize>(&self) -> Result<(Self, Map), Wrong> {
        let is_home = |map: &Map| {
            let fits =
                |sticker: usize| usize::from(self.0[sticker]) == usize::from(map[sticker]) / 9;
            match N {
                3 => (0..6).all(|face| fits(9 * face + 4)),
                _ => {
                    let at = |to: usize| map.iter().position(|&other| usize::from(other) == to);
                    let mut home = (0..3).map(|i| at(sticker_of(3 * STAYS + i)));
                    home.all(|sticker| sticker.is_some_and(fits))
                }
            }
        };
        let mut rotations = SYMMETRY.iter().filter(|one| !one.mirrors);
        let Some(rotation) = rotations.find(|one| is_home(&one.stickers)) else {
            let (sticker, why) = match N {
                3 => (
                    4,
                    "the centres must have the colours of a cube, with U opposite D, R opposite L, and F opposite B",
                ),
                _ => (0, "no corner has the colours D, B and L, clockwise in this order"),
            };
            return Err(Wrong { sticker, why: why.to_owned() });
        };
        let (mut colours, mut before) = ([0; STICKERS], [0; STICKERS]);
        for (sticker, &to) in rotation.stickers.iter().enumerate() {
            colours[usize::from(to)] = self.0[sticker];
            before[usize::from(to)] = sticker as u8;
        }
        Ok((Self(colours), before))
    }

    /// The pieces that they show, whichever way the whole cube is held.
    pub(crate) fn pieces<const N: usize>(&self) -> Result<Pieces, Wrong> {
        let each = if N == 3 { 9 } else { 4 };
        for face in 0..6 {
            let of = stickers::<N>().filter(|&sticker| self.0[sticker] == face);
            let count = of.clone().count();
            if count != each {
                // The first superfluous sticker, or the first sticker of all.
                let sticker = of.clone().nth(each).unwrap_or(0);
                let face = FACES[usize::from(face)];
                let why = format!("expected {each} stickers of colour {face}, found {count}");
                return Err(Wrong { sticker, why });
            }
        }
        let (held, before) = self.held::<N>()?;
        let wrong = |code: usize, why: String| Wrong {
            sticker: before[usize::from(STICKER_OF[code])].into(),
            why,
        };
        let corners = held.read(0, &CORNERS).map_err(|(code, why)| wrong(code, why))?;
        let edges = match N {
            3 => held.read(EDGE_CODES, &EDGES).map_err(|(code, why)| wrong(code, why))?,
            _ => std::array::from_fn(|piece| (EDGE_CODES + 2 * piece) as u8),
        };
        Ok(Pieces::of_codes(corners, edges))
    }

    /// Reads the position code of each piece of `K` stickers, or returns the first error with its
    /// code. Codes begin at `first`.
    fn read<const K: usize, const COUNT: usize>(
        &self,
        first: usize,
        pieces: &[[usize; K]; COUNT],
    ) -> Result<[u8; COUNT], (usize, String)> {
        let mut codes: [Option<u8>; COUNT] = [None; COUNT];
        for (place, home) in pieces.iter().enumerate() {
            let code = first + K * place;
            let seen: [usize; K] =
                std::array::from_fn(|i| self.0[usize::from(STICKER_OF[code + i])].into());
            let turned =
                |turn: usize, piece: &[usize; K]| (0..K).all(|i| piece[i] == seen[(turn + i) % K]);
            let mut all = (0..K).flat_map(|turn| (0..COUNT).map(move |piece| (turn, piece)));
            let kind = if K == 3 { "corner" } else { "edge" };
            let at = name(home);
            let Some((turn, piece)) = all.find(|&(turn, piece)| turned(turn, &pieces[piece]))
            else {
                let why = format!("no {kind} has the colours {}, seen at {at}", name(&seen));
                return Err((code, why));
            };
            if let Some(other) = codes[piece] {
                let other = name(&pieces[(usize::from(other) - first) / K]);
                let piece = name(&pieces[piece]);
                let why = format!("the {kind} {piece} is there twice, at {other} and at {at}");
                return Err((code, why));
            }
            codes[piece] = Some((code + turn) as u8);
        }
        // There are as many positions as pieces, and no position occurs twice.
        Ok(codes.map(|code| code.unwrap_or(first as u8)))
    }
}

const _: () = assert!(CODES == 48);
