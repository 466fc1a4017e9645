//! Korf's pattern databases: the corners, and two sets of edges (Korf 1997, Finding optimal
//! solutions to Rubik's cube using pattern databases, AAAI-97), in either metric. For the 2×2×2,
//! the corners are the whole state.

use crate::{
    Cube, Metric, Pieces,
    geometry::EDGE_CODES,
    pieces::{CORNER_COUNT, EDGE_COUNT, SOLVED},
};
use std::sync::{Arc, OnceLock};
use unriddle_core::{Backward as _, Puzzle as _};
use unriddle_tables::{Pattern, rank::Placements};

/// Part of a cube that a pattern keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Positions and twists of all corners.
    Corners,
    /// The same of edges, from the first one to one before the last.
    Edges {
        /// The first edge.
        first: u8,
        /// End of the range of edges (exclusive).
        end: u8,
    },
}

/// Pattern of a cube of side `N`. A rank is the rank of the positions times the number of twists or
/// flips, plus the rank of the twists (by positions) or flips (by pieces).
#[derive(Clone, Debug)]
pub struct Projection<const N: usize> {
    kept: Kept,
    metric: Metric,
    places: Placements,
    moves: OnceLock<Arc<Moves>>,
}

/// Effect of turns on ranks.
#[derive(Debug)]
struct Moves {
    /// For each turn and rank of positions: the next rank of positions times 64, plus the flips
    /// that change (by pieces, 0 for corners).
    places: Vec<Vec<u32>>,
    /// By turn and twists: the twists after it. None of edges.
    twists: Vec<Vec<u32>>,
}

impl<const N: usize> Projection<N> {
    /// The projection to `kept` of the cubes of a metric.
    #[must_use]
    pub fn new(kept: Kept, metric: Metric) -> Self {
        let places = match kept {
            Kept::Corners => Placements::new(Self::CORNERS, Self::CORNERS),
            Kept::Edges { first, end } => Placements::new(EDGE_COUNT, (end - first).into()),
        };
        Self { kept, metric, places, moves: OnceLock::new() }
    }

    /// Number of corners that turn. The fixed corner of the 2×2×2 does not count.
    const CORNERS: usize = if N == 3 { CORNER_COUNT } else { CORNER_COUNT - 1 };

    /// Corners in the order of ranking. The fixed corner of the 2×2×2 is the last.
    const ORDER: [u8; CORNER_COUNT] = [0, 1, 2, 3, 4, 5, 7, 6];

    /// Number of twists or flips of the pieces at given positions: 3 to the power of all corners
    /// but the last, whose twist follows, or 2 to the power of the number of edges.
    fn turns(&self) -> u64 {
        match self.kept {
            Kept::Corners => 3_u64.pow(Self::CORNERS as u32 - 1),
            Kept::Edges { first, end } => 1 << (end - first),
        }
    }

    fn moves(&self) -> &Moves {
        self.moves.get_or_init(|| {
            let cube = Cube::<N>::new(SOLVED, self.metric);
            let (count, ways) = (self.places.count(), self.turns());
            let after = |rank: u64, turn| self.rank(&cube.apply(&self.unrank(rank), turn));
            let is_edges = matches!(self.kept, Kept::Edges { .. });
            let places = cube.turns().map(|turn| {
                let of = |places| {
                    let after = after(places * ways, turn);
                    let flips = if is_edges { after % ways } else { 0 };
                    // Less than 2^20 placements.
                    (after / ways * 64 + flips) as u32
                };
                (0..count).map(of).collect()
            });
            let twists = cube.turns().filter(|_| !is_edges).map(|turn| {
                let of = |twists| (after(twists, turn) % ways) as u32;
                (0..ways).map(of).collect()
            });
            Arc::new(Moves { places: places.collect(), twists: twists.collect() })
        })
    }
}

impl<const N: usize> Pattern<Cube<N>> for Projection<N> {
    fn name(&self) -> String {
        let metric = self.metric.name();
        match self.kept {
            Kept::Corners => format!("cube{N}-{metric}-corners"),
            Kept::Edges { first, end } => format!("cube{N}-{metric}-edges-{first}-to-{}", end - 1),
        }
    }

    fn ranks(&self) -> u64 {
        self.places.count() * self.turns()
    }

    #[inline]
    fn rank(&self, state: &Pieces) -> u64 {
        let (mut at, mut turn) = ([0; EDGE_COUNT], 0);
        let count = match self.kept {
            Kept::Corners => {
                for (i, &place) in Self::ORDER[..Self::CORNERS].iter().enumerate() {
                    let (piece, twist) = state.corner(place.into());
                    // `ORDER` is its own inverse.
                    at[usize::from(Self::ORDER[piece])] = i;
                    if i + 1 < Self::CORNERS {
                        turn = turn * 3 + twist as u64;
                    }
                }
                Self::CORNERS
            }
            Kept::Edges { first, end } => {
                let (first, end) = (usize::from(first), usize::from(end));
                for place in 0..EDGE_COUNT {
                    let (piece, flip) = state.edge(place);
                    if (first..end).contains(&piece) {
                        at[piece - first] = place;
                        turn |= (flip as u64) << (piece - first);
                    }
                }
                end - first
            }
        };
        self.places.rank(&at[..count]) * self.turns() + turn
    }

