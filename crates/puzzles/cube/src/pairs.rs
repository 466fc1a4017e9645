//! The input of pairs: what lies together at the places of a corner and of an edge beside it.
//!
//! A network sees by it at once which blocks of two pieces are joined. Of pairs of places 12 change by a turn, whatever lies there; of pairs of
//! given pieces some 16 would. Seen of the inverse of a state, these are the places of given pairs of pieces, so that one says as much as the
//! other.

use crate::{
    geometry::{CORNERS, EDGES},
    learn::EACH,
    pieces::{CORNER_COUNT, EDGE_COUNT, Pieces},
};
use unriddle_core::Part;

/// Pairs of a corner and an edge beside it.
pub(crate) const PAIR_COUNT: usize = 3 * CORNER_COUNT;

/// What may lie at the places of a pair.
const BOTH: usize = EACH * EACH;

/// Length of the input.
pub(crate) const LEN: usize = BOTH * PAIR_COUNT;

/// The places of each pair: a corner, and an edge of two of its faces.
pub(crate) const PAIRS: [[usize; 2]; PAIR_COUNT] = {
    let mut pairs = [[0; 2]; PAIR_COUNT];
    let (mut corner, mut found) = (0, 0);
    while corner < CORNER_COUNT {
        let mut edge = 0;
        while edge < EDGE_COUNT {
            let [a, b] = EDGES[edge];
            if has(&CORNERS[corner], a) && has(&CORNERS[corner], b) {
                pairs[found] = [corner, edge];
                found += 1;
            }
            edge += 1;
        }
        corner += 1;
    }
    pairs
};

/// The pairs that a turn of each face changes.
const CHANGED: [[usize; 12]; 6] = {
    let mut all = [[0; 12]; 6];
    let mut face = 0;
    while face < 6 {
        let (mut pair, mut found) = (0, 0);
        while pair < PAIR_COUNT {
            let [corner, edge] = PAIRS[pair];
            if has(&CORNERS[corner], face) || has(&EDGES[edge], face) {
                all[face][found] = pair;
                found += 1;
            }
            pair += 1;
        }
        face += 1;
    }
    all
};

const fn has(faces: &[usize], face: usize) -> bool {
    let mut i = 0;
    while i < faces.len() {
        if faces[i] == face {
            return true;
        }
        i += 1;
    }
    false
}

/// The corner at a place: piece and twist as one number below [`EACH`].
#[inline(always)]
fn corner(state: &Pieces, place: usize) -> usize {
    let (piece, twist) = state.corner(place);
    CORNER_COUNT * twist + piece
}

/// The edge at a place: piece and flip as one number below [`EACH`].
#[inline(always)]
fn edge(state: &Pieces, place: usize) -> usize {
    let (piece, flip) = state.edge(place);
    EDGE_COUNT * flip + piece
}

/// The index of what lies at the places of a pair.
#[inline(always)]
fn of_pair(state: &Pieces, pair: usize) -> u32 {
    let [c, e] = PAIRS[pair];
    (BOTH * pair + EACH * corner(state, c) + edge(state, e)) as u32
}

/// All active indices, group after group.
pub(crate) fn active(state: &Pieces, sink: &mut dyn FnMut(u32)) {
    (0..PAIR_COUNT).for_each(|pair| sink(of_pair(state, pair)));
}

/// The indices that a turn of a face, which makes the second state of the first, changes.
pub(crate) fn delta([before, after]: [&Pieces; 2], face: u8, sink: &mut dyn FnMut(u32, bool)) {
    for pair in CHANGED[usize::from(face)] {
        sink(of_pair(before, pair), false);
        sink(of_pair(after, pair), true);
    }
}

/// What lies at the corner's place of each index, of which three pairs tell, and at the edge's, of which two do.
pub(crate) fn parts() -> Vec<Vec<Part>> {
    let of = |index: usize| {
        let [corner, edge] = PAIRS[index / BOTH];
        let corner = EACH * corner + index % BOTH / EACH;
        let edge = EACH * (CORNER_COUNT + edge) + index % EACH;
        let parts = [(corner, 3.0), (edge, 2.0)]
            .map(|(number, pairs)| Part { number: number as u32, share: 1.0 / pairs });
        parts.to_vec()
    };
    (0..LEN).map(of).collect()
}

/// The index of a piece that lies at a place code as its place sees it; both are counted as where each piece lies, 24 codes a piece.
fn of_piece(index: usize) -> usize {
    let (piece, code) = (index / EACH, index % EACH);
    match piece.checked_sub(CORNER_COUNT) {
        None => EACH * (code / 3) + CORNER_COUNT * (code % 3) + piece,
        Some(piece) => EACH * (CORNER_COUNT + code / 2) + EDGE_COUNT * (code % 2) + piece,
    }
}

/// The image of the whole input by that of where each piece lies.
pub(crate) fn image(of_pieces: &[u32]) -> Vec<u32> {
    let mut places = vec![0; of_pieces.len()];
    for (index, &to) in of_pieces.iter().enumerate() {
        places[of_piece(index)] = of_piece(to as usize);
    }
    let to = |index: usize| {
        let [corner, edge] = PAIRS[index / BOTH];
        let corner = places[EACH * corner + index % BOTH / EACH];
        let edge = places[EACH * (CORNER_COUNT + edge) + index % EACH];
        // What lies side by side does so in an image.
        let is_image = |pair: &[usize; 2]| *pair == [corner / EACH, edge / EACH - CORNER_COUNT];
        let pair = PAIRS.iter().position(is_image).unwrap_or(0);
        (BOTH * pair + EACH * (corner % EACH) + edge % EACH) as u32
    };
    (0..LEN).map(to).collect()
}
