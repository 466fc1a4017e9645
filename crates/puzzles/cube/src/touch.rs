//! Boards for pages: the stickers of the net, the inputs of turns, and the sketch of an editor.

use crate::{
    Metric, Turn,
    draw::{IMAGE, STICKER, corner, position},
    facelets::{Colours, stickers},
    geometry::FACES,
};
use unriddle_catalog::board::{Area, Cells, Gesture, Layout, Sketch, Spot, Swatch, Touch};

/// The faces in words.
const NAMES: [&str; 6] = ["up", "right", "front", "down", "left", "back"];

/// The colours of the faces in words.
const PAINTS: [&str; 6] = ["white", "red", "green", "yellow", "orange", "blue"];

/// Keys of clockwise turns, and with shift of counter-clockwise ones.
const KEYS: [[&str; 2]; 6] =
    [["u", "U"], ["r", "R"], ["f", "F"], ["d", "D"], ["l", "L"], ["b", "B"]];

/// The stickers of the net, face by face.
pub(crate) fn spots<const N: usize>(colours: &Colours) -> Vec<Spot> {
    let spot = |sticker: usize| {
        let (row, column) = position::<N>(sticker);
        let (x, y) = corner::<N>(row, column);
        let side = STICKER as f32;
        let area = Area { x: x as f32, y: y as f32, width: side, height: side };
        let (face, paint) = (sticker / 9, PAINTS[usize::from(colours.0[sticker])]);
        let (within, across) = (row % N + 1, column % N + 1);
        let name = format!("{} face, row {within}, column {across}: {paint}", FACES[face]);
        Spot { row, column, area, name }
    };
    stickers::<N>().map(spot).collect()
}

/// The inputs of a turn: its letter, with shift for a counter-clockwise turn, or a sticker of the
/// face. The left column turns the face counter-clockwise. The right column turns it clockwise, and
/// so does the middle column, unless half turns are actions: then the middle of its upper and lower
/// row, or on a 2×2×2 the lower row, is a half turn.
pub(crate) fn touch<const N: usize>(metric: Metric, turn: Turn) -> Touch {
    let face = usize::from(turn.face());
    let quarters = turn.quarters();
    let is_of = |&index: &usize| {
        let (row, column) = (index / N, index % N);
        let has_half_turns = metric == Metric::Half;
        let is_half = has_half_turns && if N == 2 { row == 1 } else { column == 1 && row != 1 };
        quarters
            == if is_half {
                2
            } else if column == 0 {
                3
            } else {
                1
            }
    };
    let mut spots: Vec<usize> =
        (0..N * N).filter(is_of).map(|index| face * N * N + index).collect();
    // The centre comes first.
    spots.sort_by_key(|&spot| !(N == 3 && spot % 9 == 4));
    let also = spots.split_off(1);
    let (key, angle) = match quarters {
        1 => (Some(KEYS[face][0]), "clockwise"),
        2 => (None, "by half"),
        _ => (Some(KEYS[face][1]), "counter-clockwise"),
    };
    let name = Some(format!("turn the {} face {angle}", NAMES[face]));
    Touch { from: spots.first().copied(), also, key, name, ..Touch::default() }
}

/// The sketch of a cube: its net.
pub(crate) fn sketch<const N: usize>(colours: &Colours) -> Sketch {
    let mut cells: Cells = vec![vec![None; 4 * N]; 3 * N];
    for sticker in stickers::<N>() {
        let (row, column) = position::<N>(sticker);
        cells[row][column] = Some(FACES[usize::from(colours.0[sticker])].to_string());
    }
    let swatch = |face: usize| {
        let name = format!("{}, the colour of {}", PAINTS[face], NAMES[face]);
        Swatch::new(FACES[face], name).coloured(IMAGE[face])
    };
    Sketch {
        layout: Layout::Net,
        gesture: Gesture::Paint,
        heads: Vec::new(),
        cells,
        palette: (0..6).map(swatch).collect(),
        is_resizable: false,
    }
}
