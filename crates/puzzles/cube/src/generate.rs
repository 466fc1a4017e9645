//! Random cubes.

use crate::{
    Cube, Metric, Pieces, Turn,
    geometry::EDGE_CODES,
    pieces::{CORNER_COUNT, EDGE_COUNT, SOLVED, is_odd},
};
use unriddle_core::{Puzzle as _, Rng};

/// Every cube of side `N` that turns can solve with the same probability.
pub(crate) fn uniform<const N: usize>(rng: &mut Rng) -> Pieces {
    // The last corner of the 2×2×2 in this order is the fixed one.
    let moving = [0, 1, 2, 3, 4, 5, 7, 6];
    let count = if N == 3 { CORNER_COUNT } else { CORNER_COUNT - 1 };
    let mut places: Vec<usize> = moving[..count].to_vec();
    rng.shuffle(&mut places);
    let mut corners = [0; CORNER_COUNT];
    corners[6] = 3 * 6;
    let mut twist = 0;
    for (i, (&piece, &place)) in moving.iter().zip(&places).enumerate() {
        // The last one makes the sum a multiple of 3.
        let by = if i + 1 < count { rng.below(3) as usize } else { (3 - twist % 3) % 3 };
        twist += by;
        corners[piece] = (3 * place + by) as u8;
    }
    let mut edges: [u8; EDGE_COUNT] = std::array::from_fn(|piece| (EDGE_CODES + 2 * piece) as u8);
    if N == 3 {
        let mut places: Vec<usize> = (0..EDGE_COUNT).collect();
        rng.shuffle(&mut places);
        let corner_places = corners.iter().map(|&code| usize::from(code) / 3);
        if is_odd(corner_places) != is_odd(places.iter().copied()) {
            places.swap(0, 1);
        }
        let mut flip = 0;
        for (piece, place) in places.into_iter().enumerate() {
            let by = if piece + 1 < EDGE_COUNT { rng.below(2) as usize } else { flip % 2 };
            flip += by;
            edges[piece] = (EDGE_CODES + 2 * place + by) as u8;
        }
    }
    Pieces::of_codes(corners, edges)
}

/// The solved cube after `count` random turns.
pub(crate) fn scrambled<const N: usize>(metric: Metric, count: u64, rng: &mut Rng) -> Pieces {
    let cube = Cube::<N>::new(SOLVED, metric);
    let turns: Vec<Turn> = cube.turns().collect();
    (0..count).fold(SOLVED, |pieces, _| {
        cube.apply(&pieces, turns[rng.below(turns.len() as u64) as usize])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_cubes_can_be_solved() {
        let rng = &mut Rng::new(2);
        for _ in 0..1_000 {
            assert_eq!(uniform::<3>(rng).defect(true), None);
            let pocket = uniform::<2>(rng);
            assert_eq!(pocket.defect(false), None);
            assert_eq!((pocket.corner(6), pocket.edges), ((6, 0), SOLVED.edges));
        }
    }
}
