//! The cube in space, for pages.

use crate::{
    Turn,
    draw::IMAGE,
    facelets::{Colours, stickers},
    geometry::{FACES, FRAMES, Vector, dot, place},
};
use unriddle_catalog::board::{self, Facet, Point, Solid};

/// Classes of the colours, of a sticker that did not move and of a sticker that did.
const CLASSES: [[&str; 2]; 6] = [
    ["u", "u last"],
    ["r", "r last"],
    ["f", "f last"],
    ["d", "d last"],
    ["l", "l last"],
    ["b", "b last"],
];

/// Width of the body around a sticker, divided by the length of the cube.
const RIM: f32 = 0.0235;

/// Quarter turn in degrees.
const QUARTER: f32 = 90.0;

/// Corners of a rectangle in units of each axis, of which `axes` are the normal, the direction to
/// the right and the direction down as seen from outside. They are counter-clockwise.
fn rectangle(axes: [Vector; 3], depth: f32, right: [f32; 2], down: [f32; 2]) -> Vec<Point> {
    let point = |x: f32, y: f32| {
        std::array::from_fn(|i| {
            let [normal, right, down] = axes.map(|axis| f32::from(axis[i]));
            normal * depth + right * x + down * y
        })
    };
    vec![
        point(right[0], down[1]),
        point(right[1], down[1]),
        point(right[1], down[0]),
        point(right[0], down[0]),
    ]
}

/// The facet of a sticker on a cube from −1 to 1.
fn corners<const N: usize>(sticker: usize) -> Vec<Point> {
    // A 2×2×2 has the outer rows and columns.
    let range = |at: usize| {
        let at = if N == 2 { at / 2 } else { at };
        [at, at + 1].map(|edge| 2.0 * edge as f32 / N as f32 - 1.0)
    };
    rectangle(FRAMES[sticker / 9], 1.0, range(sticker % 3), range(sticker % 9 / 3))
}

/// Whether a sticker is on a piece of a face.
fn is_moved(sticker: usize, turn: Turn) -> bool {
    let [piece, _] = place(sticker);
    dot(piece, FRAMES[usize::from(turn.face())][0]) == 1
}

/// The stickers as facets, in the order of the spots.
pub(crate) fn solid<const N: usize>(colours: &Colours, last: Option<Turn>) -> Solid {
    let facet = |(spot, sticker): (usize, usize)| {
        let colour = usize::from(colours.0[sticker]);
        let is_last = last.is_some_and(|turn| is_moved(sticker, turn));
        Facet {
            corners: corners::<N>(sticker),
            colour: IMAGE[colour],
            class: CLASSES[colour][usize::from(is_last)],
            text: FACES[colour].to_string(),
            spot: Some(spot),
        }
    };
    Solid {
        facets: stickers::<N>().enumerate().map(facet).collect(),
        inset: 1.0 - 2.0 * RIM * N as f32,
    }
}

/// The motion of a turn: the layer of its face.
pub(crate) fn turn<const N: usize>(turn: Turn) -> board::Turn {
    let axes = FRAMES[usize::from(turn.face())];
    let moved = stickers::<N>().enumerate().filter(|&(_, sticker)| is_moved(sticker, turn));
    let whole = [-1.0, 1.0];
    board::Turn {
        axis: axes[0].map(f32::from),
        // Turns are named clockwise as seen from outside.
        degrees: match turn.quarters() {
            3 => QUARTER,
            quarters => -QUARTER * f32::from(quarters),
        },
        facets: moved.map(|(facet, _)| facet).collect(),
        cuts: vec![rectangle(axes, 1.0 - 2.0 / N as f32, whole, whole)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cube, Metric, pieces::SOLVED, touch};
    use unriddle_catalog::{Presentation as _, Style};
    use unriddle_core::Puzzle as _;

    fn middle(corners: &[Point]) -> Point {
        std::array::from_fn(|i| {
            corners.iter().map(|corner| corner[i]).sum::<f32>() / corners.len() as f32
        })
    }

    /// Each facet has the colour that the spot's name and the net show, at the sticker's position.
    fn facets_belong_to_spots<const N: usize>() {
        let cube = Cube::<N>::new(SOLVED, Metric::Quarter);
        let mut state = cube.initial_state();
        let played = [Turn(0), Turn(3), Turn(8)];
        for turn in played {
            state = cube.apply(&state, turn);
        }
        let colours = cube.colours(&state);
        let solid = cube.solid(&played, &state).expect("a cube is a solid");
        let spots = touch::spots::<N>(&colours);
        assert_eq!(solid.facets.len(), spots.len());
        for (facet, sticker) in solid.facets.iter().zip(stickers::<N>()) {
            let spot = &spots[facet.spot.expect("each sticker is pressed")];
            assert!(spot.name.starts_with(FACES[sticker / 9]), "{}", spot.name);
            assert_eq!(facet.text, FACES[usize::from(colours.0[sticker])].to_string());
            let [piece, normal] = place(sticker);
            let middle = middle(&facet.corners);
            let reach = 1.0 - 1.0 / N as f32;
            for i in 0..3 {
                // A sticker is on the surface of its piece.
                let (at, out) = (f32::from(piece[i]), f32::from(normal[i]));
                let expected = if out == 0.0 { at * reach } else { out };
                assert!((middle[i] - expected).abs() < 1e-5, "sticker {sticker}: {middle:?}");
            }
        }
        let last = solid.facets.iter().filter(|facet| facet.class.ends_with("last")).count();
        assert_eq!(last, N * N + 4 * N);
        assert!(!cube.draw(&state, Style::Svg).is_empty());
    }

    #[test]
    fn facets_of_both_sizes_belong_to_their_spots() {
        facets_belong_to_spots::<2>();
        facets_belong_to_spots::<3>();
    }

    fn rotated(point: Point, turn: &board::Turn) -> Point {
        let (sin, cos) = turn.degrees.to_radians().sin_cos();
        let [x, y, z] = turn.axis;
        let [a, b, c] = point;
        let along = (x * a + y * b + z * c) * (1.0 - cos);
        let cross = [y * c - z * b, z * a - x * c, x * b - y * a];
        std::array::from_fn(|i| point[i] * cos + cross[i] * sin + turn.axis[i] * along)
    }

    fn turns_lead_to_the_next_solid<const N: usize>() {
        let cube = Cube::<N>::new(SOLVED, Metric::Half);
        let mut state = cube.initial_state();
        for turn in cube.turns().collect::<Vec<_>>() {
            let (before, motion) = (cube.solid(&[], &state), cube.turn(&state, turn));
            let (before, motion) = (before.expect("a solid"), motion.expect("a motion"));
            state = cube.apply(&state, turn);
            let after = cube.solid(&[turn], &state).expect("a solid");
            for (index, facet) in before.facets.iter().enumerate() {
                let moves = motion.facets.contains(&index);
                let at = middle(&facet.corners);
                let at = if moves { rotated(at, &motion) } else { at };
                let near = |other: &&Facet| {
                    let other = middle(&other.corners);
                    (0..3).all(|i| (other[i] - at[i]).abs() < 1e-4)
                };
                let next = after.facets.iter().find(near).expect("a facet at this position");
                assert_eq!(next.colour, facet.colour, "turn {turn:?}, facet {index}");
                assert_eq!(next.class.ends_with("last"), moves);
            }
        }
    }

    #[test]
    fn turns_of_both_sizes_lead_to_the_next_solid() {
        turns_lead_to_the_next_solid::<2>();
        turns_lead_to_the_next_solid::<3>();
    }
}
