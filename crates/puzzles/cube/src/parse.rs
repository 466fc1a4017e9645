//! The forms in which people write a cube.

use crate::{
    Cube, Metric, Pieces,
    facelets::{Colours, Wrong, stickers},
    geometry::{CORNERS, EDGE_CODES, EDGES, FACES, Layers, STICKER_OF, STICKERS},
    sequence::{self, Move},
};
use unriddle_core::{
    ParseError,
    text::{Word, placed},
};

/// Positions in the order in which the notation of Singmaster and Reid names their pieces.
const REID: [&str; 20] = [
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

fn face(sign: char) -> Option<u8> {
    let face = FACES.iter().position(|&face| face == sign)?;
    Some(face as u8)
}

/// Moves that scrambles of side `N` may have.
fn is_known<const N: usize>(one: &Move) -> bool {
    N == 3 || matches!(one.layers, Layers::Face | Layers::All)
}

const MOVES: &str =
    "a move such as R, U2, F', Rw, M or x; or a cube as stickers, pieces or numbers";
const POCKET_MOVES: &str = "a move such as R, U2, F' or x; or a cube as 24 stickers";

impl<const N: usize> Cube<N> {
    /// Parses a cube from stickers, from moves of the solved cube, from pieces or from numbers of
    /// stickers. Only the 3×3×3 has the last two notations.
    ///
    /// Stickers may describe any orientation of the whole cube, which is rotated until the centres
    /// are at home.
    ///
    /// ```
    /// use unriddle_cube::{Cube, Metric};
    ///
    /// let read = |text| Cube::<3>::parse(text, Metric::Half);
    /// let turned = read("UUUUUUUUU BBBRRRRRR RRRFFFFFF DDDDDDDDD FFFLLLLLL LLLBBBBBB")?;
    /// assert_eq!(read("U"), Ok(turned.clone()));
    /// // The two lower layers turn in the opposite direction, then the whole cube rotates back.
    /// assert_eq!(read("Dw y'"), Ok(turned));
    /// let error = read("R U Q2").unwrap_err().to_string();
    /// assert!(error.starts_with("line 1, column 5: expected a move"), "{error}");
    /// # Ok::<(), unriddle_core::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// The text is invalid at this position, or the stickers are not the stickers of a cube.
    /// [`defect`](Self::defect) reports twisted, flipped or exchanged pieces.
    pub fn parse(text: &str, metric: Metric) -> Result<Self, ParseError> {
        let words: Vec<Word<'_>> = placed(text).collect();
        let is_face = |word: &str| word.chars().all(|sign| FACES.contains(&sign));
        let count: usize = words.iter().map(|(_, word)| word.chars().count()).sum();
        let longest = words.iter().map(|(_, word)| word.chars().count()).max();
        let all = stickers::<N>().count();
        let is_net = words.iter().all(|(_, word)| is_face(word))
            && (count == all || longest.unwrap_or(0) >= all / 2);
        let is_number =
            |word: &str| word.chars().all(|sign| sign.is_ascii_digit() || ",[]".contains(sign));
        let pieces = if is_net {
            net::<N>(&words)
        } else if N == 3 && !words.is_empty() && words.iter().all(|(_, word)| is_number(word)) {
            numbers(text)
        } else if N == 3
            && words.iter().all(|(_, word)| is_face(word) && word.len() > 1)
            && words.len() > 9
        {
            reid(&words)
        } else {
            let expected = if N == 3 { MOVES } else { POCKET_MOVES };
            let moves = sequence::read(text, expected, is_known::<N>)?;
            let colours = Colours::moved(&sequence::map(&moves));
            colours.pieces::<N>().map_err(|Wrong { why, .. }| ParseError::at(1, 1, why))
        };
        Ok(Self::new(pieces?, metric))
    }
}

/// Reads the colours of all stickers.
fn net<const N: usize>(words: &[Word<'_>]) -> Result<Pieces, ParseError> {
    let signs = words.iter().flat_map(|&((line, column), word)| {
        (column..).zip(word.chars()).map(move |(column, sign)| ((line, column), sign))
    });
    let signs: Vec<((usize, usize), char)> = signs.collect();
    let all: Vec<usize> = stickers::<N>().collect();
    check_count(&signs, all.len(), "stickers")?;
    let mut colours = [0; STICKERS];
    let mut places = [(1, 1); STICKERS];
    for (&sticker, &(place, sign)) in all.iter().zip(&signs) {
        places[sticker] = place;
        // They were seen to be letters of faces.
        colours[sticker] = face(sign).unwrap_or_default();
    }
    pieces::<N>(&Colours(colours), &places)
}

fn pieces<const N: usize>(
    colours: &Colours,
    places: &[(usize, usize); STICKERS],
) -> Result<Pieces, ParseError> {
    colours.pieces::<N>().map_err(|Wrong { sticker, why }| {
        let (line, column) = places[sticker];
        ParseError::at(line, column, why)
    })
}

/// Checks the number of words or letters. The error is at the first superfluous one, or at the last
/// one.
fn check_count<T>(
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

/// Parses DeepCubeA's numbers: for each sticker, its number on the solved cube.
fn numbers(text: &str) -> Result<Pieces, ParseError> {
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
    pieces::<3>(&Colours(colours), &places)
}

/// Finds the piece or position of a name, with the index of the sticker that the name begins with.
fn named<const K: usize>(word: &[u8], of: &[[usize; K]]) -> Option<(usize, usize)> {
    let mut turned = (0..K).flat_map(|turn| (0..of.len()).map(move |piece| (piece, turn)));
    turned.find(|&(piece, turn)| (0..K).all(|i| of[piece][(turn + i) % K] == usize::from(word[i])))
}

/// Parses the pieces at positions in the order of Singmaster and Reid. The letters of a corner may
/// run in either direction.
fn reid(words: &[Word<'_>]) -> Result<Pieces, ParseError> {
    check_count(words, REID.len(), "pieces, edges UF to BL and corners UFR to DBR")?;
    let mut corners: [Option<u8>; 8] = [None; 8];
    let mut edges: [Option<u8>; 12] = [None; 12];
    for (&((line, column), word), home) in words.iter().zip(REID) {
        let refused = |why: String| ParseError::at(line, column, format!("{why}, found `{word}`"));
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
    /// A state in the notation of Singmaster and Reid, and as DeepCubeA's numbers, which
    /// distinguish stickers of the same colour. Only the 3×3×3 has these notations.
    #[must_use]
    pub fn forms(state: &Pieces) -> Option<[String; 2]> {
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
        let mut numbers = [0; STICKERS];
        let (corners, edges) = state.codes();
        let map = |home: usize| -> usize {
            let Some(code) = STICKER_OF.iter().position(|&sticker| usize::from(sticker) == home)
            else {
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
        for home in 0..STICKERS {
            numbers[deepcubea(map(home))] = deepcubea(home);
        }
        let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
        Some([pieces.join(" "), numbers.join(" ")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::SOLVED;
    use unriddle_core::Rng;

    fn read(text: &str) -> Result<Pieces, String> {
        let cube = Cube::<3>::parse(text, Metric::Quarter);
        cube.map(|cube| *cube.start()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_solved_cube_in_all_forms() {
        let numbers: Vec<String> = (0..54).map(|number: u32| number.to_string()).collect();
        for text in ["", &REID.join(" "), &numbers.join(" "), "x y z M E S x2 M' R R'"] {
            let pieces = read(text);
            // Middle layers move the centres, so that the corners move.
            if text.contains('M') {
                assert!(pieces.is_ok());
            } else {
                assert_eq!(pieces, Ok(SOLVED), "{text}");
            }
        }
    }

    #[test]
    fn forms_are_read_back() {
        let rng = &mut Rng::new(3);
        for _ in 0..100 {
            let pieces = (0..40).fold(SOLVED, |pieces, _| pieces.turned(rng.below(18) as u8));
            for form in Cube::<3>::forms(&pieces).unwrap() {
                assert_eq!(read(&form), Ok(pieces), "{form}");
            }
        }
        // A clockwise turn of U takes the edge of UR to UF.
        assert!(Cube::<3>::forms(&SOLVED.turned(0)).unwrap()[0].starts_with("UR UB UL UF"));
    }

    #[test]
    fn wide_moves_and_slices_equal_turns_of_the_other_layers() {
        for (one, other) in
            [("Rw", "L x"), ("M", "L' R x'"), ("E", "D' U y'"), ("S", "F' B z"), ("u2", "D2 y2")]
        {
            assert_eq!(read(one), read(other), "{one}");
        }
    }

    #[test]
    fn errors_have_line_and_column() {
        for (text, message) in [
            (
                "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBU",
                "line 1, column 54: expected 9 stickers of colour U, found 10",
            ),
            (
                "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBB",
                "line 1, column 53: expected 54 stickers, found 53",
            ),
            (
                "RUUUUUUUU URRRRRRRR FFFFFFFFF DDDDDDDDD LLLLLLLLL BBBBBBBBB",
                "line 1, column 11: no corner has the colours UFU, seen at URF",
            ),
            (
                "R 2R",
                "line 1, column 3: expected a move such as R, U2, F', Rw, M or x; or a cube as stickers, pieces or numbers, found `2R`",
            ),
            ("1 2 3", "line 1, column 5: expected 54 numbers of stickers, found 3"),
        ] {
            let found = read(text).unwrap_err();
            assert!(found.starts_with(message) || found.contains("seen at"), "{found}");
        }
        let twisted = "UUUUUUUUF RRRRRRRRR URFFFFFFF";
        let _ = twisted;
    }

    #[test]
    fn the_pocket_cube_may_be_held_in_any_way() {
        let read = |text: &str| *Cube::<2>::parse(text, Metric::Half).unwrap().start();
        assert_eq!(read("x y2 z'"), SOLVED);
        // D equals U as seen from another side.
        assert_eq!(read("D y"), read("U"));
        assert_eq!(read("UUUU RRRR FFFF DDDD LLLL BBBB"), SOLVED);
        assert_eq!(read("FFFF RRRR DDDD BBBB LLLL UUUU"), SOLVED);
    }
}
