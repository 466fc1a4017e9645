//! Learnable features of a cube: the input of networks, symmetries and training data.

use crate::{
    Cube, Metric, Pieces, Turn,
    facelets::{Colours, STAYS, stickers},
    family::INFO,
    geometry::{CODES, EACH, EDGE_CODES, STICKERS, Symmetry},
    pairs,
    pieces::{CORNER_COUNT, EDGE_COUNT, SOLVED},
};
use unriddle_core::{Features, Learnable, Part, Purpose, Puzzle as _, Rows, rows};

/// Input of a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Input {
    /// Position and orientation of each piece: 24 indices per piece.
    #[default]
    Cubies,
    /// The colour of each sticker, as in DeepCubeA: six indices a sticker.
    Stickers,
    /// The pieces at a corner and at an adjacent edge, combined: 576 indices per pair of positions.
    Pairs,
}

impl<const N: usize> Cube<N> {
    /// Pieces that are seen: the edges and one corner of a 2×2×2 stay where they are.
    const SEEN: usize = if N == 3 { CORNER_COUNT + EDGE_COUNT } else { CORNER_COUNT };

    /// Permutation of the indices of [`Input::Cubies`] by a symmetry.
    fn image_of_cubies(one: &Symmetry) -> Vec<u32> {
        let to = |index: usize| {
            let (piece, code) = (index / EACH, index % EACH);
            let (first, each, piece) = match piece.checked_sub(CORNER_COUNT) {
                None => (0, 3, piece),
                Some(edge) => (EDGE_CODES, 2, edge),
            };
            // The sticker of the original piece that becomes the first sticker of another piece.
            let of =
                |sticker: usize| usize::from(one.codes[first + each * piece + sticker]) - first;
            let at = (0..each).find(|&sticker| of(sticker) % each == 0).unwrap_or(0);
            let now = first + code / each * each + (code % each + at) % each;
            let now = usize::from(one.codes[now]) - first;
            let image = of(0) / each + if first == 0 { 0 } else { CORNER_COUNT };
            (EACH * image + now) as u32
        };
        (0..EACH * Self::SEEN).map(to).collect()
    }
}

impl<const N: usize> Features for Cube<N> {
    fn feature_len(&self) -> usize {
        match self.input {
            Input::Cubies => EACH * Self::SEEN,
            Input::Stickers => 6 * stickers::<N>().count(),
            Input::Pairs => pairs::LEN,
        }
    }

    fn active(&self, state: &Pieces, sink: &mut dyn FnMut(u32)) {
        match self.input {
            Input::Cubies => {
                let (corners, edges) = state.codes();
                for (piece, &code) in corners.iter().enumerate() {
                    sink((EACH * piece) as u32 + u32::from(code));
                }
                if N == 3 {
                    for (piece, &code) in (CORNER_COUNT..).zip(&edges) {
                        sink((EACH * piece - EDGE_CODES) as u32 + u32::from(code));
                    }
                }
            }
            Input::Stickers => {
                let colours = Colours::of(state);
                for (at, sticker) in stickers::<N>().enumerate() {
                    sink(6 * at as u32 + u32::from(colours.0[sticker]));
                }
            }
            Input::Pairs => pairs::active(state, sink),
        }
    }

    fn delta(&self, state: &Pieces, turn: Turn, sink: &mut dyn FnMut(u32, bool)) {
        match self.input {
            Input::Cubies => state.moved(turn.0, N == 3, &mut |piece, before, after| {
                sink((EACH * piece) as u32 + before, false);
                sink((EACH * piece) as u32 + after, true);
            }),
            Input::Stickers => {
                let both = [*state, self.apply(state, turn)].map(|state| Colours::of(&state));
                for (at, sticker) in stickers::<N>().enumerate() {
                    let [before, after] = [0, 1].map(|i| u32::from(both[i].0[sticker]));
                    if before != after {
                        sink(6 * at as u32 + before, false);
                        sink(6 * at as u32 + after, true);
                    }
                }
            }
            Input::Pairs => pairs::delta([state, &self.apply(state, turn)], turn.face(), sink),
        }
    }
}

/// A byte for each piece, corners first: the position and the orientation of the piece.
impl<const N: usize> Rows for Cube<N> {
    fn state_of_row(&self, row: &[u8]) -> Result<Pieces, String> {
        rows::in_range(row, EACH)?;
        let (corners, edges) = row.split_at(CORNER_COUNT.min(row.len()));
        let (mut new_corners, mut new_edges) = SOLVED.codes();
        new_corners.iter_mut().zip(corners).for_each(|(code, &byte)| *code = byte);
        new_edges.iter_mut().zip(edges).for_each(|(code, &byte)| *code = byte + EDGE_CODES as u8);
        if N == 2 && new_corners[STAYS] != SOLVED.codes().0[STAYS] {
            return Err(format!("byte {STAYS} is {}: this corner stays", row[STAYS]));
        }
        // Two pieces at the same position.
        for (first, pieces, each) in [(0, corners, 3), (CORNER_COUNT, edges, 2)] {
            for (at, &byte) in pieces.iter().enumerate() {
                let here = |&other: &u8| other / each == byte / each;
                if let Some(other) = pieces[..at].iter().position(here) {
                    let (other, at) = (first + other, first + at);
                    return Err(format!("bytes {other} and {at}: two pieces at the same position"));
                }
            }
        }
        Ok(Pieces::of_codes(new_corners, new_edges))
    }
}

