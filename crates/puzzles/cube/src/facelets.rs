//! The colours of a cube's stickers, and the pieces that they show.

use crate::{
    Pieces,
    geometry::{CODES, CORNERS, EDGE_CODES, EDGES, FACES, Map, STICKER_OF, STICKERS, sticker_of},
    pieces::{CORNER_COUNT, EDGE_COUNT},
    scheme::Scheme,
};

/// Position of the corner of the 2×2×2 that stays, at D, B and L.
pub(crate) const STAYS: usize = 6;

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

/// Names of the colours in errors: by default the letters of the faces.
pub(crate) type Names = [char; 6];

/// Name of a position.
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

    /// The colours under a scheme, of a cube with these colours when it is held in the usual way.
    pub(crate) fn under(&self, scheme: Scheme) -> Self {
        let colours = scheme.colours();
        Self(self.0.map(|colour| colours[usize::from(colour)]))
    }

    /// The scheme that the centres, or the corner of the 2×2×2 that stays, show.
    fn scheme<const N: usize>(&self) -> Result<Scheme, Wrong> {
        let seen: Vec<(usize, usize)> = match N {
            3 => (0..6).map(|face| (face, 9 * face + 4)).collect(),
            _ => (0..3).map(|i| (CORNERS[STAYS][i], sticker_of(3 * STAYS + i))).collect(),
        };
        let found = Scheme::find(|colours| {
            seen.iter().all(|&(face, sticker)| colours[face] == self.0[sticker])
        });
        found.ok_or_else(|| {
            let colours: Vec<usize> = seen.iter().map(|&(_, at)| self.0[at].into()).collect();
            let why = match N {
                3 => {
                    "the centres must have the colours of a cube, with U opposite D, R opposite L, \
                      and F opposite B as on a cube that is held in some way"
                        .to_owned()
                }
                _ => format!("no corner has the colours {}, seen at DBL", name(&colours)),
            };
            Wrong { sticker: seen[0].1, why }
        })
    }

    /// The pieces that they show, by the faces as the cube is held, and its scheme. Errors call
    /// colours by their `names`.
    pub(crate) fn pieces<const N: usize>(&self, names: &Names) -> Result<(Pieces, Scheme), Wrong> {
        let each = N * N;
        for face in 0..6 {
            let of = stickers::<N>().filter(|&sticker| self.0[sticker] == face);
            let count = of.clone().count();
            if count != each {
                // The first superfluous sticker, or the first sticker of all.
                let sticker = of.clone().nth(each).unwrap_or(0);
                let face = &names[usize::from(face)];
                let why = format!("expected {each} stickers of colour {face}, found {count}");
                return Err(Wrong { sticker, why });
            }
        }
        let scheme = self.scheme::<N>()?;
        let faces = scheme.faces();
        let plain = Self(self.0.map(|colour| faces[usize::from(colour)]));
        let names = scheme.colours().map(|colour| names[usize::from(colour)]);
        let wrong = |(code, why): (usize, String)| Wrong { sticker: STICKER_OF[code].into(), why };
        let corners = plain.read(0, &CORNERS, &names).map_err(wrong)?;
        let edges = match N {
            3 => plain.read(EDGE_CODES, &EDGES, &names).map_err(wrong)?,
            _ => std::array::from_fn(|piece| (EDGE_CODES + 2 * piece) as u8),
        };
        Ok((Pieces::of_codes(corners, edges), scheme))
    }

    /// Reads the position code of each piece of `K` stickers, or returns the first error with its
    /// code. Codes begin at `first`.
    fn read<const K: usize, const COUNT: usize>(
        &self,
        first: usize,
        pieces: &[[usize; K]; COUNT],
        names: &Names,
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
                let seen = seen.map(|colour| names[colour]);
                let seen = String::from_iter(seen);
                let why = format!("no {kind} has the colours {seen}, seen at {at}");
                return Err((code, why));
            };
            if let Some(other) = codes[piece] {
                let other = name(&pieces[(usize::from(other) - first) / K]);
                let piece = String::from_iter(pieces[piece].map(|face| names[face]));
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
