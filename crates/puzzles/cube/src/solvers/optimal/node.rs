//! A state and its inverse as vectors of bytes, and turns at either end.
//!
//! A state maps the place code of each piece's home to the one where the piece lies. So does its inverse. A turn of the cube
//! comes last and changes where pieces lie; a turn before all others changes which piece lies there. Both are searched: a
//! solution is found from its first turn on and from its last one.

use super::bytes::{Bytes, all};
use crate::{
    Pieces,
    geometry::{EDGE_CODES, FACE_TURNS},
    pieces::{CORNER_COUNT, EDGE_COUNT},
};
use std::sync::LazyLock;

/// By piece, where it lies, and in the bits from the fifth on how it is turned. Bytes that stand for no piece are 0 to 15.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map {
    pub(crate) edges: Bytes,
    pub(crate) corners: Bytes,
}

/// By bytes, of edges and of corners.
type Rows = ([u8; 16], [u8; 16]);

/// The place code `code` as a byte.
fn byte(code: u8) -> u8 {
    let code = usize::from(code);
    let byte = match code < EDGE_CODES {
        true => code / 3 + 16 * (code % 3),
        false => (code - EDGE_CODES) / 2 + 16 * (code % 2),
    };
    byte as u8
}

/// What a map of place codes does to bytes: where each place goes, with the turn of what lies there as it should.
pub(crate) fn rows(codes: impl Fn(usize) -> u8) -> Rows {
    let mut rows: Rows = (std::array::from_fn(|i| i as u8), std::array::from_fn(|i| i as u8));
    for (place, row) in rows.0[..EDGE_COUNT].iter_mut().enumerate() {
        *row = byte(codes(EDGE_CODES + 2 * place));
    }
    for (place, row) in rows.1[..CORNER_COUNT].iter_mut().enumerate() {
        *row = byte(codes(3 * place));
    }
    rows
}

impl Map {
    pub(crate) fn new((edges, corners): Rows) -> Self {
        Self { edges: Bytes::new(edges), corners: Bytes::new(corners) }
    }

    /// Where the pieces of a state lie.
    pub(crate) fn of(pieces: &Pieces) -> Self {
        let (corners, edges) = pieces.codes();
        Self::new(rows(|home| match home < EDGE_CODES {
            true => corners[home / 3],
            false => edges[(home - EDGE_CODES) / 2],
        }))
    }

    /// First this one, then another.
    #[inline(always)]
    pub(crate) fn then(self, next: &Map) -> Self {
        let part = |first: Bytes, next: Bytes, modulus: u8| {
            let turned = first.and(all(0x30));
            next.at(first).plus(turned).reduced(all(modulus))
        };
        Self {
            edges: part(self.edges, next.edges, 0x20),
            corners: part(self.corners, next.corners, 0x30),
        }
    }

    #[inline(always)]
    pub(crate) fn is(&self, other: &Map) -> bool {
        self.edges.is(other.edges) && self.corners.is(other.corners)
    }
}

/// A state, and its inverse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Where pieces lie.
    pub(crate) state: Map,
    /// The same of the inverse.
    pub(crate) inverse: Map,
}

/// The turns as maps, by number.
pub(crate) static TURNS: LazyLock<[Map; 18]> = LazyLock::new(|| {
    std::array::from_fn(|turn| {
        Map::new(rows(|home| {
            (0..=turn % 3).fold(home as u8, |code, _| FACE_TURNS[turn / 3][usize::from(code)])
        }))
    })
});

/// The number of the turn that takes one back.
pub(crate) fn back(turn: usize) -> usize {
    turn / 3 * 3 + 2 - turn % 3
}

impl Node {
    pub(crate) fn new(pieces: &Pieces) -> Self {
        Self { state: Map::of(pieces), inverse: Map::of(&pieces.inverse()) }
    }

    /// After a turn of the cube: it is the next one of a solution.
    #[inline(always)]
    pub(crate) fn turned(&self, turns: &[Map; 18], turn: usize) -> Self {
        Self {
            state: self.state.then(&turns[turn]),
            inverse: turns[back(turn)].then(&self.inverse),
        }
    }

    /// Before a turn: it is the last one of a solution.
    #[inline(always)]
    pub(crate) fn preceded(&self, turns: &[Map; 18], turn: usize) -> Self {
        Self {
            state: turns[turn].then(&self.state),
            inverse: self.inverse.then(&turns[back(turn)]),
        }
    }
}
