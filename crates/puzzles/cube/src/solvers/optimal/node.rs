//! A state and its inverse as vectors of bytes, and turns at either end.
//!
//! A state maps the position code of each piece's home to the position code of its position, and so
//! does its inverse. A turn at the end of the sequence changes the positions of pieces. A turn
//! before all others changes the pieces at the positions. The search uses both: it finds a solution
//! from its first turn and from its last one.

use super::bytes::{Bytes, all};
use crate::{
    Pieces,
    geometry::{EDGE_CODES, FACE_TURNS},
    pieces::{CORNER_COUNT, EDGE_COUNT},
};
use std::sync::LazyLock;

/// By piece: its position, and in the bits from the fifth its turn. Bytes beyond the pieces are 0
/// to 15.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map {
    pub(crate) edges: Bytes,
    pub(crate) corners: Bytes,
}

/// By bytes, of edges and of corners.
type Rows = ([u8; 16], [u8; 16]);

/// The position code `code` as a byte.
fn byte(code: u8) -> u8 {
    let code = usize::from(code);
    let byte = if code < EDGE_CODES {
        code / 3 + 16 * (code % 3)
    } else {
        (code - EDGE_CODES) / 2 + 16 * (code % 2)
    };
    byte as u8
}

/// The permutation of position codes as an operation on bytes: the new position of each position,
/// with the turn of the piece there.
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

    /// The positions of the pieces of a state.
    pub(crate) fn of(pieces: &Pieces) -> Self {
        let (corners, edges) = pieces.codes();
        Self::new(rows(|home| {
            if home < EDGE_CODES { corners[home / 3] } else { edges[(home - EDGE_CODES) / 2] }
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
    /// The positions of pieces.
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
