//! Parts of a state as numbers, the effects of turns on them, and their distances to the solved
//! cube.
//!
//! The first phase brings the cube to a state that turns of U and D and half turns of the other
//! faces can solve: no corner is twisted, no edge is flipped, and the four edges of the slice are
//! in the slice. The second phase solves the cube by these turns only (Kociemba 1992).

use crate::{
    Cube, Metric, Pieces,
    pieces::{CORNER_COUNT, EDGE_COUNT, SOLVED},
};
use std::sync::{Arc, LazyLock};
use unriddle_tables::{
    Cache, Distances, Pattern, Table, TableError,
    rank::{Placements, Subsets},
};

/// Turns of any angle.
pub(super) const TURNS: usize = 18;

/// First edge of the slice, and first position there.
const SLICE: usize = 8;

/// Twists, flips and slices of the first phase.
pub(super) const TWISTS: usize = 2_187;
pub(super) const FLIPS: usize = 2_048;
pub(super) const SLICES: usize = 495;
/// Orders of the corners, or of the edges outside of the slice, and of the edges in it.
pub(super) const ORDERS: usize = 40_320;
pub(super) const SLICE_ORDERS: usize = 24;

/// Whether a turn belongs to the second phase.
pub(super) const fn is_second(turn: usize) -> bool {
    (turn / 3).is_multiple_of(3) || turn % 3 == 1
}

/// A part of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Twists of the corners, by position.
    Twist,
    /// Flips of the edges, by position.
    Flip,
    /// Positions of the edges of the slice.
    Slice,
    /// Permutation of the corners.
    Corners,
    /// Permutation of the edges outside the slice, if all edges of the slice are in it.
    Edges,
    /// Permutation of the edges of the slice within it.
    SliceEdges,
}

impl Part {
    const ALL: [Self; 6] =
        [Self::Twist, Self::Flip, Self::Slice, Self::Corners, Self::Edges, Self::SliceEdges];

    fn count(self) -> usize {
        match self {
            Self::Twist => TWISTS,
            Self::Flip => FLIPS,
            Self::Slice => SLICES,
            Self::Corners | Self::Edges => ORDERS,
            Self::SliceEdges => SLICE_ORDERS,
        }
    }

    /// Whether every turn of the first phase maps the part's number to a number that depends on
    /// nothing else.
    fn is_first(self) -> bool {
        matches!(self, Self::Twist | Self::Flip | Self::Slice | Self::Corners)
    }

    /// Its number.
    pub(super) fn of(self, state: &Pieces) -> usize {
        let mut at = [0; EDGE_COUNT];
        match self {
            Self::Twist => {
                (1..CORNER_COUNT).rev().fold(0, |sum, place| 3 * sum + state.corner(place).1)
            }
            Self::Flip => {
                (1..EDGE_COUNT).fold(0, |sum, place| sum | state.edge(place).1 << (place - 1))
            }
            Self::Slice => {
                let there = (0..EDGE_COUNT).filter(|&place| state.edge(place).0 >= SLICE);
                let mask = there.fold(0, |mask, place| mask | 1 << place);
                NUMBERS.slices.rank(mask)
            }
            Self::Corners => {
                (0..CORNER_COUNT).for_each(|place| at[state.corner(place).0] = place);
                NUMBERS.eight.rank(&at[..CORNER_COUNT]) as usize
            }
            Self::Edges => {
                (0..SLICE).for_each(|place| at[state.edge(place).0 % SLICE] = place);
                NUMBERS.eight.rank(&at[..SLICE]) as usize
            }
            Self::SliceEdges => {
                (SLICE..EDGE_COUNT).for_each(|place| at[state.edge(place).0 % 4] = place - SLICE);
                NUMBERS.four.rank(&at[..4]) as usize
            }
        }
    }

    /// Any state with the number.
    fn state(self, number: usize) -> Pieces {
        let (mut corners, mut edges) = SOLVED.codes();
        match self {
            Self::Twist => {
                let (mut rest, mut sum) = (number, 0);
                for (place, code) in corners.iter_mut().enumerate().skip(1) {
                    *code = (3 * place + rest % 3) as u8;
                    sum += rest % 3;
                    rest /= 3;
                }
                corners[0] = ((3 - sum % 3) % 3) as u8;
            }
            Self::Flip => {
                for (place, code) in edges.iter_mut().enumerate() {
                    *code += match place.checked_sub(1) {
                        Some(bit) => (number >> bit & 1) as u8,
                        None => (number.count_ones() % 2) as u8,
                    };
                }
            }
            Self::Slice => {
                let mask = NUMBERS.masks[number];
                let (there, elsewhere): (Vec<u8>, Vec<u8>) =
                    (0..EDGE_COUNT as u8).partition(|place| mask >> place & 1 == 1);
                for (code, place) in edges.iter_mut().zip(elsewhere.into_iter().chain(there)) {
                    *code = 24 + 2 * place;
                }
            }
            Self::Corners => {
                let places = NUMBERS.eight.unrank(number as u64);
                corners.iter_mut().zip(places).for_each(|(code, place)| *code = 3 * place as u8);
            }
            Self::Edges => {
                let places = NUMBERS.eight.unrank(number as u64);
                edges.iter_mut().zip(places).for_each(|(code, place)| *code = 24 + 2 * place as u8);
            }
            Self::SliceEdges => {
                let places = NUMBERS.four.unrank(number as u64);
                let edges = edges[SLICE..].iter_mut();
                edges.zip(places).for_each(|(code, place)| *code = 24 + 2 * (SLICE + place) as u8);
            }
        }
        Pieces::of_codes(corners, edges)
    }

