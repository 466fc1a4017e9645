//! Representative of all states that symmetries of the whole cube and inversion relate, which have
//! the same distance to the solved cube. The 3×3×3 has 96 such states.
//!
//! Candidates are compared piece by piece, so that in most cases one candidate is left after two
//! pieces. A table contains the position codes of the pieces of a symmetric state.

use crate::{
    Cube, Pieces,
    geometry::{EACH, EDGE_CODES, SYMMETRY},
    learn::Input,
    pieces::{CORNER_COUNT, EDGE_COUNT},
};
use std::sync::LazyLock;
use unriddle_core::{Invertible, Learnable};

/// Pieces of the 3×3×3.
const PIECES: usize = CORNER_COUNT + EDGE_COUNT;

/// The piece that becomes a piece of the symmetric state, and the map of its position code.
#[derive(Clone, Copy)]
struct Source {
    piece: u8,
    codes: [u8; EACH],
}

/// Symmetries that keep the faces that turn, each with the sources of all pieces.
type Images = Vec<Vec<Source>>;

fn images<const N: usize>() -> Images {
    let cube = Cube::<N> {
        input: Input::Cubies,
        ..Cube::new(crate::pieces::SOLVED, crate::Metric::default())
    };
    let of = |indices: &[u32]| {
        let pieces = indices.len() / EACH;
        let empty = Source { piece: 0, codes: [0; EACH] };
        let mut sources = vec![empty; pieces];
        for (index, &image) in indices.iter().enumerate() {
            let source = &mut sources[image as usize / EACH];
            source.piece = (index / EACH) as u8;
            source.codes[index % EACH] = (image as usize % EACH) as u8;
        }
        sources
    };
    let identity: Vec<u32> = (0..(EACH * cube.groups()) as u32).collect();
    // The symmetries of the inverse follow the symmetries of the state.
    let others = cube.symmetries().count() - 1;
    let images = Learnable::images(&cube);
    [&identity].into_iter().chain(&images[..others]).map(|image| of(image)).collect()
}

static LARGE: LazyLock<Images> = LazyLock::new(images::<3>);
static SMALL: LazyLock<Images> = LazyLock::new(images::<2>);

/// Position codes of all pieces. Codes of edges begin at 0.
fn codes(state: &Pieces) -> [u8; PIECES] {
    let (corners, edges) = state.codes();
    std::array::from_fn(|piece| match piece.checked_sub(CORNER_COUNT) {
        None => corners[piece],
        Some(edge) => edges[edge] - EDGE_CODES as u8,
    })
}

impl<const N: usize> Invertible for Cube<N> {
    fn inverted(&self, state: &Pieces) -> Pieces {
        state.inverse()
    }

    fn folded(&self, state: &Pieces) -> Pieces {
        let images: &Images = if N == 3 { &LARGE } else { &SMALL };
        let pieces = images[0].len();
        let both = [codes(state), codes(&state.inverse())];
        let code = |(image, which): (u8, u8), piece: usize| {
            let source = &images[usize::from(image)][piece];
            source.codes[usize::from(both[usize::from(which)][usize::from(source.piece)])]
        };
        let mut left = [(0, 0); 2 * SYMMETRY.len()];
        let mut count = 0;
        for image in 0..images.len() as u8 {
            for which in 0..2 {
                left[count] = (image, which);
                count += 1;
            }
        }
        let mut piece = 0;
        while count > 1 && piece < pieces {
            let (mut least, mut kept) = (u8::MAX, 0);
            for i in 0..count {
                let code = code(left[i], piece);
                if code < least {
                    (least, kept) = (code, 0);
                }
                if code == least {
                    left[kept] = left[i];
                    kept += 1;
                }
            }
            count = kept;
            piece += 1;
        }
        let (mut corners, mut edges) = state.codes();
        for (piece, at) in corners.iter_mut().enumerate() {
            *at = code(left[0], piece);
        }
        for (piece, at) in (CORNER_COUNT..pieces).zip(&mut edges) {
            *at = code(left[0], piece) + EDGE_CODES as u8;
        }
        Pieces::of_codes(corners, edges)
    }

    fn space(&self) -> String {
        format!("cube {N}x{N}x{N} {}", self.metric().name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, pieces::SOLVED};
    use std::collections::BTreeSet;
    use unriddle_core::{Puzzle as _, Rng};

    fn folds<const N: usize>() {
        let rng = &mut Rng::new(1);
        let cube = Cube::<N>::new(SOLVED, Metric::Quarter);
        for length in 0..200 {
            let turns: Vec<_> = cube.turns().collect();
            let turn = |state, _| cube.apply(&state, turns[rng.below(turns.len() as u64) as usize]);
            let state = (0..length % 25).fold(SOLVED, turn);
            let mut orbit: BTreeSet<Pieces> = cube.images(&state).into_iter().collect();
            orbit.extend(cube.images(&cube.inverted(&state)));
            let folded = cube.folded(&state);
            assert!(orbit.contains(&folded));
            for image in orbit {
                assert_eq!(cube.folded(&image), folded);
            }
        }
    }

    #[test]
    fn all_symmetric_states_and_inverses_fold_to_one() {
        folds::<3>();
        folds::<2>();
    }
}
