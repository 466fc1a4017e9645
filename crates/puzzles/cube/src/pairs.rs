//! The input of pairs: the combined pieces at a corner and an adjacent edge.
//!
//! This input shows a network directly which blocks of two pieces are joined. A turn changes 12
//! pairs of positions in every state, whereas it would change about 16 pairs of given pieces. For
//! the inverse of a state, the pairs of positions are the positions of given pairs of pieces, so
//! that both inputs are equally informative.

use crate::{
    geometry::{CORNERS, EACH, EDGES},
    pieces::{CORNER_COUNT, EDGE_COUNT, Pieces},
};
use unriddle_core::Part;

/// Pairs of a corner and an edge beside it.
pub(crate) const PAIR_COUNT: usize = 3 * CORNER_COUNT;

/// Number of combinations of pieces at a pair of positions.
const BOTH: usize = EACH * EACH;

/// Length of the input.
pub(crate) const LEN: usize = BOTH * PAIR_COUNT;

/// The positions of each pair: a corner, and an edge on two of its faces.
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

/// The corner at a position: piece and twist as a number below [`EACH`].
#[inline(always)]
fn corner(state: &Pieces, place: usize) -> usize {
    let (piece, twist) = state.corner(place);
    CORNER_COUNT * twist + piece
}

/// The edge at a position: piece and flip as a number below [`EACH`].
#[inline(always)]
fn edge(state: &Pieces, place: usize) -> usize {
    let (piece, flip) = state.edge(place);
    EDGE_COUNT * flip + piece
}

/// The index of the pieces at a pair of positions.
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

/// For each index, the piece at the corner's position, which three pairs contain, and the piece at
/// the edge's position, which two pairs contain.
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

/// Converts the index of a position code and piece from the view of the piece to the view of the
/// position. Both views have 24 codes per piece.
fn of_piece(index: usize) -> usize {
    let (piece, code) = (index / EACH, index % EACH);
    match piece.checked_sub(CORNER_COUNT) {
        None => EACH * (code / 3) + CORNER_COUNT * (code % 3) + piece,
        Some(piece) => EACH * (CORNER_COUNT + code / 2) + EDGE_COUNT * (code % 2) + piece,
    }
}

/// The permutation of the whole input that belongs to the permutation `of_pieces` of the input of
/// cubies.
pub(crate) fn image(of_pieces: &[u32]) -> Vec<u32> {
    let mut places = vec![0; of_pieces.len()];
    for (index, &to) in of_pieces.iter().enumerate() {
        places[of_piece(index)] = of_piece(to as usize);
    }
    let to = |index: usize| {
        let [corner, edge] = PAIRS[index / BOTH];
        let corner = places[EACH * corner + index % BOTH / EACH];
        let edge = places[EACH * (CORNER_COUNT + edge) + index % EACH];
        // A symmetry keeps adjacent positions adjacent.
        let is_image = |pair: &[usize; 2]| *pair == [corner / EACH, edge / EACH - CORNER_COUNT];
        let pair = PAIRS.iter().position(is_image).unwrap_or(0);
        (BOTH * pair + EACH * (corner % EACH) + edge % EACH) as u32
    };
    (0..LEN).map(to).collect()
}
