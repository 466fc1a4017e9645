//! Cubes as names of pieces (Singmaster, Reid) and as numbers of stickers (DeepCubeA).

use crate::{
    Cube, Pieces,
    facelets::{Colours, Wrong},
    geometry::{CORNERS, EDGE_CODES, EDGES, FACES, STICKER_OF, STICKERS},
    scheme::Scheme,
};
use unriddle_core::{
    ParseError,
    text::{Word, placed},
};

/// Positions in the order in which the notation of Singmaster and Reid names their pieces.
pub(crate) const REID: [&str; 20] = [
    "UF", "UR", "UB", "UL", "DF", "DR", "DB", "DL", "FR", "FL", "BR", "BL", "UFR", "URB", "UBL",
    "ULF", "DRF", "DFL", "DLB", "DBR",
];

/// The faces in the order in which DeepCubeA numbers stickers.
const STICKER_FACES: [u8; 6] = [0, 3, 4, 1, 5, 2];

/// DeepCubeA's number of a sticker: nine for each face, column by column from the left and upwards
/// from below, as seen from outside.
fn deepcubea(sticker: usize) -> usize {
    let (face, row, column) = (sticker / 9, sticker % 9 / 3, sticker % 3);
    let face = STICKER_FACES.iter().position(|&other| usize::from(other) == face);
    9 * face.unwrap_or_default() + 3 * column + 2 - row
}

/// The face of a letter.
pub(crate) fn face(sign: char) -> Option<u8> {
    let face = FACES.iter().position(|&face| face == sign)?;
    Some(face as u8)
}

/// Checks the number of words or letters. The error is at the first superfluous one, or at the last
/// one.
pub(crate) fn check_count<T>(
    found: &[((usize, usize), T)],
    count: usize,
    expected: &str,
) -> Result<(), ParseError> {
    if found.len() == count {
        return Ok(());
    }
    let at = found.get(count).or(found.last());
    let (line, column) = at.map_or((1, 1), |&(place, _)| place);
    let why = format!("expected {count} {expected}, found {}", found.len());
    Err(ParseError::at(line, column, why))
}

/// Parses DeepCubeA's numbers: for each position, the number of its sticker on the solved cube.
pub(crate) fn numbers(text: &str) -> Result<(Pieces, Scheme), ParseError> {
    let text = text.replace([',', '[', ']'], " ");
    let words: Vec<Word<'_>> = placed(&text).collect();
    check_count(&words, STICKERS, "numbers of stickers")?;
    let mut colours = [0; STICKERS];
    let mut places = [(1, 1); STICKERS];
    let mut seen = [false; STICKERS];
    for sticker in 0..STICKERS {
        let ((line, column), word) = words[deepcubea(sticker)];
        let number: Option<usize> = word.parse().ok();
        let Some(number) = number.filter(|&number| number < STICKERS && !seen[number]) else {
            let why = format!("expected numbers of 0 to 53, each once, found `{word}`");
            return Err(ParseError::at(line, column, why));
        };
        seen[number] = true;
        places[sticker] = (line, column);
        colours[sticker] = STICKER_FACES[number / 9];
    }
    let found = Colours(colours).pieces::<3>(&FACES);
    let (pieces, scheme) = found.map_err(|Wrong { sticker, why }| {
        let (line, column) = places[sticker];
        ParseError::at(line, column, why)
    })?;
    // Stickers of a colour differ by their pieces.
    for (number, &((line, column), word)) in numbered(&pieces, scheme).into_iter().zip(&words) {
        if word.parse() != Ok(number) {
            let why =
                format!("expected {number}, by the other stickers of its piece, found `{word}`");
            return Err(ParseError::at(line, column, why));
        }
    }
    Ok((pieces, scheme))
}

/// DeepCubeA's numbers of a cube.
fn numbered(pieces: &Pieces, scheme: Scheme) -> [usize; STICKERS] {
    let (corners, edges) = pieces.codes();
    let now = |home: usize| -> usize {
        let Some(code) = STICKER_OF.iter().position(|&sticker| usize::from(sticker) == home) else {
            // A centre.
            return home;
        };
        let now = if code < EDGE_CODES {
            let at = usize::from(corners[code / 3]);
            3 * (at / 3) + (at % 3 + code % 3) % 3
        } else {
            usize::from(edges[(code - EDGE_CODES) / 2]) ^ (code % 2)
        };
        STICKER_OF[now].into()
    };
    let mut numbers = [0; STICKERS];
    for home in 0..STICKERS {
        numbers[deepcubea(now(home))] = deepcubea(scheme.sticker(home));
    }
    numbers
}

