//! State of the cube: the piece at each position, and its orientation.

use crate::geometry::{CODES, EDGE_CODES, FACE_TURNS, Symmetry};

/// Corners, and edges, of a cube.
pub const CORNER_COUNT: usize = 8;
/// Edges of a cube.
pub const EDGE_COUNT: usize = 12;

/// Bits of a piece in a word.
const BITS: usize = 5;
const MASK: u64 = (1 << BITS) - 1;

/// The piece at each position and its orientation, in five bits per position. The lowest bits
/// belong to the first position.
///
/// A corner is `piece + 8 · twist`, an edge is `piece + 16 · flip`. The twist is the index (as in
/// `CORNERS`) of the position's sticker that the first sticker of the piece covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pieces {
    /// Eight corners.
    pub corners: u64,
    /// Twelve edges.
    pub edges: u64,
}

const fn in_order(count: usize) -> u64 {
    let (mut word, mut place) = (0, 0);
    while place < count {
        word |= (place as u64) << (BITS * place);
        place += 1;
    }
    word
}

/// The solved cube.
pub const SOLVED: Pieces = Pieces { corners: in_order(CORNER_COUNT), edges: in_order(EDGE_COUNT) };

impl Default for Pieces {
    /// The solved cube.
    fn default() -> Self {
        SOLVED
    }
}

/// Effect of an action on the pieces of a kind: four pieces exchange positions.
#[derive(Clone, Copy)]
struct Cycle {
    /// Mask of the positions that keep their pieces.
    kept: u64,
    /// For each moved piece: the shifts of its old and new position from the right, and the change
    /// of its orientation.
    moved: [(u8, u8, u8); 4],
}

/// The effect of `quarters` clockwise quarter turns of a face on the pieces whose position codes
/// begin at `first`, with `each` codes per position.
const fn cycle(face: usize, quarters: usize, first: usize, each: usize, count: usize) -> Cycle {
    let mut cycle = Cycle { kept: (1 << (BITS * count)) - 1, moved: [(0, 0, 0); 4] };
    let (mut place, mut found) = (0, 0);
    while place < count {
        let from = first + each * place;
        let (mut to, mut turn) = (from, 0);
        while turn < quarters {
            to = FACE_TURNS[face][to] as usize;
            turn += 1;
        }
        let (target, by) = ((to - first) / each, (to - first) % each);
        if target != place || by != 0 {
            cycle.kept &= !(MASK << (BITS * target));
            cycle.moved[found] = ((BITS * place) as u8, (BITS * target) as u8, by as u8);
            found += 1;
        }
        place += 1;
    }
    cycle
}

/// By action, [`Turn`](crate::Turn)'s number.
static CORNER_CYCLES: [Cycle; 18] = cycles(0, 3, CORNER_COUNT);
static EDGE_CYCLES: [Cycle; 18] = cycles(EDGE_CODES, 2, EDGE_COUNT);

const fn cycles(first: usize, each: usize, count: usize) -> [Cycle; 18] {
    let mut all = [cycle(0, 1, first, each, count); 18];
    let mut turn = 0;
    while turn < 18 {
        all[turn] = cycle(turn / 3, turn % 3 + 1, first, each, count);
        turn += 1;
    }
    all
}

impl Pieces {
    /// The corner at a position, and its twist.
    pub(crate) const fn corner(&self, place: usize) -> (usize, usize) {
        let value = (self.corners >> (BITS * place) & MASK) as usize;
        (value & 7, value >> 3)
    }

    /// The edge at a position, and its flip.
    pub(crate) const fn edge(&self, place: usize) -> (usize, usize) {
        let value = (self.edges >> (BITS * place) & MASK) as usize;
        (value & 15, value >> 4)
    }

    /// The pieces whose first stickers have these position codes: corners, then edges.
    pub(crate) fn of_codes(corners: [u8; CORNER_COUNT], edges: [u8; EDGE_COUNT]) -> Self {
        let mut pieces = Self { corners: 0, edges: 0 };
        for (piece, &code) in corners.iter().enumerate() {
            let (place, twist) = (usize::from(code) / 3, u64::from(code) % 3);
            pieces.corners |= (piece as u64 + 8 * twist) << (BITS * place);
        }
        for (piece, &code) in edges.iter().enumerate() {
            let code = usize::from(code) - EDGE_CODES;
            pieces.edges |= (piece as u64 + 16 * (code as u64 % 2)) << (BITS * (code / 2));
        }
        pieces
    }

