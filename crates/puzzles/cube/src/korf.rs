//! Korf's pattern databases: the corners, and two sets of edges (Korf 1997, Finding optimal solutions to Rubik's cube using
//! pattern databases, AAAI-97), in either metric. Of the 2×2×2 the corners are everything.

use crate::{
    Cube, Metric, Pieces,
    geometry::EDGE_CODES,
    pieces::{CORNER_COUNT, EDGE_COUNT, SOLVED},
};
use unriddle_tables::{Pattern, rank::Placements};

/// What is kept of a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Where all corners lie and how they are turned.
    Corners,
    /// The same of edges, from the first one to one before the last.
    Edges {
        /// The first edge.
        first: u8,
        /// One past the last edge.
        end: u8,
    },
}

/// A pattern of a cube of side `N`.
#[derive(Clone, Debug)]
pub struct Projection<const N: usize> {
    kept: Kept,
    metric: Metric,
    places: Placements,
}

impl<const N: usize> Projection<N> {
    /// What is kept of the cubes of a metric.
    #[must_use]
    pub fn new(kept: Kept, metric: Metric) -> Self {
        let places = match kept {
            Kept::Corners => Placements::new(Self::CORNERS, Self::CORNERS),
            Kept::Edges { first, end } => Placements::new(EDGE_COUNT, (end - first).into()),
        };
        Self {
            kept,
            metric,
            places,
        }
    }

    /// Corners that turn; those of the 2×2×2 without the one that stays.
    const CORNERS: usize = if N == 3 {
        CORNER_COUNT
    } else {
        CORNER_COUNT - 1
    };

    /// The corners that turn, in the order of ranking: the one that stays on the 2×2×2 is the last.
    const ORDER: [u8; CORNER_COUNT] = [0, 1, 2, 3, 4, 5, 7, 6];

    /// Twists or flips of the pieces, all but the last of the corners, whose twist follows.
    fn turns(&self) -> (u64, usize) {
        match self.kept {
            Kept::Corners => (3, Self::CORNERS - 1),
            Kept::Edges { first, end } => (2, (end - first).into()),
        }
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
        let (ways, pieces) = self.turns();
        self.places.count() * ways.pow(pieces as u32)
    }

    fn rank(&self, state: &Pieces) -> u64 {
        let (corners, edges) = state.codes();
        let (ways, turning) = self.turns();
        let mut at = [0; EDGE_COUNT];
        let (mut turn, mut count) = (0, 0);
        let mut add = |place: usize, by: u64| {
            at[count] = place;
            if count < turning {
                turn = turn * ways + by;
            }
            count += 1;
        };
        match self.kept {
            Kept::Corners => {
                for &piece in &Self::ORDER[..Self::CORNERS] {
                    let code = corners[usize::from(piece)];
                    add(Self::ORDER[usize::from(code / 3)].into(), (code % 3).into());
                }
            }
            Kept::Edges { first, end } => {
                for piece in first..end {
                    let code = edges[usize::from(piece)] - EDGE_CODES as u8;
                    add(usize::from(code / 2), (code % 2).into());
                }
            }
        }
        self.places.rank(&at[..count]) * ways.pow(turning as u32) + turn
    }

    fn unrank(&self, rank: u64) -> Pieces {
        let (ways, turning) = self.turns();
        let all = ways.pow(turning as u32);
        let (places, mut turn) = (self.places.unrank(rank / all), rank % all);
        let mut by = [0; EDGE_COUNT];
        for by in by[..turning].iter_mut().rev() {
            *by = turn % ways;
            turn /= ways;
        }
        let (mut corners, mut edges) = SOLVED.codes();
        match self.kept {
            Kept::Corners => {
                let sum: u64 = by.iter().sum();
                by[turning] = (3 - sum % 3) % 3;
                for (i, &place) in places.iter().enumerate() {
                    let code = 3 * u64::from(Self::ORDER[place]) + by[i];
                    corners[usize::from(Self::ORDER[i])] = code as u8;
                }
            }
            Kept::Edges { first, end } => {
                let mut free: Vec<usize> = (0..EDGE_COUNT)
                    .filter(|place| !places.contains(place))
                    .collect();
                for (piece, code) in edges.iter_mut().enumerate() {
                    let (place, flip) = match (first.into()..end.into()).contains(&piece) {
                        true => {
                            let i = piece - usize::from(first);
                            (places[i], by[i] as usize)
                        }
                        // As many as other pieces.
                        false => (free.pop().unwrap_or_default(), 0),
                    };
                    *code = (EDGE_CODES + 2 * place + flip) as u8;
                }
            }
        }
        Pieces::of_codes(corners, edges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::uniform;
    use unriddle_core::Rng;

    #[test]
    fn ranks_are_read_back() {
        let rng = &mut Rng::new(4);
        let edges = |first, end| Kept::Edges { first, end };
        for kept in [Kept::Corners, edges(0, 6), edges(6, 12)] {
            let pattern = Projection::<3>::new(kept, Metric::Half);
            for _ in 0..1_000 {
                let rank = pattern.rank(&uniform::<3>(rng));
                assert_eq!(pattern.rank(&pattern.unrank(rank)), rank);
            }
        }
        let pocket = Projection::<2>::new(Kept::Corners, Metric::Half);
        assert_eq!(pocket.ranks(), 3_674_160);
        for _ in 0..1_000 {
            let state = uniform::<2>(rng);
            assert_eq!(pocket.unrank(pocket.rank(&state)), state);
        }
    }
}