impl<const N: usize> Learnable for Cube<N> {
    /// A cube without edges has no pairs of a corner and an edge.
    const INPUTS: &'static [&'static str] = match N {
        3 => &["cubies", "stickers", "pairs"],
        _ => &["cubies", "stickers"],
    };

    fn seen_by(&self, input: usize) -> Self {
        let input = [Input::Cubies, Input::Stickers, Input::Pairs][input.min(2)];
        Self { input, ..self.clone() }
    }

    fn input(&self) -> usize {
        self.input as usize
    }

    fn purpose(&self) -> Purpose {
        Purpose {
            puzzle: INFO.name.to_owned(),
            size: format!("{N}x{N}x{N}"),
            goal: format!("solved in {}", self.metric.name()),
        }
    }

    fn groups(&self) -> usize {
        match self.input {
            Input::Cubies => Self::SEEN,
            Input::Stickers => stickers::<N>().count(),
            Input::Pairs => pairs::PAIR_COUNT,
        }
    }

    fn parts(&self) -> Vec<Vec<Part>> {
        match self.input {
            Input::Pairs => pairs::parts(),
            Input::Cubies | Input::Stickers => Vec::new(),
        }
    }

    fn begun_at(&self, state: Pieces) -> Self {
        Self { start: state, ..self.clone() }
    }

    fn action_count(&self) -> usize {
        let each = match self.metric {
            Metric::Quarter => 2,
            Metric::Half => 3,
        };
        each * usize::from(Self::FACES)
    }

    fn action_number(&self, turn: Turn) -> usize {
        match self.metric {
            Metric::Quarter => usize::from(2 * turn.face() + turn.0 % 3 / 2),
            Metric::Half => turn.0.into(),
        }
    }

    /// The symmetries. For the input of cubies also their compositions with inversion, which keeps
    /// the distance to the solved cube: 96 with the identity.
    fn images(&self) -> Vec<Vec<u32>> {
        let symmetries = self.symmetries().map(|one| match self.input {
            Input::Cubies => Self::image_of_cubies(one),
            Input::Pairs => pairs::image(&Self::image_of_cubies(one)),
            Input::Stickers => {
                let all: Vec<usize> = stickers::<N>().collect();
                let mut at = [0; STICKERS];
                for (i, &sticker) in all.iter().enumerate() {
                    at[sticker] = i;
                }
                let to = |index: usize| {
                    let sticker = at[usize::from(one.stickers[all[index / 6]])];
                    6 * sticker as u32 + u32::from(one.faces[index % 6])
                };
                (0..self.feature_len()).map(to).collect::<Vec<u32>>()
            }
        });
        let mut images: Vec<Vec<u32>> = symmetries.collect();
        if self.input == Input::Cubies {
            let inverse = |index: usize| {
                let (piece, code) = (index / EACH, index % EACH);
                let (first, each) = if piece < CORNER_COUNT { (0, 3) } else { (CORNER_COUNT, 2) };
                let (piece, place) = (piece - first, code / each);
                (EACH * (place + first) + each * piece + (each - code % each) % each) as u32
            };
            let inverse: Vec<u32> = (0..self.feature_len()).map(inverse).collect();
            let both = |image: &Vec<u32>| inverse.iter().map(|&i| image[i as usize]).collect();
            let inverses: Vec<Vec<u32>> = images.iter().map(both).collect();
            images.extend(inverses);
        }
        // The very first symmetry is the identity.
        images.remove(0);
        images
    }

    /// A quarter turn changes the parity of the corners.
    fn parity(&self) -> Option<fn(&Pieces) -> bool> {
        (self.metric == Metric::Quarter).then_some(Pieces::has_odd_corners)
    }

    /// No cube needs more than 26 quarter turns.
    fn depths(&self) -> &'static [u64] {
        &[5, 8, 11, 14, 20, 30]
    }

    /// A turn that neither undoes an earlier one nor turns opposite faces in the other order. In
    /// quarter turns, no face is turned three times in a row.
    fn canonical_step(
        &self,
        state: &Pieces,
        done: &[Turn],
        rng: &mut unriddle_core::Rng,
    ) -> Option<(Pieces, Turn)> {
        // The last of `done` is the turn that follows the new one on the way to the goal.
        let next = done.last().copied();
        let after = done.len().checked_sub(2).map(|i| done[i]);
        let is_kept = |turn: Turn| {
            let Some(next) = next else {
                return true;
            };
            let third = self.metric == Metric::Quarter && turn == next && after == Some(next);
            !self.is_inverse(turn, next) && !self.commutes_after(turn, next) && !third
        };
        // Drawn until one is kept, as more than half of them are: faster than to list those.
        loop {
            let number = rng.below(self.action_count() as u64) as u8;
            let turn = Turn(match self.metric {
                Metric::Quarter => 3 * (number / 2) + 2 * (number % 2),
                Metric::Half => number,
            });
            debug_assert_eq!(self.action_number(turn), usize::from(number));
            if is_kept(turn) {
                return Some((self.apply(state, turn.inverse()), turn));
            }
        }
    }
}

const _: () = assert!(CODES == 2 * EACH);