    /// The position code of each piece's first sticker, by piece.
    pub(crate) fn codes(&self) -> ([u8; CORNER_COUNT], [u8; EDGE_COUNT]) {
        let (mut corners, mut edges) = ([0; CORNER_COUNT], [0; EDGE_COUNT]);
        for place in 0..CORNER_COUNT {
            let (piece, twist) = self.corner(place);
            corners[piece] = (3 * place + twist) as u8;
        }
        for place in 0..EDGE_COUNT {
            let (piece, flip) = self.edge(place);
            edges[piece] = (EDGE_CODES + 2 * place + flip) as u8;
        }
        (corners, edges)
    }

    /// After an action, by its number.
    #[must_use]
    #[inline]
    pub fn turned(&self, turn: u8) -> Self {
        let turn = usize::from(turn);
        let (cycle, old) = (&CORNER_CYCLES[turn], self.corners);
        let mut corners = old & cycle.kept;
        for (from, to, by) in cycle.moved {
            let value = (old >> from & MASK) + 8 * u64::from(by);
            let value = if value >= 24 { value - 24 } else { value };
            corners |= value << to;
        }
        let (cycle, old) = (&EDGE_CYCLES[turn], self.edges);
        let mut edges = old & cycle.kept;
        for (from, to, by) in cycle.moved {
            edges |= ((old >> from & MASK) ^ u64::from(by) << 4) << to;
        }
        Self { corners, edges }
    }

    /// Calls `sink` for every piece that an action moves, with the position codes of its first
    /// sticker before and after. Edges, if there are any, are numbered after the corners, and their
    /// codes begin at 0.
    #[inline]
    pub(crate) fn moved(&self, turn: u8, has_edges: bool, sink: &mut impl FnMut(usize, u32, u32)) {
        let turn = usize::from(turn);
        let place = |bits: u8| u32::from(bits) / BITS as u32;
        for (from, to, by) in CORNER_CYCLES[turn].moved {
            let value = (self.corners >> from & MASK) as usize;
            let twist = (value >> 3) as u32;
            let after = twist + u32::from(by);
            let after = if after >= 3 { after - 3 } else { after };
            sink(value & 7, 3 * place(from) + twist, 3 * place(to) + after);
        }
        if !has_edges {
            return;
        }
        for (from, to, by) in EDGE_CYCLES[turn].moved {
            let value = (self.edges >> from & MASK) as usize;
            let flip = (value >> 4) as u32;
            let after = flip ^ u32::from(by);
            let piece = CORNER_COUNT + (value & 15);
            sink(piece, 2 * place(from) + flip, 2 * place(to) + after);
        }
    }