/// Finds the piece or position of a name, with the index of the sticker that the name begins with.
fn named<const K: usize>(word: &[u8], of: &[[usize; K]]) -> Option<(usize, usize)> {
    let mut turned = (0..K).flat_map(|turn| (0..of.len()).map(move |piece| (piece, turn)));
    turned.find(|&(piece, turn)| (0..K).all(|i| of[piece][(turn + i) % K] == usize::from(word[i])))
}

/// Parses the pieces at positions in the order of Singmaster and Reid. The letters of a corner may
/// run in either direction.
pub(crate) fn reid(words: &[Word<'_>]) -> Result<Pieces, ParseError> {
    check_count(words, REID.len(), "pieces, edges UF to BL and corners UFR to DBR")?;
    let mut corners: [Option<u8>; 8] = [None; 8];
    let mut edges: [Option<u8>; 12] = [None; 12];
    for (&((line, column), word), home) in words.iter().zip(REID) {
        let refused = |why: String| ParseError::at(line, column, format!("{why}, found `{word}`"));
        if word.chars().any(|sign| face(sign).is_none()) {
            return Err(refused("expected letters of faces".to_owned()));
        }
        let faces = |word: &str| -> Vec<u8> { word.chars().filter_map(face).collect() };
        let (mut at, mut here) = (faces(home), faces(word));
        if at.len() != here.len() {
            return Err(refused(format!("expected a piece of {} letters", at.len())));
        }
        let is_free = if at.len() == 2 {
            let (Some((place, turn)), Some((piece, named))) =
                (named(&at, &EDGES), named(&here, &EDGES))
            else {
                return Err(refused("expected an edge".to_owned()));
            };
            // The sticker of the first letter covers the position's sticker of the first letter.
            let code = EDGE_CODES + 2 * place + (turn ^ named);
            edges[piece].replace(code as u8).is_none()
        } else {
            // Names of positions run in either direction, and so do the names of the pieces there.
            let (mut place, mut piece) = (named(&at, &CORNERS), named(&here, &CORNERS));
            if place.is_none() {
                at.swap(1, 2);
                here.swap(1, 2);
                (place, piece) = (named(&at, &CORNERS), named(&here, &CORNERS));
            }
            let (Some((place, turn)), Some((piece, named))) = (place, piece) else {
                return Err(refused(format!(
                    "expected a corner whose letters run in the same direction as {home}"
                )));
            };
            let code = 3 * place + (turn + 3 - named) % 3;
            corners[piece].replace(code as u8).is_none()
        };
        if !is_free {
            return Err(refused("expected each piece once".to_owned()));
        }
    }
    // Twenty pieces, and none twice.
    Ok(Pieces::of_codes(
        corners.map(Option::unwrap_or_default),
        edges.map(|code| code.unwrap_or(EDGE_CODES as u8)),
    ))
}

impl<const N: usize> Cube<N> {
    /// A state in the notation of Singmaster and Reid, which does not contain how the cube is held.
    /// Only the 3×3×3 has this notation.
    #[must_use]
    pub fn singmaster(state: &Pieces) -> Option<String> {
        if N != 3 {
            return None;
        }
        let colours = Colours::of(state);
        let seen = |word: &&str| -> String {
            let faces: Vec<usize> = word.chars().filter_map(face).map(usize::from).collect();
            let is_here = |piece: &[usize]| piece.iter().all(|face| faces.contains(face));
            let (first, place) = match faces.len() {
                2 => (EDGE_CODES, EDGES.iter().position(|edge| is_here(edge))),
                _ => (0, CORNERS.iter().position(|corner| is_here(corner))),
            };
            let stickers = &STICKER_OF[first + faces.len() * place.unwrap_or_default()..];
            // The sticker of the position on each of the named faces.
            let on =
                |face: &usize| stickers.iter().find(|&&sticker| usize::from(sticker) / 9 == *face);
            let colour = |face| colours.0[usize::from(on(face).copied().unwrap_or_default())];
            faces.iter().map(|face| FACES[usize::from(colour(face))]).collect()
        };
        let pieces: Vec<String> = REID.iter().map(seen).collect();
        Some(pieces.join(" "))
    }

    /// A state as DeepCubeA's numbers, which distinguish stickers of the same colour. Only the
    /// 3×3×3 has this notation.
    #[must_use]
    pub fn deepcubea(&self, state: &Pieces) -> Option<String> {
        let numbers = (N == 3).then(|| numbered(state, self.scheme))?;
        Some(numbers.map(|number| number.to_string()).join(" "))
    }
}