    fn unrank(&self, rank: u64) -> Pieces {
        let (places, mut turn) = (self.places.unrank(rank / self.turns()), rank % self.turns());
        let (mut corners, mut edges) = SOLVED.codes();
        match self.kept {
            Kept::Corners => {
                let mut by = [0; CORNER_COUNT];
                let mut sum = 0;
                for by in by[..Self::CORNERS - 1].iter_mut().rev() {
                    *by = turn % 3;
                    sum += *by;
                    turn /= 3;
                }
                by[Self::CORNERS - 1] = (3 - sum % 3) % 3;
                for (i, &place) in places.iter().enumerate() {
                    let code = 3 * u64::from(Self::ORDER[place]) + by[place];
                    corners[usize::from(Self::ORDER[i])] = code as u8;
                }
            }
            Kept::Edges { first, end } => {
                let mut free: Vec<usize> =
                    (0..EDGE_COUNT).filter(|place| !places.contains(place)).collect();
                for (piece, code) in edges.iter_mut().enumerate() {
                    let (place, flip) = if (first.into()..end.into()).contains(&piece) {
                        let i = piece - usize::from(first);
                        (places[i], (turn >> i & 1) as usize)
                    } else {
                        // There are as many free positions as other pieces.
                        (free.pop().unwrap_or_default(), 0)
                    };
                    *code = (EDGE_CODES + 2 * place + flip) as u8;
                }
            }
        }
        Pieces::of_codes(corners, edges)
    }

    /// Without the tables of moves.
    fn some_before(&self, cube: &Cube<N>, rank: u64, visit: &mut impl FnMut(u64)) {
        let state = self.unrank(rank);
        cube.predecessors(&state, &mut |before, _| visit(self.rank(&before)));
    }

    /// By tables of moves: as every turn is taken back by one, the ranks before are those after.
    fn before(&self, _: &Cube<N>, rank: u64, visit: &mut impl FnMut(u64)) {
        let (moves, ways) = (self.moves(), self.turns());
        let (places, turn) = ((rank / ways) as usize, rank % ways);
        for (i, to) in moves.places.iter().enumerate() {
            let to = u64::from(to[places]);
            let turn = match moves.twists.get(i) {
                Some(twists) => u64::from(twists[turn as usize]),
                None => turn ^ (to % 64),
            };
            visit(to / 64 * ways + turn);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::uniform;
    use unriddle_core::Rng;
    use unriddle_tables::{Build as _, Distances, Work};

    #[test]
    fn ranks_are_read_back() {
        let rng = &mut Rng::new(4);
        let edges = |first, end| Kept::Edges { first, end };
        for kept in [Kept::Corners, edges(0, 6), edges(6, 12)] {
            let pattern = Projection::<3>::new(kept, Metric::Half);
            for _ in 0..100 {
                let state = uniform::<3>(rng);
                let rank = pattern.rank(&state);
                assert_eq!(pattern.rank(&pattern.unrank(rank)), rank);
                let cube = Cube::new(state, Metric::Half);
                let after = cube.turns().map(|turn| pattern.rank(&cube.apply(&state, turn)));
                let mut before = Vec::new();
                pattern.before(&cube, rank, &mut |rank| before.push(rank));
                assert_eq!(before, after.collect::<Vec<u64>>());
            }
        }
        let pocket = Projection::<2>::new(Kept::Corners, Metric::Half);
        assert_eq!(pocket.ranks(), 3_674_160);
        for _ in 0..1_000 {
            let state = uniform::<2>(rng);
            assert_eq!(pocket.unrank(pocket.rank(&state)), state);
        }
    }

    /// Numbers of states of the 2×2×2 by distance, as published (OEIS A079761 in turns of any
    /// angle, A079762 in quarter turns).
    #[test]
    fn the_pocket_cube_has_its_known_distances() {
        for (metric, counts) in [
            (
                Metric::Half,
                &[1, 9, 54, 321, 1_847, 9_992, 50_136, 227_536, 870_072, 1_887_748, 623_800, 2_644]
                    [..],
            ),
            (
                Metric::Quarter,
                &[
                    1, 6, 27, 120, 534, 2_256, 8_969, 33_058, 114_149, 360_508, 930_588, 1_350_852,
                    782_536, 90_280, 276,
                ],
            ),
        ] {
            let table = Distances {
                puzzle: Cube::<2>::new(SOLVED, metric),
                pattern: Projection::new(Kept::Corners, metric),
            };
            let packed = table.build(&Work::new(2, &|_| true)).unwrap();
            let mut found = [0; 16];
            for pair in packed {
                found[usize::from(pair & 15)] += 1;
                found[usize::from(pair >> 4)] += 1;
            }
            assert_eq!(&found[..counts.len()], counts);
            assert_eq!(counts.iter().sum::<u64>(), 3_674_160);
        }
    }
}