    /// The state that the inverse of the actions that lead here leads to.
    ///
    /// It is as far from the solved cube.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut inverse = Self { corners: 0, edges: 0 };
        for place in 0..CORNER_COUNT {
            let (piece, twist) = self.corner(place);
            let value = (place + 8 * ((3 - twist) % 3)) as u64;
            inverse.corners |= value << (BITS * piece);
        }
        for place in 0..EDGE_COUNT {
            let (piece, flip) = self.edge(place);
            inverse.edges |= ((place + 16 * flip) as u64) << (BITS * piece);
        }
        inverse
    }

    /// The symmetric state: the whole cube is moved by a symmetry and painted so that the solved
    /// cube remains solved.
    pub(crate) fn image(&self, symmetry: &Symmetry) -> Self {
        let (corners, edges) = self.codes();
        let (mut new_corners, mut new_edges) = ([0; CORNER_COUNT], [0; EDGE_COUNT]);
        // The original piece, and the offset between its first sticker and the new piece's first
        // sticker.
        for (piece, &code) in corners.iter().enumerate() {
            let home = usize::from(symmetry.codes[3 * piece]);
            // The first sticker of the new piece was `back` stickers away from the first sticker of
            // the original piece.
            let back = (0..3).find(|&i| usize::from(symmetry.codes[3 * piece + i]) == home / 3 * 3);
            let place = usize::from(code) / 3;
            let twist = (usize::from(code) % 3 + back.unwrap_or(0)) % 3;
            new_corners[home / 3] = symmetry.codes[3 * place + twist];
        }
        for (piece, &code) in edges.iter().enumerate() {
            let home = usize::from(symmetry.codes[EDGE_CODES + 2 * piece]) - EDGE_CODES;
            new_edges[home / 2] = symmetry.codes[usize::from(code) ^ (home % 2)];
        }
        Self::of_codes(new_corners, new_edges)
    }

    /// Whether the permutation of the corners is odd.
    pub(crate) fn has_odd_corners(&self) -> bool {
        is_odd((0..CORNER_COUNT).map(|place| self.corner(place).0))
    }

    /// The reason why turns cannot solve this cube, or `None` if they can. In a cube without edges,
    /// two corners may be exchanged.
    pub(crate) fn defect(&self, has_edges: bool) -> Option<String> {
        let twist: usize = (0..CORNER_COUNT).map(|place| self.corner(place).1).sum();
        let flip: usize = (0..EDGE_COUNT).map(|place| self.edge(place).1).sum();
        let edges = is_odd((0..EDGE_COUNT).map(|place| self.edge(place).0));
        let defects = [
            (twist % 3 == 1, "one corner is twisted clockwise"),
            (twist % 3 == 2, "one corner is twisted counterclockwise"),
            (flip % 2 == 1, "one edge is flipped"),
            (has_edges && self.has_odd_corners() != edges, "two pieces are exchanged"),
        ];
        let found = defects.into_iter().filter(|(is_so, _)| *is_so);
        let words: Vec<_> = found.map(|(_, words)| words).collect();
        (!words.is_empty()).then(|| words.join(", and "))
    }
}

/// Whether a permutation is odd.
pub(crate) fn is_odd(permutation: impl Iterator<Item = usize>) -> bool {
    let at: Vec<usize> = permutation.collect();
    let pairs = (0..at.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
    pairs.filter(|&(j, i)| at[j] > at[i]).count() % 2 == 1
}

/// By symmetry, the action that an action becomes.
pub(crate) fn turn_image(turn: u8, symmetry: &Symmetry) -> u8 {
    let face = symmetry.faces[usize::from(turn / 3)];
    let quarters = if symmetry.mirrors { 2 - turn % 3 } else { turn % 3 };
    3 * face + quarters
}

const _: () = assert!(CODES == 3 * CORNER_COUNT + 2 * EDGE_COUNT);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::SYMMETRY;
    use unriddle_core::Rng;

    fn walked(turns: &[u8]) -> Pieces {
        turns.iter().fold(SOLVED, |pieces, &turn| pieces.turned(turn))
    }

    #[test]
    fn turns_inverses_and_symmetries_agree() {
        let rng = &mut Rng::new(1);
        for _ in 0..200 {
            let turns: Vec<u8> = (0..30).map(|_| rng.below(18) as u8).collect();
            let pieces = walked(&turns);
            assert_eq!(pieces.defect(true), None);
            let back: Vec<u8> = turns.iter().rev().map(|t| t / 3 * 3 + 2 - t % 3).collect();
            assert_eq!(pieces.inverse(), walked(&back));
            assert_eq!(back.iter().fold(pieces, |at, &turn| at.turned(turn)), SOLVED);
            let (corners, edges) = pieces.codes();
            assert_eq!(Pieces::of_codes(corners, edges), pieces);
            for symmetry in &SYMMETRY {
                let images: Vec<u8> = turns.iter().map(|&t| turn_image(t, symmetry)).collect();
                assert_eq!(pieces.image(symmetry), walked(&images));
            }
        }
    }

    /// The order of R U is 105 (Singmaster 1981).
    #[test]
    fn a_known_order() {
        let mut pieces = SOLVED;
        for count in 1..=105 {
            pieces = pieces.turned(3).turned(0);
            assert_eq!(pieces == SOLVED, count == 105);
        }
    }
}