    /// For each number and turn, the number after the turn. Turns outside the part's phase change
    /// nothing.
    fn moves(self) -> Vec<u16> {
        let mut moves = Vec::with_capacity(self.count() * TURNS);
        for number in 0..self.count() {
            let state = self.state(number);
            moves.extend((0..TURNS).map(|turn| match self.is_first() || is_second(turn) {
                true => self.of(&state.turned(turn as u8)) as u16,
                false => number as u16,
            }));
        }
        moves
    }
}

/// Numbers of arrangements.
struct Numbers {
    slices: Subsets,
    masks: Vec<u64>,
    eight: Placements,
    four: Placements,
}

static NUMBERS: LazyLock<Numbers> = LazyLock::new(|| {
    let slices = Subsets::new(EDGE_COUNT, 4);
    Numbers {
        masks: slices.masks(),
        slices,
        eight: Placements::new(8, 8),
        four: Placements::new(4, 4),
    }
});

/// Effects of turns on all parts, by part.
pub(super) type Moves = [Vec<u16>; 6];

pub(super) static MOVES: LazyLock<Moves> = LazyLock::new(|| Part::ALL.map(Part::moves));

/// Two parts together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair(Part, Part);

impl Pair {
    /// Whether it is of the second phase.
    fn is_of_second(self) -> bool {
        !self.1.is_first()
    }
}

impl Pattern<Cube<3>> for Pair {
    fn name(&self) -> String {
        format!("cube3-phases-{:?}-{:?}", self.0, self.1).to_lowercase()
    }

    fn ranks(&self) -> u64 {
        (self.0.count() * self.1.count()) as u64
    }

    fn rank(&self, state: &Pieces) -> u64 {
        (self.0.of(state) * self.1.count() + self.1.of(state)) as u64
    }

    /// Only [`before`](Self::before) is asked for: the parts may be of different states.
    fn unrank(&self, rank: u64) -> Pieces {
        self.0.state(rank as usize / self.1.count())
    }

    fn before(&self, _: &Cube<3>, rank: u64, visit: &mut impl FnMut(u64)) {
        let [first, second] = [self.0, self.1].map(|part| &MOVES[part as usize]);
        let count = self.1.count();
        let (one, other) = (rank as usize / count, rank as usize % count);
        for turn in (0..TURNS).filter(|&turn| !self.is_of_second() || is_second(turn)) {
            let (one, other) = (first[one * TURNS + turn], second[other * TURNS + turn]);
            visit((usize::from(one) * count + usize::from(other)) as u64);
        }
    }
}

/// Distances of pairs of parts: three of the first phase and two of the second.
pub(super) type Bounds = [Arc<Table>; 5];

/// The distances from the cache, or built in some tenths of a second.
pub(super) fn bounds(cache: &Cache) -> Result<Bounds, TableError> {
    let [a, b, c, d, e] = &builders();
    Ok([cache.get(a)?, cache.get(b)?, cache.get(c)?, cache.get(d)?, cache.get(e)?])
}

/// Builders of the tables.
pub(super) fn builders() -> [Distances<Cube<3>, Pair>; 5] {
    [
        Pair(Part::Twist, Part::Slice),
        Pair(Part::Flip, Part::Slice),
        Pair(Part::Twist, Part::Flip),
        Pair(Part::Corners, Part::SliceEdges),
        Pair(Part::Edges, Part::SliceEdges),
    ]
    .map(|pattern| Distances { puzzle: Cube::new(SOLVED, Metric::Half), pattern })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::uniform;
    use unriddle_core::Rng;

    #[test]
    fn parts_are_numbered_and_turned() {
        let rng = &mut Rng::new(3);
        for _ in 0..500 {
            let state = uniform::<3>(rng);
            for part in [Part::Twist, Part::Flip, Part::Slice, Part::Corners] {
                let number = part.of(&state);
                assert_eq!(part.of(&part.state(number)), number, "{part:?}");
                for turn in 0..TURNS {
                    let after = part.of(&state.turned(turn as u8));
                    assert_eq!(
                        usize::from(MOVES[part as usize][number * TURNS + turn]),
                        after,
                        "{part:?}"
                    );
                }
            }
        }
        for part in [Part::Edges, Part::SliceEdges] {
            for number in (0..part.count()).step_by(17) {
                assert_eq!(part.of(&part.state(number)), number, "{part:?}");
            }
        }
        assert_eq!((0..TURNS).filter(|&turn| is_second(turn)).count(), 10);
    }
}
